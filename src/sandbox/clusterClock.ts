import type { Clock, Disposable } from '../base/index.ts';

/**
 * The clock of one cluster: another's, with an error of its own, and with a list of what is still to happen. Disposing
 * it cancels all that, so that no part of the cluster has to keep its timers.
 */
export class ClusterClock implements Clock, Disposable {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #pending = new Set<Disposable>();
  #isDisposed = false;
  /** How far this cluster's wall clock is ahead, in milliseconds. */
  skewMs = 0;

  /** `onError` hears of callbacks that throw: one of them must not take the other parts of the cluster along. */
  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#onError = onError;
  }

  now(): number {
    return this.#clock.now() + this.skewMs;
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  after(delayMs: number, callback: () => void): Disposable {
    if (this.#isDisposed) return { dispose() {} };
    // Timers of more than 24.8 days overflow; what waits that long in a sandbox never comes.
    const timer = this.#clock.after(Math.min(Math.max(0, delayMs), 2 ** 31 - 1), () => {
      this.#pending.delete(timer);
      try {
        callback();
      } catch (error) {
        this.#onError(error);
      }
    });
    this.#pending.add(timer);
    return {
      dispose: () => {
        this.#pending.delete(timer);
        timer.dispose();
      },
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const timer of this.#pending) timer.dispose();
    this.#pending.clear();
  }
}
