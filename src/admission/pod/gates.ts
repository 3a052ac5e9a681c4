import type { KubernetesMinor } from '../verdict.ts';
import { isAtLeast } from '../version.ts';

/**
 * The feature gates that matter to pods and what holds them: since which minor each is on by default, `'never'` for those
 * still off.
 * Gates that are on in every known minor are not listed.
 * Source: Kubernetes 1.34 to 1.37, feature gates of kube-apiserver.
 */
const onSince = {
  AtomicWriteVolumeUserFields: 'never',
  ClusterTrustBundleProjection: '1.37',
  ContainerRestartRules: '1.35',
  ContainerStopSignals: 'never',
  EmptyDirVolumeMode: 'never',
  EnvFiles: '1.35',
  EvictionRequestAPI: 'never',
  GenericWorkload: 'never',
  GRPCContainerProbeTLS: 'never',
  H2CContainerProbe: 'never',
  HostnameOverride: '1.35',
  ImageVolume: '1.35',
  MaxUnavailableStatefulSet: '1.37',
  PodCertificateRequest: '1.37',
  RestartAllContainersOnContainerExits: '1.36',
  SELinuxMount: '1.37',
  StrictIPCIDRValidation: '1.36',
  TaintTolerationComparisonOperators: 'never',
  UserNamespacesHostNetworkSupport: 'never',
  VolumeBindMountOptions: 'never',
} as const satisfies Readonly<Record<string, KubernetesMinor | 'never'>>;

/** A feature gate by the name that kube-apiserver knows it by. */
export type FeatureGate = keyof typeof onSince;

/** True if the gate is on by default in this minor. */
export function isGateOn(gate: FeatureGate, version: KubernetesMinor): boolean {
  return isOn(onSince[gate], version);
}

/** Whether each gate is on by default in this minor, to be held against what Kubernetes says of itself. */
export function gateDefaults(version: KubernetesMinor): ReadonlyMap<string, boolean> {
  return new Map(Object.entries(onSince).map(([gate, since]) => [gate, isOn(since, version)]));
}

function isOn(since: KubernetesMinor | 'never', version: KubernetesMinor): boolean {
  return since !== 'never' && isAtLeast(version, since);
}
