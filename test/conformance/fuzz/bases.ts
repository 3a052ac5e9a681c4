import type { JsonMap } from './json.ts';

/**
 * Valid objects to start from, as different as real ones are, so that rules that look at two fields at once are met.
 */
const image = 'registry.example/app:1';
const plainPod: JsonMap = { restartPolicy: 'Never', containers: [{ name: 'main', image }] };

const richPod: JsonMap = {
  restartPolicy: 'OnFailure',
  serviceAccountName: 'robot',
  terminationGracePeriodSeconds: 30,
  securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 2000, seccompProfile: { type: 'RuntimeDefault' } },
  initContainers: [
    { name: 'init', image, command: ['true'], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { name: 'proxy', image, restartPolicy: 'Always', startupProbe: { exec: { command: ['true'] } } },
  ],
  containers: [
    {
      name: 'main',
      image,
      command: ['run'],
      env: [
        { name: 'A', value: 'x' },
        { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      ports: [{ containerPort: 80, name: 'http' }],
      resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
      livenessProbe: { httpGet: { port: 'http', path: '/' } },
    },
    { name: 'side', image, securityContext: { capabilities: { drop: ['ALL'] }, allowPrivilegeEscalation: false } },
  ],
  volumes: [
    { name: 'data', emptyDir: {} },
    { name: 'config', configMap: { name: 'config', items: [{ key: 'k', path: 'p' }] } },
    { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
  ],
  tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
  nodeSelector: { disk: 'ssd' },
};

const pickyPod: JsonMap = {
  restartPolicy: 'Never',
  hostNetwork: true,
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['10.0.0.10'] },
  containers: [{ name: 'main', image, ports: [{ containerPort: 8080, hostPort: 8080 }] }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
      },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: {} } },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'demo' } },
    },
  ],
};

const windowsPod: JsonMap = {
  restartPolicy: 'Never',
  os: { name: 'windows' },
  containers: [{ name: 'main', image, securityContext: { windowsOptions: { runAsUserName: 'Administrator' } } }],
};

const claimsPod: JsonMap = {
  restartPolicy: 'Never',
  resourceClaims: [{ name: 'gpu', resourceClaimName: 'claim' }],
  containers: [
    {
      name: 'main',
      image,
      resources: { claims: [{ name: 'gpu' }] },
      volumeDevices: [{ name: 'disk', devicePath: '/dev/xvda' }],
    },
  ],
  volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }],
};

const pods: readonly JsonMap[] = [plainPod, richPod, pickyPod, windowsPod, claimsPod];

const jobSpecs: readonly JsonMap[] = [
  {},
  { parallelism: 3, completions: 3, suspend: true },
  { managedBy: 'kueue.x-k8s.io/multikueue', suspend: true },
  { managedBy: 'delegated-jobs.dev/reconciler', backoffLimit: 3 },
  { completionMode: 'Indexed', completions: 5, parallelism: 5 },
  { completionMode: 'Indexed', completions: 5, parallelism: 2, backoffLimitPerIndex: 1, maxFailedIndexes: 2 },
  {
    completionMode: 'Indexed',
    completions: 10,
    parallelism: 10,
    successPolicy: { rules: [{ succeededIndexes: '0-2', succeededCount: 1 }] },
  },
  {
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        { action: 'FailJob', onExitCodes: { containerName: 'main', operator: 'In', values: [42] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
  },
  { activeDeadlineSeconds: 600, ttlSecondsAfterFinished: 60, parallelism: 2 },
];

const cronSpecs: readonly JsonMap[] = [
  { schedule: '0 3 * * *' },
  { schedule: '@daily', timeZone: 'Etc/UTC', concurrencyPolicy: 'Forbid', suspend: true },
  { schedule: '*/5 * * * *', startingDeadlineSeconds: 60, successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 },
];

/** Job specs with each kind of template. */
function jobSpecsWithPods(): readonly JsonMap[] {
  const withPlain = jobSpecs.map((spec) => ({ ...spec, template: { spec: plainPod } }));
  const withOthers = pods.map((pod, index) => ({
    ...jobSpecs[index % jobSpecs.length],
    template: { metadata: { labels: { app: 'demo' } }, spec: pod },
  }));
  return [...withPlain, ...withOthers];
}

export function baseJobs(): readonly JsonMap[] {
  // A selector of one's own is for Jobs alone; a CronJob's template may not have one.
  const manual: JsonMap = {
    manualSelector: true,
    selector: { matchLabels: { app: 'demo' } },
    template: { metadata: { labels: { app: 'demo' } }, spec: plainPod },
  };
  return [...jobSpecsWithPods(), manual].map((spec) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'demo', namespace: 'team-a' },
    spec: structuredClone(spec),
  }));
}

/** Jobs whose interest lies in the template. */
export function baseJobsForPods(): readonly JsonMap[] {
  return pods.map((pod) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'demo', namespace: 'team-a' },
    spec: { suspend: true, template: { metadata: { labels: { app: 'demo' } }, spec: structuredClone(pod) } },
  }));
}

export function baseCronJobs(): readonly JsonMap[] {
  const specs = jobSpecsWithPods();
  return specs.map((spec, index) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly', namespace: 'team-a' },
    spec: { ...cronSpecs[index % cronSpecs.length], jobTemplate: { spec: structuredClone(spec) } },
  }));
}

const claims: JsonMap = {
  serviceName: 'db',
  podManagementPolicy: 'Parallel',
  persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
  volumeClaimTemplates: [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
};

const appsSpecs: Readonly<Record<'Deployment' | 'StatefulSet', readonly JsonMap[]>> = {
  Deployment: [
    {},
    { replicas: 3, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } } },
    { strategy: { type: 'Recreate' }, minReadySeconds: 5, progressDeadlineSeconds: 60, paused: true },
  ],
  StatefulSet: [
    {},
    {
      replicas: 3,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
      revisionHistoryLimit: 3,
    },
    { updateStrategy: { type: 'OnDelete' }, ordinals: { start: 1 } },
    claims,
  ],
};

/** Objects beside Jobs, with each kind of pod. */
export function baseWorkloads(kind: 'Pod' | 'Deployment' | 'StatefulSet'): readonly JsonMap[] {
  const metadata = { name: 'demo', namespace: 'team-a', labels: { app: 'demo' } };
  if (kind === 'Pod') {
    return pods.map((spec) => ({ apiVersion: 'v1', kind, metadata, spec: { serviceAccountName: 'robot', ...spec } }));
  }
  const specs = appsSpecs[kind];
  return specs.flatMap((own, index) =>
    [plainPod, pods[index % pods.length] ?? plainPod].map((pod) => ({
      apiVersion: 'apps/v1',
      kind,
      metadata,
      spec: {
        ...own,
        selector: { matchLabels: { app: 'demo' } },
        template: { metadata: { labels: { app: 'demo' } }, spec: { ...pod, restartPolicy: 'Always' } },
      },
    })),
  );
}

const start = '2026-03-01T08:00:00Z';
const end = '2026-03-01T09:00:00Z';
const condition = (type: string, status = 'True', reason = 'Test'): JsonMap => ({
  type,
  status,
  reason,
  message: 'x',
  lastProbeTime: end,
  lastTransitionTime: end,
});

/** What a Job's status is at some moment of its life; any of them may follow any other in a test. */
export function baseStatuses(): readonly JsonMap[] {
  const succeeding = [condition('SuccessCriteriaMet')];
  const failing = [condition('FailureTarget')];
  return [
    {},
    { startTime: start, active: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
    { startTime: start, active: 2, ready: 1, succeeded: 1, failed: 1 },
    { active: 0, conditions: [condition('Suspended')] },
    { startTime: start, active: 1, conditions: [condition('Suspended', 'False', 'JobResumed')] },
    { startTime: start, active: 1, ready: 1, succeeded: 2, completedIndexes: '0,2' },
    { startTime: start, active: 1, failed: 1, failedIndexes: '1', succeeded: 1, completedIndexes: '0' },
    { startTime: start, uncountedTerminatedPods: { succeeded: ['u-1'], failed: ['u-2'] } },
    { startTime: start, terminating: 1, succeeded: 1, conditions: succeeding },
    { startTime: start, completionTime: end, succeeded: 1, conditions: [...succeeding, condition('Complete')] },
    {
      startTime: start,
      completionTime: end,
      succeeded: 5,
      completedIndexes: '0-4',
      conditions: [...succeeding, condition('Complete')],
    },
    { startTime: start, terminating: 1, failed: 1, conditions: failing },
    { startTime: start, failed: 1, conditions: [...failing, condition('Failed')] },
    { startTime: start, failed: 2, failedIndexes: '0-1', conditions: [...failing, condition('Failed')] },
  ];
}
