import type { StoredPod } from '../objects.ts';
import { finishedAt } from './pods.ts';

/** How long a Job waits before it makes another pod after failures. */
export interface BackoffSettings {
  /** After the first failure; doubled by each further one. Kubernetes: 10 s. */
  readonly baseMs: number;
  /** Kubernetes: 10 min. */
  readonly maxMs: number;
}

/** How a Job's pods have fared lately. Times are epoch milliseconds. */
export interface BackoffRecord {
  readonly failuresSinceSuccess: number;
  readonly lastFailureAt?: number;
}

/** Where every Job starts, and starts anew after a success. */
export const noFailures: BackoffRecord = { failuresSinceSuccess: 0 };

/** The record after pods that have just ended. A success wipes out what failed before it. */
export function recordEnds(
  record: BackoffRecord,
  succeeded: readonly StoredPod[],
  failed: readonly StoredPod[],
): BackoffRecord {
  if (succeeded.length === 0 && failed.length === 0) return record;
  const failures = failed.map(finishedAt);
  if (succeeded.length === 0) {
    return {
      failuresSinceSuccess: record.failuresSinceSuccess + failures.length,
      lastFailureAt: Math.max(...failures),
    };
  }
  const lastSuccess = Math.max(...succeeded.map(finishedAt));
  const later = failures.filter((at) => at > lastSuccess);
  return later.length === 0 ? noFailures : { failuresSinceSuccess: later.length, lastFailureAt: Math.max(...later) };
}

/** Milliseconds until the next pod may be made; 0 if it may be now. */
export function remainingMs(record: BackoffRecord, settings: BackoffSettings, now: number): number {
  if (record.failuresSinceSuccess === 0 || record.lastFailureAt === undefined) return 0;
  const delay = Math.min(settings.baseMs * 2 ** (record.failuresSinceSuccess - 1), settings.maxMs);
  return Math.max(0, delay - (now - record.lastFailureAt));
}
