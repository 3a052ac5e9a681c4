import {
  type Clock,
  type Disposable,
  DisposableStore,
  describeError,
  Emitter,
  type Event,
  type Log,
  type Random,
} from '../base/index.ts';
import type { KubeClient } from '../kube/index.ts';
import { ClusterModel, type Row, type RowEntry } from './clusterModel.ts';
import type { ClusterStatus } from './clusterStatus.ts';
import type { ReasonHints } from './explain.ts';
import { LiveCluster } from './liveCluster.ts';
import type { Situation } from './situation.ts';

export interface OpenModelOptions {
  readonly management: KubeClient;
  readonly workers: readonly { readonly name: string; readonly api: KubeClient }[];
  /** Namespaces to watch on all clusters; all where empty. */
  readonly namespaces: readonly string[];
  /** Our value of `managedBy`. */
  readonly controllerName: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The reconciler's catalogue of reasons, for the remedies. */
  readonly hints?: ReasonHints;
  /** Whether a reconciler looks after a namespace; `unknown` by default. Call `refresh` when the answer changes. */
  readonly reconcilerOf?: (namespace: string) => Situation['reconciler'];
  /** Whether a LocalQueue of the management cluster leads to MultiKueue; not known by default. Call `refresh` as above. */
  readonly leadsToMultiKueue?: (namespace: string, queue: string) => boolean | undefined;
  /** Why the reconciler can't work with a cluster (empty: management); none by default. Call `refresh` as above. */
  readonly concernOf?: (name: string) => string | undefined;
}

export interface ModelChange {
  /** Ids of rows that came, went or changed. */
  readonly rows: ReadonlySet<string>;
  /** A cluster's status changed: every row may look different. */
  readonly isEverything: boolean;
}

/** A cluster as the model sees it. */
export interface WatchedCluster {
  /** Empty for the management cluster. */
  readonly name: string;
  readonly contextName: string;
  readonly status: ClusterStatus;
  /** Why this window's reconciler can't work with it, although it may be read; with the remedy. */
  readonly concern?: string | undefined;
}

/** What is known of all clusters, kept current until it is disposed. The clients stay the caller's. */
export interface LiveModel extends Disposable {
  readonly clusters: readonly WatchedCluster[];
  entries(): IterableIterator<RowEntry>;
  entry(id: string): RowEntry | undefined;
  row(id: string): Row | undefined;
  /** The row of the management cluster's Job of that name; undefined also where its namespace is not watched. */
  rowNamed(namespace: string, name: string): Row | undefined;
  /** Fires at most five times a second, however fast news arrives. */
  readonly onChange: Event<ModelChange>;
  /** True once every cluster has answered, or has been found not to. */
  readonly isSettled: boolean;
  /** A person asked for another try: of one cluster by its name (empty: management), or of all. */
  retry(name?: string): void;
  /** The machine slept; the model finds that out by itself within ten seconds, too. */
  notifyWake(): void;
  /** Something outside that rows rest on changed: judge all anew. */
  refresh(): void;
}

const coalesceMs = 200;
const longestAlarmMs = 3_600_000;
/** A timer that comes this much too late means that the machine slept. */
const sleepCheckMs = 10_000;
const sleepMarginMs = 20_000;

/** Starts to watch at once. */
export function openModel(options: OpenModelOptions): LiveModel {
  return new WatchedModel(options);
}

class WatchedModel implements LiveModel {
  readonly #clock: Clock;
  readonly #concernOf: (name: string) => string | undefined;
  readonly #owned = new DisposableStore();
  readonly #clusters: readonly LiveCluster[];
  readonly #model: ClusterModel;
  readonly #changed: Emitter<ModelChange>;
  /** Rows to be judged anew at a time, although nothing will happen to them. */
  readonly #due = new Map<string, number>();
  #alarm: { readonly at: number; readonly timer: Disposable } | undefined;
  #touched = new Set<string>();
  #isEverything = false;
  #flush: Disposable | undefined;
  #sleepCheck: Disposable | undefined;

  constructor(options: OpenModelOptions) {
    this.#clock = options.clock;
    this.#concernOf = options.concernOf ?? (() => undefined);
    this.#changed = new Emitter((error) =>
      options.log.error('A listener of the model failed.', { error: describeError(error) }),
    );
    const management = this.#watch('', options.management, options);
    const workers = options.workers.map(({ name, api }) => this.#watch(name, api, options));
    this.#clusters = [management, ...workers];
    this.#model = new ClusterModel({
      management,
      workers,
      controllerName: options.controllerName,
      hints: options.hints ?? (() => undefined),
      now: () => this.#clock.now(),
      reconcilerOf: options.reconcilerOf ?? (() => 'unknown'),
      leadsToMultiKueue: options.leadsToMultiKueue ?? (() => undefined),
      judgeAgainAt: (rowId, at) => this.#judgeAgainAt(rowId, at),
    });
    this.#watchSleep(this.#clock.now());
  }

  get clusters(): readonly WatchedCluster[] {
    return this.#clusters.map(({ name, api, status }) => {
      return { name, contextName: api.contextName, status, concern: this.#concernOf(name) };
    });
  }

  get isSettled(): boolean {
    return this.#clusters.every(({ isSettled }) => isSettled);
  }

  get onChange(): Event<ModelChange> {
    return this.#changed.event;
  }

  entries(): IterableIterator<RowEntry> {
    return this.#model.entries();
  }

  entry(id: string): RowEntry | undefined {
    return this.#model.entry(id);
  }

  row(id: string): Row | undefined {
    return this.#model.row(id);
  }

  rowNamed(namespace: string, name: string): Row | undefined {
    return this.#model.rowNamed(namespace, name);
  }

  retry(name?: string): void {
    for (const cluster of this.#clusters) {
      if (name === undefined || cluster.name === name) cluster.retry();
    }
  }

  notifyWake(): void {
    for (const cluster of this.#clusters) cluster.notifyWake();
  }

  refresh(): void {
    this.#isEverything = true;
    this.#schedule();
  }

  dispose(): void {
    this.#flush?.dispose();
    this.#alarm?.timer.dispose();
    this.#sleepCheck?.dispose();
    this.#owned.dispose();
    this.#changed.dispose();
  }

  #watch(name: string, api: KubeClient, { namespaces, clock, random, log }: OpenModelOptions): LiveCluster {
    // Reflectors say nothing before the event loop turns, so the model is there when the first news comes.
    const cluster: LiveCluster = new LiveCluster({
      name,
      api,
      namespaces,
      clock,
      random,
      log,
      onJobs: (changes) => this.#touch(this.#model.noteJobs(cluster, changes)),
      onPods: (changes) => this.#touch(this.#model.notePods(cluster, changes)),
      onWorkloads: (changes) => this.#touch(this.#model.noteWorkloads(cluster, changes)),
      onStatus: () => this.refresh(),
    });
    return this.#owned.add(cluster);
  }

  /** By the wall clock: the other one stands still while some machines sleep. */
  #watchSleep(before: number): void {
    this.#sleepCheck = this.#clock.after(sleepCheckMs, () => {
      const now = this.#clock.now();
      if (now - before > sleepCheckMs + sleepMarginMs) this.notifyWake();
      this.#watchSleep(now);
    });
  }

  #touch(rows: ReadonlySet<string>): void {
    for (const id of rows) this.#touched.add(id);
    if (rows.size > 0) this.#schedule();
  }

  #schedule(): void {
    this.#flush ??= this.#clock.after(coalesceMs, () => {
      this.#flush = undefined;
      const change = { rows: this.#touched, isEverything: this.#isEverything };
      this.#touched = new Set();
      this.#isEverything = false;
      this.#changed.fire(change);
    });
  }

  #judgeAgainAt(rowId: string, at: number): void {
    // A row may wait for several things; whatever comes first.
    this.#due.set(rowId, Math.min(at, this.#due.get(rowId) ?? Infinity));
    if (this.#alarm !== undefined && this.#alarm.at <= at) return;
    this.#alarm?.timer.dispose();
    this.#setAlarm(at);
  }

  #setAlarm(at: number): void {
    // Clocks may be years apart, and a timer that is too long for the platform fires at once.
    const delayMs = Math.min(Math.max(0, at - this.#clock.now()), longestAlarmMs);
    this.#alarm = { at, timer: this.#clock.after(delayMs, () => this.#ring()) };
  }

  #ring(): void {
    this.#alarm = undefined;
    const now = this.#clock.now();
    let next = Infinity;
    const due = new Set<string>();
    for (const [rowId, at] of this.#due) {
      if (at <= now) due.add(rowId);
      else next = Math.min(next, at);
    }
    for (const rowId of due) this.#due.delete(rowId);
    if (next !== Infinity) this.#setAlarm(next);
    this.#touch(due);
  }
}
