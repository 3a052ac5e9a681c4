import { nearestMinor, newestMinor } from '../admission/index.ts';
import {
  type Clock,
  type Disposable,
  DisposableStore,
  describeError,
  Emitter,
  type Event,
  type Log,
  type Random,
  sleep,
} from '../base/index.ts';
import { clusterIdentity, type Job, jobs, type Reflector, startReflector } from '../kube/index.ts';
import { type ClusterApi, ClusterLink } from './clusterLink.ts';
import { elapsedMs, momentOf } from './elapsed.ts';
import { GarbageCollector } from './gc.ts';
import { type JobMemory, newJobMemory } from './jobMemory.ts';
import { isFinished, keyOf } from './jobState.ts';
import { KeyedQueue } from './queue.ts';
import { reasons } from './reasons.ts';
import {
  type ActionReport,
  type JobKey,
  type PassResult,
  type ReconcileDeps,
  reconcileJob,
  type WorkerAccess,
} from './reconcileJob.ts';
import { readRecord } from './record.ts';
import type { Candidate } from './situation.ts';
import type { ClusterState, ReconcilerState } from './state.ts';
import { statusJudgeFor } from './statusJudge.ts';
import { WorkerScope } from './workerScope.ts';

export interface ReconcilerSettings {
  /** The `spec.managedBy` value whose Jobs are ours. */
  readonly controllerName: string;
  /** Namespaces of the management cluster that the user enabled; never empty. */
  readonly namespaces: readonly string[];
  /** How long a finished mirror is kept, for its logs. Default 10 minutes. */
  readonly retainFinishedMs?: number;
  /** Mirrors that may live on one worker at a time. Default 50. */
  readonly maxLiveMirrors?: number;
  /** Whether mirrors without a Job are deleted, or only counted. Default: counted. */
  readonly garbage?: 'report' | 'delete';
  /** Identities of clusters whose `kube-system` the login may not read, by worker name; `management` for that one. */
  readonly clusterIds?: Readonly<Record<string, string>>;
}

export interface ReconcilerOptions {
  readonly management: ClusterApi;
  /** By the user's names, in the order in which a Job that names none tries them. */
  readonly workers: ReadonlyMap<string, ClusterApi>;
  readonly settings: ReconcilerSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Unlike any other process's: user, host, process and something random. */
  readonly identity: string;
  readonly onAction?: (action: ActionReport) => void;
}

export interface ReconcilerHandle {
  readonly state: ReconcilerState;
  /** Announces that `state` may have changed; often, so listeners should wait a moment before they read it. */
  readonly onStateChange: Event<void>;
  /** Tries at once what waits because of a cluster (by name; `management`; all if absent). */
  retry(cluster?: string): void;
  /** The machine slept: nothing that was held open can be trusted. */
  notifyWake(): void;
  /** Ends in good order within a few seconds, giving the leases back. The clients stay the caller's. */
  stop(): Promise<void>;
}

const resyncMs = 300_000;
const garbageMs = 60_000;
const tickMs = 5_000;
/** A tick that comes this late was slept through. */
const sleptMs = 15_000;
const placesPerLane = 4;

/** Starts at once; throws if no namespace is named. */
export function startReconciler(options: ReconcilerOptions): ReconcilerHandle {
  if (options.settings.namespaces.length === 0) throw new Error('The reconciler needs at least one namespace.');
  return new Reconciler(options);
}

/** The wiring: clusters, watches, leases and the queue around `reconcileJob`. Decides nothing about Jobs. */
class Reconciler implements ReconcilerHandle {
  readonly #options: ReconcilerOptions;
  readonly #stopping = new AbortController();
  readonly #disposables = new DisposableStore();
  readonly #changes: Emitter<void>;
  readonly #management: ClusterLink;
  readonly #workers: readonly ClusterLink[];
  readonly #problems = new Map<ClusterLink, string>();
  readonly #queue: KeyedQueue;
  readonly #memories = new Map<string, JobMemory>();
  readonly #results = new Map<string, PassResult>();
  /** Worker by key of each Job that has a mirror, or is about to, and is not finished. */
  readonly #live = new Map<string, string>();
  readonly #origins = new Map<string, Reflector<Job>>();
  readonly #scopes = new Map<string, WorkerScope>();
  readonly #collectors = new Map<string, GarbageCollector>();
  readonly #orphans = new Map<string, number>();
  readonly #started: Promise<unknown>;
  #deps: ReconcileDeps | undefined;
  #timers = new Set<Disposable>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { clock, random, log } = options;
    this.#changes = new Emitter<void>((error) => log.error('A listener failed.', { error: describeError(error) }));
    const link = (name: string, api: ClusterApi): ClusterLink => {
      const made: ClusterLink = new ClusterLink(name, api, {
        clock,
        random,
        onChange: (hasRecovered) => {
          if (hasRecovered) this.#addAll();
          this.#changes.fire();
        },
      });
      return made;
    };
    this.#management = link('management', options.management);
    this.#workers = [...options.workers].map(([name, api]) => link(name, api));
    this.#queue = new KeyedQueue({
      process: (key) => this.#process(key),
      laneOf: (key) => this.#memories.get(key)?.lastSeen?.record.workerUid ?? '',
      concurrency: placesPerLane,
      clock,
      log,
    });
    this.#started = this.#start();
  }

  get onStateChange(): Event<void> {
    return this.#changes.event;
  }

  get state(): ReconcilerState {
    const counts = { progress: 0, waiting: 0, attention: 0 };
    const waiting = [];
    for (const [key, { reason, message }] of this.#results) {
      const { kind } = reasons[reason];
      if (reason !== 'NotOurs' && reason !== 'JobGone') counts[kind]++;
      if (kind !== 'progress') waiting.push({ ...jobKeyOf(key), reason, message });
    }
    const byName = (a: JobKey, b: JobKey) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1);
    return {
      management: this.#stateOf(this.#management),
      workers: this.#workers.map((worker) => this.#stateOf(worker)),
      leases: [...this.#scopes.values()].map((scope) => ({
        namespace: scope.namespace,
        worker: scope.worker.name,
        lease: scope.leaseState,
        problems: scope.problems.map(({ message }) => message),
      })),
      counts,
      waiting: waiting.sort(byName),
      orphans: [...this.#orphans.values()].reduce((sum, count) => sum + count, 0),
    };
  }

  retry(cluster?: string): void {
    for (const link of [this.#management, ...this.#workers]) {
      if (cluster === undefined || link.name === cluster) link.retry();
    }
    for (const reflector of this.#origins.values()) reflector.retry();
    for (const scope of this.#scopes.values()) {
      if (cluster === undefined || cluster === 'management' || scope.worker.name === cluster) scope.retry();
    }
    this.#addAll();
  }

  notifyWake(): void {
    for (const reflector of this.#origins.values()) reflector.notifyWake();
    for (const scope of this.#scopes.values()) scope.notifyWake();
    this.retry();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The reconciler was stopped.', 'AbortError'));
    for (const timer of this.#timers) timer.dispose();
    await this.#queue.stop();
    await this.#started;
    await Promise.all([...this.#scopes.values()].map((scope) => scope.stop()));
    this.#disposables.dispose();
    this.#changes.dispose();
  }

  async #start(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const originCluster = await this.#identify(this.#management);
      const version = await this.#persist(this.#management, () => this.#management.api.serverVersion(signal));
      this.#deps = this.#makeDeps(originCluster, nearestMinor(version.minor) ?? newestMinor);
      for (const namespace of this.#options.settings.namespaces) this.#watchOrigins(namespace);
      this.#every(resyncMs, () => this.#addAll());
      this.#every(garbageMs, () => void this.#collectGarbage());
      this.#watchForSleep();
      await Promise.all(this.#workers.map((worker) => this.#startWorker(worker, originCluster)));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #startWorker(worker: ClusterLink, originCluster: string): Promise<void> {
    const uid = await this.#identify(worker);
    if (uid === originCluster) {
      this.#problems.set(worker, 'this is the management cluster itself');
      this.#changes.fire();
      return;
    }
    const twin = this.#workers.find((other) => other !== worker && other.uid === uid && this.#workerOf(uid) === other);
    if (twin !== undefined) {
      this.#problems.set(worker, `this is the same cluster as ${twin.name}`);
      this.#changes.fire();
      return;
    }
    const { management, identity, clock, random, log } = this.#options;
    for (const namespace of this.#options.settings.namespaces) {
      const scope = new WorkerScope({
        namespace,
        worker,
        workerUid: uid,
        management,
        originCluster,
        identity,
        clock,
        random,
        log,
        onMirror: (name) => this.#queue.add(`${namespace}/${name}`),
        onChange: () => {
          this.#addAll(namespace);
          this.#changes.fire();
        },
      });
      this.#scopes.set(`${namespace}/${uid}`, scope);
    }
    this.#addAll();
  }

  async #identify(link: ClusterLink): Promise<string> {
    const { signal } = this.#stopping;
    const known = this.#options.settings.clusterIds?.[link.name];
    link.uid = known ?? (await this.#persist(link, () => clusterIdentity(link.api, signal)));
    return link.uid;
  }

  /** Tries until it works or the reconciler stops. */
  async #persist<T>(link: ClusterLink, attempt: () => Promise<T>): Promise<T> {
    const { signal } = this.#stopping;
    for (;;) {
      try {
        const value = await attempt();
        link.note(undefined);
        return value;
      } catch (error) {
        signal.throwIfAborted();
        link.note(error);
        this.#options.log.info('A cluster could not be asked who it is.', {
          cluster: link.name,
          error: describeError(error),
        });
        await sleep(this.#options.clock, link.trouble?.afterMs ?? 30_000, signal);
      }
    }
  }

  #watchOrigins(namespace: string): void {
    const { management, settings, clock, random, log } = this.#options;
    const reflector = startReflector<Job, Job>({
      api: management,
      type: jobs,
      scope: { namespace },
      keep: (job) => (job.spec.managedBy === settings.controllerName ? withoutManagedFields(job) : undefined),
      clock,
      random,
      log,
    });
    this.#disposables.add(reflector);
    this.#origins.set(namespace, reflector);
    reflector.onChange((changes) => {
      for (const change of changes) {
        const job = change.kind === 'deleted' ? change.last : reflector.get(change.uid);
        if (job === undefined) continue;
        this.#noteLive(job, change.kind === 'deleted');
        this.#queue.add(keyOf(job));
      }
    });
    reflector.onState(() => this.#changes.fire());
  }

  async #process(key: string): Promise<number | undefined> {
    if (this.#deps === undefined) return undefined;
    const { trouble } = this.#management;
    if (trouble !== undefined) return trouble.afterMs;
    let memory = this.#memories.get(key);
    if (memory === undefined) {
      memory = newJobMemory();
      this.#memories.set(key, memory);
    }
    const result = await reconcileJob(jobKeyOf(key), memory, this.#deps, this.#stopping.signal);
    if (result.reason === 'JobGone' || result.reason === 'NotOurs') {
      this.#memories.delete(key);
      this.#results.delete(key);
    } else {
      this.#results.set(key, result);
    }
    this.#changes.fire();
    return result.afterMs;
  }

  #makeDeps(originCluster: string, minor: Parameters<typeof statusJudgeFor>[0]): ReconcileDeps {
    const { settings, management, clock, random, log } = this.#options;
    return {
      management,
      originCluster,
      controllerName: settings.controllerName,
      retainFinishedMs: settings.retainFinishedMs ?? 600_000,
      maxLiveMirrors: settings.maxLiveMirrors ?? 50,
      clock,
      random,
      log,
      judge: statusJudgeFor(minor),
      isNamespaceEnabled: (namespace) => settings.namespaces.includes(namespace),
      leadership: (namespace, uid) => this.#scopes.get(`${namespace}/${uid}`)?.term,
      candidates: (namespace) => this.#workers.map((worker) => this.#candidate(namespace, worker)),
      worker: (uid) => this.#access(uid),
      cached: (key, since) => this.#cached(key, since),
      onAction: (action) => this.#acted(action),
      onOutcome: (uid, error) => (uid === undefined ? this.#management : this.#workerOf(uid))?.note(error),
    };
  }

  #candidate(namespace: string, worker: ClusterLink): Candidate {
    const { name, uid, health } = worker;
    const liveMirrors = [...this.#live.values()].filter((one) => one === uid).length;
    const blockedBy = (reason: Candidate['blocked'] extends infer B | undefined ? B : never): Candidate => ({
      name,
      uid,
      blocked: reason,
      liveMirrors,
    });
    const problem = this.#problems.get(worker);
    if (problem !== undefined) return blockedBy({ reason: 'SameCluster', message: problem });
    if (health.kind === 'trouble') return blockedBy({ reason: health.reason, message: health.message });
    const scope = this.#scopes.get(`${namespace}/${uid ?? ''}`);
    if (scope === undefined || !scope.hasAnswer)
      return blockedBy({ reason: 'Unreachable', message: 'not reached yet' });
    const [first] = scope.problems;
    if (first !== undefined) return blockedBy(first);
    const { leaseState } = scope;
    if (leaseState.kind === 'read-only') return blockedBy({ reason: 'Forbidden', message: leaseState.message });
    if (scope.term === undefined) return blockedBy({ reason: 'NotLeading', message: '' });
    return { name, uid, blocked: undefined, liveMirrors };
  }

  #workerOf(uid: string): ClusterLink | undefined {
    return this.#workers.find((worker) => worker.uid === uid && !this.#problems.has(worker));
  }

  #access(uid: string): WorkerAccess | undefined {
    const link = this.#workerOf(uid);
    if (link === undefined) return undefined;
    const { clockOffsetMs: theirs } = link.api;
    const { clockOffsetMs: ours } = this.#management.api;
    const aheadMs = theirs === undefined || ours === undefined ? undefined : theirs - ours;
    return { name: link.name, api: link.api, trouble: link.trouble, aheadMs };
  }

  #cached({ namespace, name }: JobKey, since: string | undefined): Job | undefined {
    const reflector = this.#origins.get(namespace);
    if (reflector === undefined || reflector.state.kind !== 'watching') return undefined;
    const job = reflector.find(namespace, name);
    if (job === undefined) return undefined;
    // Source: Kubernetes API conventions, resourceVersions of one type are decimal numbers that can be compared.
    return since === undefined || Number(job.metadata.resourceVersion) >= Number(since) ? job : undefined;
  }

  #acted(action: ActionReport): void {
    const { namespace, job } = action;
    if (action.action === 'assign') {
      const worker = this.#workers.find(({ name }) => name === action.worker);
      if (worker?.uid !== undefined) this.#live.set(`${namespace}/${job}`, worker.uid);
    }
    this.#options.onAction?.(action);
  }

  #noteLive(job: Job, isGone: boolean): void {
    const reading = readRecord(job);
    const key = keyOf(job);
    if (!isGone && !isFinished(job)) {
      if (reading.kind === 'assigned') this.#live.set(key, reading.record.workerUid);
      return;
    }
    if (!this.#live.delete(key)) return;
    for (const [waiting, { reason }] of this.#results) if (reason === 'QueuedLocally') this.#queue.add(waiting);
  }

  #addAll(namespace?: string): void {
    for (const [watched, reflector] of this.#origins) {
      if (namespace !== undefined && namespace !== watched) continue;
      for (const job of reflector.values()) this.#queue.add(keyOf(job));
    }
    // Those that are gone but may have left a mirror.
    for (const key of this.#memories.keys()) {
      if (namespace === undefined || key.startsWith(`${namespace}/`)) this.#queue.add(key);
    }
  }

  async #collectGarbage(): Promise<void> {
    const { signal } = this.#stopping;
    const { management, settings, clock, log } = this.#options;
    for (const [id, scope] of this.#scopes) {
      if (scope.term === undefined || scope.worker.trouble !== undefined || this.#management.uid === undefined)
        continue;
      let collector = this.#collectors.get(id);
      if (collector === undefined) {
        const isNamespaceEnabled = (namespace: string) => settings.namespaces.includes(namespace);
        collector = new GarbageCollector({
          management,
          originCluster: this.#management.uid,
          clock,
          isNamespaceEnabled,
        });
        this.#collectors.set(id, collector);
      }
      try {
        const { orphans } = await collector.look(scope.worker.api, scope.namespace, signal);
        this.#orphans.set(id, orphans.length);
        if (settings.garbage === 'delete') await this.#deleteOrphans(scope, orphans);
      } catch (error) {
        if (signal.aborted) return;
        log.info('Garbage collection gave up; nothing was deleted.', {
          worker: scope.worker.name,
          namespace: scope.namespace,
          error: describeError(error),
        });
      }
    }
    this.#changes.fire();
  }

  async #deleteOrphans(scope: WorkerScope, orphans: readonly Job[]): Promise<void> {
    for (const { metadata } of orphans) {
      const { term } = scope;
      if (term === undefined) return;
      const signal = AbortSignal.any([this.#stopping.signal, term]);
      const { namespace = '', name, uid, resourceVersion } = metadata;
      const request = { uid, resourceVersion, propagationPolicy: 'Background' as const };
      await scope.worker.api.delete(jobs, { namespace, name }, request, signal);
      this.#options.onAction?.({
        action: 'delete-mirror',
        namespace,
        job: name,
        uid: '',
        worker: scope.worker.name,
        detail: { mirrorUid: uid, why: 'its Job is gone' },
      });
    }
  }

  #stateOf(link: ClusterLink): ClusterState {
    const problem = this.#problems.get(link);
    return {
      name: link.name,
      contextName: link.api.contextName,
      health: link.health,
      ...(link.uid === undefined ? {} : { uid: link.uid }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  /** Repeats with up to a fifth more or less, so that several processes don't march in step. */
  #every(periodMs: number, callback: () => void): void {
    const { clock, random } = this.#options;
    const timer = clock.after(periodMs * (0.8 + random() * 0.4), () => {
      this.#timers.delete(timer);
      callback();
      this.#every(periodMs, callback);
    });
    this.#timers.add(timer);
  }

  #watchForSleep(): void {
    const { clock } = this.#options;
    const startedAt = momentOf(clock);
    const timer = clock.after(tickMs, () => {
      this.#timers.delete(timer);
      if (elapsedMs(clock, startedAt) > tickMs + sleptMs) this.notifyWake();
      this.#watchForSleep();
    });
    this.#timers.add(timer);
  }
}

function jobKeyOf(key: string): JobKey {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** They are half of an object, and nobody here reads them. */
function withoutManagedFields(job: Job): Job {
  const metadata: Record<string, unknown> & Job['metadata'] = { ...job.metadata };
  delete metadata['managedFields'];
  return { ...job, metadata };
}
