import type { JsonObject } from '../../src/base/index.ts';
import { nullLog } from '../../src/base/index.ts';
import type { Job, JobCondition, JobStatus } from '../../src/kube/index.ts';
import { type JobMemory, newJobMemory } from '../../src/reconciler/jobMemory.ts';
import { isTrue } from '../../src/reconciler/jobState.ts';
import type { PassResult, ReconcileDeps } from '../../src/reconciler/ports.ts';
import { reconcileJob } from '../../src/reconciler/reconcileJob.ts';
import { mirrorKeys } from '../../src/reconciler/record.ts';
import { statusJudgeFor } from '../../src/reconciler/statusJudge.ts';
import { manifest, ourController } from './builders.ts';
import { type Commit, FakeCluster, type Fate, type StoredObject } from './fakeCluster.ts';

/**
 * Two clusters, two reconcilers that both believe to lead, a worker's Job controller, a user, and an adversary who
 * chooses by seed what happens next. Every request is a step: it can be delayed, lost before or after it is carried out,
 * and its sender can be killed. The invariants are checked after each step.
 */

export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Pending {
  readonly agent: Agent;
  readonly request: string;
  readonly settle: (fate: Fate) => void;
}

interface Agent {
  readonly name: string;
  readonly memory: JobMemory;
  readonly controller: AbortController;
  isRunning: boolean;
  result: PassResult | undefined;
}

const namespace = 'default';
const name = 'a';
export const key = { namespace, name };

export interface WorldOptions {
  readonly seed: number;
  /** Also reads of the management Job that come from a cache that is behind. */
  readonly hasStaleReads: boolean;
  readonly spec?: JsonObject;
}

export class World {
  readonly management: FakeCluster;
  readonly workers: readonly FakeCluster[];
  readonly #random: () => number;
  readonly #options: WorldOptions;
  readonly #pending: Pending[] = [];
  readonly #judge = statusJudgeFor('1.35');
  readonly #unsuspended = new Map<string, Set<string>>();
  /** UIDs of mirrors whose end some reconciler has read. */
  readonly #resultsSeen = new Set<string>();
  readonly trace: string[] = [];
  #agents: Agent[] = [];
  #nowMs = Date.parse('2026-01-01T10:00:00Z');
  #agentCount = 0;
  #isWorkerDown = false;
  /** Caches have caught up. */
  #isPeace = false;
  readonly #checked = new Map<FakeCluster, number>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.management = new FakeCluster('management', () => this.#nowMs);
    // The workers' clocks are somewhat off, either way.
    this.workers = ['worker-1', 'worker-2'].map((worker) => {
      const skewMs = Math.floor((this.#random() - 0.5) * 1_200_000);
      const cluster = new FakeCluster(worker, () => this.#nowMs + skewMs);
      cluster.onGet = (object) => {
        if (isOver(object)) this.#resultsSeen.add(object.metadata.uid);
      };
      return cluster;
    });
    this.createJob();
    this.#agents = [this.#newAgent(), this.#newAgent()];
  }

  createJob(): void {
    const isSuspended = this.#random() < 0.3;
    const isIndexed = this.#random() < 0.3;
    const mode = isIndexed
      ? { completionMode: 'Indexed', completions: 3, parallelism: 3 }
      : { parallelism: 2, completions: 2 };
    this.management.add('user', manifest(name, { ...mode, suspend: isSuspended, ...this.#options.spec }));
  }

  get origin(): StoredObject | undefined {
    return this.management.job(namespace, name);
  }
  /** Jobs of that name on the workers, mirrors or not. */
  get mirrors(): readonly StoredObject[] {
    return this.workers.flatMap((worker) => worker.job(namespace, name) ?? []);
  }

  /** One step of the adversary's choice. */
  async step(): Promise<void> {
    const roll = this.#random();
    if (this.#pending.length > 0 && roll < 0.55) this.#settleOne();
    else if (roll < 0.75) this.#startPass();
    else if (roll < 0.87) this.#workerStep();
    else if (roll < 0.93) this.#userStep();
    else if (roll < 0.96) this.#crash();
    else if (roll < 0.98) this.#pass(this.#random() < 0.3 ? 700_000 : 1500);
    else this.#isWorkerDown = !this.#isWorkerDown;
    await settled();
    this.check();
  }

  /** Faults are over: everybody works until nothing changes any more. Answers how many rounds that took. */
  async settle(): Promise<void> {
    this.#isWorkerDown = false;
    this.#isPeace = true;
    for (let round = 0; round < 60; round++) {
      const before = this.#writes();
      for (const agent of this.#agents) await this.#completePass(agent);
      for (let i = 0; i < 4; i++) this.#workerAdvance(true);
      this.check();
      this.#pass(61_000);
      if (this.#writes() === before && round > 14) return;
    }
    throw new Error('Writes never ended.');
  }

  results(): (PassResult | undefined)[] {
    return this.#agents.map(({ result }) => result);
  }

  #writes(): number {
    return [this.management, ...this.workers].reduce((sum, { commits }) => sum + commits.length, 0);
  }

  async #completePass(agent: Agent): Promise<void> {
    for (let round = 0; round < 400; round++) {
      if (!agent.isRunning) {
        if (round > 0) return;
        this.#start(agent);
      }
      await settled();
      const index = this.#pending.findIndex((pending) => pending.agent === agent);
      const [pending] = index < 0 ? [] : this.#pending.splice(index, 1);
      pending?.settle('carried-out');
      await settled();
    }
    throw new Error('A pass never ended.');
  }

  #newAgent(): Agent {
    const agent: Agent = {
      name: `reconciler-${++this.#agentCount}`,
      memory: newJobMemory(),
      controller: new AbortController(),
      isRunning: false,
      result: undefined,
    };
    return agent;
  }

  #deps(agent: Agent): ReconcileDeps {
    const gate = (request: string, signal: AbortSignal): Promise<Fate> =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        this.#pending.push({ agent, request, settle: resolve });
      });
    const clients = new Map(this.workers.map((worker) => [worker.uid, worker.client(agent.name, gate)]));
    return {
      management: this.management.client(agent.name, gate),
      originCluster: this.management.uid,
      controllerName: ourController,
      retainFinishedMs: 600_000,
      maxLiveMirrors: 50,
      clock: {
        now: () => this.#nowMs,
        monotonicMs: () => this.#nowMs,
        after: () => ({ dispose() {} }),
      },
      random: this.#random,
      log: nullLog,
      judge: this.#judge,
      isNamespaceEnabled: () => true,
      leadership: () => agent.controller.signal,
      candidates: () =>
        this.workers.map((worker) => ({ name: worker.name, uid: worker.uid, blocked: undefined, liveMirrors: 0 })),
      worker: (uid) => {
        const api = clients.get(uid);
        return api && { name: api.contextName, api, trouble: undefined, aheadMs: undefined };
      },
      cached: (_key, since) => this.#staleRead(this.management, since),
      cachedMirror: (uid, _key, since) => {
        const worker = this.workers.find((one) => one.uid === uid);
        return worker && this.#staleRead(worker, since);
      },
      onAction: () => {},
    };
  }

  /** Any version of the Job that a watch cache could hold, given what this reconciler has already seen of it. */
  #staleRead(cluster: FakeCluster, since: string | undefined): Job | undefined {
    if (this.#isPeace || !this.#options.hasStaleReads || this.#random() < 0.5) return undefined;
    const floor = Number(since ?? 0);
    const versions = cluster.commits
      .map(({ after }) => after)
      .filter((object) => object?.kind === 'Job' && Number(object.metadata.resourceVersion) >= floor);
    const chosen = versions[Math.floor(this.#random() * versions.length)];
    return chosen === undefined ? undefined : (structuredClone(chosen) as unknown as Job);
  }

  #startPass(): void {
    const idle = this.#agents.filter(({ isRunning }) => !isRunning);
    const agent = idle[Math.floor(this.#random() * idle.length)];
    if (agent !== undefined) this.#start(agent);
  }

  #start(agent: Agent): void {
    agent.isRunning = true;
    this.#note(`${agent.name} starts a pass`);
    const end = (result: PassResult | undefined): void => {
      agent.isRunning = false;
      agent.result = result;
      if (result !== undefined) this.#note(`${agent.name} ends: ${result.reason} ${result.message}`);
    };
    reconcileJob(key, agent.memory, this.#deps(agent), agent.controller.signal).then(end, (error: unknown) => {
      if (!agent.controller.signal.aborted) throw error;
      end(undefined);
    });
  }

  #settleOne(): void {
    const [pending] = this.#pending.splice(Math.floor(this.#random() * this.#pending.length), 1);
    if (pending === undefined) return;
    const roll = this.#random();
    const isCut = this.#isWorkerDown && pending.request.startsWith('worker');
    let fate: Fate = 'carried-out';
    if (isCut) fate = this.#random() < 0.2 ? 'lost-after' : 'lost-before';
    else if (roll < 0.05) fate = 'lost-after';
    else if (roll < 0.1) fate = 'lost-before';
    else if (roll < 0.12) fate = 'server-error';
    else if (roll < 0.25 && /worker-\d: POST jobs/.test(pending.request)) fate = 'quota-exceeded';
    this.#note(`${pending.agent.name} ${pending.request}: ${fate}`);
    pending.settle(fate);
  }

  /** The process is killed; what it had sent may still be carried out. */
  #crash(): void {
    const index = Math.floor(this.#random() * this.#agents.length);
    const agent = this.#agents[index];
    if (agent === undefined) return;
    this.#note(`${agent.name} is killed`);
    for (const pending of this.#pending.filter((one) => one.agent === agent)) {
      this.#pending.splice(this.#pending.indexOf(pending), 1);
      if (this.#random() < 0.5) {
        this.#note(`  its ${pending.request} is carried out all the same`);
        pending.settle('lost-after');
      }
    }
    // Killed as the process is: what it does after the last answer reaches nobody.
    agent.controller.abort(new DOMException('killed', 'AbortError'));
    this.#agents[index] = this.#newAgent();
  }

  #pass(ms: number): void {
    this.#nowMs += ms;
  }

  #userStep(): void {
    const { origin } = this;
    const roll = this.#random();
    if (origin === undefined) {
      if (roll < 0.5) {
        this.#note('user creates the Job anew');
        this.createJob();
      }
      return;
    }
    if (roll < 0.35) {
      const suspend = origin.spec?.['suspend'] !== true;
      this.#note(`user sets suspend: ${suspend}`);
      this.management.edit('user', namespace, name, { spec: { suspend } });
    } else if (roll < 0.55 && origin.spec?.['completionMode'] !== 'Indexed') {
      const parallelism = 1 + Math.floor(this.#random() * 4);
      this.#note(`user sets parallelism: ${parallelism}`);
      this.management.edit('user', namespace, name, { spec: { parallelism } });
    } else if (roll < 0.65 && origin.spec?.['completionMode'] === 'Indexed') {
      const size = 1 + Math.floor(this.#random() * 4);
      this.#note(`user sets completions and parallelism: ${size}`);
      this.management.edit('user', namespace, name, { spec: { parallelism: size, completions: size } });
    } else if (roll < 0.75 || (isOver(origin) && roll < 0.9)) {
      this.#note('user deletes the Job');
      this.management.remove('user', 'jobs', namespace, name);
    } else if (roll < 0.85) {
      const worker = this.#someWorker();
      if (worker.job(namespace, name) !== undefined) {
        this.#note(`user deletes the Job on ${worker.name}`);
        worker.remove('user', 'jobs', namespace, name);
      } else {
        this.#note(`user creates a Job of that name on ${worker.name}`);
        worker.add('user', manifest(name, { managedBy: undefined }));
      }
    }
  }

  #someWorker(): FakeCluster {
    const [first, second] = this.workers;
    const chosen = this.#random() < 0.5 ? first : second;
    if (chosen === undefined) throw new Error('There are two workers.');
    return chosen;
  }

  #workerStep(): void {
    this.#workerAdvance(this.#random() < 0.2);
  }

  /** The workers' built-in controllers, coarsely: the steps and orders are real, the pods are not. */
  #workerAdvance(isTowardsEnd: boolean): void {
    for (const worker of this.workers) {
      const mirror = worker.job(namespace, name);
      if (mirror === undefined || mirror.metadata.deletionTimestamp !== undefined || mirror.spec?.['managedBy'])
        continue;
      const next = nextStatus(mirror, isTowardsEnd, this.#random, worker);
      if (next === undefined) continue;
      const shown = { ...next, conditions: next.conditions?.map(({ type, status }) => `${type}=${status}`) };
      this.#note(`${worker.name}: ${JSON.stringify(shown)}`);
      worker.editStatus('job-controller', namespace, name, next as unknown as JsonObject);
    }
  }

  #note(line: string): void {
    this.trace.push(line);
  }

  /** The invariants, over everything that was committed since the last look. */
  check(): void {
    for (const cluster of [this.management, ...this.workers]) {
      for (const commit of cluster.commits.slice(this.#checked.get(cluster) ?? 0)) {
        if (cluster === this.management) this.#checkManagement(commit);
        else this.#checkWorker(commit);
      }
      this.#checked.set(cluster, cluster.commits.length);
      fail('I3: the API server refused a write', cluster.refusals.length > 0, cluster.refusals);
    }
  }

  #checkManagement({ client, plural, before, after, verb }: Commit): void {
    if (plural !== 'jobs' || !client.startsWith('reconciler')) return;
    fail('I2: a Job of another controller was written', before?.spec?.['managedBy'] !== ourController, before);
    if (verb !== 'status' || before === undefined || after === undefined) return;
    for (const field of ['failed', 'succeeded'] as const) {
      fail(`I5: ${field} fell`, Number(after.status?.[field] ?? 0) < Number(before.status?.[field] ?? 0), after.status);
    }
    for (const type of ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']) {
      fail(`I5: ${type} was taken back`, isTrue(before.status, type) && !isTrue(after.status, type), after.status);
    }
  }

  #checkWorker({ client, plural, verb, before, after }: Commit): void {
    if (plural !== 'jobs') return;
    if (after !== undefined && after.spec?.['suspend'] !== true && isOurs(after, this.management.uid)) {
      // Stronger than I1: attempts change only before anything ran, so one mirror of a Job ever runs, whatever the attempt.
      const originUid = after.metadata.labels?.[mirrorKeys.originUid] ?? '';
      const uids = this.#unsuspended.get(originUid) ?? new Set();
      uids.add(after.metadata.uid);
      this.#unsuspended.set(originUid, uids);
      fail('I1: two mirrors of one Job ran', uids.size > 1, [...uids]);
    }
    if (!client.startsWith('reconciler') || before === undefined) return;
    fail('I2: a Job that is not ours was written on the worker', !isOurs(before, this.management.uid), before);
    if (verb !== 'delete') return;
    const { origin } = this;
    const isSame = origin?.metadata.uid === before.metadata.labels?.[mirrorKeys.originUid];
    const isDecided = origin !== undefined && isOver(origin);
    const mayGo = !isSame || isDecided || origin?.metadata.deletionTimestamp !== undefined;
    fail('I9: the mirror of a living Job was deleted', !mayGo, origin);
    const wasSeen = this.#resultsSeen.has(before.metadata.uid);
    fail('I4: a result was deleted before it was copied', isSame && wasSeen && !isDecided, origin);
  }
}

function isOver(object: StoredObject): boolean {
  return isTrue(object.status, 'Complete') || isTrue(object.status, 'Failed');
}

function isOurs(object: StoredObject, originCluster: string): boolean {
  return object.metadata.labels?.[mirrorKeys.originCluster] === originCluster;
}

function fail(message: string, isBroken: boolean, detail: unknown): void {
  if (isBroken) throw new Error(`${message}: ${JSON.stringify(detail)}`);
}

/** Lets everything that waits for an answer run until it waits for the next. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function nextStatus(
  mirror: StoredObject,
  isTowardsEnd: boolean,
  random: () => number,
  worker: FakeCluster,
): JobStatus | undefined {
  const status: JobStatus = (mirror.status ?? {}) as JobStatus;
  if (isTrue(status, 'Complete') || isTrue(status, 'Failed')) return undefined;
  const now = worker.time();
  const condition = (type: string, value = 'True'): JobCondition => ({
    type,
    status: value,
    reason: type,
    message: '',
    lastProbeTime: now,
    lastTransitionTime: now,
  });
  const withCondition = (...added: JobCondition[]): JobCondition[] => [
    ...(status.conditions ?? []).filter(({ type }) => !added.some((one) => one.type === type)),
    ...added,
  ];
  const isIndexed = mirror.spec?.['completionMode'] === 'Indexed';
  const completions = Number(mirror.spec?.['completions'] ?? 1);
  const interim = isTrue(status, 'SuccessCriteriaMet') || isTrue(status, 'FailureTarget');
  if (interim) {
    if ((status.terminating ?? 0) > 0) return { ...status, terminating: 0 };
    const isSuccess = isTrue(status, 'SuccessCriteriaMet');
    return isSuccess
      ? { ...status, conditions: withCondition(condition('Complete')), completionTime: now }
      : { ...status, conditions: withCondition(condition('Failed')) };
  }
  if (mirror.spec?.['suspend'] === true) {
    if (isTrue(status, 'Suspended')) return { ...status, terminating: 0 };
    return {
      ...status,
      active: 0,
      ready: 0,
      terminating: status.active ?? 0,
      conditions: withCondition(condition('Suspended')),
    };
  }
  const active = Number(mirror.spec?.['parallelism'] ?? 1);
  if (status.startTime === undefined || isTrue(status, 'Suspended')) {
    const resumed = isTrue(status, 'Suspended') ? [condition('Suspended', 'False')] : [];
    return { ...status, startTime: now, active, ready: 0, terminating: 0, conditions: withCondition(...resumed) };
  }
  if (!isTowardsEnd) {
    const roll = random();
    if (roll < 0.3) return { ...status, active, ready: Math.floor(random() * (active + 1)) };
    if (roll < 0.5) return { ...status, failed: (status.failed ?? 0) + 1, active, ready: 0 };
    if (roll < 0.7 && isIndexed && completions > 1)
      return { ...status, active, ready: 0, completedIndexes: '0', succeeded: 1 };
    return undefined;
  }
  if (random() < 0.3) {
    const failed = (status.failed ?? 0) + 1;
    return {
      ...status,
      active: 0,
      ready: 0,
      failed,
      terminating: active,
      conditions: withCondition(condition('FailureTarget')),
    };
  }
  const indexes = completions > 1 ? `0-${completions - 1}` : '0';
  return {
    ...status,
    active: 0,
    ready: 0,
    terminating: 0,
    succeeded: completions,
    ...(isIndexed ? { completedIndexes: completions === 2 ? '0,1' : indexes } : {}),
    conditions: withCondition(condition('SuccessCriteriaMet')),
  };
}
