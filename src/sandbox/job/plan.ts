import type { JobCondition, JobStatus } from '../../kube/index.ts';
import { defined, type StoredPod, timestamp } from '../objects.ts';
import { type BackoffRecord, recordEnds } from './backoff.ts';
import { takeCensus } from './census.ts';
import { newCondition, withCondition } from './conditions.ts';
import { countPods, countReleased } from './counting.ts';
import { type Management, manage, removeAll, untouched } from './manage.ts';
import { completionsReached, deadlineIn, decideOutcome, type Outcome } from './outcome.ts';
import { isSuspended } from './pods.ts';
import type { JobEvent, PodCreation, SyncInput } from './step.ts';
import { suspensionOf } from './suspension.ts';

/**
 * One step of the Job controller, as a decision: from a Job and its pods to what is to be done. Nothing happens here.
 * The step is carried out in this order: pods are deleted or created, `status` is written, finalizers are released,
 * and `settle` says what is written then.
 * Source: Kubernetes 1.35, Job controller; the order of what decides over success and failure is part of the behaviour.
 */
export interface SyncPlan {
  readonly deletions: readonly StoredPod[];
  /** Pods that are deleted without being counted: their finalizer is released before. */
  readonly releasesDeleted: boolean;
  readonly creations: readonly PodCreation[];
  readonly status: JobStatus;
  readonly needsWrite: boolean;
  readonly releases: readonly StoredPod[];
  /** Becomes true once nothing is left to count and no pod is terminating. */
  readonly terminal?: JobCondition;
  readonly events: readonly JobEvent[];
  readonly backoff: BackoffRecord;
  /** When the wait after failures is over. */
  readonly backoffMs?: number;
  /** When activeDeadlineSeconds are over. */
  readonly deadlineMs?: number;
}

/** Pure: the same Job, pods, time and record give the same plan. */
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
  const deadline = finished === undefined ? deadlineIn(job, startTime, now) : Number.POSITIVE_INFINITY;
  const terminal = counted.isCut || finished === undefined ? undefined : terminalOf(finished, now);
  return {
    deletions: management.deletions,
    releasesDeleted: outcome === undefined,
    creations: management.creations,
    status: counted.status,
    needsWrite: counted.isChanged || suspension !== undefined || !isSameCount(before, management),
    releases: counted.releases,
    ...(terminal === undefined ? {} : { terminal }),
    events: suspension === undefined ? [] : [suspension.event],
    backoff,
    ...(management.again === undefined ? {} : { backoffMs: management.again }),
    ...(Number.isFinite(deadline) ? { deadlineMs: deadline } : {}),
  };
}

/** What is written after the finalizers are released; undefined if there is nothing new to write. */
export function settle(
  status: JobStatus,
  held: ReadonlySet<string>,
  terminal: JobCondition | undefined,
): { readonly status: JobStatus; readonly isFinished: boolean } | undefined {
  const { status: counted, isChanged } = countReleased(status, held);
  const { succeeded = [], failed = [] } = counted.uncountedTerminatedPods ?? {};
  const isFinished =
    terminal !== undefined && succeeded.length + failed.length === 0 && (counted.terminating ?? 0) === 0;
  if (!isFinished) return isChanged ? { status: counted, isFinished } : undefined;
  const conditions = withCondition(counted.conditions ?? [], terminal);
  const completionTime = terminal.type === 'Complete' ? { completionTime: terminal.lastTransitionTime ?? '' } : {};
  return { status: { ...counted, conditions, ...completionTime }, isFinished };
}

/** Says the same as its announcement; only the type differs. */
function terminalOf({ type, reason, message }: Outcome, now: number): JobCondition {
  return newCondition(type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed', 'True', reason, message, now);
}

/** `ready` and `terminating` are written even if they are 0, hence the first step always writes. */
function isSameCount(before: JobStatus, { active, ready, terminating }: Management): boolean {
  return (before.active ?? 0) === active && before.ready === ready && before.terminating === terminating;
}
