/** Kube: kubeconfig, transport, list and watch, errors, access review. */
export { type ClusterTarget, createKubeApi, type KubeApiDeps, type KubeClient } from './api.ts';
export { type Access, type Credentials, fixedCredentials, type TlsMaterial } from './credentials.ts';
export { sha1Hex } from './digest.ts';
export { KubeError, type KubeErrorDetails, type KubeErrorKind } from './errors.ts';
export { ExecPlugins, type ExecPluginsDeps } from './exec.ts';
export { describePurpose, type Explanation, explainKubeError } from './explain.ts';
export { clusterIdentity } from './identity.ts';
export {
  describeProblem,
  type Kubeconfig,
  type KubeconfigContext,
  type LoadKubeconfigOptions,
  loadKubeconfig,
  type OpenOptions,
} from './kubeconfig.ts';
export type { KubeconfigProblem } from './kubeconfigFile.ts';
export { type Limiter, type TokenBucketOptions, tokenBucket, unlimited } from './limiter.ts';
export type { ObjectChange } from './objectCache.ts';
export { collectionPath, objectPath } from './paths.ts';
export { type Reflector, type ReflectorOptions, type ReflectorState, startReflector } from './reflector.ts';
export {
  configMaps,
  type DeleteRequest,
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
  type PatchType,
  pods,
  type ResourceType,
  type ServerVersion,
  type WatchEvent,
  type WatchRequest,
  type WriteOptions,
} from './types.ts';
