import type { JsonObject } from '../base/index.ts';

/**
 * The shapes in which everything outside this folder meets a cluster. `KubeApi` is one cluster as one user sees it;
 * the implementation over HTTPS is in `transport.ts`, and the sandbox is reached through the very same one.
 */

/** A resource type as its URL names it: `{ group: 'batch', version: 'v1', plural: 'jobs' }`; group '' is core. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

export const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs' };
export const pods: ResourceType = { group: '', version: 'v1', plural: 'pods' };
export const events: ResourceType = { group: '', version: 'v1', plural: 'events' };
export const namespaces: ResourceType = { group: '', version: 'v1', plural: 'namespaces' };
export const leases: ResourceType = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };
export const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps' };

/** Names one object. `namespace` is absent for what is cluster-scoped. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/**
 * These shapes are type aliases, not interfaces, so that each is a `JsonObject` without a cast: the sandbox stores them.
 */
export type OwnerReference = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
};

/** Metadata of an object that a server returned. Times are RFC 3339 strings. */
export type ObjectMeta = {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
};

/** Any object that a server returned: raw JSON, unknown fields included, with its metadata known to be there. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

/** Of a Job; a pod's have the same shape. */
export type JobCondition = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string;
};

/** The status of a batch/v1 Job as it stands on the wire. A missing counter is 0, or was never written. */
export type JobStatus = {
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] };
  readonly conditions?: readonly JobCondition[];
};

/** The fields of a Job's spec that this program reads; all others are carried along untouched. */
export type JobSpec = {
  readonly managedBy?: string;
  readonly suspend?: boolean;
  readonly parallelism?: number;
  readonly completions?: number;
  readonly completionMode?: string;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly manualSelector?: boolean;
  readonly selector?: JsonObject;
  readonly template: JsonObject;
};

export interface Job {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: JobSpec;
  readonly status?: JobStatus;
}

/** What to list or watch. All namespaces where none is named. */
export interface ListScope {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface KubeList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Present while further pages follow. */
  readonly continueToken?: string;
}

export type PatchType =
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json'
  | 'application/json-patch+json';

export interface PatchRequest {
  readonly type: PatchType;
  readonly body: unknown;
  readonly subresource?: 'status';
}

export interface WriteOptions {
  /** Server-side dry run: everything is checked, nothing is stored. */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** `Strict` refuses unknown fields as kubectl's default does. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
}

/** Every deletion names the object by UID and says what becomes of its pods: the API's default for Jobs orphans them. */
export interface DeleteRequest {
  readonly uid: string;
  /** Deletes only this very state of the object; a conflict if it has changed since. */
  readonly resourceVersion?: string;
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

export type WatchEvent<T> =
  | { readonly kind: 'added' | 'modified' | 'deleted'; readonly object: T }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string };

export interface WatchRequest extends ListScope {
  readonly resourceVersion: string;
  /** The server ends the watch after this time; resuming is the caller's work. */
  readonly timeoutSeconds: number;
  /** Called once the server has accepted the watch: from here on silence means that nothing changes. */
  readonly onOpen?: () => void;
}

export interface ServerVersion {
  /** `1.35` */
  readonly minor: string;
  /** `v1.35.4` */
  readonly gitVersion: string;
}

/**
 * One cluster as one user sees it. Every method rejects with `KubeError` (classified, see errors.ts) or, when `signal`
 * aborts, with the signal's reason. Every request has a deadline of its own.
 */
export interface KubeApi {
  /** The context's name, for people. Never an identity: that is the UID of `kube-system` (`identity.ts`). */
  readonly contextName: string;
  get<T extends KubeObject | Job>(type: ResourceType, key: ObjectKey, signal: AbortSignal): Promise<T>;
  /** Whether there is such an object. Its content is not asked for, so that a Secret's stays where it is. */
  has(type: ResourceType, key: ObjectKey, signal: AbortSignal): Promise<boolean>;
  /** One page. `limit` defaults to 500. */
  list<T extends KubeObject | Job>(
    type: ResourceType,
    scope: ListScope & { readonly limit?: number; readonly continueToken?: string },
    signal: AbortSignal,
  ): Promise<KubeList<T>>;
  create<T extends KubeObject | Job>(
    type: ResourceType,
    namespace: string | undefined,
    body: JsonObject,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<{ readonly object: T; readonly warnings: readonly string[] }>;
  /** PUT; conditional if the body carries a resourceVersion. */
  replace<T extends KubeObject | Job>(
    type: ResourceType,
    key: ObjectKey,
    body: JsonObject,
    options: WriteOptions & { readonly subresource?: 'status' },
    signal: AbortSignal,
  ): Promise<{ readonly object: T; readonly warnings: readonly string[] }>;
  patch<T extends KubeObject | Job>(
    type: ResourceType,
    key: ObjectKey,
    patch: PatchRequest,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<{ readonly object: T; readonly warnings: readonly string[] }>;
  delete(type: ResourceType, key: ObjectKey, request: DeleteRequest, signal: AbortSignal): Promise<void>;
  /**
   * One watch request; `onEvent` is called in order. Resolves when the server ends it in good order; rejects with
   * `KubeError` otherwise (kind `gone` for 410, whether as an HTTP answer or as an event).
   */
  watch<T extends KubeObject | Job>(
    type: ResourceType,
    request: WatchRequest,
    onEvent: (event: WatchEvent<T>) => void,
    signal: AbortSignal,
  ): Promise<void>;
  serverVersion(signal: AbortSignal): Promise<ServerVersion>;
  /** SelfSubjectAccessReview. */
  canI(
    attributes: {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly namespace?: string;
    },
    signal: AbortSignal,
  ): Promise<{ readonly allowed: boolean; readonly reason?: string }>;
  /** Plain text of a container's log; the last `tailLines` lines. */
  podLog(
    key: ObjectKey,
    options: { readonly container?: string; readonly tailLines?: number },
    signal: AbortSignal,
  ): Promise<string>;
  /** Closes the connections. Requests under way reject. */
  dispose(): void;
}
