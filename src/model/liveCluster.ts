import {
  type Clock,
  childController,
  type Disposable,
  DisposableStore,
  describeError,
  type Log,
  type Random,
} from '../base/index.ts';
import {
  clusterIdentity,
  type Job,
  jobs,
  type KubeClient,
  KubeError,
  type KubeObject,
  type ListScope,
  type ObjectChange,
  pods,
  type Reflector,
  type ResourceType,
  startReflector,
} from '../kube/index.ts';
import { type ClusterStatus, type Contact, clusterStatus, unreachableAfterMs } from './clusterStatus.ts';
import {
  type ObservedJob,
  type ObservedPod,
  type ObservedWorkload,
  observeJob,
  observeMirror,
  observePod,
  observeWorkload,
} from './observed.ts';
import { type ClusterSight, noObjects, type ObjectSource } from './source.ts';

export interface LiveClusterOptions {
  /** Empty for the management cluster. */
  readonly name: string;
  readonly api: KubeClient;
  /** All namespaces where empty. */
  readonly namespaces: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onJobs: (changes: readonly ObjectChange<ObservedJob>[]) => void;
  readonly onPods: (changes: readonly ObjectChange<ObservedPod>[]) => void;
  readonly onWorkloads: (changes: readonly ObjectChange<ObservedWorkload>[]) => void;
  /** The status changed, or something that all rows rest on. */
  readonly onStatus: () => void;
}

/**
 * One cluster, watched: Jobs always, pods on workers, Kueue's Workloads where they are served. What it needs once (its
 * identity, the version of Kueue's API) it asks for when it is first in touch, and again after a failure.
 */
export class LiveCluster implements ClusterSight, Disposable {
  readonly name: string;
  readonly api: KubeClient;
  readonly jobs: ObjectSource<ObservedJob>;
  readonly pods: ObjectSource<ObservedPod>;
  workloads: ObjectSource<ObservedWorkload> = noObjects;
  identity: string | undefined;
  readonly #options: LiveClusterOptions;
  readonly #owned = new DisposableStore();
  readonly #stop = new AbortController();
  readonly #jobs: readonly Reflector<ObservedJob>[];
  readonly #pods: readonly Reflector<ObservedPod>[];
  #workloads: readonly Reflector<ObservedWorkload>[] = [];
  #knowsKueue = false;
  #hasAsked = false;
  #isAsking = false;
  #timer: Disposable | undefined;
  /** As of the last change of a reflector's state; every row asks for it. */
  #status: ClusterStatus;
  /** Of each namespace, where they are watched one by one. */
  #contacts: ReadonlyMap<string, Contact> = new Map();

  constructor(options: LiveClusterOptions) {
    this.#options = options;
    this.name = options.name;
    this.api = options.api;
    this.#status = { contact: 'connecting', staleSince: options.clock.now() };
    const isWorker = options.name !== '';
    this.#jobs = this.#reflect<Job, ObservedJob>(jobs, isWorker ? observeMirror : observeJob, options.onJobs);
    this.#pods = isWorker ? this.#reflect(pods, observePod, options.onPods, 'batch.kubernetes.io/job-name') : [];
    this.jobs = combine(this.#jobs);
    this.pods = combine(this.#pods);
  }

  get isComplete(): boolean {
    return this.#jobs.every(({ isComplete }) => isComplete);
  }

  /** Every list that can be read has been read once. */
  get isSettled(): boolean {
    const all: readonly Reflector<unknown>[] = [...this.#jobs, ...this.#pods, ...this.#workloads];
    const isTried = (one: Reflector<unknown>): boolean => one.isComplete || one.state.kind !== 'listing';
    const isOutOfReach = outOfReach.has(this.status.contact);
    return isOutOfReach || (this.#hasAsked && all.every(isTried));
  }

  get hasWorkloads(): boolean {
    return this.#knowsKueue && this.#workloads.every(({ isComplete }) => isComplete);
  }

  get status(): ClusterStatus {
    return this.#status;
  }

  contactIn(namespace: string): Contact {
    return this.#contacts.get(namespace) ?? this.#status.contact;
  }

  get clockOffsetMs(): number | undefined {
    return this.api.clockOffsetMs;
  }

  retry(): void {
    this.api.resetCredentials();
    for (const one of this.#reflectors()) one.retry();
  }

  notifyWake(): void {
    for (const one of this.#reflectors()) one.notifyWake();
  }

  dispose(): void {
    this.#stop.abort(new DOMException('The cluster was closed.', 'AbortError'));
    this.#timer?.dispose();
    this.#owned.dispose();
  }

  #reflectors(): readonly Reflector<unknown>[] {
    return [...this.#jobs, ...this.#pods, ...this.#workloads];
  }

  #reflect<T extends KubeObject | Job, K>(
    type: ResourceType,
    keep: (object: T) => K | undefined,
    onChange: (changes: readonly ObjectChange<K>[]) => void,
    labelSelector?: string,
  ): readonly Reflector<K>[] {
    const { api, namespaces, clock, random, log } = this.#options;
    const scopes: readonly ListScope[] =
      namespaces.length === 0 ? [{}] : namespaces.map((namespace) => ({ namespace }));
    return scopes.map((scope) => {
      const selected = labelSelector === undefined ? scope : { ...scope, labelSelector };
      const reflector = this.#owned.add(startReflector<T, K>({ api, type, scope: selected, keep, clock, random, log }));
      reflector.onChange(onChange);
      reflector.onState(() => this.#noteState());
      return reflector;
    });
  }

  #noteState(): void {
    this.#timer?.dispose();
    const { clock } = this.#options;
    const now = clock.now();
    this.#status = clusterStatus(
      this.#jobs.map(({ state }) => state),
      this.isComplete,
      now,
    );
    this.#contacts = new Map(
      this.#options.namespaces.flatMap((namespace, index): [string, Contact][] => {
        const jobs = this.#jobs[index];
        return jobs === undefined ? [] : [[namespace, clusterStatus([jobs.state], jobs.isComplete, now).contact]];
      }),
    );
    const { contact, staleSince = now } = this.#status;
    // A cluster that stays out of touch becomes unreachable without any further news.
    if (contact === 'stale') {
      this.#timer = clock.after(Math.max(staleSince + unreachableAfterMs - now, 1), () => this.#noteState());
    }
    // A login that is refused in one namespace may still ask for the rest.
    if (contact === 'connected' || [...this.#contacts.values()].includes('connected')) void this.#ask();
    this.#options.onStatus();
  }

  /** Never rejects: what can't be known now is asked for at the next contact. */
  async #ask(): Promise<void> {
    if (this.#isAsking || (this.identity !== undefined && this.#knowsKueue)) return;
    this.#isAsking = true;
    const { controller, release } = childController(this.#stop.signal);
    try {
      if (!this.#knowsKueue) await this.#findKueue(controller.signal);
      this.identity ??= await clusterIdentity(this.api, controller.signal);
    } catch (error) {
      // Without the right to read kube-system, mirrors are joined by the Job's UID alone.
      const kind = error instanceof KubeError ? error.kind : describeError(error);
      this.#options.log.debug('A cluster could not be asked about itself.', { cluster: this.name, kind });
    } finally {
      release();
      this.#isAsking = false;
      this.#hasAsked = true;
      if (!this.#stop.signal.aborted) this.#options.onStatus();
    }
  }

  async #findKueue(signal: AbortSignal): Promise<void> {
    const [version] = await this.api.servedVersions('kueue.x-k8s.io', signal);
    this.#knowsKueue = true;
    if (version === undefined || signal.aborted) return;
    const type: ResourceType = { group: 'kueue.x-k8s.io', version, plural: 'workloads' };
    this.#workloads = this.#reflect(type, observeWorkload, this.#options.onWorkloads);
    this.workloads = combine(this.#workloads);
  }
}

const outOfReach: ReadonlySet<Contact> = new Set([
  'auth-needed',
  'misconfigured',
  'forbidden',
  'unreachable',
  'closed',
]);

/** Several namespaces' objects as one source. */
function combine<K>(sources: readonly Reflector<K>[]): ObjectSource<K> {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return only;
  return {
    get: (uid) => first(sources, (one) => one.get(uid)),
    find: (namespace, name) => first(sources, (one) => one.find(namespace, name)),
    *values() {
      for (const one of sources) yield* one.values();
    },
  };
}

function first<S, K>(sources: readonly S[], look: (source: S) => K | undefined): K | undefined {
  for (const source of sources) {
    const found = look(source);
    if (found !== undefined) return found;
  }
  return undefined;
}
