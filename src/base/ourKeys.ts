/**
 * The names that this program writes into the metadata of Jobs. Reconciler and tree, lint and dispatch must agree on
 * them, and so must every version of this program that meets another's objects: none may ever change its meaning.
 */
const prefix = 'delegated-jobs.dev/';

/** Annotations on the management Job. */
export const recordKeys = {
  version: `${prefix}record-version`,
  /** Written by the user (or by dispatch): the name of the worker that shall run the Job. */
  requestedWorker: `${prefix}worker`,
  /** Written by the user: `detach` leaves the mirror running when the Job is deleted. */
  onDelete: `${prefix}on-delete`,
  workerUid: `${prefix}worker-uid`,
  workerName: `${prefix}worker-name`,
  attempt: `${prefix}attempt`,
  mirrorName: `${prefix}mirror-name`,
  mirrorUid: `${prefix}mirror-uid`,
  phaseReason: `${prefix}phase-reason`,
  phaseMessage: `${prefix}phase-message`,
  /** Earlier attempts that never ran, as JSON: `[{"attempt":1,"worker":"a","workerUid":"…","reason":"…"}]`. */
  attemptLog: `${prefix}attempt-log`,
  /** The worker's own completion time, where the API server's rules wanted a later one on the Job. */
  trueCompletionTime: `${prefix}worker-completion-time`,
} as const;

/** On the management Job while an attempt is live, so that its deletion cannot leave a mirror behind unseen. */
export const mirrorFinalizer = `${prefix}mirror`;

/** Labels (`origin-cluster`, `origin-uid`, `attempt`, `detached`) and annotations (the others) of the mirror. */
export const mirrorKeys = {
  originCluster: `${prefix}origin-cluster`,
  originUid: `${prefix}origin-uid`,
  attempt: `${prefix}attempt`,
  detached: `${prefix}detached`,
  originName: `${prefix}origin-name`,
  specHash: `${prefix}spec-hash`,
  /** Generation of the management Job whose followed fields the mirror has; absent until the mirror was started. */
  appliedGeneration: `${prefix}applied-generation`,
  /** Generation for which a foreign change on the worker was corrected: never twice for the same. */
  correctedGeneration: `${prefix}corrected-generation`,
} as const;

/** True for every label, annotation and finalizer key of ours. */
export function isOurKey(key: string): boolean {
  return key.startsWith(prefix);
}
