import { negativeMessage } from './formats.ts';
import { firstSharedIndex, readIndexList } from './indexList.ts';
import { isBefore, isSameInstant } from './instant.ts';
import { isIndexed, type JobUpdateContext } from './jobContext.ts';
import type { Job, JobCondition, JobSpec, JobStatus, UncountedTerminatedPods } from './objects.ts';
import { type Complaint, type Context, rule } from './rule.ts';
import { fields, within } from './structure.ts';

/**
 * The status of a Job, written by a controller to `/status`. Most rules are armed by a change: what was stored wrong stays
 * tolerated as long as the fields that arm the rule stay the same. Source: Kubernetes 1.35, batch validation and the
 * strategy of the status subresource; rule ids D.
 */

/** What the conditions and counters of a status say, with absent counters read as the server reads them. */
interface StatusFacts {
  readonly isComplete: boolean;
  readonly isFailed: boolean;
  readonly isFailureTarget: boolean;
  readonly isSuccessCriteriaMet: boolean;
  readonly isFinished: boolean;
  readonly status: JobStatus;
}

interface StatusContext extends Context {
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

/** Facts that two statuses can differ in, and the difference. */
const changes = {
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

function notNegative(code: string, name: string) {
  return rule<number, JobStatus, StatusContext>({
    code,
    type: 'Invalid',
    source: 'D1',
    says: `${name} is not negative.`,
    refuses: (value) => value < 0 && negativeMessage,
  });
}

/** A rule on the conditions as a whole: their absence can break it as well as their presence. */
function conditionsRule(
  code: string,
  source: string,
  says: string,
  refuses: (context: StatusContext) => false | string,
) {
  return rule<readonly JobCondition[], JobStatus, StatusContext>({
    code,
    type: 'Invalid',
    source,
    says,
    evenIfAbsent: true,
    refuses: (_conditions, _status, context) => refuses(context),
  });
}

const conditions = [
  conditionsRule(
    'status-complete-and-failed',
    'D21',
    'A Job is either complete or failed.',
    (c) =>
      (changes.complete(c) || changes.failed(c)) &&
      c.after.isComplete &&
      c.after.isFailed &&
      'cannot set Complete=True and Failed=true conditions',
  ),
  conditionsRule(
    'status-complete-and-failure-target',
    'D22',
    'A Job that is going to fail does not complete.',
    (c) =>
      (changes.complete(c) || changes.failureTarget(c)) &&
      c.after.isComplete &&
      c.after.isFailureTarget &&
      'cannot set Complete=True and FailureTarget=true conditions',
  ),
  conditionsRule(
    'status-failed-needs-failure-target',
    'D24',
    'Failed comes after, or together with, FailureTarget.',
    // That a change of failedIndexes arms it, too, looks like a slip of the server's; but so it runs.
    (c) =>
      (changes.failed(c) || changes.failedIndexes(c)) &&
      c.after.isFailed &&
      !c.after.isFailureTarget &&
      'cannot set Failed=True condition without the FailureTarget=true condition',
  ),
  conditionsRule(
    'status-complete-needs-success-criteria',
    'D25',
    'Complete comes after, or together with, SuccessCriteriaMet.',
    (c) =>
      (changes.complete(c) || changes.successCriteriaMet(c)) &&
      c.after.isComplete &&
      !c.after.isSuccessCriteriaMet &&
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
  ),
  conditionsRule(
    'status-success-and-failed',
    'D3',
    'A Job whose success criteria are met does not fail.',
    (c) =>
      c.after.isSuccessCriteriaMet &&
      c.after.isFailed &&
      'cannot set SuccessCriteriaMet=True and Failed=true conditions',
  ),
  conditionsRule(
    'status-success-and-failure-target',
    'D3',
    'A Job whose success criteria are met is not going to fail.',
    (c) =>
      c.after.isSuccessCriteriaMet &&
      c.after.isFailureTarget &&
      'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
  ),
  conditionsRule(
    'status-success-policy-complete',
    'D4',
    'A Job with a success policy completes by SuccessCriteriaMet.',
    (c) =>
      c.spec.successPolicy !== undefined &&
      c.after.isComplete &&
      !c.after.isSuccessCriteriaMet &&
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  ),
  conditionsRule(
    'status-failed-for-good',
    'D23',
    'Failed stays True.',
    (c) => c.before.isFailed && !c.after.isFailed && 'cannot disable the terminal Failed=True condition',
  ),
  conditionsRule(
    'status-complete-for-good',
    'D23',
    'Complete stays True.',
    (c) => c.before.isComplete && !c.after.isComplete && 'cannot disable the terminal Complete=True condition',
  ),
  conditionsRule(
    'status-failure-target-for-good',
    'D23',
    'FailureTarget stays True.',
    (c) =>
      c.before.isFailureTarget &&
      !c.after.isFailureTarget &&
      'cannot disable the terminal FailureTarget=True condition',
  ),
  conditionsRule(
    'status-success-for-good',
    'D5',
    'SuccessCriteriaMet stays True.',
    (c) =>
      c.before.isSuccessCriteriaMet &&
      !c.after.isSuccessCriteriaMet &&
      'cannot disable the SuccessCriteriaMet=True condition',
  ),
  conditionsRule(
    'status-success-too-late',
    'D6',
    'SuccessCriteriaMet is not added to a Job that is complete without it.',
    (c) =>
      c.before.isComplete &&
      !c.before.isSuccessCriteriaMet &&
      c.after.isSuccessCriteriaMet &&
      'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
  ),
];

const startTimeRequired = rule<string, JobStatus, StatusContext>({
  code: 'status-start-time-required',
  type: 'Required',
  source: 'D20',
  says: 'A finished Job has a start time, unless it was suspended with nothing to do.',
  evenIfAbsent: true,
  refuses: (startTime, _status, c) =>
    startTime === undefined &&
    c.after.isFinished &&
    (changes.finished(c) || changes.startTime(c)) &&
    !(c.spec.suspend === true && c.spec.completions === 0) &&
    'startTime is required for finished job',
});

function isStartTimeMoved(c: StatusContext): boolean {
  return c.before.status.startTime !== undefined && changes.startTime(c) && c.spec.suspend !== true && !c.isResuming;
}

const startTimeKept = rule<string, JobStatus, StatusContext>({
  code: 'status-start-time-kept',
  type: 'Required',
  source: 'D30',
  until: '1.35',
  says: 'The start time of a Job that is not suspended never changes.',
  evenIfAbsent: true,
  refuses: (_startTime, _status, c) => isStartTimeMoved(c) && 'startTime cannot be removed for unsuspended job',
});

const startTimeImmutable = rule<string, JobStatus, StatusContext>({
  code: 'status-start-time-immutable',
  type: 'Invalid',
  source: 'D30',
  since: '1.36',
  says: 'The start time of a Job that is not suspended never changes.',
  evenIfAbsent: true,
  refuses: (_startTime, _status, c) => isStartTimeMoved(c) && 'field is immutable for unsuspended job once set',
});

const completionTimeTooEarly = rule<string, JobStatus, StatusContext>({
  code: 'status-completion-time-early',
  type: 'Invalid',
  source: 'D26',
  says: 'Only a complete Job has a completion time.',
  refuses: (_completionTime, _status, c) =>
    (changes.complete(c) || changes.completionTime(c)) &&
    !c.after.isComplete &&
    'cannot set completionTime when there is no Complete=True condition',
});

const completionTimeRequired = rule<string, JobStatus, StatusContext>({
  code: 'status-completion-time-required',
  type: 'Required',
  source: 'D27',
  says: 'A complete Job has a completion time.',
  evenIfAbsent: true,
  refuses: (completionTime, _status, c) =>
    completionTime === undefined &&
    c.after.isComplete &&
    (changes.complete(c) || changes.completionTime(c)) &&
    'completionTime is required for Complete jobs',
});

const completionTimeImmutable = rule<string, JobStatus, StatusContext>({
  code: 'status-completion-time-immutable',
  type: 'Invalid',
  source: 'D28',
  says: 'A completion time never changes.',
  refuses: (_completionTime, _status, c) =>
    c.before.status.completionTime !== undefined && changes.completionTime(c) && 'field is immutable',
});

const completionAfterStart = rule<string, JobStatus, StatusContext>({
  code: 'status-completion-before-start',
  type: 'Invalid',
  source: 'D29',
  says: 'A Job does not complete before it started.',
  refuses: (completionTime, { startTime }, c) =>
    startTime !== undefined &&
    (changes.startTime(c) || changes.completionTime(c)) &&
    isBefore(completionTime, startTime) &&
    'must be equal to or after `startTime`',
});

const noActiveWhenFinished = rule<number, JobStatus, StatusContext>({
  code: 'status-active-finished',
  type: 'Invalid',
  source: 'D32',
  says: 'A finished Job has no active pods.',
  refuses: (active, _status, c) =>
    active > 0 &&
    c.after.isFinished &&
    (changes.finished(c) || changes.active(c)) &&
    'active>0 is invalid for finished job',
});

const noTerminatingWhenFinished = rule<number, JobStatus, StatusContext>({
  code: 'status-terminating-finished',
  type: 'Invalid',
  source: 'D33',
  says: 'A finished Job has no terminating pods.',
  refuses: (terminating, _status, c) =>
    terminating > 0 &&
    c.after.isFinished &&
    (changes.finished(c) || changes.terminating(c)) &&
    'terminating>0 is invalid for finished job',
});

const readyWithinActive = rule<number, JobStatus, StatusContext>({
  code: 'status-ready-active',
  type: 'Invalid',
  source: 'D31',
  says: 'No more pods are ready than active.',
  refuses: (ready, { active = 0 }, c) =>
    ready > active && (changes.ready(c) || changes.active(c)) && 'cannot set more ready pods than active',
});

const failedNeverFalls = rule<number, JobStatus, StatusContext>({
  code: 'status-failed-falls',
  type: 'Invalid',
  source: 'D35',
  says: 'The count of failed pods never falls.',
  evenIfAbsent: true,
  refuses: (failed = 0, _status, c) => failed < (c.before.status.failed ?? 0) && 'cannot decrease the failed counter',
});

const succeededNeverFalls = rule<number, JobStatus, StatusContext>({
  code: 'status-succeeded-falls',
  type: 'Invalid',
  source: 'D36',
  says: 'The count of succeeded pods never falls, except in an Indexed Job that may shrink.',
  evenIfAbsent: true,
  refuses: (succeeded = 0, _status, { before, spec }) =>
    succeeded < (before.status.succeeded ?? 0) &&
    !(isIndexed(spec) && spec.completions === spec.parallelism) &&
    'cannot decrease the succeeded counter',
});

const completedIndexesFormat = rule<string, JobStatus, StatusContext>({
  code: 'status-completed-indexes-format',
  type: 'Invalid',
  source: 'D37',
  says: 'Completed indexes are listed in rising order and lie below completions.',
  refuses: (indexes, _status, c) => {
    if (!changes.completedIndexes(c) || c.spec.completions === undefined) return false;
    const reading = readIndexList(indexes, c.spec.completions);
    return !reading.ok && `error parsing completedIndexes: ${reading.message}`;
  },
});

const completedIndexesIndexed = rule<string, JobStatus, StatusContext>({
  code: 'status-completed-indexes-indexed',
  type: 'Invalid',
  source: 'D38',
  says: 'Only an Indexed Job has completed indexes.',
  refuses: (indexes, _status, c) =>
    indexes !== '' &&
    changes.completedIndexes(c) &&
    !isIndexed(c.spec) &&
    'cannot set non-empty completedIndexes when non-indexed completion mode',
});

const failedIndexesFormat = rule<string, JobStatus, StatusContext>({
  code: 'status-failed-indexes-format',
  type: 'Invalid',
  source: 'D41',
  says: 'Failed indexes are listed in rising order and lie below completions.',
  refuses: (indexes, _status, c) => {
    const { completions, backoffLimitPerIndex } = c.spec;
    if (!changes.failedIndexes(c) || completions === undefined || backoffLimitPerIndex === undefined) return false;
    const reading = readIndexList(indexes, completions);
    return !reading.ok && `error parsing failedIndexes: ${reading.message}`;
  },
});

const failedIndexesLimited = rule<string, JobStatus, StatusContext>({
  code: 'status-failed-indexes-limited',
  type: 'Invalid',
  source: 'D39',
  says: 'Only a Job with backoffLimitPerIndex has failed indexes.',
  refuses: (_indexes, _status, c) =>
    changes.failedIndexes(c) &&
    c.spec.backoffLimitPerIndex === undefined &&
    'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
});

const failedIndexesApart = rule<string, JobStatus, StatusContext>({
  code: 'status-failed-indexes-apart',
  type: 'Invalid',
  source: 'D42',
  says: 'No index both failed and completed.',
  refuses: (indexes, { completedIndexes = '' }, c) => {
    if (c.spec.completions === undefined) return false;
    if (!changes.failedIndexes(c) && !changes.completedIndexes(c)) return false;
    const shared = firstSharedIndex(completedIndexes, indexes, c.spec.completions);
    return shared !== undefined && `failedIndexes and completedIndexes overlap at index: ${shared}`;
  },
});

/** UIDs of both lists in the order in which the server reads them. */
function uncountedUids({ succeeded = [], failed = [] }: UncountedTerminatedPods) {
  return [
    ...succeeded.map((uid, index) => ({ uid, at: ['succeeded', index] })),
    ...failed.map((uid, index) => ({ uid, at: ['failed', index] })),
  ];
}

const uncountedNamed = rule<UncountedTerminatedPods, JobStatus, StatusContext>({
  code: 'status-uncounted-empty',
  type: 'Invalid',
  source: 'D2',
  says: 'The list of pods still to be counted holds UIDs.',
  refuses: (pods) =>
    uncountedUids(pods).flatMap(({ uid, at }): Complaint[] =>
      uid === '' ? [{ message: 'must not be empty', at }] : [],
    ),
});

const uncountedOnce = rule<UncountedTerminatedPods, JobStatus, StatusContext>({
  code: 'status-uncounted-duplicate',
  type: 'Duplicate',
  source: 'D2',
  says: 'A pod still to be counted is listed once.',
  refuses: (pods) => {
    const seen = new Set<string>();
    return uncountedUids(pods).flatMap(({ uid, at }): Complaint[] => {
      if (uid === '') return [];
      if (seen.has(uid)) return [{ message: JSON.stringify(uid), at }];
      seen.add(uid);
      return [];
    });
  },
});

const nothingUncountedWhenFinished = rule<UncountedTerminatedPods, JobStatus, StatusContext>({
  code: 'status-uncounted-finished',
  type: 'Invalid',
  source: 'D34',
  says: 'A finished Job has counted all its pods.',
  refuses: (pods, _status, c) =>
    c.after.isFinished &&
    (changes.finished(c) || changes.uncounted(c)) &&
    uncountedUids(pods).length > 0 &&
    'must be empty for finished job',
});

/** The status of a Job in an update of `/status`; to be run even where the status is absent. */
export const jobStatus = within<JobStatus, Job, JobUpdateContext, StatusContext>(
  'job-status',
  (_status, job, { version, operation, oldJob }) => ({
    version,
    operation,
    spec: job.spec ?? {},
    before: factsOf(oldJob),
    after: factsOf(job),
    isResuming: statusOf(oldJob.status ?? {}, 'Suspended', 'True') && statusOf(job.status ?? {}, 'Suspended', 'False'),
  }),
  fields<JobStatus, StatusContext>({
    conditions,
    startTime: [startTimeRequired, startTimeKept, startTimeImmutable],
    completionTime: [completionTimeTooEarly, completionTimeRequired, completionTimeImmutable, completionAfterStart],
    active: [notNegative('status-active-negative', 'active'), noActiveWhenFinished],
    succeeded: [notNegative('status-succeeded-negative', 'succeeded'), succeededNeverFalls],
    failed: [notNegative('status-failed-negative', 'failed'), failedNeverFalls],
    terminating: [notNegative('status-terminating-negative', 'terminating'), noTerminatingWhenFinished],
    completedIndexes: [completedIndexesFormat, completedIndexesIndexed],
    failedIndexes: [failedIndexesFormat, failedIndexesLimited, failedIndexesApart],
    uncountedTerminatedPods: [uncountedNamed, uncountedOnce, nothingUncountedWhenFinished],
    ready: [notNegative('status-ready-negative', 'ready'), readyWithinActive],
  }),
);
