import { isJsonObject, mirrorFinalizer, mirrorKeys, recordKeys } from '../base/index.ts';
import type { Job } from '../kube/index.ts';

/** The names that the record is written under. */
export { isOurKey, mirrorFinalizer, mirrorKeys, recordKeys } from '../base/index.ts';

/**
 * What the reconciler knows about a Job, kept on the Job itself, so that any process, on any machine, can go on where
 * another was killed. Nothing that safety needs is kept anywhere else.
 *
 * Invariants: the finalizer, worker UID, attempt and mirror name are written together, in one conditional patch, before
 * the worker hears of the Job (B1). `mirrorUid` is written once, after the mirror exists and before it may run (B3).
 */
export interface DispatchRecord {
  /** UID of the worker's `kube-system`: the identity of a cluster, whatever people call its context. */
  readonly workerUid: string;
  /** For people only; context names differ from user to user. */
  readonly workerName: string;
  readonly attempt: number;
  readonly mirrorName: string;
  /** Known once the mirror was seen on the worker. From then on a missing mirror was deleted, never "not yet there". */
  readonly mirrorUid: string | undefined;
  readonly phaseReason: string | undefined;
  /** Workers that refused to create the mirror before anything ran, by UID: none is asked twice. */
  readonly refusedBy: readonly string[];
  readonly hasFinalizer: boolean;
}

/** A record as found on a Job. */
export type RecordReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'assigned'; readonly record: DispatchRecord }
  /** Written by a later version of this program: look, don't touch (F9). */
  | { readonly kind: 'newer'; readonly version: string }
  /** Parts are missing or unreadable: somebody edited them. Guessing could run the Job twice. */
  | { readonly kind: 'corrupt'; readonly message: string };

/** Raised when a record of the older program could no longer be continued by this one, or the other way round. */
const recordVersion = 1;

/** Reads the record off a Job. Requests of the user (`worker`, `on-delete`) alone are no record. */
export function readRecord(job: Job): RecordReading {
  const annotations = job.metadata.annotations ?? {};
  const hasFinalizer = job.metadata.finalizers?.includes(mirrorFinalizer) ?? false;
  const version = annotations[recordKeys.version];
  if (version !== undefined && version !== String(recordVersion)) {
    const isNewer = /^[1-9][0-9]*$/.test(version) && Number(version) > recordVersion;
    if (isNewer) return { kind: 'newer', version };
    return { kind: 'corrupt', message: `${recordKeys.version} is "${version}"` };
  }

  const workerUid = annotations[recordKeys.workerUid];
  const attempt = annotations[recordKeys.attempt];
  const mirrorName = annotations[recordKeys.mirrorName];
  const mirrorUid = annotations[recordKeys.mirrorUid];
  if (version === undefined && workerUid === undefined && mirrorName === undefined && mirrorUid === undefined) {
    if (!hasFinalizer) return { kind: 'none' };
    return { kind: 'corrupt', message: 'the finalizer is there, the annotations that name the worker are not' };
  }
  const missing = [recordKeys.version, recordKeys.workerUid, recordKeys.mirrorName].filter((key) => !annotations[key]);
  if (missing.length > 0 || workerUid === undefined || mirrorName === undefined) {
    return { kind: 'corrupt', message: `missing: ${missing.join(', ')}` };
  }
  if (attempt === undefined || !/^[1-9][0-9]{0,3}$/.test(attempt)) {
    return { kind: 'corrupt', message: `${recordKeys.attempt} is "${attempt ?? ''}"` };
  }
  return {
    kind: 'assigned',
    record: {
      workerUid,
      workerName: annotations[recordKeys.workerName] ?? workerUid,
      attempt: Number(attempt),
      mirrorName,
      mirrorUid: mirrorUid === undefined || mirrorUid === '' ? undefined : mirrorUid,
      phaseReason: annotations[recordKeys.phaseReason],
      refusedBy: readAttemptLog(annotations[recordKeys.attemptLog]).map((entry) => entry.workerUid),
      hasFinalizer,
    },
  };
}

/** One attempt that never ran. */
export interface AttemptEntry {
  readonly attempt: number;
  readonly worker: string;
  readonly workerUid: string;
  readonly reason: string;
}

/** What can't be read of the log is left out: it only spares asking the same worker again. */
export function readAttemptLog(text: string | undefined): readonly AttemptEntry[] {
  if (text === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Edited by hand; see above.
    return [];
  }
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isJsonObject(entry)) return [];
    const { attempt, worker, workerUid, reason } = entry;
    const isWhole = typeof attempt === 'number' && typeof worker === 'string' && typeof workerUid === 'string';
    return isWhole && typeof reason === 'string' ? [{ attempt, worker, workerUid, reason }] : [];
  });
}

/** Annotations that write a new assignment; the finalizer goes into the same patch. */
export function assignmentAnnotations(assignment: {
  readonly workerUid: string;
  readonly workerName: string;
  readonly attempt: number;
  readonly mirrorName: string;
  readonly attemptLog: readonly AttemptEntry[];
}): Readonly<Record<string, string>> {
  const log = assignment.attemptLog;
  return {
    ...(log.length === 0 ? {} : { [recordKeys.attemptLog]: JSON.stringify(log) }),
    [recordKeys.version]: String(recordVersion),
    [recordKeys.workerUid]: assignment.workerUid,
    [recordKeys.workerName]: assignment.workerName,
    [recordKeys.attempt]: String(assignment.attempt),
    [recordKeys.mirrorName]: assignment.mirrorName,
    [recordKeys.phaseReason]: 'Assigned',
  };
}

/** How the Job on the worker relates to the management Job and its record (A3). */
export type Ownership =
  /** Our labels and, where one is recorded, our mirror's UID. */
  | 'ours'
  /** The recorded UID, but our labels were removed: no longer ours to change. */
  | 'disowned'
  /** Our cluster made it, for another Job or attempt. */
  | 'stale'
  | 'foreign';

export function ownershipOf(
  mirror: Job,
  originUid: string,
  originCluster: string,
  record: Pick<DispatchRecord, 'attempt' | 'mirrorUid'>,
): Ownership {
  const labels = mirror.metadata.labels ?? {};
  const isRecorded = record.mirrorUid === mirror.metadata.uid;
  const carriesOrigin =
    labels[mirrorKeys.originCluster] === originCluster && labels[mirrorKeys.originUid] === originUid;
  if (carriesOrigin && labels[mirrorKeys.attempt] === String(record.attempt)) {
    // A second object with our labels is a copy that somebody else made: only the recorded one is the mirror.
    return record.mirrorUid === undefined || isRecorded ? 'ours' : 'stale';
  }
  if (isRecorded) return 'disowned';
  return labels[mirrorKeys.originCluster] === originCluster ? 'stale' : 'foreign';
}
