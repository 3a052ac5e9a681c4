import type { Clock, Disposable } from '../../src/base/index.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  /** Absent once it is disposed or has run. */
  callback: (() => void) | undefined;
}

/** A clock that stands still until a test moves it. Timers run in the order of their dates, then of their making. */
export class ManualClock implements Clock {
  #now: number;
  readonly #start: number;
  #order = 0;
  #pending = 0;
  /** A binary heap: no timer is later than the two below it. */
  readonly #heap: Timer[] = [];

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

  /** Timers that have neither run nor been disposed. */
  get pending(): number {
    return this.#pending;
  }

  after(delayMs: number, callback: () => void): Disposable {
    this.#order += 1;
    this.#pending += 1;
    const timer: Timer = { at: this.#now + delayMs, order: this.#order, callback };
    this.#push(timer);
    return { dispose: () => void this.#take(timer) };
  }

  /** Moves on by `ms`, running what falls due on the way, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#heap[0]; next !== undefined && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      const callback = this.#take(next);
      if (callback === undefined) continue;
      this.#now = Math.max(this.#now, next.at);
      callback();
    }
    this.#now = end;
  }

  #take(timer: Timer): (() => void) | undefined {
    const { callback } = timer;
    if (callback !== undefined) this.#pending -= 1;
    timer.callback = undefined;
    return callback;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(timer, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const below = isRight ? right : left;
      if (below === undefined || !isBefore(below, last)) break;
      heap[index] = below;
      index = 2 * index + (isRight ? 2 : 1);
    }
    heap[index] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
