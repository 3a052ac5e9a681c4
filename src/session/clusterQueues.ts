import { type Clock, type Disposable, Emitter, type Event } from '../base/index.ts';
import { type KubeClient, KubeError, type KubeObject, type ResourceType } from '../kube/index.ts';

/** The names of Kueue's LocalQueues by their namespace. A namespace that is missing is one of which nothing is known. */
export type QueuesByNamespace = Readonly<Record<string, readonly string[]>>;

/** The LocalQueues of the namespaces; none of them where the cluster has no Kueue or doesn't show its queues. */
export async function readQueues(
  api: Pick<KubeClient, 'servedVersions' | 'list'>,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<QueuesByNamespace> {
  const [version] = await api.servedVersions('kueue.x-k8s.io', signal);
  if (version === undefined) return {};
  const type: ResourceType = { group: 'kueue.x-k8s.io', version, plural: 'localqueues' };
  const found: [string, readonly string[]][] = [];
  for (const namespace of namespaces) {
    try {
      const { items, continueToken } = await api.list<KubeObject>(type, { namespace }, signal);
      // Of a list that is cut off, a name that is missing says nothing.
      if (continueToken === undefined) found.push([namespace, items.map(({ metadata }) => metadata.name)]);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
    }
  }
  return Object.fromEntries(found);
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
