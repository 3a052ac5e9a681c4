import type { StoredJob, StoredPod } from '../objects.ts';
import { type IndexSet, parseIndexes, union } from './indexes.ts';
import {
  countIn,
  failureCountAnnotation,
  finishedAt,
  ignoredFailureCountAnnotation,
  isActive,
  isFailed,
  isIndexed,
  isTerminating,
  isTracked,
  validIndex,
} from './pods.ts';
import { matchFailurePolicy } from './policies.ts';
import type { SyncInput } from './step.ts';

/** What a Job's pods amount to, together with what its status has counted before. */
export interface Census {
  readonly active: readonly StoredPod[];
  readonly terminating: number;
  readonly newlySucceeded: readonly StoredPod[];
  readonly newlyFailed: readonly StoredPod[];
  readonly succeeded: number;
  readonly failed: number;
  /** Absent for a NonIndexed Job. */
  readonly indexes?: {
    readonly counted: IndexSet;
    readonly succeeded: IndexSet;
    /** Absent without backoffLimitPerIndex. */
    readonly failed?: IndexSet;
    /** For each index that waits for its next pod, the failed one that keeps the count. */
    readonly awaiting: ReadonlyMap<number, StoredPod>;
  };
}

/** Counts the pods. A pod without the tracking finalizer has been counted by an earlier step. */
export function takeCensus({ job, pods }: SyncInput): Census {
  const { spec, status = {} } = job;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const isWanted = (pod: StoredPod): boolean => !isIndexed(job) || validIndex(pod, spec.completions ?? 0) !== undefined;
  const isNew = (pod: StoredPod, list: readonly string[] = []): boolean =>
    isTracked(pod) && !list.includes(pod.metadata.uid) && isWanted(pod);
  const newlySucceeded = pods.filter((pod) => pod.status?.phase === 'Succeeded' && isNew(pod, uncounted.succeeded));
  const newlyFailed = pods.filter((pod) => isFailed(pod, job) && isNew(pod, uncounted.failed));
  const countedFailures = newlyFailed.filter((pod) => matchFailurePolicy(job, pod).action !== 'Ignore');
  const active = pods.filter(isActive);
  const failed = (status.failed ?? 0) + (uncounted.failed?.length ?? 0) + countedFailures.length;
  const base = { active, terminating: pods.filter(isTerminating).length, newlySucceeded, newlyFailed, failed };
  if (!isIndexed(job)) {
    return { ...base, succeeded: (status.succeeded ?? 0) + (uncounted.succeeded?.length ?? 0) + newlySucceeded.length };
  }
  const completions = spec.completions ?? 0;
  const counted = parseIndexes(status.completedIndexes, completions);
  const succeeded = union(
    counted,
    indexesOf(
      pods.filter((pod) => isTracked(pod) && pod.status?.phase === 'Succeeded'),
      completions,
    ),
  );
  if (spec.backoffLimitPerIndex === undefined) {
    return { ...base, succeeded: succeeded.size, indexes: { counted, succeeded, awaiting: new Map() } };
  }
  const failedIndexes = union(
    parseIndexes(status.failedIndexes, completions),
    indexesOf(
      pods.filter((pod) => isTracked(pod) && exhaustsIndex(job, pod)),
      completions,
    ),
  );
  const awaiting = podsAwaitingReplacement(job, pods, active, succeeded, failedIndexes);
  return { ...base, succeeded: succeeded.size, indexes: { counted, succeeded, failed: failedIndexes, awaiting } };
}

/** The indexes of these pods that the Job still wants. */
export function indexesOf(pods: readonly StoredPod[], completions: number): number[] {
  return pods.map((pod) => validIndex(pod, completions)).filter((index) => index !== undefined);
}

/** The failure of this pod is the end of its index. */
function exhaustsIndex(job: StoredJob, pod: StoredPod): boolean {
  if (!isFailed(pod, job)) return false;
  const { action } = matchFailurePolicy(job, pod);
  if (action === 'FailIndex') return true;
  return action !== 'Ignore' && countIn(pod, failureCountAnnotation) >= (job.spec.backoffLimitPerIndex ?? 0);
}

/** Of several failed pods of an index the one with the longest record; only it keeps the count alive. */
function podsAwaitingReplacement(
  job: StoredJob,
  pods: readonly StoredPod[],
  active: readonly StoredPod[],
  succeeded: IndexSet,
  failed: IndexSet,
): ReadonlyMap<number, StoredPod> {
  const completions = job.spec.completions ?? 0;
  const busy = new Set([...indexesOf(active, completions), ...succeeded, ...failed]);
  const latest = new Map<number, StoredPod>();
  for (const pod of pods) {
    const index = validIndex(pod, completions);
    if (index === undefined || busy.has(index) || !isTracked(pod) || !isFailed(pod, job)) continue;
    const other = latest.get(index);
    if (other === undefined || (allFailures(other) <= allFailures(pod) && finishedAt(other) <= finishedAt(pod)))
      latest.set(index, pod);
  }
  return latest;
}

/** Counted and ignored failures of the pod's index before this pod. */
export function allFailures(pod: StoredPod): number {
  return countIn(pod, failureCountAnnotation) + countIn(pod, ignoredFailureCountAnnotation);
}
