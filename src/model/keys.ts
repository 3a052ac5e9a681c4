/** Names in metadata that the model reads. */

const ours = 'delegated-jobs.dev/';

/** Annotations of a management Job, written by our reconciler. */
export const recordKeys = {
  requestedWorker: `${ours}worker`,
  workerUid: `${ours}worker-uid`,
  workerName: `${ours}worker-name`,
  attempt: `${ours}attempt`,
  mirrorName: `${ours}mirror-name`,
  mirrorUid: `${ours}mirror-uid`,
  phaseReason: `${ours}phase-reason`,
  phaseMessage: `${ours}phase-message`,
} as const;

/** Labels and annotations of a mirror that our reconciler made. */
export const mirrorKeys = {
  originCluster: `${ours}origin-cluster`,
  originUid: `${ours}origin-uid`,
  /** An annotation: namespace and name of the management Job. */
  originName: `${ours}origin-name`,
  detached: `${ours}detached`,
} as const;

/** Source: Kueue 0.17, apis and pkg/controller/constants. */
export const kueueKeys = {
  queueName: 'kueue.x-k8s.io/queue-name',
  /** On mirrors and on a worker's Workloads: which MultiKueue made them. */
  multiKueueOrigin: 'kueue.x-k8s.io/multikueue-origin',
  /** On mirrors: the Workload that they belong to, of one name on both sides. */
  prebuiltWorkload: 'kueue.x-k8s.io/prebuilt-workload-name',
  /** On Workloads of both sides: the UID of the management Job. */
  jobUid: 'kueue.x-k8s.io/job-uid',
  elasticJob: 'kueue.x-k8s.io/elastic-job',
} as const;

export const multiKueueController = 'kueue.x-k8s.io/multikueue';
export const builtInController = 'kubernetes.io/job-controller';
