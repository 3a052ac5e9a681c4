import { type Clock, childController, type Disposable, describeError, type Log, type Random } from '../base/index.ts';
import { type Job, jobs, type KubeApi, type Reflector, startReflector } from '../kube/index.ts';
import { freshEnough } from './cached.ts';
import type { ClusterLink } from './clusterLink.ts';
import { withoutManagedFields } from './jobState.ts';
import { LeaseElector, type LeaseState, leaseNameFor } from './lease.ts';
import { managementRights, type PreflightProblem, preflight, workerRights } from './preflight.ts';
import type { Reason } from './reasons.ts';
import { mirrorKeys } from './record.ts';

export interface WorkerScopeOptions {
  readonly namespace: string;
  readonly worker: ClusterLink;
  readonly workerUid: string;
  readonly management: KubeApi;
  /** Asks both clusters whether they are still the ones they were. */
  readonly isStillItself: (signal: AbortSignal) => Promise<boolean>;
  readonly originCluster: string;
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** A mirror changed: its Job wants a look. */
  readonly onMirror: (originName: string) => void;
  /** Leadership or preflight changed. */
  readonly onChange: () => void;
}

const recheckMs = 300_000;
const recheckAfterProblemMs = 30_000;
/** So long a worker that doesn't answer is taken for a cut that passes. */
const unreachableMs = 300_000;
/** So long for a login: whoever leads is who writes onto the Jobs what is wrong, which they say after a minute. */
const loginPatienceMs = 120_000;
const loginReasons: ReadonlySet<Reason> = new Set(['LoginExpired', 'CredentialsUnusable', 'CertificateUntrusted']);

/**
 * One namespace on one worker: what the logins may do there, who leads, and a watch on the mirrors. Campaigns only where
 * this login could do the work, so that a user without access never blocks others (F1, F10).
 */
export class WorkerScope {
  readonly #options: WorkerScopeOptions;
  readonly #stopping = new AbortController();
  readonly #mirrors: Reflector<Job>;
  #elector: LeaseElector | undefined;
  /** Undefined until the first answer. */
  #problems: readonly PreflightProblem[] | undefined;
  /** One of the two clusters was last found to be another. */
  #isReplaced = false;
  #timer: Disposable | undefined;
  #check: Promise<void>;

  constructor(options: WorkerScopeOptions) {
    this.#options = options;
    const { clock, random, log, namespace } = options;
    this.#mirrors = startReflector<Job, Job>({
      api: options.worker.api,
      type: jobs,
      scope: { namespace, labelSelector: `${mirrorKeys.originCluster}=${options.originCluster}` },
      keep: withoutManagedFields,
      clock,
      random,
      log,
    });
    this.#mirrors.onChange((changes) => {
      for (const change of changes) {
        const mirror = change.kind === 'deleted' ? change.last : this.#mirrors.get(change.uid);
        const originName = mirror && originNameOf(mirror);
        if (originName !== undefined) options.onMirror(originName);
      }
    });
    this.#check = this.#recheck();
  }

  get namespace(): string {
    return this.#options.namespace;
  }
  get worker(): ClusterLink {
    return this.#options.worker;
  }
  get problems(): readonly PreflightProblem[] {
    return this.#problems ?? [];
  }
  get leaseState(): LeaseState {
    return this.#elector?.state ?? { kind: 'campaigning' };
  }
  get hasAnswer(): boolean {
    return this.#problems !== undefined;
  }
  /** Aborts when this process stops leading here; undefined while it doesn't lead. */
  get term(): AbortSignal | undefined {
    return this.#elector?.term;
  }

  /** Asks both clusters whether they are still the ones they were. Rejects with `KubeError`. */
  isStillItself(signal: AbortSignal): Promise<boolean> {
    return this.#options.isStillItself(signal);
  }

  /** The mirror from the watch, unless that is known to be behind `since`. */
  cached(name: string, since: string | undefined): Job | undefined {
    return freshEnough(this.#mirrors, this.#options.namespace, name, since);
  }

  /** Whether the watch shows a mirror of the Job with that name and UID. */
  showsMirrorOf(name: string, uid: string): boolean {
    return this.#mirrors.find(this.#options.namespace, name)?.metadata.labels?.[mirrorKeys.originUid] === uid;
  }

  /** Something may have changed: rights, logins, a sleep. */
  retry(): void {
    this.#timer?.dispose();
    this.#mirrors.retry();
    this.#check = this.#check.then(() => this.#recheck());
  }

  /** The worker came into trouble, or out of it. */
  followHealth(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#options.worker.health.kind === 'trouble') this.#recheckAfter(recheckAfterProblemMs);
    // A watch waits for a person after a refused login; that somebody logged in shows by other requests, too.
    else if (this.#mirrors.state.kind === 'unauthorized') this.#mirrors.retry();
  }

  notifyWake(): void {
    this.#mirrors.notifyWake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The reconciler was stopped.', 'AbortError'));
    this.#timer?.dispose();
    this.#mirrors.dispose();
    await this.#check;
    await this.#elector?.stop();
  }

  async #recheck(): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#timer?.dispose();
    const { namespace, worker, management, log } = this.#options;
    const { controller, release } = childController(signal);
    try {
      const remote = await preflight(worker.api, namespace, workerRights, controller.signal);
      const local = await preflight(management, namespace, managementRights, controller.signal);
      const isStillItself = await this.#options.isStillItself(controller.signal);
      if (signal.aborted) return;
      this.#isReplaced = !isStillItself;
      if (isStillItself) await this.#learn([...remote, ...local]);
      else await this.#yieldLease();
    } catch (error) {
      if (signal.aborted) return;
      log.debug('A worker could not be asked for its rights.', { worker: worker.name, error: describeError(error) });
      if (this.#isOfNoUse()) await this.#yieldLease();
    } finally {
      release();
    }
    if (signal.aborted) return;
    const isWell = this.#problems?.length === 0 && worker.health.kind !== 'trouble' && !this.#isReplaced;
    this.#recheckAfter(isWell ? recheckMs : recheckAfterProblemMs);
  }

  #recheckAfter(delayMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#options.clock.after(delayMs, () => {
      this.#check = this.#recheck();
    });
  }

  /** The worker can't be worked with from here, and not because of a passing cut. */
  #isOfNoUse(): boolean {
    const { worker, clock } = this.#options;
    const { health } = worker;
    if (health.kind !== 'trouble') return false;
    return clock.now() - health.since > (loginReasons.has(health.reason) ? loginPatienceMs : unreachableMs);
  }

  async #learn(problems: readonly PreflightProblem[]): Promise<void> {
    const isSame = JSON.stringify(problems) === JSON.stringify(this.#problems);
    this.#problems = problems;
    if (problems.some(({ reason }) => reason === 'Forbidden')) await this.#yieldLease();
    else this.#campaign();
    if (!isSame) this.#options.onChange();
  }

  #campaign(): void {
    if (this.#elector !== undefined) return;
    const { namespace, workerUid, management, identity, clock, random, log, onChange } = this.#options;
    this.#elector = new LeaseElector({
      api: management,
      namespace,
      name: leaseNameFor(workerUid),
      identity,
      clock,
      random,
      log,
      onChange,
    });
    this.#elector.start();
  }

  /** A login that can't do the work gives its lease back to one that can. */
  async #yieldLease(): Promise<void> {
    const elector = this.#elector;
    if (elector === undefined) return;
    this.#elector = undefined;
    await elector.stop();
    this.#options.onChange();
  }
}

/** Name of the management Job in the same namespace, for a hint and for nothing more: others may write it, too. */
function originNameOf(mirror: Job): string | undefined {
  const { namespace = '', annotations } = mirror.metadata;
  const [originNamespace, originName] = (annotations?.[mirrorKeys.originName] ?? '').split('/');
  return originNamespace === namespace ? originName : undefined;
}
