import type { Job, JobCondition, JobStatus } from '../kube/index.ts';
import { wasStarted } from './followedFields.ts';
import { clipIndexes } from './indexes.ts';
import { conditionOf, fateOf, isFateCondition, isFinished, isIndexed, isSuspended, isTrue } from './jobState.ts';

/**
 * T(local, mirror) → status: what the management Job's status becomes after a look at its mirror. Pure: time comes in as
 * a value. The result is held against the API server's own rules before it leaves; what they refuse is never sent (C1).
 *
 * Invariants: a terminal status is copied whatever `suspend` says (C8). `failed`, `succeeded` and the conditions that
 * decide a Job's fate never go back (I5). A status equal but for our own timestamps is no change (C10). Once the local
 * Job is finished, nothing changes any more.
 */

export interface StatusInput {
  readonly local: Job;
  readonly mirror: Job;
  /** For conditions that are ours alone. Epoch milliseconds. */
  readonly observedAt: number;
  /**
   * How far the worker's clock is ahead of the management cluster's, where known. Past a minute the times of the end are
   * corrected by it: the TTL controller counts from them (K2).
   */
  readonly workerAheadMs?: number | undefined;
}

export type StatusOutcome =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'changed';
      readonly status: JobStatus;
      readonly isTerminal: boolean;
      /** The worker's own completion time, where the one in `status` had to differ. */
      readonly trueCompletionTime?: string;
    }
  /** The two Jobs are bound for different ends (C7). */
  | { readonly kind: 'fate-conflict'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What the API server would say of this status; empty means it would take it. */
export type StatusJudge = (local: Job, next: JobStatus) => readonly string[];

/** Past this, the clocks of two clusters are too far apart for a TTL to be counted from a copied time. */
const toleratedSkewMs = 60_000;

export function mirrorStatus(input: StatusInput, judge: StatusJudge): StatusOutcome {
  const { local, mirror } = input;
  const conflict = fateConflict(local, mirror);
  if (conflict !== undefined) return { kind: 'fate-conflict', message: conflict };
  if (isFinished(local)) return { kind: 'unchanged' };
  if (isFinished(mirror)) return finishedStatus(input, judge);
  // A worker that has said nothing yet is no success, no failure and no zero (C13).
  const isSilent = Object.keys(mirror.status ?? {}).length === 0;
  if (isSuspended(local)) {
    // A mirror that still runs is about to be suspended; its counters are worth copying only then (C9).
    return isSuspended(mirror) && !isSilent
      ? judged(local, liveStatus(input, undefined), judge)
      : suspendedStatus(local, input.observedAt, judge);
  }
  if (isSilent) return { kind: 'unchanged' };
  // Created suspended and not yet started: it has nothing to say.
  if (isSuspended(mirror) && !wasStarted(mirror)) return { kind: 'unchanged' };
  return judged(local, liveStatus(input, local.status?.startTime ?? runningSince(mirror)), judge);
}

/** The status of a suspended Job whose mirror does not exist or still runs: only the condition, which nobody else sets. */
export function suspendedStatus(local: Job, observedAt: number, judge: StatusJudge): StatusOutcome {
  const conditions = [...(local.status?.conditions ?? [])];
  putSuspended(conditions, true, toRfc3339(observedAt));
  return judged(local, { ...local.status, conditions }, judge);
}

/** The mirror is proven gone: nothing of it runs any more; all else stays as it was last seen (C15). */
export function statusWithoutMirror(local: Job, judge: StatusJudge): StatusOutcome {
  if (isFinished(local)) return { kind: 'unchanged' };
  const { active: _active, ready, terminating, ...rest } = local.status ?? {};
  const next = {
    ...rest,
    ...(ready === undefined ? {} : { ready: 0 }),
    ...(terminating === undefined ? {} : { terminating: 0 }),
  };
  return judged(local, next, judge);
}

function fateConflict(local: Job, mirror: Job): string | undefined {
  const ours = fateOf(local.status);
  const theirs = fateOf(mirror.status);
  if (theirs === 'contradiction') return 'the mirror has conditions of success and of failure';
  if (ours === 'open') return undefined;
  if (ours === theirs && (isFinished(mirror) || !isFinished(local))) return undefined;
  const words = { open: 'is still undecided', success: 'succeeds', failure: 'fails', contradiction: '' };
  return `the management Job says ${ours}, but the mirror ${words[theirs]}`;
}

function finishedStatus(input: StatusInput, judge: StatusJudge): StatusOutcome {
  const { local, mirror } = input;
  const remote = mirror.status ?? {};
  const isComplete = isTrue(remote, 'Complete');
  const terminalType = isComplete ? 'Complete' : 'Failed';
  const interimType = isComplete ? 'SuccessCriteriaMet' : 'FailureTarget';
  const terminal = conditionOf(remote, terminalType);
  const endedAt = remote.completionTime ?? terminal?.lastTransitionTime ?? toRfc3339(input.observedAt);

  // Source: Kubernetes 1.35, batch status validation: only a suspended Job of zero completions ends without a start.
  const needsStart = !(isSuspended(local) && local.spec.completions === 0);
  const startTime = local.status?.startTime ?? remote.startTime ?? (needsStart ? endedAt : undefined);
  const correctedEnd = correctedTime(input, endedAt);
  const completionTime = laterOf(correctedEnd, startTime);

  const earlier = { ...remote, conditions: (remote.conditions ?? []).filter(({ type }) => type !== terminalType) };
  const conditions = mergedConditions(local.status, earlier, startTime, isSuspended(local));
  if (terminal !== undefined) {
    // Workers before 1.31 know no interim condition; the management cluster demands it beside the terminal one (C6).
    const end = { ...terminal, lastTransitionTime: correctedTime(input, terminal.lastTransitionTime ?? endedAt) };
    if (!isTrue({ conditions }, interimType)) putCondition(conditions, { ...end, type: interimType });
    putCondition(conditions, end);
  }
  const outcome = judged(
    local,
    {
      ...withoutLiveFields(local),
      ...countersOf(local, remote),
      ...indexesOf(local, remote),
      ...podsOf(local, { active: 0, ready: remote.ready === undefined ? undefined : 0, terminating: 0 }),
      ...(startTime === undefined ? {} : { startTime: wholeSeconds(startTime) }),
      ...(isComplete ? { completionTime } : {}),
      conditions,
    },
    judge,
  );
  if (outcome.kind !== 'changed') return outcome;
  const isAdjusted =
    isComplete && remote.completionTime !== undefined && !isSameTime(completionTime, remote.completionTime);
  return {
    ...outcome,
    isTerminal: true,
    ...(isAdjusted && remote.completionTime !== undefined ? { trueCompletionTime: remote.completionTime } : {}),
  };
}

function liveStatus(input: StatusInput, startTime: string | undefined): JobStatus {
  const { local, mirror } = input;
  const remote = mirror.status ?? {};
  const conditions = mergedConditions(local.status, remote, startTime, isSuspended(local));
  if (isSuspended(local)) {
    const since = isTrue(remote, 'Suspended') ? conditionOf(remote, 'Suspended')?.lastTransitionTime : undefined;
    putSuspended(conditions, true, since ?? toRfc3339(input.observedAt));
  } else if (isSuspended(mirror) && isTrue(remote, 'Suspended')) {
    // Held by the worker's own queue: shown as what it is.
    putSuspended(conditions, true, conditionOf(remote, 'Suspended')?.lastTransitionTime ?? toRfc3339(input.observedAt));
  }
  return {
    ...withoutLiveFields(local),
    ...countersOf(local, remote),
    ...indexesOf(local, remote),
    ...podsOf(local, remote),
    ...(startTime === undefined ? {} : { startTime: wholeSeconds(startTime) }),
    conditions,
  };
}

/** The worker's start time once it really runs. Before that it may still carry the one of an earlier run. */
function runningSince(mirror: Job): string | undefined {
  return isSuspended(mirror) || isTrue(mirror.status, 'Suspended') ? undefined : mirror.status?.startTime;
}

/** Everything of a stored status that is not recomputed, fields unknown to this program included. */
function withoutLiveFields({ status = {}, ...local }: Job): JobStatus {
  const { startTime: _start, active: _active, uncountedTerminatedPods: _uncounted, ...rest } = status;
  if (!isIndexed(local)) return rest;
  // Both lists come from one look at one mirror, or they could overlap.
  const { completedIndexes: _completed, failedIndexes: _failed, ...others } = rest;
  return others;
}

/** Counters never fall: the API server refuses it, and a finished attempt's pods did run (C3). */
function countersOf(local: Job, remote: JobStatus): JobStatus {
  const failed = Math.max(local.status?.failed ?? 0, remote.failed ?? 0);
  const succeeded = Math.max(local.status?.succeeded ?? 0, remote.succeeded ?? 0);
  return { ...(failed > 0 ? { failed } : {}), ...(succeeded > 0 ? { succeeded } : {}) };
}

function podsOf(
  local: Job,
  remote: { readonly active?: number; readonly ready?: number | undefined; readonly terminating?: number },
): JobStatus {
  const active = remote.active ?? 0;
  const ready = remote.ready ?? (local.status?.ready === undefined ? undefined : 0);
  const terminating = remote.terminating ?? (local.status?.terminating === undefined ? undefined : 0);
  return {
    ...(active > 0 ? { active } : {}),
    ...(ready === undefined ? {} : { ready: Math.min(ready, active) }),
    ...(terminating === undefined ? {} : { terminating }),
  };
}

/** Index lists, cut to what the management Job's spec allows: an elastic Job may have shrunk there first. */
function indexesOf(local: Job, remote: JobStatus): JobStatus {
  const completions = local.spec.completions;
  if (!isIndexed(local) || completions === undefined) return {};
  const completed =
    remote.completedIndexes === undefined ? undefined : clipIndexes(remote.completedIndexes, completions);
  const failed =
    local.spec.backoffLimitPerIndex === undefined || remote.failedIndexes === undefined
      ? undefined
      : clipIndexes(remote.failedIndexes, completions);
  return {
    ...(completed === undefined ? {} : { completedIndexes: completed }),
    ...(failed === undefined ? {} : { failedIndexes: failed }),
  };
}

/** The stored conditions with the mirror's worked in; `Suspended` only as far as an end of the suspension goes. */
function mergedConditions(
  stored: JobStatus | undefined,
  remote: JobStatus,
  startTime: string | undefined,
  isLocalSuspended: boolean,
): JobCondition[] {
  const conditions = [...(stored?.conditions ?? [])];
  for (const condition of remote.conditions ?? []) {
    const isNewAndFalse = condition.status !== 'True' && conditionOf(stored, condition.type) === undefined;
    const isFateUnmet = condition.status !== 'True' && isFateCondition(condition.type);
    if (condition.type !== 'Suspended' && !isNewAndFalse && !isFateUnmet) putCondition(conditions, condition);
  }
  const hasResumed = !isLocalSuspended && startTime !== undefined && !isTrue(remote, 'Suspended');
  if (hasResumed && isTrue(stored, 'Suspended')) {
    putSuspended(conditions, false, conditionOf(remote, 'Suspended')?.lastTransitionTime ?? startTime);
  }
  return conditions;
}

function putSuspended(conditions: JobCondition[], isOn: boolean, since: string): void {
  putCondition(conditions, {
    type: 'Suspended',
    status: isOn ? 'True' : 'False',
    reason: isOn ? 'JobSuspended' : 'JobResumed',
    message: isOn ? 'Job suspended' : 'Job resumed',
    lastProbeTime: wholeSeconds(since),
    lastTransitionTime: wholeSeconds(since),
  });
}

/** Adds the condition or changes it in place. A condition whose value stays keeps its times; one of fate stays whole. */
function putCondition(conditions: JobCondition[], condition: JobCondition): void {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const existing = conditions[index];
  if (existing === undefined) {
    conditions.push(condition);
    return;
  }
  if (existing.status !== condition.status) conditions[index] = condition;
  else if (!isFateCondition(condition.type)) {
    const { lastProbeTime: _probe, lastTransitionTime: _transition, ...said } = condition;
    conditions[index] = { ...existing, ...said };
  }
}

function judged(local: Job, next: JobStatus, judge: StatusJudge): StatusOutcome {
  if (isSameStatus(local.status ?? {}, next)) return { kind: 'unchanged' };
  const refusals = judge(local, next);
  if (refusals.length > 0) return { kind: 'refused', message: refusals.join('; ') };
  return { kind: 'changed', status: next, isTerminal: false };
}

/** Equal in everything but the times of conditions; a missing number of active pods is zero. */
function isSameStatus(before: JobStatus, after: JobStatus): boolean {
  const numbers = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;
  const times = ['startTime', 'completionTime'] as const;
  return (
    numbers.every((key) => (before[key] ?? 0) === (after[key] ?? 0)) &&
    (before.completedIndexes ?? '') === (after.completedIndexes ?? '') &&
    before.failedIndexes === after.failedIndexes &&
    times.every((key) => isSameTime(before[key], after[key])) &&
    (before.conditions?.length ?? 0) === (after.conditions?.length ?? 0) &&
    (after.conditions ?? []).every((condition) => isSameCondition(conditionOf(before, condition.type), condition))
  );
}

function isSameCondition(before: JobCondition | undefined, after: JobCondition): boolean {
  return (
    before?.status === after.status &&
    (before.reason ?? '') === (after.reason ?? '') &&
    (before.message ?? '') === (after.message ?? '')
  );
}

function correctedTime(input: StatusInput, time: string): string {
  const aheadMs = input.workerAheadMs ?? 0;
  if (Math.abs(aheadMs) <= toleratedSkewMs) return wholeSeconds(time);
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : toRfc3339(ms - aheadMs);
}

function laterOf(time: string, floor: string | undefined): string {
  return floor !== undefined && Date.parse(floor) > Date.parse(time) ? wholeSeconds(floor) : time;
}

function isSameTime(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.floor(Date.parse(a) / 1000) === Math.floor(Date.parse(b) / 1000);
}

/** The API stores whole seconds; a fraction would make every copy look like a change. */
function wholeSeconds(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : toRfc3339(ms);
}

function toRfc3339(epochMs: number): string {
  return new Date(Math.floor(epochMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
