import type { StoredJob, StoredPod } from '../objects.ts';
import { type BackoffRecord, remainingMs } from './backoff.ts';
import { allFailures, type Census, indexesOf } from './census.ts';
import { union } from './indexes.ts';
import {
  byLeastProgress,
  finishedAt,
  isIndexed,
  isReady,
  isSuspended,
  isTerminating,
  replacesOnlyFailed,
  validIndex,
} from './pods.ts';
import { batchLimit, type PodCreation, type SyncInput } from './step.ts';

/** Which pods go and come, and the counts as they are then. */
export interface Management {
  readonly deletions: readonly StoredPod[];
  readonly creations: readonly PodCreation[];
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly again?: number;
}

/** The pods as they are. */
export function untouched(census: Census): Management {
  const { active, terminating } = census;
  return { deletions: [], creations: [], active: active.length, ready: active.filter(isReady).length, terminating };
}

/** Nobody stays at work: the Job is decided, or suspended. */
export function removeAll(census: Census): Management {
  return withDeletions(census, census.active);
}

/** The counts as they will be, so that one write of the status tells it all. */
function withDeletions(census: Census, deletions: readonly StoredPod[]): Management {
  const still = untouched(census);
  return {
    ...still,
    deletions,
    active: still.active - deletions.length,
    ready: still.ready - deletions.filter(isReady).length,
    terminating: still.terminating + deletions.length,
  };
}

/** How many pods there should be, and what to do about the difference. */
export function manage(input: SyncInput, census: Census, backoff: BackoffRecord): Management {
  const { job, now, settings } = input;
  const { spec } = job;
  if (isSuspended(job)) return removeAll(census);
  const activeCount = census.active.length;
  const parallelism = spec.parallelism ?? 1;
  const wanted =
    spec.completions === undefined
      ? // A work queue: after the first success nobody new is hired.
        census.succeeded > 0
        ? activeCount
        : parallelism
      : Math.max(0, Math.min(parallelism, spec.completions - census.succeeded));
  const surplus = surplusPods(job, census.active, activeCount - wanted);
  if (surplus.length > 0) return withDeletions(census, surplus.slice(0, batchLimit));

  const reserved = replacesOnlyFailed(job) ? census.terminating : 0;
  const missing = Math.min(wanted - reserved - activeCount, batchLimit);
  const still = untouched(census);
  if (missing <= 0) return still;
  if (spec.backoffLimitPerIndex === undefined) {
    const wait = remainingMs(backoff, settings, now);
    if (wait > 0) return backingOff(still, wait);
  }
  if (census.indexes === undefined) {
    return { ...still, creations: Array.from({ length: missing }, () => ({})), active: still.active + missing };
  }
  return addIndexes(input, census, still, missing);
}

/**
 * Nobody new before the wait is over. The real controller then takes the count of active pods for 0, whoever is still at
 * work; if one of those is ready, its status is refused (ready above active), and the Job shows nothing new until the
 * wait is over. Observed with Kubernetes 1.35.4.
 */
function backingOff(still: Management, wait: number): Management {
  return { ...still, active: 0, again: wait };
}

/** Pods that are one too many: of an index that isn't wanted or is taken twice, then whoever has got least far. */
function surplusPods(job: StoredJob, active: readonly StoredPod[], atLeast: number): readonly StoredPod[] {
  const inOrder = active.toSorted(byLeastProgress);
  if (!isIndexed(job)) return inOrder.slice(0, Math.max(0, atLeast));
  const keepers = new Map<number, StoredPod>();
  for (const pod of inOrder) {
    const index = validIndex(pod, job.spec.completions ?? 0);
    if (index !== undefined) keepers.set(index, pod);
  }
  const kept = new Set(keepers.values());
  const surplus = inOrder.filter((pod) => !kept.has(pod));
  const more = inOrder.filter((pod) => kept.has(pod)).slice(0, Math.max(0, atLeast - surplus.length));
  return [...surplus, ...more];
}

/** The lowest indexes first. Each waits for itself alone, if the Job has backoffLimitPerIndex. */
function addIndexes(
  { job, pods, now, settings }: SyncInput,
  census: Census,
  still: Management,
  missing: number,
): Management {
  const completions = job.spec.completions ?? 0;
  const { succeeded, failed, awaiting } = census.indexes ?? { succeeded: new Set<number>(), awaiting: new Map() };
  const taken = union(succeeded, [
    ...(failed ?? []),
    ...indexesOf(census.active, completions),
    ...(replacesOnlyFailed(job) ? indexesOf(pods.filter(isTerminating), completions) : []),
  ]);
  const next: number[] = [];
  for (let index = 0; index < completions && next.length < missing; index += 1) if (!taken.has(index)) next.push(index);
  const waits = next.map((index) => {
    const replaced = awaiting.get(index);
    if (replaced === undefined) return 0;
    return remainingMs(
      { failuresSinceSuccess: allFailures(replaced) + 1, lastFailureAt: finishedAt(replaced) },
      settings,
      now,
    );
  });
  const ready = next.filter((_, i) => waits[i] === 0);
  if (ready.length === 0 && next.length > 0) return backingOff(still, Math.min(...waits));
  const creations = ready.map((index): PodCreation => {
    const replaces = awaiting.get(index);
    return { index, ...(replaces === undefined ? {} : { replaces }) };
  });
  return { ...still, creations, active: still.active + creations.length };
}
