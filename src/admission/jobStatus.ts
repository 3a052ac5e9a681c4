import { negativeMessage } from './formats.ts';
import { firstSharedIndex, readIndexList } from './indexList.ts';
import { isBefore } from './instant.ts';
import { conditions } from './jobConditions.ts';
import { isIndexed, type JobUpdateContext } from './jobContext.ts';
import type { Job, JobStatus, UncountedTerminatedPods } from './objects.ts';
import { type Complaint, rule } from './rule.ts';
import { changes, type StatusContext, statusContext } from './statusContext.ts';
import { fields, within } from './structure.ts';

/**
 * The status of a Job, written by a controller to `/status`. Most rules are armed by a change: what was stored wrong stays
 * tolerated as long as the fields that arm the rule stay the same. Source: Kubernetes 1.35, batch validation and the
 * strategy of the status subresource; rule ids D.
 */

function notNegative(code: string, name: string) {
  return rule<number, JobStatus, StatusContext>({
    code,
    type: 'Invalid',
    source: 'D1',
    says: `${name} is not negative.`,
    refuses: (value) => value < 0 && negativeMessage,
  });
}

// A Job that is suspended with no completions to make ends without ever having started.
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

/** While a Job is suspended, or in the very update that resumes it, its start time may be reset. */
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

// Removing it is refused as Required while the Job is complete.
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

// There is no exception, not even for suspended Jobs: who dispatches a Job anew must go on counting.
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

// An empty text is refused, too: only null means that there is no such list.
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
  (_status, job, context) => statusContext(job, context),
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
