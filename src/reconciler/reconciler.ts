import { nearestMinor, newestMinor } from '../admission/index.ts';
import {
  type Clock,
  type Disposable,
  describeError,
  Emitter,
  type Event,
  type Log,
  type Random,
} from '../base/index.ts';
import { type Job, jobs, type Reflector, startReflector } from '../kube/index.ts';
import { freshEnough } from './cached.ts';
import { ClusterLink } from './clusterLink.ts';
import { elapsedMs, momentOf } from './elapsed.ts';
import { GarbageRounds } from './garbageRound.ts';
import { type JobMemory, newJobMemory } from './jobMemory.ts';
import { isFinished, keyOf, withoutManagedFields } from './jobState.ts';
import type { ActionReport, ClusterApi, JobKey, PassResult, ReconcileDeps } from './ports.ts';
import { KeyedQueue } from './queue.ts';
import { reasons } from './reasons.ts';
import { reconcileJob } from './reconcileJob.ts';
import { readRecord } from './record.ts';
import type { ReconcilerState, WaitingJob } from './state.ts';
import { statusJudgeFor } from './statusJudge.ts';
import { WorkerPool } from './workerPool.ts';

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
/** The first minor whose API server keeps `managedBy` and holds status to its rules. */
const oldestMinor = 31;

/** Starts at once; throws if no namespace is named. */
export function startReconciler(options: ReconcilerOptions): ReconcilerHandle {
  if (options.settings.namespaces.length === 0) throw new Error('The reconciler needs at least one namespace.');
  return new Reconciler(options);
}

/** The wiring: clusters, watches, leases and the queue around `reconcileJob`. Decides nothing about Jobs. */
class Reconciler implements ReconcilerHandle {
  readonly #options: ReconcilerOptions;
  readonly #stopping = new AbortController();
  readonly #changes: Emitter<void>;
  readonly #management: ClusterLink;
  readonly #pool: WorkerPool;
  readonly #queue: KeyedQueue;
  readonly #garbage: GarbageRounds;
  readonly #memories = new Map<string, JobMemory>();
  readonly #results = new Map<string, PassResult>();
  /** Worker by key of each Job that has a mirror, or is about to, and is not finished. */
  readonly #live = new Map<string, string>();
  /** Jobs of ours by namespace. */
  readonly #origins = new Map<string, Reflector<Job>>();
  readonly #timers = new Set<Disposable>();
  readonly #started: Promise<void>;
  #deps: ReconcileDeps | undefined;
  /** Why the management cluster can't be worked with at all. */
  #problem: string | undefined;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { clock, random, log, settings, management, workers, identity } = options;
    const { signal } = this.#stopping;
    this.#changes = new Emitter<void>((error) => log.error('A listener failed.', { error: describeError(error) }));
    const onChange = (namespace?: string): void => {
      this.#addAll(namespace);
      this.#changes.fire();
    };
    this.#management = new ClusterLink('management', management, {
      clock,
      random,
      onChange: () => {
        if (this.#management.health.kind !== 'trouble') this.#retryRefusedWatches();
        onChange();
      },
    });
    this.#pool = new WorkerPool({
      management: this.#management,
      workers,
      namespaces: settings.namespaces,
      clusterIds: settings.clusterIds ?? {},
      identity,
      clock,
      random,
      log,
      signal,
      onMirror: (key) => this.#queue.add(key),
      onChange,
    });
    this.#queue = new KeyedQueue({
      process: (key) => this.#process(key),
      laneOf: (key) => this.#memories.get(key)?.lastSeen?.record.workerUid ?? '',
      concurrency: placesPerLane,
      clock,
      log,
    });
    this.#garbage = new GarbageRounds({
      management: this.#management.api,
      namespaces: settings.namespaces,
      mode: settings.garbage ?? 'report',
      clock,
      log,
      signal,
      onAction: (action) => this.#acted(action),
    });
    this.#started = this.#start();
  }

  get onStateChange(): Event<void> {
    return this.#changes.event;
  }

  get state(): ReconcilerState {
    const counts = { progress: 0, waiting: 0, attention: 0 };
    const waiting: WaitingJob[] = [];
    for (const [key, { reason, message }] of this.#results) {
      const { kind, report } = reasons[reason];
      counts[kind]++;
      if (kind !== 'progress' && report !== 'never') waiting.push({ ...jobKeyOf(key), reason, message });
    }
    const byName = (a: WaitingJob, b: WaitingJob): number =>
      `${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1;
    return {
      management: {
        ...this.#pool.stateOf(this.#management),
        ...(this.#problem === undefined ? {} : { problem: this.#problem }),
      },
      workers: this.#pool.links.map((link) => this.#pool.stateOf(link)),
      leases: this.#pool.leases,
      counts,
      waiting: waiting.sort(byName),
      orphans: this.#garbage.orphans,
    };
  }

  retry(cluster?: string): void {
    if (cluster === undefined || cluster === this.#management.name) this.#management.retry();
    for (const reflector of this.#origins.values()) reflector.retry();
    this.#pool.retry(cluster);
    this.#addAll();
  }

  notifyWake(): void {
    for (const reflector of this.#origins.values()) reflector.notifyWake();
    this.#pool.notifyWake();
    this.retry();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The reconciler was stopped.', 'AbortError'));
    for (const timer of this.#timers) timer.dispose();
    await this.#queue.stop();
    await this.#started;
    await this.#pool.stop();
    for (const reflector of this.#origins.values()) reflector.dispose();
    this.#changes.dispose();
  }

  async #start(): Promise<void> {
    const { signal } = this.#stopping;
    const { settings } = this.#options;
    try {
      const originCluster = await this.#pool.identify(this.#management);
      const { minor } = await this.#pool.persist(this.#management, () => this.#management.api.serverVersion(signal));
      if (Number(/^1\.(\d+)/.exec(minor)?.[1] ?? oldestMinor) < oldestMinor) {
        this.#problem = `Kubernetes ${minor} is too old: managedBy needs 1.${oldestMinor}`;
        this.#changes.fire();
        return;
      }
      this.#deps = this.#makeDeps(originCluster, nearestMinor(minor) ?? newestMinor);
      for (const namespace of settings.namespaces) this.#watchOrigins(namespace);
      this.#every(resyncMs, () => this.#addAll());
      this.#every(garbageMs, () => void this.#collectGarbage(originCluster));
      this.#watchForSleep();
      await this.#pool.start(originCluster);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log.error('The reconciler could not start.', { error: describeError(error) });
      this.#problem = describeError(error);
      this.#changes.fire();
    }
  }

  #watchOrigins(namespace: string): void {
    const { settings, clock, random, log } = this.#options;
    const reflector = startReflector<Job, Job>({
      api: this.#management.api,
      type: jobs,
      scope: { namespace },
      keep: (job) => (job.spec.managedBy === settings.controllerName ? withoutManagedFields(job) : undefined),
      clock,
      random,
      log,
    });
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

  /** A watch waits for a person after a refused login; that somebody logged in shows by other requests, too. */
  #retryRefusedWatches(): void {
    for (const reflector of this.#origins.values()) if (reflector.state.kind === 'unauthorized') reflector.retry();
  }

  async #process(key: string): Promise<number | undefined> {
    if (this.#deps === undefined) return undefined;
    const { trouble } = this.#management;
    if (trouble !== undefined) return trouble.afterMs;
    if (this.#pool.isReplaced(this.#management)) return undefined;
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
      if (result.reason === 'MirrorDeleted') this.#noLongerLive(key);
    }
    this.#changes.fire();
    return result.afterMs;
  }

  #makeDeps(originCluster: string, minor: Parameters<typeof statusJudgeFor>[0]): ReconcileDeps {
    const { settings, clock, random, log } = this.#options;
    return {
      management: this.#management.api,
      originCluster,
      controllerName: settings.controllerName,
      retainFinishedMs: settings.retainFinishedMs ?? 600_000,
      maxLiveMirrors: settings.maxLiveMirrors ?? 50,
      clock,
      random,
      log,
      judge: statusJudgeFor(minor),
      isNamespaceEnabled: (namespace) => settings.namespaces.includes(namespace),
      leadership: (namespace, uid) => this.#pool.term(namespace, uid),
      candidates: (namespace) => this.#pool.candidates(namespace, (uid) => this.#liveMirrors(uid)),
      worker: (uid) => this.#pool.access(uid),
      cached: (key, since) => this.#cached(key, since),
      mirroredOn: ({ namespace, name }, uid) => this.#pool.mirroredOn(namespace, name, uid),
      cachedMirror: (uid, { namespace, name }, since) => this.#pool.cached(namespace, uid, name, since),
      isStillItself: async (uid, signal) => {
        const link = uid === undefined ? this.#management : this.#pool.linkOf(uid);
        return link !== undefined && (await this.#pool.isStillItself(link, signal));
      },
      onAction: (action) => this.#acted(action),
    };
  }

  #cached({ namespace, name }: JobKey, since: string | undefined): Job | undefined {
    // Whether the trouble is over is found out by asking.
    if (this.#management.health.kind === 'trouble') return undefined;
    const reflector = this.#origins.get(namespace);
    return reflector && freshEnough(reflector, namespace, name, since);
  }

  #acted(action: ActionReport): void {
    if (action.action === 'assign') {
      const { worker } = action.detail;
      const link = this.#pool.links.find(({ name }) => name === worker);
      if (link?.uid !== undefined) this.#live.set(`${action.namespace}/${action.job}`, link.uid);
    }
    this.#options.onAction?.(action);
  }

  #liveMirrors(uid: string): number {
    let count = 0;
    for (const one of this.#live.values()) if (one === uid) count++;
    return count;
  }

  #noteLive(job: Job, isGone: boolean): void {
    const reading = readRecord(job);
    const key = keyOf(job);
    if (!isGone && !isFinished(job)) {
      if (reading.kind === 'assigned') this.#live.set(key, reading.record.workerUid);
      return;
    }
    this.#noLongerLive(key);
  }

  #noLongerLive(key: string): void {
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

  async #collectGarbage(originCluster: string): Promise<void> {
    await this.#garbage.run(this.#pool.scopes, originCluster);
    this.#changes.fire();
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
