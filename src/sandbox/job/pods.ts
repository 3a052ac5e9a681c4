import { type Container, controllerOf, type StoredJob, type StoredPod } from '../objects.ts';

/** How the Job controller looks at pods. Source: Kubernetes 1.35, Job controller. */

/** Holds a pod until it has been counted. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
/** Carries the completion index, as an annotation and as a label. */
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
/** How often the index had failed before this pod, so that the count outlives the pods. */
export const failureCountAnnotation = 'batch.kubernetes.io/job-index-failure-count';
/** The failures that a policy ignored; they still lengthen the wait. */
export const ignoredFailureCountAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** Not counted yet. */
export function isTracked(pod: StoredPod): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

export function isDeleting(pod: StoredPod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

export function isTerminal(pod: StoredPod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** At work, or about to be. */
export function isActive(pod: StoredPod): boolean {
  return !isTerminal(pod) && !isDeleting(pod);
}

/** Being deleted, but its containers haven't ended. */
export function isTerminating(pod: StoredPod): boolean {
  return !isTerminal(pod) && isDeleting(pod);
}

export function isReady(pod: StoredPod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

export function isIndexed(job: StoredJob): boolean {
  return job.spec.completionMode === 'Indexed';
}

export function isSuspended(job: StoredJob): boolean {
  return job.spec.suspend === true;
}

/** A pod is replaced only once it has really failed, rather than as soon as it is being deleted. */
export function replacesOnlyFailed(job: StoredJob): boolean {
  return job.spec.podReplacementPolicy === 'Failed' || job.spec.podFailurePolicy !== undefined;
}

/** Failed for the Job's count: a pod on its way out counts too, for nobody may be left to see it fail. */
export function isFailed(pod: StoredPod, job: StoredJob): boolean {
  if (pod.status?.phase === 'Failed') return true;
  return !replacesOnlyFailed(job) && isTerminating(pod);
}

/** The pod's completion index if it is one that the Job still wants. */
export function validIndex(pod: StoredPod, completions: number): number | undefined {
  const text = pod.metadata.annotations?.[indexAnnotation];
  const index = text !== undefined && /^\d+$/u.test(text) ? Number(text) : undefined;
  return index !== undefined && index < completions ? index : undefined;
}

/** The number in one of the failure annotations; 0 if somebody has spoilt it. */
export function countIn(pod: StoredPod, annotation: string): number {
  const count = Number(pod.metadata.annotations?.[annotation] ?? '0');
  return Number.isInteger(count) && count >= 0 ? count : 0;
}

/** When the pod came to its end, in epoch milliseconds, by the best evidence there is. */
export function finishedAt(pod: StoredPod): number {
  const ends = (pod.status?.containerStatuses ?? []).map(({ state }) => state.terminated?.finishedAt);
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends.map((end) => Date.parse(end)));
  const unready = pod.status?.conditions?.find(
    ({ type, status }) => type === 'Ready' && status === 'False',
  )?.lastTransitionTime;
  if (unready !== undefined) return Date.parse(unready);
  const { deletionTimestamp, deletionGracePeriodSeconds, creationTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return Date.parse(creationTimestamp);
  return Date.parse(deletionTimestamp) - (deletionGracePeriodSeconds ?? 0) * 1000;
}

/** A pod that merely carries the Job's labels is none of its own. */
export function isControlledBy(pod: StoredPod, job: StoredJob): boolean {
  return controllerOf(pod)?.uid === job.metadata.uid;
}

/** Which active pods go first when there are too many: those that have got least far, and among equals the youngest. */
export function byLeastProgress(a: StoredPod, b: StoredPod): number {
  return progress(a) - progress(b) || (b.metadata.creationTimestamp < a.metadata.creationTimestamp ? -1 : 1);
}

function progress(pod: StoredPod): number {
  if (pod.spec.nodeName === undefined) return 0;
  if (pod.status?.phase === 'Pending') return 1;
  return isReady(pod) ? 3 : 2;
}

/** The pod template of a Job, made into the body of one pod. */
export function podBody(job: StoredJob, index: number | undefined, replaces: StoredPod | undefined, counted: boolean) {
  const { template } = job.spec;
  const { name, uid } = job.metadata;
  const marks = index === undefined ? {} : { [indexAnnotation]: String(index) };
  const failures =
    index === undefined || job.spec.backoffLimitPerIndex === undefined ? {} : failureCounts(replaces, counted);
  const withIndex = (container: Container): Container =>
    index === undefined ? container : withIndexVariable(container);
  const { initContainers } = template.spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: index === undefined ? `${name}-` : indexedPrefix(name, index),
      labels: { ...template.metadata?.labels, ...marks },
      annotations: { ...template.metadata?.annotations, ...marks, ...failures },
      finalizers: [trackingFinalizer],
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      ...template.spec,
      containers: template.spec.containers.map(withIndex),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withIndex) }),
      ...(index === undefined ? {} : { hostname: `${name}-${index}` }),
    },
  };
}

/** The name prefix is cut before the index, never in it. */
function indexedPrefix(name: string, index: number): string {
  const tail = `-${index}-`;
  return `${name.slice(0, 63 - 5 - tail.length)}${tail}`;
}

function failureCounts(replaces: StoredPod | undefined, counted: boolean): Readonly<Record<string, string>> {
  if (replaces === undefined) return { [failureCountAnnotation]: '0' };
  const failures = countIn(replaces, failureCountAnnotation) + (counted ? 1 : 0);
  const ignored = countIn(replaces, ignoredFailureCountAnnotation) + (counted ? 0 : 1);
  return {
    [failureCountAnnotation]: String(failures),
    ...(ignored > 0 ? { [ignoredFailureCountAnnotation]: String(ignored) } : {}),
  };
}

function withIndexVariable(container: Container): Container {
  const variable = 'JOB_COMPLETION_INDEX';
  const env = container.env ?? [];
  if (env.some((entry) => entry['name'] === variable)) return container;
  const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.labels['${indexAnnotation}']` };
  return { ...container, env: [...env, { name: variable, valueFrom: { fieldRef } }] };
}
