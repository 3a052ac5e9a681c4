import type { JobCondition, JobStatus } from '../../kube/index.ts';
import type { StoredJob, StoredPod } from '../objects.ts';
import type { Census } from './census.ts';
import { findTrue, newCondition } from './conditions.ts';
import { formatIndexes } from './indexes.ts';
import type { Outcome } from './outcome.ts';
import { isFailed, isIndexed, isTracked, validIndex } from './pods.ts';
import { matchFailurePolicy } from './policies.ts';
import { batchLimit, type SyncInput } from './step.ts';

/** The status with the ended pods in it, and who is let go for that. */
export interface Counting {
  readonly status: JobStatus;
  readonly releases: readonly StoredPod[];
  readonly isChanged: boolean;
  /** The limit was reached: the rest is counted in the next step. */
  readonly isCut: boolean;
}

/** Writes down who ended, before the finalizers go: a crash in between must lose no pod. */
export function countPods(
  { job, pods, now }: SyncInput,
  census: Census,
  draft: JobStatus,
  finished: Outcome | undefined,
): Counting {
  const completions = job.spec.completions ?? 0;
  const held = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid));
  const { status, isChanged: wasReleased } = countReleased(draft, held);
  const succeeded = [...(status.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(status.uncountedTerminatedPods?.failed ?? [])];
  const releases: StoredPod[] = [];
  let newIndexes = 0;
  let isChanged = wasReleased;
  let isCut = false;
  const isFailing = finished !== undefined && finished.type !== 'SuccessCriteriaMet';
  for (const pod of inCountingOrder(job, pods)) {
    const { uid } = pod.metadata;
    if (!isTracked(pod) || !mayRelease(job, census, pod, finished)) continue;
    releases.push(pod);
    const index = validIndex(pod, completions);
    if (pod.status?.phase === 'Succeeded' && !failed.includes(uid)) {
      if (isIndexed(job)) {
        if (index !== undefined && census.indexes?.counted.has(index) === false) newIndexes += 1;
      } else if (!succeeded.includes(uid)) {
        succeeded.push(uid);
        isChanged = true;
      }
    } else if ((isFailed(pod, job) || isFailing) && !failed.includes(uid) && (!isIndexed(job) || index !== undefined)) {
      // When the whole Job fails, those that were still at work fail with it.
      if (matchFailurePolicy(job, pod).action !== 'Ignore') {
        failed.push(uid);
        isChanged = true;
      }
    }
    if (newIndexes + succeeded.length + failed.length >= batchLimit) {
      isCut = true;
      break;
    }
  }
  const indexed = indexFields(census);
  const interim = interimCondition(job, finished, now);
  const counted: JobStatus = {
    ...status,
    ...indexed,
    uncountedTerminatedPods: { succeeded, failed },
    conditions: interim === undefined ? (status.conditions ?? []) : [...(status.conditions ?? []), interim],
  };
  const areIndexesNew =
    (indexed.completedIndexes ?? '') !== (job.status?.completedIndexes ?? '') ||
    indexed.failedIndexes !== (isIndexed(job) ? job.status?.failedIndexes : undefined);
  return {
    status: counted,
    releases,
    isChanged: isChanged || newIndexes > 0 || interim !== undefined || (isIndexed(job) && areIndexesNew),
    isCut,
  };
}

/** Announces the decision before anything is released; the terminal condition follows when all is counted. */
function interimCondition(job: StoredJob, decided: Outcome | undefined, now: number): JobCondition | undefined {
  if (decided === undefined || decided.type === 'Failed') return undefined;
  if (findTrue(job.status?.conditions, decided.type) !== undefined) return undefined;
  return newCondition(decided.type, 'True', decided.reason, decided.message, now);
}

/** Indexes are their own record: no UIDs are needed to count a success once. */
function indexFields({ indexes }: Census): JobStatus {
  if (indexes === undefined) return {};
  const { succeeded, failed } = indexes;
  return {
    succeeded: succeeded.size,
    completedIndexes: formatIndexes(succeeded),
    ...(failed === undefined ? {} : { failedIndexes: formatIndexes(failed) }),
  };
}

/** So that completed indexes appear in order. */
function inCountingOrder(job: StoredJob, pods: readonly StoredPod[]): readonly StoredPod[] {
  if (!isIndexed(job)) return pods;
  const order = (pod: StoredPod): number => validIndex(pod, Number.POSITIVE_INFINITY) ?? -1;
  return pods.toSorted((a, b) => order(a) - order(b));
}

/** A finalizer goes once its pod is in the books, or when nobody will keep books any more. */
function mayRelease(job: StoredJob, census: Census, pod: StoredPod, finished: Outcome | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || finished !== undefined || pod.status?.phase === 'Succeeded')
    return true;
  if (!isFailed(pod, job)) return false;
  const index = validIndex(pod, job.spec.completions ?? 0);
  return index === undefined || census.indexes?.awaiting.get(index)?.metadata.uid !== pod.metadata.uid;
}

/** Moves the UIDs whose pods hold no finalizer any more from the waiting lists into the counters. */
export function countReleased(
  status: JobStatus,
  held: ReadonlySet<string>,
): { readonly status: JobStatus; readonly isChanged: boolean } {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const stillSucceeded = succeeded.filter((uid) => held.has(uid));
  const stillFailed = failed.filter((uid) => held.has(uid));
  const goneSucceeded = succeeded.length - stillSucceeded.length;
  const goneFailed = failed.length - stillFailed.length;
  if (goneSucceeded + goneFailed === 0) return { status, isChanged: false };
  return {
    isChanged: true,
    status: {
      ...status,
      succeeded: (status.succeeded ?? 0) + goneSucceeded,
      failed: (status.failed ?? 0) + goneFailed,
      uncountedTerminatedPods: { succeeded: stillSucceeded, failed: stillFailed },
    },
  };
}
