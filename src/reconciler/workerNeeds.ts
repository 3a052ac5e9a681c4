import { type PodReference, podReferences } from '../admission/index.ts';
import { type Clock, type JsonObject, valueAt } from '../base/index.ts';
import { explainKubeError, type KubeApi, KubeError, type ResourceType } from '../kube/index.ts';
import { preflight, workerRights } from './preflight.ts';

/** A worker by the user's name for it. */
export interface NamedWorker {
  readonly name: string;
  readonly api: KubeApi;
}

const types: Readonly<Record<PodReference['kind'], ResourceType>> = {
  ConfigMap: { group: '', version: 'v1', plural: 'configmaps' },
  PersistentVolumeClaim: { group: '', version: 'v1', plural: 'persistentvolumeclaims' },
  PriorityClass: { group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses' },
  ResourceClaim: { group: 'resource.k8s.io', version: 'v1', plural: 'resourceclaims' },
  ResourceClaimTemplate: { group: 'resource.k8s.io', version: 'v1', plural: 'resourceclaimtemplates' },
  RuntimeClass: { group: 'node.k8s.io', version: 'v1', plural: 'runtimeclasses' },
  Secret: { group: '', version: 'v1', plural: 'secrets' },
  ServiceAccount: { group: '', version: 'v1', plural: 'serviceaccounts' },
  StorageClass: { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' },
};

const clusterScoped: ReadonlySet<PodReference['kind']> = new Set(['PriorityClass', 'RuntimeClass', 'StorageClass']);

/** More than that no person has written by hand, and each is a request. */
const referencesAtMost = 50;
/** Somebody waits for the answer. */
const answerWithinMs = 5000;

/**
 * What stands in the way of a Job's mirror and its pods on the workers, before anything is made: a namespace or a right that
 * is missing, and objects that its pods refer to and that aren't there. One sentence for each worker that has something;
 * what a login may not see is left out. Never rejects but for `signal`.
 */
export async function checkWorkers(
  workers: readonly NamedWorker[],
  job: JsonObject,
  namespace: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const references = podReferences(valueAt(job, ['spec', 'template', 'spec'])).slice(0, referencesAtMost);
  const asked = workers.map((worker) => checkWorker(worker, references, namespace, clock, signal));
  return (await Promise.all(asked)).flatMap((said) => said ?? []);
}

async function checkWorker(
  { name, api }: NamedWorker,
  references: readonly PodReference[],
  namespace: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const late = new AbortController();
  const timer = clock.after(answerWithinMs, () => late.abort(new DOMException('No answer in time.', 'TimeoutError')));
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const problems = await preflight(api, namespace, workerRights, either);
    if (problems.length > 0) return `Worker ${name}: ${problems.map(({ message }) => message).join('; ')}.`;
    const isThere = await Promise.all(references.map((reference) => has(api, reference, namespace, either)));
    const missing = references.filter((_, index) => isThere[index] === false);
    if (missing.length === 0) return undefined;
    const listed = missing.map((reference) => `${reference.kind} '${reference.name}'`).join(', ');
    return `Worker ${name} lacks ${listed} (namespace ${namespace}): pods that need it don't start there.`;
  } catch (error) {
    signal.throwIfAborted();
    const why =
      error instanceof KubeError ? explainKubeError(error).what : `no answer within ${answerWithinMs / 1000} s`;
    return `Worker ${name} could not be asked: ${why}.`;
  } finally {
    timer.dispose();
  }
}

/** Undefined where it can't be told: the login may not see it, or the cluster doesn't know the kind. */
async function has(
  api: KubeApi,
  { kind, name }: PodReference,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    return await api.has(types[kind], { name, ...(clusterScoped.has(kind) ? {} : { namespace }) }, signal);
  } catch (error) {
    if (error instanceof KubeError && (error.kind === 'forbidden' || error.kind === 'not-served')) return undefined;
    throw error;
  }
}
