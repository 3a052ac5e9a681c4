/** Kube: kubeconfig, transport, list and watch, errors, access review. */
export { type ClusterTarget, createKubeApi, type KubeClient } from './api.ts';
export { sha1Hex } from './digest.ts';
export { KubeError, type KubeErrorKind } from './errors.ts';
export { ExecPlugins } from './exec.ts';
export { describePurpose, explainKubeError } from './explain.ts';
export { clusterIdentity } from './identity.ts';
export {
  describeProblem,
  type Kubeconfig,
  type KubeconfigContext,
  type LoadKubeconfigOptions,
  loadKubeconfig,
  type OpenOptions,
} from './kubeconfig.ts';
export { tokenBucket, unlimited } from './limiter.ts';
export type { ObjectChange } from './objectCache.ts';
export { type Reflector, type ReflectorState, startReflector } from './reflector.ts';
export {
  configMaps,
  events,
  type Job,
  type JobCondition,
  type JobSpec,
  type JobStatus,
  jobs,
  type KubeApi,
  type KubeList,
  type KubeObject,
  type ListScope,
  leases,
  namespaces,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
  type PatchRequest,
  pods,
  type ResourceType,
  type WatchEvent,
  type WatchRequest,
  type WriteOptions,
} from './types.ts';
