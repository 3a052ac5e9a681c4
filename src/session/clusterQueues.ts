import { type Clock, type Disposable, Emitter, type Event, isJsonObject } from '../base/index.ts';
import { type KubeClient, KubeError, type KubeObject, type ResourceType } from '../kube/index.ts';

/** A LocalQueue of Kueue's. */
export interface LocalQueue {
  readonly name: string;
  /** Whether its ClusterQueue has MultiKueue's admission check; absent where that can't be seen. */
  readonly leadsToMultiKueue?: boolean;
}

/** Kueue's LocalQueues by their namespace. A namespace that is missing is one of which nothing is known. */
export type QueuesByNamespace = Readonly<Record<string, readonly LocalQueue[]>>;

type QueueApi = Pick<KubeClient, 'servedVersions' | 'list'>;

/** `spec.controllerName` of MultiKueue's admission checks. Source: Kueue 0.17, MultiKueueControllerName. */
const multiKueue = 'kueue.x-k8s.io/multikueue';

/** The LocalQueues of the namespaces; none of them where the cluster has no Kueue or doesn't show its queues. */
export async function readQueues(
  api: QueueApi,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<QueuesByNamespace> {
  const [version] = await api.servedVersions('kueue.x-k8s.io', signal);
  if (version === undefined) return {};
  const found: [string, readonly KubeObject[]][] = [];
  for (const namespace of namespaces) {
    const queues = await listAll(api, { version, plural: 'localqueues', namespace }, signal);
    if (queues !== undefined) found.push([namespace, queues]);
  }
  if (found.every(([, queues]) => queues.length === 0)) return Object.fromEntries(found.map(([name]) => [name, []]));
  const leads = await multiKueueQueues(api, version, signal);
  const facts = (queue: KubeObject): LocalQueue => {
    const { name } = queue.metadata;
    const clusterQueue = fieldOf(queue, 'spec', 'clusterQueue');
    const leadsToMultiKueue = typeof clusterQueue === 'string' ? leads.get(clusterQueue) : undefined;
    return { name, ...(leadsToMultiKueue !== undefined && { leadsToMultiKueue }) };
  };
  return Object.fromEntries(found.map(([namespace, queues]) => [namespace, queues.map(facts)]));
}

/**
 * Whether each ClusterQueue has an admission check of MultiKueue's; it is missing where that isn't known. Both kinds are the
 * cluster's own, and many a login may not see them.
 */
async function multiKueueQueues(
  api: QueueApi,
  version: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean>> {
  const clusterQueues = await listAll(api, { version, plural: 'clusterqueues' }, signal);
  const checks = clusterQueues && (await listAll(api, { version, plural: 'admissionchecks' }, signal));
  if (clusterQueues === undefined || checks === undefined) return new Map();
  const controllers = new Map(checks.map((check) => [check.metadata.name, fieldOf(check, 'spec', 'controllerName')]));
  return new Map(
    clusterQueues.flatMap((queue): [string, boolean][] => {
      const names = checksOf(queue);
      const leads = names.some((name) => controllers.get(name) === multiKueue);
      // Of a check that isn't there nobody knows yet whose it will be.
      return leads || names.every((name) => controllers.has(name)) ? [[queue.metadata.name, leads]] : [];
    }),
  );
}

/** The names of a ClusterQueue's admission checks: a list of rules, and in v1beta1 also one of names. */
function checksOf(queue: KubeObject): readonly string[] {
  const names = fieldOf(queue, 'spec', 'admissionChecks');
  const rules = fieldOf(queue, 'spec', 'admissionChecksStrategy', 'admissionChecks');
  return [
    ...(Array.isArray(names) ? names : []),
    ...(Array.isArray(rules) ? rules : []).map((rule) => fieldOf(rule, 'name')),
  ].filter((name) => typeof name === 'string');
}

/** All objects of a kind; undefined where they may not be seen, or are more than a page: what is missing says nothing then. */
async function listAll(
  api: QueueApi,
  { version, plural, namespace }: { readonly version: string; readonly plural: string; readonly namespace?: string },
  signal: AbortSignal,
): Promise<readonly KubeObject[] | undefined> {
  const type: ResourceType = { group: 'kueue.x-k8s.io', version, plural };
  try {
    const scope = namespace === undefined ? {} : { namespace };
    const { items, continueToken } = await api.list<KubeObject>(type, scope, signal);
    return continueToken === undefined ? items : undefined;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    return undefined;
  }
}

function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) current = isJsonObject(current) ? current[key] : undefined;
  return current;
}

export interface ClusterQueuesPorts {
  readonly read: (signal: AbortSignal) => Promise<QueuesByNamespace>;
  readonly clock: Clock;
  readonly onProblem: (error: unknown) => void;
  readonly onError: (error: unknown) => void;
}

/** Queues are made by an administrator, a few times a year; but whoever has just made one must not be told that it lacks. */
const everyMs = 30_000;

/** What is known of the connected cluster's queues, read again and again until it is disposed. */
export class ClusterQueues implements Disposable {
  readonly #ports: ClusterQueuesPorts;
  readonly #stop = new AbortController();
  readonly #changed: Emitter<void>;
  #timer: Disposable | undefined;
  #queues: QueuesByNamespace = {};

  constructor(ports: ClusterQueuesPorts) {
    this.#ports = ports;
    this.#changed = new Emitter(ports.onError);
    void this.#read();
  }

  get queues(): QueuesByNamespace {
    return this.#queues;
  }

  /** Whether a queue of a namespace leads there; undefined where that isn't known. */
  leadsToMultiKueue(namespace: string, name: string): boolean | undefined {
    const queues = Object.hasOwn(this.#queues, namespace) ? this.#queues[namespace] : undefined;
    return queues?.find((queue) => queue.name === name)?.leadsToMultiKueue;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  dispose(): void {
    this.#stop.abort(new DOMException('The clusters were disconnected.', 'AbortError'));
    this.#timer?.dispose();
    this.#changed.dispose();
  }

  /** Never rejects. */
  async #read(): Promise<void> {
    let queues: QueuesByNamespace = {};
    try {
      queues = await this.#ports.read(this.#stop.signal);
    } catch (error) {
      // What was true a while ago may be so no longer: nothing is known then.
      if (!this.#stop.signal.aborted) this.#ports.onProblem(error);
    }
    if (this.#stop.signal.aborted) return;
    this.#timer = this.#ports.clock.after(everyMs, () => void this.#read());
    if (JSON.stringify(queues) === JSON.stringify(this.#queues)) return;
    this.#queues = queues;
    this.#changed.fire();
  }
}
