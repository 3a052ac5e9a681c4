import { type Clock, describeError, type Log, type Random } from '../base/index.ts';
import { clusterIdentity, explainKubeError, type Job } from '../kube/index.ts';
import { ClusterLink } from './clusterLink.ts';
import { consequenceOf } from './failures.ts';
import type { ClusterApi, WorkerAccess } from './ports.ts';
import type { Candidate } from './situation.ts';
import type { ClusterState, NamespaceLease } from './state.ts';
import { WorkerScope } from './workerScope.ts';

export interface WorkerPoolOptions {
  readonly management: ClusterLink;
  /** By the user's names, in the order in which a Job that names none tries them. */
  readonly workers: ReadonlyMap<string, ClusterApi>;
  readonly namespaces: readonly string[];
  readonly clusterIds: Readonly<Record<string, string>>;
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** A mirror changed: the Job of this key wants a look. */
  readonly onMirror: (key: string) => void;
  /** A cluster, a leadership or a right changed; `namespace` absent for all. */
  readonly onChange: (namespace: string | undefined) => void;
}

/** Why a cluster that answers can't be worked with. */
type ClusterProblem = Exclude<Candidate['blocked'], undefined>;

/** How long until a cluster that answers, but does not say who it is, is asked again without being asked to. */
const askAgainMs = 30_000;

/** The worker clusters: who they are, how they are, and this process's standing in each namespace on each of them. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #links: readonly ClusterLink[];
  readonly #problems = new Map<ClusterLink, ClusterProblem>();
  readonly #scopes = new Map<string, WorkerScope>();

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { clock, random, onChange } = options;
    this.#links = [...options.workers].map(([name, api]) => {
      const link: ClusterLink = new ClusterLink(name, api, {
        clock,
        random,
        onChange: () => {
          for (const scope of this.#scopes.values()) if (scope.worker === link) scope.followHealth();
          onChange(undefined);
        },
      });
      return link;
    });
  }

  get links(): readonly ClusterLink[] {
    return this.#links;
  }

  get scopes(): ReadonlyMap<string, WorkerScope> {
    return this.#scopes;
  }

  get leases(): readonly NamespaceLease[] {
    return [...this.#scopes.values()].map((scope) => ({
      namespace: scope.namespace,
      worker: scope.worker.name,
      lease: scope.leaseState,
      problems: scope.problems.map(({ message }) => message),
    }));
  }

  /** Finds out who each worker is, for as long as that takes, and starts to work with it. */
  async start(originCluster: string): Promise<void> {
    await Promise.all(this.#links.map((link) => this.#startOne(link, originCluster)));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#scopes.values()].map((scope) => scope.stop()));
  }

  retry(cluster: string | undefined): void {
    for (const link of this.#links) if (cluster === undefined || link.name === cluster) link.retry();
    for (const scope of this.#scopes.values()) {
      if (cluster === undefined || cluster === 'management' || scope.worker.name === cluster) scope.retry();
    }
  }

  notifyWake(): void {
    for (const scope of this.#scopes.values()) scope.notifyWake();
  }

  linkOf(uid: string): ClusterLink | undefined {
    return this.#links.find((link) => link.uid === uid && !this.#problems.has(link));
  }

  scope(namespace: string, uid: string): WorkerScope | undefined {
    return this.#scopes.get(`${namespace}/${uid}`);
  }

  /** A mirror from the watch, unless that is known to be behind `since`, or the worker out of touch. */
  cached(namespace: string, uid: string, name: string, since: string | undefined): Job | undefined {
    const scope = this.scope(namespace, uid);
    // Whether the trouble is over is found out by asking.
    return scope?.worker.health.kind === 'trouble' ? undefined : scope?.cached(name, since);
  }

  /** The name of a worker on which a watch shows a mirror of that Job. */
  mirroredOn(namespace: string, name: string, uid: string): string | undefined {
    for (const scope of this.#scopes.values()) {
      if (scope.namespace === namespace && scope.showsMirrorOf(name, uid)) return scope.worker.name;
    }
    return undefined;
  }

  /** Aborts when this process stops leading there; undefined while it doesn't lead. */
  term(namespace: string, uid: string): AbortSignal | undefined {
    return this.scope(namespace, uid)?.term;
  }

  access(uid: string): WorkerAccess | undefined {
    const link = this.linkOf(uid) ?? this.#links.find((other) => other.uid === uid && this.isReplaced(other));
    if (link === undefined) return undefined;
    const replaced = this.isReplaced(link) ? this.#problems.get(link) : undefined;
    const { clockOffsetMs: theirs } = link.api;
    const { clockOffsetMs: ours } = this.#options.management.api;
    const aheadMs = theirs === undefined || ours === undefined ? undefined : theirs - ours;
    const trouble = replaced === undefined ? link.trouble : { ...replaced, afterMs: askAgainMs };
    return { name: link.name, api: link.api, trouble, aheadMs };
  }

  candidates(namespace: string, liveMirrorsOf: (uid: string) => number): readonly Candidate[] {
    return this.#links.map((link) => {
      const { name, uid } = link;
      const liveMirrors = uid === undefined ? 0 : liveMirrorsOf(uid);
      return { name, uid, liveMirrors, blocked: this.#blocked(namespace, link) };
    });
  }

  stateOf(link: ClusterLink): ClusterState {
    const problem = this.#problems.get(link);
    return {
      name: link.name,
      contextName: link.api.contextName,
      health: link.health,
      ...(link.uid === undefined ? {} : { uid: link.uid }),
      ...(problem === undefined ? {} : { problem: problem.message }),
    };
  }

  /** Learns a cluster's identity; tries until it has it, or the signal aborts. */
  async identify(link: ClusterLink): Promise<string> {
    link.uid = this.#options.clusterIds[link.name] ?? (await this.persist(link, () => this.#readIdentity(link)));
    return link.uid;
  }

  /** True if another cluster was last found where this one had been. */
  isReplaced(link: ClusterLink): boolean {
    return this.#problems.get(link)?.reason === 'ClusterReplaced';
  }

  /**
   * Asks a cluster whether it is still the one it was; an identity that was given by hand is believed. Rejects with
   * `KubeError` where it can't be asked.
   */
  async isStillItself(link: ClusterLink, signal: AbortSignal): Promise<boolean> {
    if (link.uid === undefined || this.#options.clusterIds[link.name] !== undefined) return true;
    const uid = await clusterIdentity(link.api, signal);
    if (uid === link.uid) {
      if (this.isReplaced(link)) this.#setProblem(link, undefined);
      return true;
    }
    const message = `this is another cluster now: it was ${link.uid}, and ${uid} answers`;
    this.#setProblem(link, { reason: 'ClusterReplaced', message });
    return false;
  }

  /** Tries until it works or the signal aborts. */
  async persist<T>(link: ClusterLink, attempt: () => Promise<T>): Promise<T> {
    const { log, signal } = this.#options;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        signal.throwIfAborted();
        log.info('A cluster could not be asked who it is.', { cluster: link.name, error: describeError(error) });
        await link.pause(link.trouble?.afterMs ?? askAgainMs, signal);
      }
    }
  }

  async #readIdentity(link: ClusterLink): Promise<string> {
    const { signal } = this.#options;
    try {
      const uid = await clusterIdentity(link.api, signal);
      this.#setProblem(link, undefined);
      return uid;
    } catch (error) {
      signal.throwIfAborted();
      const isRefusal = !consequenceOf(error).isClusterTrouble;
      if (isRefusal) this.#setProblem(link, { reason: 'ClusterUnidentified', message: whyUnidentified(link, error) });
      throw error;
    }
  }

  #setProblem(link: ClusterLink, problem: ClusterProblem | undefined): void {
    if (this.#problems.get(link)?.message === problem?.message) return;
    if (problem === undefined) this.#problems.delete(link);
    else this.#problems.set(link, problem);
    this.#options.onChange(undefined);
  }

  async #startOne(worker: ClusterLink, originCluster: string): Promise<void> {
    const uid = await this.identify(worker);
    // Whichever told first who it is.
    const twin = this.#options.namespaces.map((namespace) => this.scope(namespace, uid)?.worker)[0];
    if (uid === originCluster || twin !== undefined) {
      const whose = twin === undefined ? 'the management cluster itself' : `the same cluster as ${twin.name}`;
      this.#setProblem(worker, { reason: 'SameCluster', message: `this is ${whose}` });
      return;
    }
    const { namespaces, identity, clock, random, log, onMirror, onChange } = this.#options;
    for (const namespace of namespaces) {
      const scope = new WorkerScope({
        namespace,
        worker,
        workerUid: uid,
        management: this.#options.management.api,
        isStillItself: async (signal) =>
          (await this.isStillItself(worker, signal)) && (await this.isStillItself(this.#options.management, signal)),
        originCluster,
        identity,
        clock,
        random,
        log,
        onMirror: (name) => onMirror(`${namespace}/${name}`),
        onChange: () => onChange(namespace),
      });
      this.#scopes.set(`${namespace}/${uid}`, scope);
    }
    onChange(undefined);
  }

  #blocked(namespace: string, link: ClusterLink): Candidate['blocked'] {
    const problem = this.#problems.get(link);
    if (problem !== undefined) return problem;
    const { health, uid = '' } = link;
    if (health.kind === 'trouble') return { reason: health.reason, message: health.message };
    const scope = this.#scopes.get(`${namespace}/${uid}`);
    if (scope === undefined || !scope.hasAnswer) return { reason: 'Connecting', message: 'not reached yet' };
    const [first] = scope.problems;
    if (first !== undefined) return first;
    const { leaseState } = scope;
    if (leaseState.kind === 'read-only') return { reason: 'Forbidden', message: leaseState.message };
    return scope.term === undefined ? { reason: 'NotLeading', message: '' } : undefined;
  }
}

/** What the cluster refused, in its own words, and the two ways out. */
function whyUnidentified({ name, api }: ClusterLink, error: unknown): string {
  const byOption = `--cluster-id ${name}=UID of "delegated-jobs reconcile"`;
  const bySetting = `"${api.contextName}" in the setting delegatedJobs.clusterIds`;
  const remedy = `The UID of the namespace kube-system tells clusters apart: grant this login "get" on it, or give the UID by hand as ${byOption} or ${bySetting}.`;
  return `${explainKubeError(error).what}. ${remedy}`;
}
