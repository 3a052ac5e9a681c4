import type { Clock, Disposable } from '../../src/base/index.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. Timers run in the order of their dates, then of their making. */
export class ManualClock implements Clock {
  #now: number;
  readonly #start: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs = Date.parse('2026-11-29T12:00:00Z')) {
    this.#start = startMs;
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  monotonicMs(): number {
    return this.#now - this.#start;
  }

  get pending(): number {
    return this.#timers.size;
  }

  after(delayMs: number, callback: () => void): Disposable {
    this.#order += 1;
    const timer: Timer = { at: this.#now + delayMs, order: this.#order, callback };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Moves on by `ms`, running what falls due on the way, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > end) continue;
      if (found === undefined || timer.at < found.at || (timer.at === found.at && timer.order < found.order))
        found = timer;
    }
    return found;
  }
}
