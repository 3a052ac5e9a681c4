import type { StoredJob, StoredPod } from '../objects.ts';
import type { Census } from './census.ts';
import { findTrue } from './conditions.ts';
import { isFailed, isSuspended } from './pods.ts';
import { matchFailurePolicy, matchSuccessPolicy } from './policies.ts';
import type { SyncInput } from './step.ts';

/** The decided fate of a Job: announced (`FailureTarget`, `SuccessCriteriaMet`), or `Failed` once it was announced. */
export interface Outcome {
  readonly type: 'FailureTarget' | 'Failed' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

/** Is the Job's fate decided? The first of these that holds decides. */
export function decideOutcome(
  { job, pods, now }: SyncInput,
  census: Census,
  startTime: string | undefined,
): Outcome | undefined {
  const { spec, status } = job;
  const succeeding = findTrue(status?.conditions, 'SuccessCriteriaMet');
  if (succeeding !== undefined) return outcome('SuccessCriteriaMet', succeeding.reason, succeeding.message);
  const failing = findTrue(status?.conditions, 'FailureTarget');
  if (failing !== undefined) return outcome('Failed', failing.reason, failing.message);
  for (const pod of pods) {
    const match = isFailed(pod, job) ? matchFailurePolicy(job, pod) : undefined;
    if (match?.action === 'FailJob') return outcome('FailureTarget', 'PodFailurePolicy', match.message);
  }
  if (census.failed > (spec.backoffLimit ?? 6) || exceedsRestarts(job, pods)) {
    return outcome('FailureTarget', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  if (deadlineIn(job, startTime, now) <= 0) {
    return outcome('FailureTarget', 'DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  const { indexes } = census;
  if (indexes === undefined) return undefined;
  const failedCount = indexes.failed?.size ?? 0;
  if (spec.maxFailedIndexes !== undefined && failedCount > spec.maxFailedIndexes) {
    return outcome(
      'FailureTarget',
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  }
  if (failedCount > 0 && failedCount + indexes.succeeded.size >= (spec.completions ?? 0)) {
    return outcome('FailureTarget', 'FailedIndexes', 'Job has failed indexes');
  }
  const matched = matchSuccessPolicy(job, indexes.succeeded);
  return matched === undefined ? undefined : outcome('SuccessCriteriaMet', 'SuccessPolicy', matched);
}

function outcome(type: Outcome['type'], reason: string | undefined, message: string | undefined): Outcome {
  return { type, reason: reason ?? '', message: message ?? '' };
}

/** With restartPolicy OnFailure the restarts within pods are what counts. */
function exceedsRestarts(job: StoredJob, pods: readonly StoredPod[]): boolean {
  if (job.spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const running = pods.filter((pod) => pod.status?.phase === 'Running' || pod.status?.phase === 'Pending');
  const statuses = running.flatMap(({ status }) => [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
  ]);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const limit = job.spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** Milliseconds until activeDeadlineSeconds is over; Infinity without one. */
export function deadlineIn(job: StoredJob, startTime: string | undefined, now: number): number {
  const seconds = job.spec.activeDeadlineSeconds;
  if (seconds === undefined || startTime === undefined || isSuspended(job)) return Number.POSITIVE_INFINITY;
  return Date.parse(startTime) + seconds * 1000 - now;
}

/** Success by the plain count, for which nobody may be at work any more. */
export function completionsReached(job: StoredJob, census: Census, active: number): Outcome | undefined {
  const { completions } = job.spec;
  const isReached = completions === undefined ? census.succeeded > 0 : census.succeeded >= completions;
  if (!isReached || active > 0) return undefined;
  return outcome('SuccessCriteriaMet', 'CompletionsReached', 'Reached expected number of succeeded pods');
}
