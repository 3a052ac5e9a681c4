import { type Clock, nextTurn } from './clock.ts';
import type { Pieces } from './pieces.ts';

/**
 * Begins a stretch of work of so many milliseconds, and answers whether it is over: to be asked after each piece of the work.
 * It is over also where another piece as long as its longest one would outlast it, for how long the next takes is not known:
 * what an engine compiles while it runs, and its memory, make single pieces long.
 */
export function beginStretch(ms: number, clock: Pick<Clock, 'monotonicMs'>): () => boolean {
  const startMs = clock.monotonicMs();
  let beforeMs = startMs;
  let longestMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    longestMs = Math.max(longestMs, nowMs - beforeMs);
    beforeMs = nowMs;
    return nowMs + longestMs - startMs > ms;
  };
}

/**
 * Does work in stretches of so many milliseconds, each in a turn of the event loop of its own. Resolves with undefined as soon
 * as nobody wants it any more, which is asked behind each stretch.
 */
export async function inStretches<T>(
  pieces: Pieces<T>,
  ms: number,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  isWanted: () => boolean,
): Promise<T | undefined> {
  for (;;) {
    const isOver = beginStretch(ms, clock);
    do {
      const step = pieces.next();
      if (step.done === true) return step.value;
    } while (!isOver());
    await nextTurn(clock);
    if (!isWanted()) return undefined;
  }
}
