import { type Condition, defined, type JobStatus, type StoredJob, type StoredPod, timestamp } from '../objects.ts';
import { type BackoffRecord, type BackoffSettings, recordEnds, remainingMs } from './backoff.ts';
import { findTrue, newCondition, withCondition } from './conditions.ts';
import { formatIndexes, type IndexSet, parseIndexes, union } from './indexes.ts';
import {
  byLeastProgress,
  countIn,
  failureCountAnnotation,
  finishedAt,
  ignoredFailureCountAnnotation,
  isActive,
  isFailed,
  isIndexed,
  isReady,
  isSuspended,
  isTerminating,
  isTracked,
  replacesOnlyFailed,
  validIndex,
} from './pods.ts';
import { matchFailurePolicy, matchSuccessPolicy } from './policies.ts';

/**
 * One step of the Job controller, as a decision: from a Job and its pods to what is to be done. Nothing happens here.
 * The step is carried out in this order: pods are deleted or created, `status` is written, finalizers are released,
 * and `settle` says what is written then.
 * Source: Kubernetes 1.35, Job controller; the order of what decides over success and failure is part of the behaviour.
 */
export interface SyncInput {
  readonly job: StoredJob;
  readonly pods: readonly StoredPod[];
  readonly now: number;
  readonly backoff: BackoffRecord;
  readonly settings: BackoffSettings;
  /** From 1.36 on, suspending a Job clears its startTime. */
  readonly clearsStartTime: boolean;
}

export interface PodCreation {
  readonly index?: number;
  /** The failed pod of the same index whose count of failures the new pod takes over. */
  readonly replaces?: StoredPod;
}

export interface JobEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface SyncPlan {
  readonly deletions: readonly StoredPod[];
  /** Pods that are deleted without being counted: their finalizer is released before. */
  readonly releasesDeleted: boolean;
  readonly creations: readonly PodCreation[];
  readonly status: JobStatus;
  readonly needsWrite: boolean;
  readonly releases: readonly StoredPod[];
  /** Becomes true once nothing is left to count and no pod is terminating. */
  readonly terminal?: Condition;
  readonly events: readonly JobEvent[];
  readonly backoff: BackoffRecord;
  /** The step must be repeated after this time even if nothing happens. */
  readonly again?: number;
}

/** As many UIDs may wait to be counted, and as many pods are made or deleted in a step. */
const batchLimit = 500;

interface Outcome {
  readonly type: 'FailureTarget' | 'Failed' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

interface Census {
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

export function planSync(input: SyncInput): SyncPlan {
  const { job, now } = input;
  const before: JobStatus = job.status ?? {};
  const census = takeCensus(input);
  const startTime = before.startTime ?? (isSuspended(job) ? undefined : timestamp(now));
  const backoff = recordEnds(input.backoff, census.newlySucceeded, census.newlyFailed);
  const outcome = decideOutcome(input, census, startTime);
  const management =
    outcome !== undefined
      ? removeAll(census)
      : job.metadata.deletionTimestamp !== undefined
        ? untouched(census)
        : manage(input, census, backoff);
  const finished = outcome ?? completionsReached(job, census, management.active);
  const isManaged = outcome === undefined && finished === undefined && job.metadata.deletionTimestamp === undefined;
  const suspension = isManaged ? suspensionOf(input, before.conditions ?? []) : undefined;

  const draft: JobStatus = defined({
    ...before,
    conditions: suspension?.conditions ?? before.conditions ?? [],
    startTime: suspension === undefined ? startTime : suspension.startTime(startTime),
    active: management.active,
    ready: management.ready,
    terminating: management.terminating,
    uncountedTerminatedPods: before.uncountedTerminatedPods ?? {},
  });
  const counted = countPods(input, census, draft, finished);
  const deadline = deadlineIn(job, startTime, now);
  const again = Math.min(
    management.again ?? Number.POSITIVE_INFINITY,
    finished === undefined ? deadline : Number.POSITIVE_INFINITY,
  );
  const terminal = counted.isCut || finished === undefined ? undefined : terminalOf(finished, now);
  return {
    deletions: management.deletions,
    releasesDeleted: outcome === undefined,
    creations: management.creations,
    status: tidy(counted.status),
    needsWrite: counted.isChanged || suspension !== undefined || !isSameCount(before, management),
    releases: counted.releases,
    ...(terminal === undefined ? {} : { terminal }),
    events: suspension === undefined ? [] : [suspension.event],
    backoff,
    ...(Number.isFinite(again) ? { again } : {}),
  };
}

/** What is written after the finalizers are released; undefined if there is nothing new to write. */
export function settle(
  status: JobStatus,
  held: ReadonlySet<string>,
  terminal: Condition | undefined,
): { readonly status: JobStatus; readonly isFinished: boolean } | undefined {
  const { status: counted, isChanged } = countReleased(status, held);
  const { succeeded = [], failed = [] } = counted.uncountedTerminatedPods ?? {};
  const isFinished =
    terminal !== undefined && succeeded.length + failed.length === 0 && (counted.terminating ?? 0) === 0;
  if (!isFinished) return isChanged ? { status: tidy(counted), isFinished } : undefined;
  const conditions = withCondition(counted.conditions ?? [], terminal);
  const completionTime = terminal.type === 'Complete' ? { completionTime: terminal.lastTransitionTime ?? '' } : {};
  return { status: tidy({ ...counted, conditions, ...completionTime }), isFinished };
}

function takeCensus({ job, pods }: SyncInput): Census {
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

function indexesOf(pods: readonly StoredPod[], completions: number): number[] {
  return pods.map((pod) => validIndex(pod, completions)).filter((index) => index !== undefined);
}

/** The failure of this pod is the end of its index. */
function exhaustsIndex(job: StoredJob, pod: StoredPod): boolean {
  if (!isFailed(pod, job)) return false;
  const { action } = matchFailurePolicy(job, pod);
  if (action === 'FailIndex') return true;
  return action !== 'Ignore' && countIn(pod, failureCountAnnotation) >= (job.spec.backoffLimitPerIndex ?? 0);
}

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

function allFailures(pod: StoredPod): number {
  return countIn(pod, failureCountAnnotation) + countIn(pod, ignoredFailureCountAnnotation);
}

/** Is the Job's fate decided? The first of these that holds decides. */
function decideOutcome(
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
function deadlineIn(job: StoredJob, startTime: string | undefined, now: number): number {
  const seconds = job.spec.activeDeadlineSeconds;
  if (seconds === undefined || startTime === undefined || isSuspended(job)) return Number.POSITIVE_INFINITY;
  return Date.parse(startTime) + seconds * 1000 - now;
}

function completionsReached(job: StoredJob, census: Census, active: number): Outcome | undefined {
  const { completions } = job.spec;
  const isReached = completions === undefined ? census.succeeded > 0 : census.succeeded >= completions;
  if (!isReached || active > 0) return undefined;
  return outcome('SuccessCriteriaMet', 'CompletionsReached', 'Reached expected number of succeeded pods');
}

interface Management {
  readonly deletions: readonly StoredPod[];
  readonly creations: readonly PodCreation[];
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly again?: number;
}

function untouched(census: Census): Management {
  const { active, terminating } = census;
  return { deletions: [], creations: [], active: active.length, ready: active.filter(isReady).length, terminating };
}

function removeAll(census: Census): Management {
  return withDeletions(census, census.active);
}

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
function manage(input: SyncInput, census: Census, backoff: BackoffRecord): Management {
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
    if (wait > 0) return { ...still, again: wait };
  }
  if (census.indexes === undefined) {
    return { ...still, creations: Array.from({ length: missing }, () => ({})), active: still.active + missing };
  }
  return addIndexes(input, census, still, missing);
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
  if (ready.length === 0 && next.length > 0) return { ...still, again: Math.min(...waits) };
  const creations = ready.map((index): PodCreation => {
    const replaces = awaiting.get(index);
    return { index, ...(replaces === undefined ? {} : { replaces }) };
  });
  return { ...still, creations, active: still.active + creations.length };
}

interface Suspension {
  readonly conditions: readonly Condition[];
  readonly startTime: (current: string | undefined) => string | undefined;
  readonly event: JobEvent;
}

/** The Suspended condition, if it turns. */
function suspensionOf(
  { job, now, clearsStartTime }: SyncInput,
  conditions: readonly Condition[],
): Suspension | undefined {
  const isSuspending = isSuspended(job);
  const wanted = isSuspending
    ? newCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', now)
    : newCondition('Suspended', 'False', 'JobResumed', 'Job resumed', now);
  const next = withCondition(conditions, wanted);
  if (next === conditions) return undefined;
  return {
    conditions: next,
    // The deadline counts from the latest start alone.
    startTime: (current) => (isSuspending ? (clearsStartTime ? undefined : current) : timestamp(now)),
    event: { type: 'Normal', reason: isSuspending ? 'Suspended' : 'Resumed', message: wanted.message ?? '' },
  };
}

interface Counting {
  readonly status: JobStatus;
  readonly releases: readonly StoredPod[];
  readonly isChanged: boolean;
  /** The limit was reached: the rest is counted in the next step. */
  readonly isCut: boolean;
}

/** Writes down who ended, before the finalizers go: a crash in between must lose no pod. */
function countPods(
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
function interimCondition(job: StoredJob, decided: Outcome | undefined, now: number): Condition | undefined {
  if (decided === undefined || decided.type === 'Failed') return undefined;
  if (findTrue(job.status?.conditions, decided.type) !== undefined) return undefined;
  return newCondition(decided.type, 'True', decided.reason, decided.message, now);
}

function indexFields({ indexes }: Census): JobStatus {
  if (indexes === undefined) return {};
  const { succeeded, failed } = indexes;
  return {
    succeeded: succeeded.size,
    completedIndexes: formatIndexes(succeeded),
    ...(failed === undefined ? {} : { failedIndexes: formatIndexes(failed) }),
  };
}

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
function countReleased(
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

function terminalOf({ type, reason, message }: Outcome, now: number): Condition {
  return newCondition(type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed', 'True', reason, message, now);
}

function isSameCount(before: JobStatus, { active, ready, terminating }: Management): boolean {
  return (before.active ?? 0) === active && before.ready === ready && before.terminating === terminating;
}

/** The status as Go writes it: zero counters and empty lists are left out, `ready` and `terminating` are not. */
function tidy(status: JobStatus): JobStatus {
  const { conditions, active, succeeded, failed, completedIndexes, uncountedTerminatedPods, ...rest } = status;
  const nonEmpty = <T extends { readonly length: number }>(list: T | undefined): T | undefined =>
    list?.length ? list : undefined;
  return defined({
    conditions: nonEmpty(conditions),
    ...rest,
    active: active || undefined,
    succeeded: succeeded || undefined,
    failed: failed || undefined,
    completedIndexes: nonEmpty(completedIndexes),
    uncountedTerminatedPods: defined({
      succeeded: nonEmpty(uncountedTerminatedPods?.succeeded),
      failed: nonEmpty(uncountedTerminatedPods?.failed),
    }),
  });
}
