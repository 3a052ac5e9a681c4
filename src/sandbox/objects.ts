import { isJsonObject, type JsonObject } from '../base/index.ts';
import type { JobCondition, JobSpec, JobStatus, ObjectMeta, OwnerReference } from '../kube/index.ts';

/**
 * Objects as the store keeps them. They are never changed in place: a change makes a new object that shares what stayed
 * the same. So whoever holds one may keep it, and its JSON text is made once, however many watchers get it.
 *
 * The types below are aliases, not interfaces, so that each is a `JsonObject` without a cast. What clients see the same
 * way (metadata, conditions, a Job's status) is declared in `kube`.
 */

/** Labels or annotations: a map of strings. */
export type Labels = { readonly [key: string]: string };

/** Metadata as the server completes it, with whatever else a client put there. */
export type StoredMeta = JsonObject & ObjectMeta;

/** Any stored object; what else it has is known only to the type's own rules. */
export type StoredObject = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMeta;
};

/** Of a podFailurePolicy rule. Code 0 never matches. */
export type ExitCodeRequirement = {
  readonly containerName?: string;
  readonly operator: string;
  readonly values: readonly number[];
};

/** Has either exit codes or conditions. */
export type PodFailurePolicyRule = {
  readonly action: string;
  readonly onExitCodes?: ExitCodeRequirement;
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
};

/** Has at least one of the two. */
export type SuccessPolicyRule = { readonly succeededIndexes?: string; readonly succeededCount?: number };

/** A container or init container, as far as the sandbox looks at it. */
export type Container = JsonObject & {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly JsonObject[];
};

/** A pod's spec, as far as the sandbox looks at it; the rest is carried along. */
export type PodSpec = JsonObject & {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly restartPolicy?: string;
  readonly nodeName?: string;
  readonly nodeSelector?: Labels;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly terminationGracePeriodSeconds?: number;
};

/** What a Job makes its pods from. */
export type PodTemplate = JsonObject & {
  readonly metadata?: JsonObject & { readonly labels?: Labels; readonly annotations?: Labels };
  readonly spec: PodSpec;
};

/** A Job as it is stored, hence with the API server's defaults in it. */
export type StoredJob = StoredObject & {
  readonly spec: JsonObject &
    JobSpec & {
      readonly maxFailedIndexes?: number;
      readonly podReplacementPolicy?: string;
      readonly podFailurePolicy?: { readonly rules: readonly PodFailurePolicyRule[] };
      readonly successPolicy?: { readonly rules: readonly SuccessPolicyRule[] };
      readonly template: PodTemplate;
    };
  readonly status?: JobStatus;
};

/** `state` has one of running, waiting and terminated. */
export type ContainerStatus = JsonObject & {
  readonly name: string;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly state: JsonObject & {
    readonly terminated?: JsonObject & { readonly exitCode: number; readonly finishedAt?: string };
  };
};

/** What the kubelet has written; absent until it has. */
export type PodStatus = JsonObject & {
  readonly phase?: string;
  readonly conditions?: readonly JobCondition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
};

/** A pod as it is stored, with its defaults. */
export type StoredPod = StoredObject & { readonly spec: PodSpec; readonly status?: PodStatus };

/** What was stored as a Job has passed admission, so its shape is known. */
export function asJob(object: StoredObject): StoredJob {
  return object as StoredJob;
}

/** What was stored as a Pod has passed the pod rules, so its shape is known. */
export function asPod(object: StoredObject): StoredPod {
  return object as StoredPod;
}

/** The metadata of an object that a client sent: anything may be missing. */
export function looseMetadata(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  return isJsonObject(metadata) ? metadata : {};
}

/** The string there; undefined for another type and for the empty string, which Go takes for absent. */
export function stringAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The string entries of a map of strings; what is no string is left out. */
export function stringMap(value: unknown): Labels {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Leaves out the keys whose value is undefined, as JSON would. */
export function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } & JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  } & JsonObject;
}

/** RFC 3339 in whole seconds, as the API server writes times. */
export function timestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds, as leases, events and log lines have it. */
export function microTimestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}

/** The owner that manages the object; there is at most one. */
export function controllerOf(object: StoredObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Equal as JSON: the order of keys doesn't matter, nor whether a key is absent or undefined. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) if (!equalJson(a[key], b[key])) return false;
  return true;
}
