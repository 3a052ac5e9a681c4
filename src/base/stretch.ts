import type { Clock } from './clock.ts';

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
