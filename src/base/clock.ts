import type { Disposable } from './disposable.ts';

/**
 * Time and waiting, injected everywhere so that tests can own them. This file alone touches the platform's timers.
 */
export interface Clock {
  /** Wall clock, epoch milliseconds. May jump (sleep, correction by NTP). */
  now(): number;
  /** Milliseconds since an arbitrary start; never goes back. Stands still while a laptop sleeps on Linux and macOS. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs`; disposing the result before then prevents it. */
  after(delayMs: number, callback: () => void): Disposable;
}

/** A source of numbers in [0, 1), injected wherever jitter or identity is drawn. */
export type Random = () => number;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const handle = setTimeout(callback, delayMs);
    return { dispose: () => clearTimeout(handle) };
  },
};

export const systemRandom: Random = () => Math.random();

/** Resolves when whatever waits for the event loop has had its turn. */
export function nextTurn(clock: Pick<Clock, 'after'>): Promise<void> {
  return new Promise((resolve) => void clock.after(0, resolve));
}

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it aborts, leaving no listener behind. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    function onAbort(): void {
      timer.dispose();
      reject(signal.reason);
    }
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
