import { type Clock, childController, type Random, sleep } from '../base/index.ts';
import type { KubeError } from '../kube/index.ts';
import { elapsedMs, type Moment, momentOf } from './elapsed.ts';
import { consequenceOf, pauseMs } from './failures.ts';
import { heardApi } from './heardApi.ts';
import type { ClusterApi } from './ports.ts';
import type { Reason } from './reasons.ts';

/** How a cluster is doing, as far as its requests tell; `message` says what is wrong and what to do about it. */
export type ClusterHealth =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'reachable' }
  | { readonly kind: 'trouble'; readonly reason: Reason; readonly message: string; readonly since: number };

/**
 * One cluster and its breaker: while the cluster as a whole is in trouble, its Jobs don't ask it and wait together, with
 * growing pauses (G5). Every request over `api` counts, watches and leases too: what goes quiet is told within 35 s (see
 * `Heartbeat`), what fails at once, and one success ends the trouble.
 */
export class ClusterLink {
  /** The user's name for it; `management` for the management cluster. */
  readonly name: string;
  /** The client; how its requests end is taken down here. */
  readonly api: ClusterApi;
  /** UID of its `kube-system`, once known. */
  uid: string | undefined;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #onChange: () => void;
  #health: ClusterHealth = { kind: 'unknown' };
  #failures = 0;
  #heardCount = 0;
  #pause: { readonly from: Moment; readonly ms: number } | undefined;
  /** Cuts short what waits for the next try. */
  readonly #nudges = new Set<() => void>();

  constructor(
    name: string,
    api: ClusterApi,
    deps: { readonly clock: Clock; readonly random: Random; readonly onChange: () => void },
  ) {
    this.name = name;
    const heardCount = (): number => this.#heardCount;
    this.api = heardApi(api, {
      get heardCount() {
        return heardCount();
      },
      heard: () => this.#heard(),
      failed: (error) => this.#failed(error),
    });
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#onChange = deps.onChange;
  }

  get health(): ClusterHealth {
    return this.#health;
  }

  /** What keeps requests back for now. Once the pause is over, the next request is the trial. */
  get trouble(): { readonly reason: Reason; readonly message: string; readonly afterMs: number } | undefined {
    if (this.#health.kind !== 'trouble' || this.#pause === undefined) return undefined;
    const afterMs = this.#pause.ms - elapsedMs(this.#clock, this.#pause.from);
    if (afterMs <= 0) return undefined;
    return { reason: this.#health.reason, message: this.#health.message, afterMs };
  }

  #heard(): void {
    this.#heardCount += 1;
    this.#failures = 0;
    this.#pause = undefined;
    if (this.#health.kind === 'reachable') return;
    this.#health = { kind: 'reachable' };
    this.#onChange();
  }

  #failed(error: KubeError): void {
    const consequence = consequenceOf(error);
    if (!consequence.isClusterTrouble) {
      this.#heard();
      return;
    }
    // Requests that failed together are one failure.
    if (this.trouble !== undefined) return;
    this.#pause = { from: momentOf(this.#clock), ms: pauseMs(consequence, this.#failures++, this.#random) };
    const { reason, message } = consequence;
    const wasSame = this.#health.kind === 'trouble' && this.#health.reason === reason;
    const since = this.#health.kind === 'trouble' ? this.#health.since : this.#clock.now();
    this.#health = { kind: 'trouble', reason, message, since };
    if (!wasSame) this.#onChange();
  }

  /** Tries again with the next request, whatever the pause says: somebody asked for it, or the machine woke up. */
  retry(): void {
    this.#failures = 0;
    this.#pause = undefined;
    for (const nudge of [...this.#nudges]) nudge();
  }

  /** Resolves after so long, or with the next `retry`; rejects with the signal's reason. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const { controller, release } = childController(signal);
    const nudge = (): void => controller.abort();
    this.#nudges.add(nudge);
    try {
      await sleep(this.#clock, ms, controller.signal);
    } catch {
      signal.throwIfAborted();
    } finally {
      this.#nudges.delete(nudge);
      release();
    }
  }
}
