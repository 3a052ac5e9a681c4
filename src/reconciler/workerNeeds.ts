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
 * is missing, and objects that its pods refer to and that aren't there. One sentence for each thing to say, with the workers
 * of which it is true; what a login may not see is left out. Never rejects but for `signal`.
 */
export async function checkWorkers(
  workers: readonly NamedWorker[],
  job: JsonObject,
  namespace: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const references = podReferences(valueAt(job, ['spec', 'template', 'spec'])).slice(0, referencesAtMost);
  const asked = workers.map(({ api }) => checkWorker(api, references, namespace, clock, signal));
  const answers = await Promise.all(asked);
  const byPredicate = new Map<string, { readonly obstacle: Obstacle; readonly names: string[] }>();
  for (const [index, { name }] of workers.entries()) {
    const obstacle = answers[index];
    if (obstacle === undefined) continue;
    const before = byPredicate.get(obstacle.ofOne);
    if (before === undefined) byPredicate.set(obstacle.ofOne, { obstacle, names: [name] });
    else before.names.push(name);
  }
  return [...byPredicate.values()].map(({ obstacle: { ofOne, ofSeveral }, names }) =>
    names.length === 1 ? `Worker ${names[0]}${ofOne}.` : `Workers ${listed(names)}${ofSeveral}.`,
  );
}

/** What follows the name of one worker, or those of several. */
interface Obstacle {
  readonly ofOne: string;
  readonly ofSeveral: string;
}

async function checkWorker(
  api: KubeApi,
  references: readonly PodReference[],
  namespace: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  signal.throwIfAborted();
  const late = new AbortController();
  const timer = clock.after(answerWithinMs, () => late.abort(new DOMException('No answer in time.', 'TimeoutError')));
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const problems = await preflight(api, namespace, workerRights, either);
    if (problems.length > 0) return alike(`: ${problems.map(({ what }) => what).join('; ')}`);
    const isThere = await Promise.all(references.map((reference) => has(api, reference, namespace, either)));
    const missing = references.filter((_, index) => isThere[index] === false);
    if (missing.length === 0) return undefined;
    const what = listed(missing.map(({ kind, name }) => `${kind} '${name}'`));
    const rest = `${what} (namespace ${namespace}): pods that need ${missing.length === 1 ? 'it' : 'them'} don't start there`;
    return { ofOne: ` lacks ${rest}`, ofSeveral: ` lack ${rest}` };
  } catch (error) {
    signal.throwIfAborted();
    const why =
      error instanceof KubeError ? explainKubeError(error).what : `no answer within ${answerWithinMs / 1000} s`;
    return alike(` could not be asked: ${why}`);
  } finally {
    timer.dispose();
  }
}

function alike(predicate: string): Obstacle {
  return { ofOne: predicate, ofSeveral: predicate };
}

/** `a`, `a and b`, `a, b and c` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
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
