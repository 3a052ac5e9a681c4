import type { Job } from '../kube/index.ts';
import { follow, wasStarted } from './followedFields.ts';
import { fateOf, hasRun, isDeleting, isFinished, isSuspended } from './jobState.ts';
import { buildMirror, specHash, whyNotRunnable } from './mirrorObject.ts';
import { mirrorStatus, type StatusOutcome, statusWithoutMirror, suspendedStatus } from './mirrorStatus.ts';
import type { Reason } from './reasons.ts';
import {
  type DispatchRecord,
  mirrorFinalizer,
  mirrorKeys,
  type Ownership,
  ownershipOf,
  readRecord,
  recordKeys,
} from './record.ts';
import type { Action, Decision, DepartedJob, Facts, MirrorObservation, Situation, Wait } from './situation.ts';

/** Where only asking again can tell, such as a Job on the worker that is not ours to watch. */
const askAgainMs = 30_000;
const soonMs = 2_000;

/** One step for one Job. Pure: the same situation always gives the same decision. */
export function decide({ management, departed, mirror, facts }: Situation): Decision {
  if (management.kind === 'unknown') return wait(management.reason, management.message, management.afterMs);
  if (departed !== undefined) return decideDeparted(departed, mirror, facts);
  if (management.kind === 'absent') return wait('JobGone');
  const { job } = management;
  if (job.spec.managedBy !== facts.controllerName) return wait('NotOurs');
  if (!facts.isNamespaceEnabled) return wait('NamespaceNotEnabled');

  const reading = readRecord(job);
  switch (reading.kind) {
    case 'none':
      return decideUnassigned(job, facts);
    case 'newer':
      return wait('RecordNewer', `The record has format ${reading.version}.`);
    case 'corrupt':
      return wait('RecordCorrupt', [reading.message, releaseHint(job)].filter((part) => part !== '').join('. '));
    case 'assigned':
      return decideAssigned(job, reading.record, mirror, facts);
  }
}

function decideUnassigned(job: Job, facts: Facts): Decision {
  if (isDeleting(job)) return wait('Deleting');
  if (isFinished(job)) return wait('Finished');
  if (!facts.isLeading) return chooseWorker(job, { ...facts, maxLiveMirrors: 0 });
  if (fateOf(job.status) !== 'open') return wait('FateDecided');
  // Such as after `kubectl replace` with the manifest that it came from: where it ran is not known any more.
  if (hasRun(job.status)) return wait('RecordCorrupt', 'The record is missing, although the Job has run');
  if (facts.strayOn !== undefined) {
    return wait('RecordCorrupt', `The record is missing, although the Job has a mirror on ${facts.strayOn}`);
  }
  if (job.spec.manualSelector === true) return wait('ManualSelectorUnsupported');
  if (isSuspended(job)) {
    return writing(job, suspendedStatus(job, facts.observedAt, facts.judge), facts) ?? wait('Suspended');
  }
  return chooseWorker(job, facts);
}

/** The worker that the Job names, else the first in the configured order that takes it: explainable, no guessing (B8). */
function chooseWorker(job: Job, facts: Facts): Decision {
  if (facts.candidates.length === 0) return wait('NoWorker');
  const requested = job.metadata.annotations?.[recordKeys.requestedWorker];
  const candidates = facts.candidates.filter(({ name }) => requested === undefined || name === requested);
  if (candidates.length === 0) return wait('UnknownWorker', `There is no worker "${requested ?? ''}".`);

  const refusals: string[] = [];
  let isFull = false;
  let isLeftToOthers = false;
  for (const { name, uid, blocked, liveMirrors } of candidates) {
    // Who leads for the preferred worker assigns it; going on to the next would place the Job by chance. Only two of whom each
    // prefers the other's worker would wait for ever.
    if (blocked?.reason === 'NotLeading') {
      if (!facts.isLeading) return wait('NotLeading');
      if (facts.othersAssignMs > 0) return wait('NotLeading', '', facts.othersAssignMs);
      isLeftToOthers = true;
      continue;
    }
    // So would passing over one that merely has not answered yet, in the first moments after the start.
    if (blocked?.reason === 'Connecting') return wait('Connecting', `${name}: ${blocked.message}`, soonMs);
    if (blocked !== undefined || uid === undefined) {
      refusals.push(`${name}: ${blocked?.message ?? 'not reached yet'}`);
    } else if (liveMirrors >= facts.maxLiveMirrors) {
      isFull = true;
      refusals.push(`${name}: ${liveMirrors} mirrors already`);
    } else {
      return { kind: 'assign', job, workerUid: uid, workerName: name, attempt: 1 };
    }
  }
  if (isLeftToOthers) return wait('NotLeading', '', askAgainMs);
  if (candidates.every(({ blocked }) => blocked?.reason === 'SameCluster')) return wait('SameCluster');
  return wait(isFull ? 'QueuedLocally' : 'NoWorkerAccepts', refusals.join('; '), askAgainMs);
}

function decideAssigned(job: Job, record: DispatchRecord, mirror: MirrorObservation, facts: Facts): Decision {
  if (!record.hasFinalizer && record.phaseReason === 'Done' && isFinished(job)) return wait('Done');
  if (!record.hasFinalizer && isDeleting(job)) return wait('Deleting');
  if (!facts.isLeading) return whyNotLeading(job, record, facts);
  if (mirror.kind === 'unknown') {
    const message = isDeleting(job) ? `${mirror.message} ${releaseHint(job)}` : mirror.message;
    return wait(mirror.reason, message, mirror.afterMs);
  }
  if (mirror.kind === 'not-looked') return wait('StaleRead', '', soonMs);

  const found = mirror.kind === 'present' ? mirror.job : undefined;
  const ownership = found && ownershipOf(found, job.metadata.uid, facts.originCluster, record);
  const assigned: Assigned = { job, record, mirror: found, ownership, facts };
  if (isDeleting(job)) return decideDeleting(assigned);
  if (isFinished(job)) return decideFinished(assigned);
  return record.mirrorUid === undefined ? decideUnrecorded(assigned) : decideLive(assigned);
}

/** Another process mirrors the Job; or nobody may, for all that is known here of its worker. */
function whyNotLeading(job: Job, { workerUid, workerName }: DispatchRecord, { candidates }: Facts): Wait {
  if (candidates.some(({ uid }) => uid === workerUid)) return wait('NotLeading');
  const unidentified = candidates.filter(({ uid }) => uid === undefined);
  const silent = unidentified.find(({ name }) => name === workerName) ?? unidentified[0];
  if (silent?.blocked !== undefined) return wait(silent.blocked.reason, `${silent.name}: ${silent.blocked.message}`);
  const message = `The worker is "${workerName}", cluster ${workerUid}.`;
  return wait('WorkerNotConfigured', isDeleting(job) ? `${message} ${releaseHint(job)}` : message);
}

/** A Job with a worker of its own, and what was seen there in its mirror's place. */
interface Assigned {
  readonly job: Job;
  readonly record: DispatchRecord;
  /** Perhaps not ours: `ownership` says whose it is. Undefined where there is none. */
  readonly mirror: Job | undefined;
  readonly ownership: Ownership | undefined;
  readonly facts: Facts;
}

/** The user deleted the Job: the mirror goes too, unless it was to be left running; then the finalizer (D5). */
function decideDeleting({ job, record, mirror, ownership, facts }: Assigned): Decision {
  const release: Action = { kind: 'release', job, phase: undefined };
  // What stands there now is not ours, or no longer: ours is gone.
  if (mirror === undefined || ownership !== 'ours') return release;
  if (job.metadata.annotations?.[recordKeys.onDelete] === 'detach' && wasStarted(mirror)) {
    const isDetached = mirror.metadata.labels?.[mirrorKeys.detached] === 'true';
    return isDetached ? release : { kind: 'detach-mirror', record, mirror };
  }
  // The last word of the mirror reaches the Job even now; others may be waiting for it (I4).
  const last = isFinished(mirror) ? writing(job, statusFrom(job, mirror, facts), facts) : undefined;
  // A status that can't be written is no reason to keep the user from deleting.
  if (last !== undefined && last.kind !== 'wait') return last;
  return deletion(record, mirror, 'the Job was deleted');
}

/**
 * The end is stored, and the finalizer went with it unless somebody else wrote the end: a closed window never blocks a
 * TTL. The mirror goes after a while.
 */
function decideFinished({ job, record, mirror, ownership, facts }: Assigned): Decision {
  if (mirror === undefined || ownership !== 'ours') return { kind: 'release', job, phase: 'Done' };
  // Somebody else ended the Job before its mirror was started, and now it never will be.
  if (!wasStarted(mirror) && isSuspended(mirror)) return deletion(record, mirror, 'the Job ended without it');
  const outcome = statusFrom(job, mirror, facts);
  if (outcome.kind === 'fate-conflict') return wait('FateConflict', outcome.message, askAgainMs);
  if (record.hasFinalizer) return { kind: 'release', job, phase: 'Finished' };
  if (facts.retainMs > 0) return wait('Finished', 'The mirror is kept for a while, for its logs.', facts.retainMs);
  return deletion(record, mirror, 'it finished and was kept long enough');
}

/** Assigned, but no mirror on record: it was not made yet, or nobody lived to write down that it was. */
function decideUnrecorded({ job, record, mirror, ownership, facts }: Assigned): Decision {
  if (mirror === undefined) {
    if (record.phaseReason === 'MirrorNotRunnable') return wait('MirrorNotRunnable');
    if (fateOf(job.status) !== 'open') return wait('FateDecided');
    if (isSuspended(job)) {
      return writing(job, suspendedStatus(job, facts.observedAt, facts.judge), facts) ?? wait('Suspended');
    }
    if (facts.refusal !== undefined) {
      const { reason, message, afterMs } = facts.refusal;
      return elsewhere(job, record, reason, facts) ?? wait(reason, `${record.workerName}: ${message}`, afterMs);
    }
    return { kind: 'create-mirror', job, record, body: buildMirror(job, record, facts.originCluster) };
  }
  switch (ownership) {
    case 'stale':
      return wait('StaleMirror', `It is ${uidOf(mirror)}.`, askAgainMs);
    case 'ours': {
      if (isDeleting(mirror)) return wait('MirrorDeleting', '', soonMs);
      const fault = whyNotRunnable(mirror);
      if (fault === undefined) {
        return { kind: 'record-mirror', job, record, mirrorUid: mirror.metadata.uid };
      }
      // Noted before the mirror goes: without the note, its absence would look like "not made yet".
      if (record.phaseReason !== 'MirrorNotRunnable') {
        return { kind: 'note-reason', job, reason: 'MirrorNotRunnable', message: fault };
      }
      return deletion(record, mirror, fault);
    }
    default: {
      const message = `On ${record.workerName}, ${describeOwner(mirror)}.`;
      return elsewhere(job, record, 'NameConflict', facts) ?? wait('NameConflict', message, askAgainMs);
    }
  }
}

/**
 * The next worker that has not refused yet, unless the Job insists on one. Safe without a look back: no mirror of this
 * attempt is on record, so none can ever be started; should a creation that was lost on its way still arrive, it stays
 * suspended, and garbage collection finds it.
 */
function elsewhere(job: Job, record: DispatchRecord, reason: Reason, facts: Facts): Action | undefined {
  if (job.metadata.annotations?.[recordKeys.requestedWorker] !== undefined || isSuspended(job)) return undefined;
  const asked = new Set([...record.refusedBy, record.workerUid]);
  for (const { name, uid, blocked, liveMirrors } of facts.candidates) {
    const isFree = blocked === undefined || blocked.reason === 'NotLeading';
    if (uid === undefined || asked.has(uid) || !isFree || liveMirrors >= facts.maxLiveMirrors) continue;
    const { attempt, workerName: worker, workerUid } = record;
    const givenUp = { attempt, worker, workerUid, reason };
    return { kind: 'assign', job, workerUid: uid, workerName: name, attempt: attempt + 1, givenUp };
  }
  return undefined;
}

/** The mirror is on record: copy its status, and carry changes of the Job over to it. */
function decideLive({ job, record, mirror, ownership, facts }: Assigned): Decision {
  if (mirror === undefined || (ownership !== 'ours' && ownership !== 'disowned')) {
    return writing(job, statusWithoutMirror(job, facts.judge), facts) ?? wait('MirrorDeleted');
  }
  const outcome = statusFrom(job, mirror, facts);
  const write = writing(job, outcome, facts);
  if (write !== undefined && write.kind !== 'wait') return write;
  if (outcome.kind === 'fate-conflict') return wait('FateConflict', outcome.message, askAgainMs);
  if (ownership === 'disowned') return wait('MirrorDisowned', '', askAgainMs);
  if (isDeleting(mirror)) return wait('MirrorDeleting', '', askAgainMs);

  const isUndecided = fateOf(job.status) === 'open' && fateOf(mirror.status) === 'open';
  const following = isUndecided ? follow(job, mirror) : { kind: 'equal' as const };
  if (following.kind === 'apply') {
    // A suspended Job's template may be edited, a started one's, too; what runs is what the mirror was made from.
    const isStart = following.changes.suspend === false;
    if (isStart && mirror.metadata.annotations?.[mirrorKeys.specHash] !== specHash(job)) return wait('TemplateEdited');
    const { changes, isCorrection } = following;
    return { kind: 'adjust-mirror', job, record, mirror, changes, isCorrection };
  }
  // A status that can't be written is a blocker; it must not keep the mirror from being suspended or scaled.
  if (write !== undefined) return write;
  switch (following.kind) {
    case 'outdated':
      return wait('StaleRead', '', soonMs);
    case 'held':
      return wait('HeldByWorker');
    case 'drifted':
      return wait('MirrorDrifted', `Changed there: ${following.fields.join(', ')}.`);
    case 'equal':
      return isSuspended(job) ? wait('Suspended') : wait('Mirrored');
  }
}

/** A Job is gone. Its mirror is only deleted on the word of this process's own last look at the record. */
function decideDeparted(departed: DepartedJob, mirror: MirrorObservation, facts: Facts): Decision {
  if (!facts.isLeading) return wait('NotLeading');
  if (mirror.kind === 'unknown') return wait(mirror.reason, mirror.message, mirror.afterMs);
  if (mirror.kind !== 'present' || !isMirrorOf(departed, mirror.job, facts)) return wait('JobGone');
  return deletion(departed.record, mirror.job, 'the Job is gone');
}

/** True if this is what is left of a Job that is gone, and nobody asked to keep it. */
function isMirrorOf(departed: DepartedJob, mirror: Job, facts: Facts): boolean {
  if (departed.isDetached || mirror.metadata.labels?.[mirrorKeys.detached] === 'true') return false;
  return ownershipOf(mirror, departed.uid, facts.originCluster, departed.record) === 'ours';
}

function deletion(record: DispatchRecord, mirror: Job, why: string): Decision {
  // Its pods may take their grace period; asking twice makes it no quicker.
  if (isDeleting(mirror)) return wait('MirrorDeleting', '', soonMs);
  return { kind: 'delete-mirror', record, mirror, why };
}

function statusFrom(job: Job, mirror: Job, facts: Facts): StatusOutcome {
  return mirrorStatus(
    { local: job, mirror, observedAt: facts.observedAt, workerAheadMs: facts.workerAheadMs },
    facts.judge,
  );
}

/** The write that a status outcome asks for, or the wait that keeps it back; undefined if there is nothing to write. */
function writing(job: Job, outcome: StatusOutcome, facts: Facts): Decision | undefined {
  switch (outcome.kind) {
    case 'unchanged':
    case 'fate-conflict':
      return undefined;
    case 'refused':
      return wait('StatusRefused', outcome.message, askAgainMs);
    case 'changed': {
      const { status, isTerminal, trueCompletionTime } = outcome;
      if (facts.wasRefused(status)) return wait('StatusRefused', '', askAgainMs);
      if (!isTerminal && facts.statusPauseMs > 0) return wait('Mirrored', '', facts.statusPauseMs);
      const note = trueCompletionTime === undefined ? {} : { trueCompletionTime };
      return { kind: 'write-status', job, status, isTerminal, ...note };
    }
  }
}

function wait(reason: Reason, message = '', afterMs?: number): Wait {
  return { kind: 'wait', reason, message, afterMs };
}

/** How to give a mirror up that can't be reached: the Job's deletion waits for it otherwise (D4). Empty if it doesn't. */
function releaseHint({ metadata: { name, namespace = '', finalizers = [] } }: Job): string {
  if (!finalizers.includes(mirrorFinalizer)) return '';
  const patch = JSON.stringify({ metadata: { finalizers: finalizers.filter((one) => one !== mirrorFinalizer) } });
  return `To delete the Job all the same and leave the mirror: kubectl patch job ${name} -n ${namespace} --type merge -p '${patch}'`;
}

function describeOwner(job: Job): string {
  const [owner] = job.metadata.ownerReferences ?? [];
  return `${uidOf(job)}${owner === undefined ? '' : `, owned by ${owner.kind} ${owner.name}`}`;
}

function uidOf(job: Job): string {
  return `${job.metadata.namespace ?? ''}/${job.metadata.name} with UID ${job.metadata.uid}`;
}
