import {
  type Clock,
  type Disposable,
  describeError,
  isJsonObject,
  type JsonObject,
  type Log,
  type Random,
} from '../base/index.ts';
import { type KubeApi, KubeError, type KubeObject, leases } from '../kube/index.ts';
import { elapsedMs, type Moment, momentOf } from './elapsed.ts';

/**
 * Who mirrors for one namespace and one worker. Leadership saves double work and noise; nothing that must hold rests on
 * it (F2).
 *
 * ```
 *            ┌──────── taken over by another, or not renewed in time ────────┐
 *            ▼                                                               │
 *   Campaigning ──free, or its holder silent for a lease time──▶ Leading(term)
 *      │   ▲
 *      │   └── rights granted ── ReadOnly(why) ◀── refused (403) ── from either
 *      └── another holds it ──▶ Standby(holder) ──▶ Campaigning
 * ```
 * A namespace that is being deleted takes no new Lease. Whoever finds none there leads without one, and several may:
 * nothing new is begun there, and what is left of its Jobs waits for their finalizers.
 */
export type LeaseState =
  | { readonly kind: 'campaigning' }
  | { readonly kind: 'leading' }
  /** `silentMs`: how long its holder has not been heard of, by this process's clock. */
  | { readonly kind: 'standby'; readonly holder: string; readonly silentMs: number }
  /** No rights on Leases: never "lead anyway" (F6). */
  | { readonly kind: 'read-only'; readonly message: string }
  | { readonly kind: 'stopped' };

/**
 * Lengths of a term. `renewDeadlineMs + requestTimeoutMs + retryMs < durationMs`: a leader that can't renew has stopped,
 * and its last request has ended, before another may begin (F3).
 */
export const leaseTimes = {
  durationMs: 15_000,
  renewDeadlineMs: 10_000,
  requestTimeoutMs: 2_500,
  retryMs: 2_000,
} as const;

export interface LeaseOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  readonly name: string;
  /** Who asks: user, host, process and something random, so that no two are alike. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onChange: () => void;
}

/** The Lease of one worker in a namespace; cluster UIDs are UUIDs, so this is a name. */
export function leaseNameFor(workerUid: string): string {
  return `delegated-jobs-${workerUid}`
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '-')
    .slice(0, 253);
}

/** What stands in the Lease, as far as it matters here. */
interface LeaseRecord {
  readonly resourceVersion: string;
  readonly holder: string;
  readonly renewTime: string;
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquireTime: string;
}

export class LeaseElector {
  readonly #options: LeaseOptions;
  readonly #stopping = new AbortController();
  #state: LeaseState = { kind: 'campaigning' };
  /** The last record read or written, and when its content was first seen: expiry is judged by this clock alone (F4). */
  #observed: { readonly record: LeaseRecord; readonly at: Moment } | undefined;
  #term: { readonly controller: AbortController; renewedAt: Moment; deadline: Disposable } | undefined;
  #timer: Disposable | undefined;
  #isDoubtful = false;
  #attempt: Promise<void> = Promise.resolve();

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get state(): LeaseState {
    if (this.#state.kind !== 'standby' || this.#observed === undefined) return this.#state;
    return { ...this.#state, silentMs: elapsedMs(this.#options.clock, this.#observed.at) };
  }

  /**
   * Aborts when the term ends; undefined while this process doesn't lead. The deadline is judged here and now: after a
   * sleep or a blocked event loop no timer has fired yet (F5).
   */
  get term(): AbortSignal | undefined {
    if (this.#term === undefined) return undefined;
    if (elapsedMs(this.#options.clock, this.#term.renewedAt) >= leaseTimes.renewDeadlineMs) {
      this.#stepDown('the lease could not be renewed in time');
      return undefined;
    }
    return this.#term.controller.signal;
  }

  start(): void {
    this.#attempt = this.#try();
  }

  /** Gives the lease back, best effort and briefly (F7). */
  async stop(): Promise<void> {
    this.#timer?.dispose();
    const wasLeading = this.#term !== undefined;
    this.#stepDown('stopped');
    this.#stopping.abort(new DOMException('The elector was stopped.', 'AbortError'));
    this.#enter({ kind: 'stopped' });
    await this.#attempt;
    if (wasLeading) await this.#release();
  }

  async #try(): Promise<void> {
    const { clock, random, log } = this.#options;
    const limit = new AbortController();
    const timer = clock.after(leaseTimes.requestTimeoutMs, () => limit.abort(this.#tooLate()));
    try {
      await this.#campaign(AbortSignal.any([this.#stopping.signal, limit.signal]));
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#failed(error);
      log.debug('A lease could not be read or written.', { lease: this.#options.name, error: describeError(error) });
    } finally {
      timer.dispose();
    }
    if (this.#stopping.signal.aborted) return;
    const delayMs = leaseTimes.retryMs * (this.#term === undefined ? 1 + random() / 5 : 1);
    this.#timer = clock.after(delayMs, () => {
      this.#attempt = this.#try();
    });
  }

  async #campaign(signal: AbortSignal): Promise<void> {
    const { clock, identity } = this.#options;
    const startedAt = momentOf(clock);
    // A leader renews on what it wrote last, unless that was not what stands there: an answer was lost, or a rival wrote.
    const isCurrent = this.term !== undefined && !this.#isDoubtful;
    const known = isCurrent ? this.#observed?.record : await this.#read(signal);
    this.#isDoubtful = false;
    if (known === undefined) {
      await this.#create(startedAt, signal);
      return;
    }
    const isMine = known.holder === identity;
    if (isMine || known.holder === '' || this.#hasExpired(known)) {
      await this.#take(known, startedAt, signal);
      return;
    }
    this.#stepDown(`${known.holder} holds the lease`);
    this.#enter({ kind: 'standby', holder: known.holder, silentMs: 0 });
  }

  /** As the error that it is: a cluster that takes so long is as good as out of reach. */
  #tooLate(): KubeError {
    const { api, namespace, name } = this.#options;
    const request = `PUT /apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
    const message = `No answer within ${leaseTimes.requestTimeoutMs / 1000} s.`;
    return new KubeError(message, { kind: 'timeout', contextName: api.contextName, request });
  }

  #hasExpired(record: LeaseRecord): boolean {
    return this.#observed !== undefined && elapsedMs(this.#options.clock, this.#observed.at) > record.durationMs;
  }

  async #read(signal: AbortSignal): Promise<LeaseRecord | undefined> {
    const { api, namespace, name } = this.#options;
    try {
      const lease = await api.get<KubeObject>(leases, { namespace, name }, signal);
      return this.#observe(recordOf(lease));
    } catch (error) {
      if (!(error instanceof KubeError) || error.kind !== 'not-found') throw error;
      this.#observed = undefined;
      return undefined;
    }
  }

  #observe(record: LeaseRecord): LeaseRecord {
    if (this.#observed?.record.resourceVersion !== record.resourceVersion) {
      this.#observed = { record, at: momentOf(this.#options.clock) };
    }
    return record;
  }

  async #create(startedAt: Moment, signal: AbortSignal): Promise<void> {
    const { api, namespace, name } = this.#options;
    const body: JsonObject = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace },
      spec: this.#spec(undefined),
    };
    try {
      const options = { fieldManager: 'delegated-jobs' };
      const { object } = await api.create<KubeObject>(leases, namespace, body, options, signal);
      this.#observe(recordOf(object));
    } catch (error) {
      if (!(error instanceof KubeError) || error.kind !== 'namespace-missing') throw error;
    }
    this.#renewed(startedAt);
  }

  async #take(known: LeaseRecord, startedAt: Moment, signal: AbortSignal): Promise<void> {
    const { api, namespace, name } = this.#options;
    const body: JsonObject = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace, resourceVersion: known.resourceVersion },
      spec: this.#spec(known),
    };
    const options = { fieldManager: 'delegated-jobs' };
    const { object } = await api.replace<KubeObject>(leases, { namespace, name }, body, options, signal);
    this.#observe(recordOf(object));
    this.#renewed(startedAt);
  }

  #spec(known: LeaseRecord | undefined): JsonObject {
    const { clock, identity } = this.#options;
    const now = microTime(clock.now());
    const isMine = known?.holder === identity;
    return {
      holderIdentity: identity,
      leaseDurationSeconds: leaseTimes.durationMs / 1000,
      acquireTime: isMine ? known.acquireTime || now : now,
      renewTime: now,
      leaseTransitions: known === undefined ? 0 : known.transitions + (isMine ? 0 : 1),
    };
  }

  /** `startedAt` is when the request was sent: the server may have taken it any time since. */
  #renewed(startedAt: Moment): void {
    this.#term?.deadline.dispose();
    const { clock } = this.#options;
    const remainingMs = Math.max(0, leaseTimes.renewDeadlineMs - elapsedMs(clock, startedAt));
    const deadline = clock.after(remainingMs, () => void this.term);
    if (this.#term === undefined) this.#term = { controller: new AbortController(), renewedAt: startedAt, deadline };
    else Object.assign(this.#term, { renewedAt: startedAt, deadline });
    this.#enter({ kind: 'leading' });
  }

  #failed(error: unknown): void {
    // Whatever happened, what stands there now is read with the next attempt; until then the term's deadline holds.
    this.#isDoubtful = true;
    const isRefused = error instanceof KubeError && (error.kind === 'forbidden' || error.kind === 'admission-denied');
    if (!isRefused) return;
    this.#stepDown('the rights on Leases are missing');
    this.#enter({ kind: 'read-only', message: error.message });
  }

  #stepDown(why: string): void {
    const term = this.#term;
    if (term === undefined) return;
    this.#term = undefined;
    term.deadline.dispose();
    term.controller.abort(new DOMException(`This process no longer leads: ${why}.`, 'AbortError'));
    this.#enter({ kind: 'campaigning' });
  }

  #enter(state: LeaseState): void {
    const isSame = state.kind === this.#state.kind && holderOf(state) === holderOf(this.#state);
    this.#state = state;
    if (!isSame) this.#options.onChange();
  }

  async #release(): Promise<void> {
    const { api, namespace, name, clock, log } = this.#options;
    const record = this.#observed?.record;
    if (record === undefined) return;
    const limit = new AbortController();
    const timer = clock.after(1500, () => limit.abort(new DOMException('Too slow.', 'TimeoutError')));
    const body: JsonObject = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace, resourceVersion: record.resourceVersion },
      // A free lease has no holder; an empty one is refused.
      spec: { leaseDurationSeconds: 1, leaseTransitions: record.transitions },
    };
    try {
      await api.replace<KubeObject>(leases, { namespace, name }, body, {}, limit.signal);
    } catch (error) {
      log.debug('A lease could not be given back; it runs out by itself.', {
        lease: name,
        error: describeError(error),
      });
    } finally {
      timer.dispose();
    }
  }
}

function holderOf(state: LeaseState): string {
  return state.kind === 'standby' ? state.holder : '';
}

function recordOf(lease: KubeObject): LeaseRecord {
  const spec = isJsonObject(lease.spec) ? lease.spec : {};
  const text = (key: string): string => (typeof spec[key] === 'string' ? spec[key] : '');
  const number = (key: string): number => (typeof spec[key] === 'number' ? spec[key] : 0);
  return {
    resourceVersion: lease.metadata.resourceVersion,
    holder: text('holderIdentity'),
    renewTime: text('renewTime'),
    acquireTime: text('acquireTime'),
    durationMs: (number('leaseDurationSeconds') || leaseTimes.durationMs / 1000) * 1000,
    transitions: number('leaseTransitions'),
  };
}

/** RFC 3339 with six digits, as the Lease API has its times. */
function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z');
}
