import type { Clock } from '../../src/base/index.ts';

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Lets time pass; timers that fall due run in order, each at its time. */
  advance(ms: number): void;
  readonly pendingTimers: number;
}

export function manualClock(): ManualClock {
  let elapsed = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => 1_700_000_000_000 + elapsed,
    monotonicMs: () => elapsed,
    after(delayMs, run) {
      const timer = { at: elapsed + delayMs, run };
      timers.add(timer);
      return { dispose: () => void timers.delete(timer) };
    },
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        elapsed = Math.max(elapsed, due.at);
        due.run();
      }
      elapsed = end;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}
