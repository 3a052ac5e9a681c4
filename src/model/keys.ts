/** Names of others in metadata that the model reads; ours stand in base. */

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
