import { isSameInstant } from './instant.ts';
import type { JobUpdateContext } from './jobContext.ts';
import type { Job, JobSpec, JobStatus, UncountedTerminatedPods } from './objects.ts';
import type { Context } from './rule.ts';

/** What the rules of a Job's status look at: what the stored and the new status say, and in what they differ. */

/** What the conditions and counters of a status say, with absent counters read as the server reads them. */
export interface StatusFacts {
  readonly isComplete: boolean;
  readonly isFailed: boolean;
  readonly isFailureTarget: boolean;
  readonly isSuccessCriteriaMet: boolean;
  readonly isFinished: boolean;
  readonly status: JobStatus;
}

/** What a status is judged in. */
export interface StatusContext extends Context {
  readonly spec: JobSpec;
  readonly before: StatusFacts;
  readonly after: StatusFacts;
  /** Suspended goes from True to False in this very update. */
  readonly isResuming: boolean;
}

function factsOf(job: Job): StatusFacts {
  const status = job.status ?? {};
  const isTrue = (type: string): boolean => statusOf(status, type, 'True');
  const isComplete = isTrue('Complete');
  const isFailed = isTrue('Failed');
  return {
    isComplete,
    isFailed,
    isFailureTarget: isTrue('FailureTarget'),
    isSuccessCriteriaMet: isTrue('SuccessCriteriaMet'),
    isFinished: isComplete || isFailed,
    status,
  };
}

function statusOf({ conditions = [] }: JobStatus, type: string, status: string): boolean {
  return conditions.some((one) => one.type === type && one.status === status);
}

/** Whether two statuses differ in a fact. Absent counters are zero, save where absence means something of its own. */
export const changes = {
  finished: (c: StatusContext) => c.before.isFinished !== c.after.isFinished,
  complete: (c: StatusContext) => c.before.isComplete !== c.after.isComplete,
  failed: (c: StatusContext) => c.before.isFailed !== c.after.isFailed,
  failureTarget: (c: StatusContext) => c.before.isFailureTarget !== c.after.isFailureTarget,
  successCriteriaMet: (c: StatusContext) => c.before.isSuccessCriteriaMet !== c.after.isSuccessCriteriaMet,
  active: (c: StatusContext) => (c.before.status.active ?? 0) !== (c.after.status.active ?? 0),
  ready: (c: StatusContext) => c.before.status.ready !== c.after.status.ready,
  terminating: (c: StatusContext) => c.before.status.terminating !== c.after.status.terminating,
  startTime: (c: StatusContext) => !isSameInstant(c.before.status.startTime, c.after.status.startTime),
  completionTime: (c: StatusContext) => !isSameInstant(c.before.status.completionTime, c.after.status.completionTime),
  completedIndexes: (c: StatusContext) =>
    (c.before.status.completedIndexes ?? '') !== (c.after.status.completedIndexes ?? ''),
  failedIndexes: (c: StatusContext) => c.before.status.failedIndexes !== c.after.status.failedIndexes,
  uncounted: (c: StatusContext) =>
    !isSameUncounted(c.before.status.uncountedTerminatedPods, c.after.status.uncountedTerminatedPods),
} as const;

function isSameUncounted(
  left: UncountedTerminatedPods | undefined,
  right: UncountedTerminatedPods | undefined,
): boolean {
  if (left === undefined || right === undefined) return left === right;
  return isSameList(left.succeeded, right.succeeded) && isSameList(left.failed, right.failed);
}

function isSameList(left: readonly string[] = [], right: readonly string[] = []): boolean {
  return left.length === right.length && left.every((uid, index) => uid === right[index]);
}

/** Derives the context from the Job that is sent and the stored one. */
export function statusContext(job: Job, { version, operation, oldJob }: JobUpdateContext): StatusContext {
  return {
    version,
    operation,
    spec: job.spec ?? {},
    before: factsOf(oldJob),
    after: factsOf(job),
    isResuming: statusOf(oldJob.status ?? {}, 'Suspended', 'True') && statusOf(job.status ?? {}, 'Suspended', 'False'),
  };
}
