import { isJsonObject, type JsonObject, mirrorKeys, recordKeys } from '../base/index.ts';
import type { Job, JobCondition, KubeObject } from '../kube/index.ts';
import { kueueKeys } from './keys.ts';

/**
 * What the model keeps of an object, and nothing more: tens of thousands of them must fit into an editor. Times are
 * epoch milliseconds of the cluster that wrote them; they are never compared with another cluster's.
 */

/** How a Job ends, as far as its conditions say. `…ing`: decided, pods may still run. */
export type Fate = 'open' | 'succeeding' | 'succeeded' | 'failing' | 'failed';

/** A Job on the management cluster or on a worker. Absent properties are absent or zero on the object. */
export interface ObservedJob {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: number;
  readonly isDeleting?: true;
  readonly isSuspended?: true;
  readonly managedBy?: string;
  readonly parallelism?: number;
  readonly completions?: number;
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly startedAt?: number;
  readonly fate: Fate;
  /** Reason and message of the condition behind `fate`. */
  readonly fateReason?: string;
  readonly fateMessage?: string;
  readonly finishedAt?: number;
  /** True if any controller has ever written a status. */
  readonly hasStatus?: true;
  readonly queueName?: string;
  readonly isElastic?: true;
  /** What our reconciler noted on a management Job. */
  readonly record?: ObservedRecord;
  /** Where a mirror comes from. */
  readonly origin?: MirrorOrigin;
}

export interface ObservedRecord {
  readonly requestedWorker?: string;
  readonly workerUid?: string;
  readonly workerName?: string;
  readonly attempt?: string;
  readonly mirrorName?: string;
  readonly mirrorUid?: string;
  readonly phaseReason?: string;
  readonly phaseMessage?: string;
}

export type MirrorOrigin =
  | {
      readonly kind: 'ours';
      readonly cluster: string;
      readonly uid: string;
      readonly name?: string;
      readonly isDetached?: true;
    }
  | { readonly kind: 'multikueue'; readonly origin: string; readonly workload?: string };

/** A pod of a Job. */
export interface ObservedPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** UID of the Job that owns it. */
  readonly jobUid: string;
  readonly createdAt: number;
  readonly phase: string;
  readonly isReady?: true;
  readonly isDeleting?: true;
  readonly restarts?: number;
  readonly node?: string;
  /** Index of an Indexed Job's pod. */
  readonly index?: string;
  /** Why it does not run: a waiting container, or the scheduler. */
  readonly trouble?: { readonly reason: string; readonly message: string };
  readonly exitCode?: number;
}

/** A Kueue Workload, on either side. */
export interface ObservedWorkload {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly jobUid?: string;
  readonly queueName?: string;
  readonly isInactive?: true;
  readonly hasQuota?: true;
  readonly isAdmitted?: true;
  readonly isFinished?: true;
  /** Name of the MultiKueueCluster that runs it. */
  readonly clusterName?: string;
  readonly nominatedClusters?: readonly string[];
  /** Condition that says why it waits: `QuotaReserved=False`, or `Evicted=True`. */
  readonly quota?: { readonly reason: string; readonly message: string };
  readonly eviction?: { readonly reason: string; readonly message: string };
  /** The admission check that is not Ready. */
  readonly check?: { readonly name: string; readonly state: string; readonly message: string };
}

/** Trims a Job. `isMirror` is for workers, where other people's Jobs are of no interest: undefined for those. */
export function observeJob(job: Job): ObservedJob {
  const { metadata, spec, status } = job;
  const conditions = status?.conditions ?? [];
  const fate = fateOf(conditions);
  const finishedAt = fate.condition === undefined ? undefined : parseTime(fate.condition.lastTransitionTime);
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    createdAt: parseTime(metadata.creationTimestamp) ?? 0,
    fate: fate.fate,
    ...present({
      isDeleting: metadata.deletionTimestamp === undefined ? undefined : true,
      isSuspended: spec.suspend === true ? true : undefined,
      managedBy: spec.managedBy,
      parallelism: spec.parallelism,
      completions: spec.completions,
      active: status?.active || undefined,
      ready: status?.ready || undefined,
      terminating: status?.terminating || undefined,
      succeeded: status?.succeeded || undefined,
      failed: status?.failed || undefined,
      startedAt: parseTime(status?.startTime),
      fateReason: fate.condition?.reason || undefined,
      fateMessage: fate.condition?.message || undefined,
      finishedAt: fate.fate === 'succeeded' || fate.fate === 'failed' ? finishedAt : undefined,
      hasStatus: status !== undefined && Object.keys(status).length > 0 ? true : undefined,
      queueName: metadata.labels?.[kueueKeys.queueName],
      isElastic: metadata.annotations?.[kueueKeys.elasticJob] === 'true' ? true : undefined,
      record: recordOf(metadata.annotations),
      origin: originOf(metadata.labels, metadata.annotations),
    }),
  };
}

/** Trims a Job of a worker; undefined for one that is nobody's mirror. */
export function observeMirror(job: Job): ObservedJob | undefined {
  const observed = observeJob(job);
  return observed.origin === undefined ? undefined : observed;
}

/** Trims a pod; undefined for one that no Job owns. */
export function observePod(pod: KubeObject): ObservedPod | undefined {
  const { metadata, spec = {}, status = {} } = pod;
  const owner = metadata.ownerReferences?.find(({ kind, controller }) => kind === 'Job' && controller !== false);
  if (owner === undefined) return undefined;
  const containers = [...objects(status['initContainerStatuses']), ...objects(status['containerStatuses'])];
  const conditions = objects(status['conditions']);
  const isReady = conditions.some((one) => one['type'] === 'Ready' && one['status'] === 'True');
  const restarts = containers.reduce(
    (sum, one) => sum + (typeof one['restartCount'] === 'number' ? one['restartCount'] : 0),
    0,
  );
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    jobUid: owner.uid,
    createdAt: parseTime(metadata.creationTimestamp) ?? 0,
    phase: text(status['phase']) ?? 'Unknown',
    ...present({
      isReady: isReady ? true : undefined,
      isDeleting: metadata.deletionTimestamp === undefined ? undefined : true,
      restarts: restarts || undefined,
      node: text(spec['nodeName']),
      index: metadata.annotations?.['batch.kubernetes.io/job-completion-index'],
      trouble: troubleOf(containers, conditions),
      exitCode: exitCodeOf(containers),
    }),
  };
}

/** Trims a Kueue Workload. */
export function observeWorkload(workload: KubeObject): ObservedWorkload {
  const { metadata, spec = {}, status = {} } = workload;
  const conditions = new Map(objects(status['conditions']).map((one) => [one['type'], one]));
  const isTrue = (type: string): true | undefined => (conditions.get(type)?.['status'] === 'True' ? true : undefined);
  const quota = conditions.get('QuotaReserved');
  const check = objects(status['admissionChecks']).find((one) => one['state'] !== 'Ready');
  const nominated = status['nominatedClusterNames'];
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    ...present({
      jobUid: metadata.labels?.[kueueKeys.jobUid] ?? metadata.ownerReferences?.find(({ kind }) => kind === 'Job')?.uid,
      queueName: text(spec['queueName']),
      isInactive: spec['active'] === false ? true : undefined,
      hasQuota: isTrue('QuotaReserved'),
      isAdmitted: isTrue('Admitted'),
      isFinished: isTrue('Finished'),
      clusterName: text(status['clusterName']),
      nominatedClusters: Array.isArray(nominated) ? nominated.filter((one) => typeof one === 'string') : undefined,
      quota: quota?.['status'] === 'False' ? wordsOf(quota) : undefined,
      eviction: isTrue('Evicted') ? wordsOf(conditions.get('Evicted') ?? {}) : undefined,
      check:
        check === undefined
          ? undefined
          : {
              name: text(check['name']) ?? '',
              state: text(check['state']) ?? '',
              message: text(check['message']) ?? '',
            },
    }),
  };
}

function fateOf(conditions: readonly JobCondition[]): { readonly fate: Fate; readonly condition?: JobCondition } {
  const order = [
    ['Complete', 'succeeded'],
    ['Failed', 'failed'],
    ['SuccessCriteriaMet', 'succeeding'],
    ['FailureTarget', 'failing'],
  ] as const;
  for (const [type, fate] of order) {
    const condition = conditions.find((one) => one.type === type && one.status === 'True');
    if (condition !== undefined) return { fate, condition };
  }
  return { fate: 'open' };
}

function recordOf(annotations: Readonly<Record<string, string>> | undefined): ObservedRecord | undefined {
  if (annotations === undefined) return undefined;
  const entries = Object.entries(recordKeys).flatMap(([name, key]) => {
    const value = annotations[key];
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function originOf(
  labels: Readonly<Record<string, string>> | undefined,
  annotations: Readonly<Record<string, string>> | undefined,
): MirrorOrigin | undefined {
  const uid = labels?.[mirrorKeys.originUid];
  if (uid !== undefined) {
    return {
      kind: 'ours',
      cluster: labels?.[mirrorKeys.originCluster] ?? '',
      uid,
      ...present({
        name: annotations?.[mirrorKeys.originName],
        isDetached: labels?.[mirrorKeys.detached] === undefined ? undefined : (true as const),
      }),
    };
  }
  const origin = labels?.[kueueKeys.multiKueueOrigin];
  if (origin === undefined) return undefined;
  return { kind: 'multikueue', origin, ...present({ workload: labels?.[kueueKeys.prebuiltWorkload] }) };
}

function troubleOf(
  containers: readonly JsonObject[],
  conditions: readonly JsonObject[],
): ObservedPod['trouble'] | undefined {
  for (const { state } of containers) {
    const waiting = isJsonObject(state) ? state['waiting'] : undefined;
    // A container that is being made is on its way; only other reasons tell of trouble.
    if (isJsonObject(waiting) && waiting['reason'] !== 'ContainerCreating' && waiting['reason'] !== 'PodInitializing') {
      return wordsOf(waiting);
    }
  }
  const scheduled = conditions.find((one) => one['type'] === 'PodScheduled' && one['status'] === 'False');
  return scheduled === undefined ? undefined : wordsOf(scheduled);
}

function exitCodeOf(containers: readonly JsonObject[]): number | undefined {
  for (const { state } of containers) {
    const terminated = isJsonObject(state) ? state['terminated'] : undefined;
    const code = isJsonObject(terminated) ? terminated['exitCode'] : undefined;
    if (typeof code === 'number' && code !== 0) return code;
  }
  return undefined;
}

function wordsOf(object: JsonObject): { readonly reason: string; readonly message: string } {
  return { reason: text(object['reason']) ?? '', message: text(object['message']) ?? '' };
}

function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function parseTime(value: string | undefined): number | undefined {
  const time = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The properties that have a value: an object of few properties is a small one. */
function present<T extends object>(properties: T): Present<T> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as Present<T>;
}
