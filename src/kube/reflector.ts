import {
  type Clock,
  childController,
  type Disposable,
  describeError,
  Emitter,
  type Event,
  type Log,
  type Random,
  sleep,
} from '../base/index.ts';
import { KubeError, type KubeErrorKind } from './errors.ts';
import { ObjectCache, type ObjectChange } from './objectCache.ts';
import { collectionPath } from './paths.ts';
import type { Job, KubeApi, KubeObject, ListScope, ResourceType, WatchEvent } from './types.ts';

/**
 * What a reflector is doing. `staleSince` is present while its cache may differ from the cluster: since when, epoch
 * milliseconds of this machine.
 */
export type ReflectorState =
  | { readonly kind: 'listing'; readonly staleSince: number; readonly error?: KubeError }
  | { readonly kind: 'watching' }
  /** The login may list but not watch: the list is read anew every half minute. */
  | { readonly kind: 'polling'; readonly error: KubeError }
  | { readonly kind: 'waiting'; readonly staleSince: number; readonly error: KubeError; readonly retryAt: number }
  /** The login was refused or could not be made. Nothing is sent until `retry`. */
  | { readonly kind: 'unauthorized'; readonly staleSince: number; readonly error: KubeError }
  | { readonly kind: 'stopped' };

export interface ReflectorOptions<T, K> {
  readonly api: KubeApi;
  readonly type: ResourceType;
  readonly scope: ListScope;
  /** What to keep in memory of an object; undefined if it is of no interest at all. */
  readonly keep: (object: T) => K | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** A live copy of a cluster's objects of one type. Starts at once; disposing it ends all requests and timers. */
export interface Reflector<K> extends Disposable {
  readonly state: ReflectorState;
  /** True once a whole list has been read: from then on a missing object is missing in the cluster, too. */
  readonly isComplete: boolean;
  readonly size: number;
  get(uid: string): K | undefined;
  find(namespace: string | undefined, name: string): K | undefined;
  resourceVersionOf(uid: string): string | undefined;
  values(): IterableIterator<K>;
  /** Never empty. Order within one object is the cluster's; nothing is said of how often it fires. */
  readonly onChange: Event<readonly ObjectChange<K>[]>;
  readonly onState: Event<ReflectorState>;
  /** Tries now what it waits for; the way out of `unauthorized`. */
  retry(): void;
  /** The machine slept: connections that look alive may be dead. Reopens at once, from where it was. */
  notifyWake(): void;
}

const pageSize = 500;
const pollMs = 30_000;
/** Rights may have been granted meanwhile. */
const retryWatchMs = 300_000;
/** A watch that lasted this long was healthy: the next failure starts from the shortest wait again. */
const healthyMs = 20_000;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** Waits for what time alone hardly cures. */
const slowDelayMs: Partial<Record<KubeErrorKind, number>> = { forbidden: 300_000, 'not-served': 300_000 };

/**
 * List and watch, for ever.
 *
 * ```
 *            ┌────────────────────── retry, wake, time ──────────────────────┐
 *            ▼                                                               │
 *   Listing ───whole list──▶ Watching ───ended in good order──▶ Watching     │
 *      │ ▲                     │  │                                          │
 *      │ └──────410────────────┘  └──any other error──▶ Waiting(retryAt) ────┤
 *      ├──any error──▶ Waiting(retryAt)                                      │
 *      └──401, no login──▶ Unauthorized ───retry alone───────────────────────┘
 * ```
 * Waiting goes back to Watching from the last known version where there is one, else to Listing. Where watching is
 * forbidden, Polling lists twice a minute. `dispose` leads to Stopped from everywhere.
 *
 * Invariants: one request at a time; the cache is never emptied by a failure; objects disappear from it only by an
 * event of the watch or by a complete list that lacks them.
 */
export function startReflector<T extends KubeObject | Job, K>(options: ReflectorOptions<T, K>): Reflector<K> {
  const loop = new ListWatchLoop(options);
  void loop.run();
  return loop;
}

/** Why a step was cut short on purpose. */
const nudge = Symbol('nudge');

class ListWatchLoop<T extends KubeObject | Job, K> implements Reflector<K> {
  readonly #options: ReflectorOptions<T, K>;
  readonly #cache: ObjectCache<T, K>;
  readonly #stop = new AbortController();
  readonly #changes: Emitter<readonly ObjectChange<K>[]>;
  readonly #states: Emitter<ReflectorState>;
  /** Cuts the step under way short; replaced for each step. */
  #step = new AbortController();
  #state: ReflectorState;
  #isComplete = false;
  /** Where the next watch starts; undefined if a list has to come first. */
  #resourceVersion: string | undefined;
  /** Failures in a row. */
  #failures = 0;
  /** The version at which the last watch failed in a way that a resumption may not cure. */
  #suspectVersion: string | undefined;
  /** Why only polling is left, and until when (monotonic) that is believed. */
  #watchForbidden: { readonly error: KubeError; readonly until: number } | undefined;

  constructor(options: ReflectorOptions<T, K>) {
    this.#options = options;
    this.#cache = new ObjectCache(options.keep);
    this.#state = { kind: 'listing', staleSince: options.clock.now() };
    const onError = (error: unknown): void =>
      options.log.error('A listener of a reflector failed.', { error: describeError(error) });
    this.#changes = new Emitter(onError);
    this.#states = new Emitter(onError);
  }

  get state(): ReflectorState {
    return this.#state;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get size(): number {
    return this.#cache.size;
  }

  get onChange(): Event<readonly ObjectChange<K>[]> {
    return this.#changes.event;
  }

  get onState(): Event<ReflectorState> {
    return this.#states.event;
  }

  get(uid: string): K | undefined {
    return this.#cache.get(uid);
  }

  find(namespace: string | undefined, name: string): K | undefined {
    return this.#cache.find(namespace, name);
  }

  resourceVersionOf(uid: string): string | undefined {
    return this.#cache.resourceVersionOf(uid);
  }

  values(): IterableIterator<K> {
    return this.#cache.values();
  }

  retry(): void {
    const { kind } = this.#state;
    if (kind === 'polling') this.#watchForbidden = undefined;
    if (kind === 'waiting' || kind === 'unauthorized' || kind === 'polling') this.#step.abort(nudge);
  }

  notifyWake(): void {
    // A refused login is no matter of sleep, and trying it unasked may open a login page.
    if (this.#state.kind !== 'unauthorized') this.#step.abort(nudge);
  }

  dispose(): void {
    this.#stop.abort(new DOMException('The reflector was disposed.', 'AbortError'));
    this.#enter({ kind: 'stopped' });
    this.#changes.dispose();
    this.#states.dispose();
  }

  async run(): Promise<void> {
    const stop = this.#stop.signal;
    while (!stop.aborted) {
      const { controller, release } = childController(stop);
      this.#step = controller;
      const { signal } = controller;
      try {
        if (this.#resourceVersion === undefined) await this.#list(signal);
        else if (this.#watchForbidden !== undefined) await this.#poll(this.#watchForbidden, signal);
        else await this.#watch(this.#resourceVersion, signal);
      } catch (error) {
        if (error === nudge) this.#failures = 0;
        else if (!stop.aborted) await this.#recover(this.#asKubeError(error), signal);
      } finally {
        release();
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { api, type, scope } = this.#options;
    this.#enter({ kind: 'listing', staleSince: this.#staleSince(), ...this.#lastError() });
    const seen = new Set<string>();
    let continueToken: string | undefined;
    let resourceVersion = '';
    do {
      const page = await api.list<T>(
        type,
        { ...scope, limit: pageSize, ...(continueToken === undefined ? {} : { continueToken }) },
        signal,
      );
      for (const { metadata } of page.items) seen.add(metadata.uid);
      // Shown page by page: thousands of objects shall not wait for the last one.
      this.#fire(page.items.flatMap((object) => this.#cache.put(object)));
      ({ resourceVersion, continueToken } = page);
    } while (continueToken !== undefined);
    this.#fire(this.#cache.retain(seen));
    this.#isComplete = true;
    this.#resourceVersion = resourceVersion;
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { api, type, scope, random, clock } = this.#options;
    let openedAt: number | undefined;
    const timeoutSeconds = 300 + Math.floor(random() * 300);
    const onOpen = (): void => {
      openedAt = clock.monotonicMs();
      this.#enter({ kind: 'watching' });
    };
    try {
      await api.watch<T>(
        type,
        { ...scope, resourceVersion, timeoutSeconds, onOpen },
        (event) => this.#take(event),
        signal,
      );
    } finally {
      const lifeMs = openedAt === undefined ? 0 : clock.monotonicMs() - openedAt;
      if (lifeMs >= healthyMs) this.#failures = 0;
      else this.#failures += 1;
    }
    // A server or proxy that accepts each watch and closes it at once must not be asked in a tight loop.
    if (this.#failures > 0) throw this.#error('unreachable', 'The watch was closed right after it was opened.');
  }

  #take(event: WatchEvent<T>): void {
    if (event.kind === 'bookmark') {
      this.#resourceVersion = event.resourceVersion;
      return;
    }
    const { uid, resourceVersion } = event.object.metadata;
    this.#fire(event.kind === 'deleted' ? this.#cache.remove(uid) : this.#cache.put(event.object));
    this.#resourceVersion = resourceVersion;
  }

  async #poll(forbidden: { readonly error: KubeError; readonly until: number }, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    this.#failures = 0;
    this.#enter({ kind: 'polling', error: forbidden.error });
    await sleep(clock, pollMs * (0.9 + 0.2 * random()), signal);
    if (clock.monotonicMs() >= forbidden.until) this.#watchForbidden = undefined;
    this.#resourceVersion = undefined;
  }

  /** Decides what comes after a failed step, and waits as long as it takes. */
  async #recover(error: KubeError, signal: AbortSignal): Promise<void> {
    const wasWatching = this.#resourceVersion !== undefined;
    // A watch has counted its failure already.
    if (!wasWatching) this.#failures += 1;
    this.#options.log.debug('A list or watch failed.', {
      kind: error.kind,
      request: error.request,
      failures: this.#failures,
    });
    if (error.kind === 'gone') this.#resourceVersion = undefined;
    if (error.kind === 'gone' && this.#failures <= 1) return;
    if (wasWatching && error.kind === 'forbidden' && this.#isComplete) {
      this.#watchForbidden = { error, until: this.#options.clock.monotonicMs() + retryWatchMs };
      return;
    }
    if (wasWatching) this.#suspect(error);
    try {
      await this.#pause(error, signal);
    } catch (reason) {
      // Cut short on purpose, by a nudge or by `dispose`: nothing else can end a pause.
      if (reason === nudge) this.#failures = 0;
    }
  }

  async #pause(error: KubeError, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const staleSince = this.#staleSince();
    if (error.kind === 'unauthorized' || error.kind === 'credentials') {
      this.#enter({ kind: 'unauthorized', staleSince, error });
      await aborted(signal);
      return;
    }
    const delayMs = Math.max(this.#backoffMs(), error.retryAfterMs ?? 0, slowDelayMs[error.kind] ?? 0);
    this.#enter({ kind: 'waiting', staleSince, error, retryAt: clock.now() + delayMs });
    await sleep(clock, delayMs, signal);
  }

  /** The second failure of that sort at one version: what the server has to say about it can't be taken in; list. */
  #suspect(error: KubeError): void {
    const isOdd = error.kind === 'bad-answer' || error.kind === 'server-error' || error.kind === 'bad-request';
    if (!isOdd) return;
    if (this.#suspectVersion === this.#resourceVersion) {
      this.#resourceVersion = undefined;
      this.#suspectVersion = undefined;
    } else {
      this.#suspectVersion = this.#resourceVersion;
    }
  }

  #backoffMs(): number {
    const exponent = Math.min(Math.max(this.#failures - 1, 0), 10);
    const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** exponent);
    // Never below the first delay, so that no draw of the dice makes a storm.
    return Math.max(firstDelayMs, ceiling * (0.5 + 0.5 * this.#options.random()));
  }

  #staleSince(): number {
    return 'staleSince' in this.#state ? this.#state.staleSince : this.#options.clock.now();
  }

  #lastError(): { readonly error?: KubeError } {
    return 'error' in this.#state && this.#state.error !== undefined ? { error: this.#state.error } : {};
  }

  #fire(changes: readonly ObjectChange<K>[]): void {
    if (changes.length > 0) this.#changes.fire(changes);
  }

  #enter(state: ReflectorState): void {
    if (this.#state.kind === 'stopped') return;
    const isSame = state.kind === 'watching' && this.#state.kind === 'watching';
    this.#state = state;
    if (!isSame) this.#states.fire(state);
  }

  /** Anything else than a KubeError is a defect of ours; it is shown and retried all the same. */
  #asKubeError(error: unknown): KubeError {
    if (error instanceof KubeError) return error;
    const { log } = this.#options;
    const message = describeError(error);
    log.error('A list or watch failed unexpectedly.', { error: message });
    return this.#error('bad-answer', message, error);
  }

  #error(kind: KubeErrorKind, message: string, cause?: unknown): KubeError {
    const { api, type, scope } = this.#options;
    const request = `GET ${collectionPath(type, scope.namespace)}?watch=true`;
    return new KubeError(message, { kind, contextName: api.contextName, request, cause });
  }
}

/** Waits until `signal` aborts, then rejects with its reason. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
