/**
 * Why a Job of ours is where it is: the fixed catalogue behind the annotation `phase-reason`, the Events on the Job, the
 * tree and the log. Every path of the reconciler that does not act ends in one of these.
 */

/** How a reason is shown. `progress`: as it should be; `waiting`: changes by itself; `attention`: somebody must act. */
export type ReasonKind = 'progress' | 'waiting' | 'attention';

/**
 * When a reason is written onto the Job: at once; only after it lasted a minute (what passes by itself makes no noise);
 * never (not our Job, or another window's work).
 */
export type ReportTiming = 'at-once' | 'after-a-minute' | 'never';

interface ReasonEntry {
  readonly kind: ReasonKind;
  readonly report: ReportTiming;
  /** What a person can do about it; empty where nothing is wrong. */
  readonly fix: string;
}

function progress(report: ReportTiming = 'at-once'): ReasonEntry {
  return { kind: 'progress', report, fix: '' };
}
function waiting(fix: string, report: ReportTiming = 'after-a-minute'): ReasonEntry {
  return { kind: 'waiting', report, fix };
}
function attention(fix: string): ReasonEntry {
  return { kind: 'attention', report: 'at-once', fix };
}

const catalogue = {
  // Not ours to touch.
  NotOurs: progress('never'),
  NamespaceNotEnabled: waiting('Enable the reconciler for this namespace.', 'never'),
  JobGone: progress('never'),
  NotLeading: waiting('Another window or process mirrors this namespace.', 'never'),

  // The ordinary life.
  Suspended: progress(),
  Assigned: progress(),
  MirrorCreated: progress(),
  Mirrored: progress(),
  Finished: progress(),
  Done: progress(),
  Deleting: progress('never'),
  MirrorDeleting: waiting('The mirror is being deleted on the worker; its pods may take their grace period.'),
  StaleRead: waiting('Another process acted on a newer state; the Job is read again.', 'never'),

  // No worker yet.
  Connecting: waiting(
    'The preferred worker has not answered yet; the Job follows as soon as it has, or has failed to.',
  ),
  QueuedLocally: waiting('The worker runs as many mirrors as allowed; the Job follows when one ends.', 'at-once'),
  NoWorker: attention('Configure at least one worker cluster.'),
  UnknownWorker: attention('The annotation delegated-jobs.dev/worker names a worker that is not configured.'),
  NoWorkerAccepts: waiting('No configured worker can take the Job now; the message says why, one by one.', 'at-once'),
  ClusterUnidentified: attention(
    "Grant the login `get` on the cluster's namespace kube-system, or give that namespace's UID by hand; the message says how.",
  ),
  ClusterReplaced: attention(
    'Another cluster answers now where this one did. Correct the kubeconfig, or start the reconciler again if it is meant.',
  ),
  SameCluster: attention('The worker is the management cluster itself; choose another context.'),

  // Refused for good.
  ManualSelectorUnsupported: attention('Remove spec.manualSelector and create the Job anew.'),
  FateDecided: attention('The Job already carries a verdict that no mirror of ours gave; create it anew.'),
  FateConflict: attention('Management Job and mirror ended differently; look at both and delete one.'),
  InvalidSpec: attention('The worker refuses the mirror; correct the Job and create it anew.'),
  TemplateEdited: attention('The pod template was edited after the mirror was made; create the Job anew.'),

  // The record.
  /** Never written: what a newer version recorded is not touched (F9). */
  RecordNewer: {
    ...attention('A newer version of this program looks after the Job; update this one.'),
    report: 'never',
  },
  RecordCorrupt: attention('Annotations of the record were changed by hand; restore them or delete the Job.'),

  // The mirror.
  NameConflict: attention('A Job of this name that is not ours exists on the worker; rename one of them.'),
  StaleMirror: attention('The worker still holds the mirror of an earlier Job of this name; delete it there.'),
  MirrorNotRunnable: attention('Something on the worker sets spec.managedBy, so nobody would run the mirror.'),
  MirrorDeleted: attention('The mirror was deleted on the worker; it is not run again. Create the Job anew.'),
  MirrorDisowned: attention('Our labels were taken off the mirror; it is read but no longer changed.'),
  MirrorDrifted: waiting('Somebody changed the mirror on the worker; it is left as it is.', 'at-once'),
  PodsRefused: waiting('The worker does not let the Job controller create pods; the message is its own.', 'at-once'),
  HeldByWorker: waiting('The mirror was suspended on the worker, perhaps by its queue.', 'at-once'),
  StatusRefused: attention('The management cluster refuses the status of the mirror; the message says why.'),

  // Clusters and requests.
  WorkerNotConfigured: waiting('The Job runs on a worker that this window does not know; add it.', 'at-once'),
  Unreachable: waiting('The cluster does not answer; it is tried again with growing pauses.'),
  LoginExpired: waiting('Log in to the cluster again.'),
  CredentialsUnusable: waiting('The credentials in the kubeconfig cannot be used; correct them.'),
  CertificateUntrusted: waiting('The certificate of the API server is not trusted; correct the kubeconfig.'),
  Forbidden: waiting('Ask for the right that the message names.', 'at-once'),
  QuotaExceeded: waiting('The quota of the namespace is used up; free some or raise it.', 'at-once'),
  AdmissionDenied: waiting('A policy refuses the request; the message is its own.', 'at-once'),
  NamespaceMissing: waiting('Create the namespace on the worker.', 'at-once'),
  TooManyRequests: waiting('The API server asks to slow down.'),
  ObjectChanged: waiting('The object changed in between; it is read again.', 'never'),
  RequestRefused: attention('The API server does not understand a request; please report this with the log.'),
  ObjectTooLarge: attention('The object is larger than the API server takes.'),
} as const satisfies Readonly<Record<string, ReasonEntry>>;

export type Reason = keyof typeof catalogue;

/** The catalogue, for documentation, tests and the tree. */
export const reasons: Readonly<Record<Reason, ReasonEntry>> = catalogue;

/** True for a word that the catalogue knows; an annotation may hold anything. */
export function isReason(text: string): text is Reason {
  return Object.hasOwn(catalogue, text);
}
