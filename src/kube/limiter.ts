import type { Clock, Disposable } from '../base/index.ts';

/** Holds requests back so that one user stays a polite client of a shared API server. */
export interface Limiter {
  /** Resolves when the request may go; rejects with the signal's reason when that aborts first. */
  take(priority: 'normal' | 'urgent', signal: AbortSignal): Promise<void>;
  /** The server asked for a pause: nothing goes before it ends, and the rate halves until it has recovered. */
  slowDown(pauseMs: number): void;
  /** Drops those who wait; they reject. */
  dispose(): void;
}

export interface TokenBucketOptions {
  /** Tokens a second. Default 20. */
  readonly ratePerSecond?: number;
  /** Size of the bucket. Default 40. */
  readonly burst?: number;
  /** Tokens that only urgent requests may take: leases and deletions shall not wait behind bulk work. Default 4. */
  readonly reserve?: number;
}

interface Waiter {
  readonly floor: number;
  readonly go: () => void;
  readonly cancel: (reason: unknown) => void;
}

/** How long a halved rate takes to be whole again after the last complaint of the server. */
const recoveryMs = 60_000;

/**
 * A token bucket over the monotonic clock. Waiters of one priority are served in order; urgent ones first.
 *
 * Invariant: a timer is pending exactly while somebody waits.
 */
export function tokenBucket(clock: Clock, options: TokenBucketOptions = {}): Limiter {
  const fullRate = options.ratePerSecond ?? 20;
  const burst = options.burst ?? 40;
  const reserve = Math.min(options.reserve ?? 4, burst - 1);
  const queues: Record<'normal' | 'urgent', Waiter[]> = { urgent: [], normal: [] };
  let tokens = burst;
  let filledAt = clock.monotonicMs();
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let slowUntil = Number.NEGATIVE_INFINITY;
  let timer: Disposable | undefined;

  function rate(now: number): number {
    return now < slowUntil ? fullRate / 2 : fullRate;
  }

  function fill(): number {
    const now = clock.monotonicMs();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate(now));
    filledAt = now;
    return now;
  }

  function next(): Waiter | undefined {
    return queues.urgent[0] ?? queues.normal[0];
  }

  function serve(): void {
    timer?.dispose();
    timer = undefined;
    const now = fill();
    if (now >= pausedUntil) {
      for (let waiter = next(); waiter !== undefined && tokens >= waiter.floor + 1; waiter = next()) {
        tokens -= 1;
        remove(waiter);
        waiter.go();
      }
    }
    const waiting = next();
    if (waiting === undefined) return;
    const refillMs = Math.max(0, ((waiting.floor + 1 - tokens) / rate(now)) * 1000);
    timer = clock.after(Math.ceil(Math.max(refillMs, pausedUntil - now, 1)), serve);
  }

  function remove(waiter: Waiter): void {
    for (const queue of [queues.urgent, queues.normal]) {
      const index = queue.indexOf(waiter);
      if (index >= 0) queue.splice(index, 1);
    }
  }

  return {
    take(priority, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        function onAbort(): void {
          waiter.cancel(signal.reason);
          serve();
        }
        const waiter: Waiter = {
          floor: priority === 'urgent' ? 0 : reserve,
          go() {
            signal.removeEventListener('abort', onAbort);
            resolve();
          },
          cancel(reason) {
            signal.removeEventListener('abort', onAbort);
            remove(waiter);
            reject(reason);
          },
        };
        queues[priority].push(waiter);
        signal.addEventListener('abort', onAbort, { once: true });
        serve();
      });
    },
    slowDown(pauseMs) {
      const now = fill();
      pausedUntil = Math.max(pausedUntil, now + pauseMs);
      slowUntil = Math.max(slowUntil, pausedUntil + recoveryMs);
      serve();
    },
    dispose() {
      timer?.dispose();
      timer = undefined;
      const reason = new DOMException('The connection to the cluster was closed.', 'AbortError');
      for (const waiter of [...queues.urgent, ...queues.normal]) waiter.cancel(reason);
    },
  };
}

/** For tests and for clusters inside this process: nothing waits. */
export const unlimited: Limiter = {
  async take(_priority, signal) {
    signal.throwIfAborted();
  },
  slowDown() {},
  dispose() {},
};
