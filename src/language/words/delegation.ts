import { multiKueue, queueLabel, type WorkloadKind } from '../../manifest/index.ts';
import type { FieldWords } from './fieldWords.ts';

/**
 * What is to be said of delegation, on any kind. Sources: Kubernetes 1.37 batch/v1; Kueue 0.19; the releases that
 * `kinds.ts` names.
 */

/** Labels and annotations that mean something to the Job controller, to Kueue or to the reconciler of this extension. */
const keys: Readonly<Record<string, string>> = {
  [queueLabel]:
    'The LocalQueue that takes this workload in, in the same namespace. If its ClusterQueue leads to MultiKueue, Kueue picks a worker cluster, and on creation it sets `managedBy` itself.',
  'kueue.x-k8s.io/priority-class':
    'How important the workload is among those that wait, by a WorkloadPriorityClass. It says nothing of the pods.',
  'kueue.x-k8s.io/prebuilt-workload-name':
    'The Workload that this object belongs to. MultiKueue sets it on the copy that it makes on a worker.',
  'kueue.x-k8s.io/multikueue-origin':
    'Set by MultiKueue on a copy on a worker: the manager that it comes from. Its garbage collection deletes whatever bears it and has no original.',
  'kueue.x-k8s.io/job-min-parallelism':
    'With how few pods at a time the Job may start where there is no room for `parallelism` of them.',
  'kueue.x-k8s.io/job-completions-equal-parallelism':
    '`true`: when Kueue starts the Job with fewer pods at a time, it wants fewer completions too.',
  'kueue.x-k8s.io/max-exec-time-seconds': 'After so many seconds of running, Kueue stops the workload for good.',
  'kueue.x-k8s.io/elastic-job': '`true`: `parallelism` may change while it runs, and Kueue accounts for it.',
  'kueue.x-k8s.io/stopping': 'Set by Kueue for a moment, while it stops the Job.',
  'batch.kubernetes.io/job-name': 'The Job that the pod belongs to. Set by the API server.',
  'batch.kubernetes.io/controller-uid': 'The UID of the Job that the pod belongs to. Set by the API server.',
  'batch.kubernetes.io/job-completion-index': 'The index of the pod, in an Indexed Job. Set by the Job controller.',
  'batch.kubernetes.io/cronjob-scheduled-timestamp': 'The time for which the CronJob made this Job.',
  'job-name': 'The old form of `batch.kubernetes.io/job-name`. Set by the API server.',
  'controller-uid': 'The old form of `batch.kubernetes.io/controller-uid`. Set by the API server.',
  'delegated-jobs.dev/origin-cluster': 'Set by the reconciler on a mirror: the management cluster it comes from.',
  'delegated-jobs.dev/origin-uid': 'Set by the reconciler on a mirror: the UID of the Job that it mirrors.',
  'delegated-jobs.dev/origin-name': 'Set by the reconciler on a mirror: namespace and name of the Job that it mirrors.',
  'delegated-jobs.dev/attempt': 'Set by the reconciler on a mirror: which attempt it is, from 1.',
  'delegated-jobs.dev/spec-hash': 'Set by the reconciler on a mirror: what it was made from, as a fingerprint.',
};

/** What a label or an annotation is for; undefined for those that mean nothing to us. */
export function keyWords(key: string): string | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** The labels and annotations that a person may want to write, in the order of their use. */
export const writableKeys: Readonly<Record<'labels' | 'annotations', readonly string[]>> = {
  labels: [queueLabel, 'kueue.x-k8s.io/priority-class', 'kueue.x-k8s.io/max-exec-time-seconds'],
  annotations: [
    'kueue.x-k8s.io/job-min-parallelism',
    'kueue.x-k8s.io/job-completions-equal-parallelism',
    'kueue.x-k8s.io/elastic-job',
  ],
};

/** Who stands behind a name in `managedBy`, in words; `own` is the name of this workspace's reconciler. */
export function controllerWords(name: string, kind: WorkloadKind, own: string | undefined): string | undefined {
  if (name === multiKueue) {
    return 'MultiKueue: Kueue picks a worker cluster, copies the object there and its status back. Needs a queue that leads to MultiKueue.';
  }
  if (name === kind.managedBy?.builtIn) return `The controller of ${kind.kind}s itself, as if the field were left out.`;
  if (name !== own) return undefined;
  return 'The reconciler of this extension: it mirrors the Job to a worker cluster while a window that runs it is open.';
}

/** The field `managedBy` of a kind other than Job and CronJob, as its own controllers treat it. */
function managedByWords(kind: WorkloadKind): FieldWords | undefined {
  const field = kind.managedBy;
  if (field === undefined) return undefined;
  const known = field.isClosed ? ` Either \`${field.builtIn}\` or \`${multiKueue}\`.` : ' Any `domain/path`.';
  const unknown = {
    engine: '',
    refused: ' Another name is refused.',
    idle: ' With a name that nobody answers to, it stays idle.',
    ignored: ' The controller runs it all the same: two may end up doing so.',
  }[field.onUnknown];
  return {
    says: `Names the controller that runs this ${kind.kind} instead of its own.${known}${unknown}`,
    unset: field.storedDefault === undefined ? 'its own controller' : `\`${field.storedDefault}\`, its own controller`,
  };
}

/** Where kinds other than Job and CronJob are suspended; the last step of the path and what it does. */
const suspendPaths: Readonly<Record<string, string>> = {
  JobSet: 'spec.suspend',
  TrainJob: 'spec.suspend',
  RayJob: 'spec.suspend',
  RayCluster: 'spec.suspend',
  AppWrapper: 'spec.suspend',
  PyTorchJob: 'spec.runPolicy.suspend',
  TFJob: 'spec.runPolicy.suspend',
  XGBoostJob: 'spec.runPolicy.suspend',
  PaddleJob: 'spec.runPolicy.suspend',
  JAXJob: 'spec.runPolicy.suspend',
  MPIJob: 'spec.runPolicy.suspend',
};

/** The fields by which kinds other than Job and CronJob are delegated, by their dotted path. */
export function delegationFields(kind: WorkloadKind): ReadonlyMap<string, FieldWords> {
  const fields = new Map<string, FieldWords>();
  // Jobs and CronJobs have words for each field.
  if (kind.podTemplate !== undefined) return fields;
  const managedBy = managedByWords(kind);
  if (kind.managedBy !== undefined && managedBy !== undefined) fields.set(kind.managedBy.path.join('.'), managedBy);
  const suspend = Object.hasOwn(suspendPaths, kind.kind) ? suspendPaths[kind.kind] : undefined;
  if (suspend !== undefined) {
    fields.set(suspend, {
      says: `While true, nothing of this ${kind.kind} runs. Kueue sets it until there is room.`,
      unset: '`false`',
    });
  }
  return fields;
}
