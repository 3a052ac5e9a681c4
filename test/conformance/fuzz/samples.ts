import type { Draw } from './draw.ts';
import type { Json, JsonMap } from './json.ts';

/**
 * Small values that the API server takes, by the name of the type. Where a field's parents don't exist yet, they are
 * made of these, so that a fault put in below isn't lost among missing fields around it.
 */
const quantityPairs: JsonMap = { cpu: '1', memory: '1Gi' };
const selector: JsonMap = { matchLabels: { app: 'demo' } };
const nodeTerm: JsonMap = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
const podTerm: JsonMap = { topologyKey: 'kubernetes.io/hostname', labelSelector: selector };
const container = (name: string): JsonMap => ({ name, image: 'registry.example/app:1' });

const samples: Readonly<Record<string, readonly Json[]>> = {
  Affinity: [{}],
  AWSElasticBlockStoreVolumeSource: [{ volumeID: 'v' }],
  AppArmorProfile: [{ type: 'RuntimeDefault' }, { type: 'Localhost', localhostProfile: 'x' }],
  AzureDiskVolumeSource: [{ diskName: 'd', diskURI: '/subscriptions/x' }],
  AzureFileVolumeSource: [{ secretName: 's', shareName: 's' }],
  CSIVolumeSource: [{ driver: 'csi.example.com' }],
  CephFSVolumeSource: [{ monitors: ['10.0.0.1:6789'] }],
  CinderVolumeSource: [{ volumeID: 'v' }],
  ClusterTrustBundleProjection: [
    { name: 'bundle', path: 'ca.crt' },
    { signerName: 'example.com/signer', labelSelector: {}, path: 'ca.crt' },
  ],
  ConfigMapEnvSource: [{ name: 'config' }],
  ConfigMapKeySelector: [{ name: 'config', key: 'k' }],
  ConfigMapProjection: [{ name: 'config' }],
  ConfigMapVolumeSource: [{ name: 'config' }],
  Container: [
    container('side'),
    container('data'),
    { ...container('serve'), ports: [{ containerPort: 80, name: 'http' }] },
  ],
  ContainerPort: [{ containerPort: 8080 }, { containerPort: 80, name: 'http' }, { containerPort: 53, protocol: 'UDP' }],
  ContainerResizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
  ContainerRestartRule: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
  ContainerRestartRuleOnExitCodes: [{ operator: 'In', values: [1, 2] }],
  DownwardAPIVolumeFile: [
    { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
    { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'limits.cpu' } },
  ],
  EnvFromSource: [{ configMapRef: { name: 'config' } }, { prefix: 'A_', secretRef: { name: 'secret' } }],
  EnvVar: [
    { name: 'A', value: 'x' },
    { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'C', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  ],
  EnvVarSource: [
    { fieldRef: { fieldPath: 'metadata.name' } },
    { resourceFieldRef: { resource: 'limits.cpu' } },
    { configMapKeyRef: { name: 'c', key: 'k' } },
    { fileKeyRef: { volumeName: 'data', path: 'env', key: 'A' } },
  ],
  EphemeralContainer: [container('debug')],
  EphemeralVolumeSource: [
    {
      volumeClaimTemplate: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
  ],
  EvictionResponder: [{ name: 'example.com/responder', priority: 10 }],
  ExecAction: [{ command: ['true'] }],
  FCVolumeSource: [{ targetWWNs: ['x'], lun: 1 }, { wwids: ['x'] }],
  FileKeySelector: [{ volumeName: 'data', path: 'env', key: 'A' }],
  FlexVolumeSource: [{ driver: 'example.com/driver' }],
  FlockerVolumeSource: [{ datasetName: 'd' }, { datasetUUID: 'u' }],
  GCEPersistentDiskVolumeSource: [{ pdName: 'd' }],
  GRPCAction: [{ port: 80 }],
  GitRepoVolumeSource: [{ repository: 'https://git.example/x' }],
  GlusterfsVolumeSource: [{ endpoints: 'e', path: 'p' }],
  HTTPGetAction: [{ port: 80 }, { port: 'http', path: '/' }],
  HTTPHeader: [{ name: 'X-Header', value: 'x' }],
  HostAlias: [{ ip: '10.0.0.1', hostnames: ['a.example'] }],
  HostPathVolumeSource: [{ path: '/data' }],
  ISCSIVolumeSource: [{ targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:storage', lun: 0 }],
  ImageVolumeSource: [{ reference: 'registry.example/data:1' }],
  JobCondition: [
    { type: 'Complete', status: 'True', lastTransitionTime: '2026-03-01T09:00:00Z' },
    { type: 'SuccessCriteriaMet', status: 'True', lastTransitionTime: '2026-03-01T09:00:00Z' },
    { type: 'Failed', status: 'True', lastTransitionTime: '2026-03-01T09:00:00Z' },
    { type: 'FailureTarget', status: 'True', lastTransitionTime: '2026-03-01T09:00:00Z' },
    { type: 'Suspended', status: 'True', lastTransitionTime: '2026-03-01T08:00:00Z' },
  ],
  KeyToPath: [{ key: 'k', path: 'p' }],
  LabelSelector: [selector, { matchExpressions: [{ key: 'app', operator: 'Exists' }] }],
  LabelSelectorRequirement: [
    { key: 'app', operator: 'In', values: ['a'] },
    { key: 'app', operator: 'Exists' },
  ],
  LifecycleHandler: [{ exec: { command: ['true'] } }, { sleep: { seconds: 5 } }, { httpGet: { port: 80 } }],
  LocalObjectReference: [{ name: 'ref' }],
  NFSVolumeSource: [{ server: 's', path: '/p' }],
  NodeSelector: [{ nodeSelectorTerms: [nodeTerm] }],
  NodeSelectorRequirement: [
    { key: 'disk', operator: 'In', values: ['ssd'] },
    { key: 'cores', operator: 'Gt', values: ['4'] },
    { key: 'gpu', operator: 'DoesNotExist' },
  ],
  NodeSelectorTerm: [nodeTerm, { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
  ObjectFieldSelector: [{ fieldPath: 'metadata.name' }],
  OwnerReference: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'u-1' }],
  PersistentVolumeClaimSpec: [{ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }],
  PersistentVolumeClaimVolumeSource: [{ claimName: 'claim' }],
  PhotonPersistentDiskVolumeSource: [{ pdID: 'p' }],
  PodAffinityTerm: [podTerm],
  PodCertificateProjection: [
    { signerName: 'example.com/signer', keyType: 'ED25519', credentialBundlePath: 'bundle.pem' },
  ],
  PodDNSConfigOption: [{ name: 'ndots', value: '2' }],
  PodFailurePolicy: [{ rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] }],
  PodFailurePolicyOnExitCodesRequirement: [
    { operator: 'In', values: [1] },
    { operator: 'NotIn', values: [0, 1] },
  ],
  PodFailurePolicyOnPodConditionsPattern: [{ type: 'DisruptionTarget', status: 'True' }],
  PodFailurePolicyRule: [
    { action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } },
    { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    { action: 'FailIndex', onExitCodes: { containerName: 'main', operator: 'NotIn', values: [2] } },
  ],
  PodOS: [{ name: 'linux' }, { name: 'windows' }],
  PodReadinessGate: [{ conditionType: 'example.com/Gate' }],
  PodResourceClaim: [
    { name: 'gpu', resourceClaimName: 'claim' },
    { name: 'gpu', resourceClaimTemplateName: 'template' },
  ],
  PodSchedulingGate: [{ name: 'example.com/gate' }],
  PodSchedulingGroup: [{ podGroupName: 'group' }],
  PortworxVolumeSource: [{ volumeID: 'v' }],
  PreferredSchedulingTerm: [{ weight: 1, preference: nodeTerm }],
  Probe: [
    { exec: { command: ['true'] } },
    { httpGet: { port: 80 } },
    { tcpSocket: { port: 80 } },
    { grpc: { port: 80 } },
  ],
  ProjectedVolumeSource: [{ sources: [{ configMap: { name: 'config' } }] }],
  QuobyteVolumeSource: [{ registry: '10.0.0.1:7861', volume: 'v' }],
  RBDVolumeSource: [{ monitors: ['10.0.0.1:6789'], image: 'i' }],
  ResourceClaim: [{ name: 'gpu' }],
  ResourceFieldSelector: [{ containerName: 'main', resource: 'limits.cpu' }],
  ResourceRequirements: [{ limits: quantityPairs, requests: { cpu: '500m' } }],
  SELinuxOptions: [{ level: 's0' }],
  ScaleIOVolumeSource: [{ gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' } }],
  SeccompProfile: [{ type: 'RuntimeDefault' }, { type: 'Localhost', localhostProfile: 'x' }],
  SecretEnvSource: [{ name: 'secret' }],
  SecretKeySelector: [{ name: 'secret', key: 'k' }],
  SecretProjection: [{ name: 'secret' }],
  SecretVolumeSource: [{ secretName: 'secret' }],
  ServiceAccountTokenProjection: [{ path: 'token', expirationSeconds: 3600 }],
  SleepAction: [{ seconds: 5 }],
  StorageOSVolumeSource: [{ volumeName: 'v' }],
  SuccessPolicy: [{ rules: [{ succeededCount: 1 }] }],
  SuccessPolicyRule: [
    { succeededCount: 1 },
    { succeededIndexes: '0-1' },
    { succeededIndexes: '0,1', succeededCount: 1 },
  ],
  Sysctl: [{ name: 'kernel.shm_rmid_forced', value: '1' }],
  TCPSocketAction: [{ port: 80 }],
  Toleration: [
    { key: 'k', operator: 'Exists' },
    { key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 60 },
  ],
  TopologyConstraint: [{ key: 'topology.kubernetes.io/zone' }],
  TopologySpreadConstraint: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
  ],
  TypedLocalObjectReference: [{ apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }],
  TypedObjectReference: [{ kind: 'PersistentVolumeClaim', name: 's' }],
  Volume: [
    { name: 'data', emptyDir: {} },
    { name: 'config', configMap: { name: 'config' } },
    { name: 'host', hostPath: { path: '/data' } },
    { name: 'claim', persistentVolumeClaim: { claimName: 'claim' } },
  ],
  VolumeDevice: [{ name: 'claim', devicePath: '/dev/xvda' }],
  VolumeMount: [{ name: 'data', mountPath: '/data' }],
  VolumeProjection: [
    { configMap: { name: 'config' } },
    { secret: { name: 'secret' } },
    { serviceAccountToken: { path: 'token' } },
    { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
  ],
  VolumeResourceRequirements: [{ requests: { storage: '1Gi' } }],
  VsphereVirtualDiskVolumeSource: [{ volumePath: 'p' }],
  WeightedPodAffinityTerm: [{ weight: 1, podAffinityTerm: podTerm }],
  WorkloadPodGroupGangSchedulingPolicy: [{ minCount: 1 }],
  WorkloadPodGroupResourceClaim: [{ name: 'gpu', resourceClaimName: 'claim' }],
  WorkloadPodGroupSchedulingPolicy: [{ gang: { minCount: 1 } }, { basic: {} }],
};

/** A value of the named type to build upon; an empty object where nothing is required. */
export function sampleOf(typeName: string, draw: Draw): Json {
  return structuredClone(draw.pick(samples[typeName] ?? [{}]));
}
