import type { ObservedJob } from './observed.ts';
import type { MirrorSight, Situation } from './situation.ts';

/**
 * Where a delegated Job stands, one word for both clusters together. The vocabulary follows the one that Kueue's
 * KEP-10189 proposes, so that people meet the same words in both places.
 */
export const phases = [
  /** Its controller has it, and holds it back: a quota, a queue, a limit of ours. */
  'Queued',
  /** It may run as soon as a worker takes it. */
  'WaitingForWorker',
  /** A worker was chosen; no pod has started there yet. */
  'WorkerSelected',
  'Running',
  /** A person (or a deactivation) holds it back. */
  'Suspended',
  /** How it ends is decided, but its pods or its status are not there yet. */
  'Finishing',
  'Succeeded',
  'Failed',
  /** The worker can't be reached: what becomes of the Job is not known. */
  'WorkerLost',
  /** The mirror was there and was deleted on the worker; nobody runs it again. */
  'MirrorLost',
  /** No controller looks after it: it would sit there for ever. */
  'Unmanaged',
  'Deleting',
  /** A mirror whose Job is gone. */
  'Orphan',
] as const;

export type Phase = (typeof phases)[number];

/** The phase of a row. Total: every situation has exactly one. The first rule that fits decides. */
export function phaseOf(situation: Situation): Phase {
  const { job, mirror, selection } = situation;
  if (job === undefined) return 'Orphan';
  if (job.fate === 'succeeded') return 'Succeeded';
  if (job.fate === 'failed') return 'Failed';
  if (job.isDeleting) return 'Deleting';
  if (job.fate !== 'open' || (mirror !== undefined && mirror.job.fate !== 'open')) return 'Finishing';
  if (isWorkerLost(situation)) return 'WorkerLost';
  if (selection?.isMirrorGone || job.record?.phaseReason === 'MirrorDeleted') return 'MirrorLost';
  if (mirror !== undefined && isStarted(mirror.job)) return 'Running';
  return unstartedPhase(situation, job);
}

/** True if pods of the Job run, or ran and will again: a retry waits for its back-off. */
export function isStarted(job: ObservedJob): boolean {
  return !job.isSuspended && ((job.active ?? 0) > 0 || job.startedAt !== undefined);
}

/** A refused login pauses what is known; only a worker that does not answer is lost. */
function isWorkerLost({ selection, job }: Situation): boolean {
  if (selection === undefined) return false;
  if (selection.contact === 'unreachable') return true;
  // This window can't see the worker; whoever mirrors the Job says that it can't be reached.
  return selection.contact === 'unknown' && job?.record?.phaseReason === 'Unreachable';
}

function unstartedPhase(situation: Situation, job: ObservedJob): Phase {
  switch (situation.controller) {
    case 'built-in':
      return builtInPhase(job);
    case 'ours':
      return ourPhase(situation, job);
    case 'multikueue':
      return multiKueuePhase(situation, job);
    case 'other':
      return otherPhase(situation, job);
  }
}

/** Runs on the management cluster itself. Kueue holds Jobs of its queues back by suspending them. */
function builtInPhase(job: ObservedJob): Phase {
  if (job.isSuspended) return job.queueName === undefined ? 'Suspended' : 'Queued';
  return isStarted(job) ? 'Running' : 'Queued';
}

function ourPhase(situation: Situation, job: ObservedJob): Phase {
  if (job.isSuspended) return 'Suspended';
  if (situation.mirror !== undefined || situation.selection !== undefined) {
    // Another window's view of a worker that this one is not connected to.
    return situation.mirror === undefined && isStarted(job) ? 'Running' : 'WorkerSelected';
  }
  const reason = job.record?.phaseReason;
  if (reason === 'QueuedLocally') return 'Queued';
  if (reason !== undefined || situation.reconciler === 'running') return 'WaitingForWorker';
  if (situation.reconciler === 'not-running') return 'Unmanaged';
  return situation.isPastGrace ? 'Unmanaged' : 'WaitingForWorker';
}

function multiKueuePhase(situation: Situation, job: ObservedJob): Phase {
  const { workload, mirror, selection } = situation;
  if (typeof workload === 'object' && workload.isInactive) return 'Suspended';
  // Taken back: the mirror is only there until its pods have stopped.
  if (typeof workload === 'object' && workload.eviction !== undefined) return 'Queued';
  if (mirror !== undefined || selection !== undefined) {
    return mirror === undefined && isStarted(job) ? 'Running' : 'WorkerSelected';
  }
  if (typeof workload === 'object' && !workload.hasQuota) return 'Queued';
  if (typeof workload === 'object') return situation.isQueueElsewhere ? 'Unmanaged' : 'WaitingForWorker';
  if (isStarted(job)) return 'Running';
  // Without a queue Kueue never takes it; with one, it makes a Workload within a moment.
  if (job.queueName === undefined) return job.hasStatus ? 'Queued' : 'Unmanaged';
  if (workload === 'none' && situation.isPastGrace) return 'Unmanaged';
  return 'Queued';
}

function otherPhase(situation: Situation, job: ObservedJob): Phase {
  const { workload } = situation;
  if (isStarted(job)) return 'Running';
  // Kueue suspends whatever is in its queues, also what it will not send anywhere.
  if (job.isSuspended) return typeof workload === 'object' && !workload.isInactive ? 'Queued' : 'Suspended';
  if (job.hasStatus) return 'Queued';
  return situation.isPastGrace ? 'Unmanaged' : 'Queued';
}

/** The phase of the mirror by itself, as its worker shows it. */
export function mirrorPhaseOf({ job }: MirrorSight): Phase {
  if (job.fate === 'succeeded') return 'Succeeded';
  if (job.fate === 'failed') return 'Failed';
  if (job.isDeleting) return 'Deleting';
  if (job.fate !== 'open') return 'Finishing';
  if (job.isSuspended) return 'Suspended';
  return isStarted(job) ? 'Running' : 'Queued';
}
