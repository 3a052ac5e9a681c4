import type { JsonObject } from '../../src/base/index.ts';

/** A Job as teams of some size have them: probes, resources, volumes, affinity, a failure policy. It is accepted. */
export function richJob(name: string): JsonObject {
  const mounts = [
    { name: 'data', mountPath: '/data' },
    { name: 'config', mountPath: '/etc/app', readOnly: true },
    { name: 'scratch', mountPath: '/scratch' },
  ];
  const container = (id: string): JsonObject => ({
    name: id,
    image: `registry.example/team/${id}:2026.1`,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/run'],
    args: ['--shards=16', '--output=/data/out', '--verbose'],
    env: [
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'app', key: 'token' } } },
      { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    ],
    envFrom: [{ configMapRef: { name: 'app' } }],
    resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '2', memory: '4Gi' } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
    volumeMounts: mounts,
  });
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: 'team-a',
      labels: { app: 'render', 'kueue.x-k8s.io/queue-name': 'team-a' },
      annotations: { 'team.example/owner': 'render' },
    },
    spec: {
      managedBy: 'delegated-jobs.dev/reconciler',
      completionMode: 'Indexed',
      completions: 16,
      parallelism: 4,
      backoffLimitPerIndex: 2,
      maxFailedIndexes: 3,
      ttlSecondsAfterFinished: 3600,
      podFailurePolicy: {
        rules: [
          { action: 'FailIndex', onExitCodes: { containerName: 'main', operator: 'In', values: [3, 42] } },
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        ],
      },
      template: {
        metadata: { labels: { app: 'render' }, annotations: { 'team.example/owner': 'render' } },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: 'render',
          terminationGracePeriodSeconds: 60,
          priorityClassName: 'batch',
          nodeSelector: { disk: 'ssd' },
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 1000,
            fsGroup: 2000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a', 'b'] }] }],
              },
            },
          },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { app: 'render' } },
            },
          ],
          initContainers: [
            container('fetch'),
            { ...container('proxy'), restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 9000 } } },
          ],
          containers: [
            {
              ...container('main'),
              ports: [{ name: 'http', containerPort: 8080 }],
              livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
            },
            container('upload'),
          ],
          volumes: [
            { name: 'data', persistentVolumeClaim: { claimName: 'render' } },
            { name: 'config', configMap: { name: 'render', items: [{ key: 'app.yaml', path: 'app.yaml' }] } },
            { name: 'scratch', emptyDir: { sizeLimit: '10Gi' } },
            { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
          ],
        },
      },
    },
  };
}
