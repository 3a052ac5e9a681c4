import { beginStretch, type Pieces, systemClock } from '../../src/base/index.ts';

/**
 * For how long a piece of work holds the event loop, in milliseconds: the time that passed, or, where that is less, the
 * processor time of the process. The first is the truth on an idle machine, and counts on a busy one what others did
 * meanwhile. The second counts at any time what the engine's helpers (garbage collector, compiler) did beside it on another
 * processor. So the less of the two is never too little, and comes nearest to what an idle machine would show. (The processor
 * time of the thread alone would be nearer still, but Linux tells it in steps as long as what is measured here.)
 */
export function held<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const value = work();
  const passedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { value, ms: Math.min(passedMs, (user + system) / 1000) };
}

/** Works for a stretch, as the editor does. */
export function isDoneInStretch(pieces: Pieces<unknown>): boolean {
  const isOver = beginStretch(6, systemClock);
  do {
    if (pieces.next().done === true) return true;
  } while (!isOver());
  return false;
}
