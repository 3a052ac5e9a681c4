import type { JsonObject } from '../../src/base/index.ts';
import { nullLog } from '../../src/base/index.ts';
import type { Job, JobCondition, JobStatus } from '../../src/kube/index.ts';
import { type JobMemory, newJobMemory } from '../../src/reconciler/jobMemory.ts';
import { isTrue } from '../../src/reconciler/jobState.ts';
import type { PassResult, ReconcileDeps } from '../../src/reconciler/ports.ts';
import { reconcileJob } from '../../src/reconciler/reconcileJob.ts';
import { mirrorKeys, recordKeys } from '../../src/reconciler/record.ts';
import { statusJudgeFor } from '../../src/reconciler/statusJudge.ts';
import { manifest, ourController } from './builders.ts';
import { type Commit, FakeCluster, type Fate, type StoredObject } from './fakeCluster.ts';

/**
 * Two clusters, two reconcilers that both believe to lead, a worker's Job controller, a user, and an adversary who
 * chooses by seed what happens next. Every request is a step: it can be delayed, lost before or after it is carried out,
 * and its sender can be killed, or lose its leadership. People delete, relabel and suspend mirrors, edit records and
 * templates, create Jobs anew; another cluster answers in a worker's place; clocks jump. The invariants are checked after
 * each step.
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
  /** The workers as they were when the process started, in the order of their addresses. */
  readonly known: readonly FakeCluster[];
  /** Undefined while another process is taken for the leader. */
  term: AbortController | undefined;
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
  /** What answers at each worker's address now. */
  readonly workers: FakeCluster[];
  /** What answered there before and is still at work, out of reach. */
  readonly #away: (FakeCluster | undefined)[] = [];
  /** A person took a Job's finalizer off or its mirror's labels: what is left then is that person's. */
  isMeddledWith = false;
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
  /** How far this machine's wall clock is off by now. */
  #jumpMs = 0;
  #agentCount = 0;
  #replacedCount = 0;
  #isWorkerDown = false;
  /** Caches have caught up. */
  #isPeace = false;
  readonly #checked = new Map<FakeCluster, number>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.management = new FakeCluster('management', () => this.#nowMs);
    // The workers' clocks are somewhat off, either way.
    this.workers = ['worker-1', 'worker-2'].map((worker) => this.#newWorker(worker));
    this.createJob();
    this.#agents = [this.#newAgent(), this.#newAgent()];
  }

  #newWorker(name: string): FakeCluster {
    const skewMs = Math.floor((this.#random() - 0.5) * 1_200_000);
    const cluster = new FakeCluster(name, () => this.#nowMs + skewMs);
    cluster.onGet = (object) => {
      if (isOver(object)) this.#resultsSeen.add(object.metadata.uid);
    };
    return cluster;
  }

  get #allWorkers(): readonly FakeCluster[] {
    return [...this.workers, ...this.#away.flatMap((cluster) => cluster ?? [])];
  }

  createJob(): void {
    const isSuspended = this.#random() < 0.3;
    const isIndexed = this.#random() < 0.3;
    const mode = isIndexed
      ? { completionMode: 'Indexed', completions: 3, parallelism: 3 }
      : { parallelism: 2, completions: 2 };
    const metadata = {
      ...(this.#random() < 0.2 ? { [recordKeys.requestedWorker]: 'worker-2' } : {}),
      ...(this.#random() < 0.1 ? { [recordKeys.onDelete]: 'detach' } : {}),
    };
    const spec = { ...mode, suspend: isSuspended, ...this.#options.spec };
    this.management.add('user', manifest(name, spec, { annotations: metadata }));
  }

  get origin(): StoredObject | undefined {
    return this.management.job(namespace, name);
  }
  /** Jobs of that name on the workers, mirrors or not. */
  get mirrors(): readonly StoredObject[] {
    return this.#allWorkers.flatMap((worker) => worker.job(namespace, name) ?? []);
  }

  /** One step of the adversary's choice. */
  async step(): Promise<void> {
    const roll = this.#random();
    if (this.#pending.length > 0 && roll < 0.55) this.#settleOne();
    else if (roll < 0.75) this.#startPass();
    else if (roll < 0.87) this.#workerStep();
    else if (roll < 0.93) this.#userStep();
    else if (roll < 0.96) this.#crash();
    else if (roll < 0.975) this.#pass(this.#random() < 0.3 ? 700_000 : 1500);
    else if (roll < 0.985) this.#isWorkerDown = !this.#isWorkerDown;
    else if (roll < 0.993) this.#changeLeader();
    else if (roll < 0.996) this.#jump();
    else this.#replaceWorker();
    await settled();
    this.check();
  }

  /** Faults are over: everybody works until nothing changes any more. Answers how many rounds that took. */
  async settle(): Promise<void> {
    this.#isWorkerDown = false;
    this.#isPeace = true;
    // Windows are opened anew, and find whatever answers now.
    for (const [index] of this.#away.entries()) if (this.#random() < 0.7) this.#bringBack(index);
    for (const index of this.#agents.keys()) this.#kill(index);
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
    return [this.management, ...this.#allWorkers].reduce((sum, { commits }) => sum + commits.length, 0);
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
      known: [...this.workers],
      term: new AbortController(),
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
    /** What answers now where this process knows the worker of that UID. */
    const answering = (uid: string): FakeCluster | undefined =>
      this.workers[agent.known.findIndex((worker) => worker.uid === uid)];
    return {
      management: this.management.client(agent.name, gate),
      originCluster: this.management.uid,
      controllerName: ourController,
      retainFinishedMs: 600_000,
      maxLiveMirrors: 50,
      clock: {
        now: () => this.#nowMs + this.#jumpMs,
        monotonicMs: () => this.#nowMs,
        after: () => ({ dispose() {} }),
      },
      random: this.#random,
      log: nullLog,
      judge: this.#judge,
      isNamespaceEnabled: () => true,
      leadership: (_namespace, uid) => {
        if (answering(uid) === undefined || agent.term === undefined) return undefined;
        return AbortSignal.any([agent.controller.signal, agent.term.signal]);
      },
      candidates: () =>
        agent.known.map((worker, index) => ({
          name: `worker-${index + 1}`,
          uid: worker.uid,
          blocked: agent.term === undefined ? { reason: 'NotLeading', message: '' } : undefined,
          liveMirrors: 0,
        })),
      worker: (uid) => {
        const api = answering(uid)?.client(agent.name, gate);
        return api && { name: api.contextName, api, trouble: undefined, aheadMs: undefined };
      },
      isStillItself: async (uid) => uid === undefined || answering(uid)?.uid === uid,
      cached: (_key, since) => this.#staleRead(this.management, since),
      cachedMirror: (uid, _key, since) => {
        const worker = answering(uid);
        return worker && this.#staleRead(worker, since);
      },
      // A watch may not have seen it yet.
      mirroredOn: ({ namespace, name }, uid) =>
        this.#random() < 0.5
          ? undefined
          : agent.known.find((worker) => worker.job(namespace, name)?.metadata.labels?.[mirrorKeys.originUid] === uid)
              ?.name,
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
    this.#kill(Math.floor(this.#random() * this.#agents.length));
  }

  #kill(index: number): void {
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

  /** A process loses its leases, or gets them again; more than one may lead. */
  #changeLeader(): void {
    const agent = this.#agents[Math.floor(this.#random() * this.#agents.length)];
    if (agent === undefined) return;
    this.#note(`${agent.name} ${agent.term === undefined ? 'leads' : 'leads no more'}`);
    agent.term?.abort(new DOMException('leads no more', 'AbortError'));
    agent.term = agent.term === undefined ? new AbortController() : undefined;
  }

  /** The machine's wall clock is set. */
  #jump(): void {
    this.#jumpMs = Math.floor((this.#random() - 0.5) * 7_200_000);
    this.#note(`this machine's clock is off by ${this.#jumpMs} ms`);
  }

  /** Another cluster, empty, answers at a worker's address; or the first one again. */
  #replaceWorker(): void {
    const index = this.#random() < 0.5 ? 0 : 1;
    const worker = this.workers[index];
    if (worker === undefined) return;
    if (this.#away[index] !== undefined) {
      // Two that answer in turn can't be told apart by any number of questions.
      const isAsked = this.#pending.some(({ request }) => request.startsWith(`${worker.name}:`));
      if (!isAsked) this.#bringBack(index);
      return;
    }
    this.#note(`another cluster answers as ${worker.name}`);
    this.#away[index] = worker;
    this.workers[index] = this.#newWorker(`${worker.name}-anew-${++this.#replacedCount}`);
  }

  /** What answered there meanwhile is gone for good. */
  #bringBack(index: number): void {
    const worker = this.#away[index];
    if (worker === undefined) return;
    this.#note(`${worker.name} itself answers again`);
    this.workers[index] = worker;
    this.#away[index] = undefined;
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
    } else if (roll < 0.97) this.#meddle(origin);
  }

  /** What people do who don't know better. */
  #meddle(origin: StoredObject): void {
    const worker = this.#someWorker();
    const mirror = worker.job(namespace, name);
    const roll = this.#random();
    if (roll < 0.3 && mirror !== undefined) {
      this.#note(`user suspends the Job on ${worker.name}`);
      worker.edit('user', namespace, name, { spec: { suspend: true } });
    } else if (roll < 0.4 && mirror !== undefined) {
      this.#note(`user takes the labels off the Job on ${worker.name}`);
      this.isMeddledWith = true;
      const labels = { [mirrorKeys.originCluster]: null, [mirrorKeys.originUid]: null };
      worker.edit('user', namespace, name, { metadata: { labels } });
    } else if (roll < 0.5) {
      this.#note('user takes the finalizer off');
      this.isMeddledWith = true;
      this.management.edit('user', namespace, name, { metadata: { finalizers: [] } });
    } else if (roll < 0.6) {
      // As `kubectl replace` does. Where nothing was told of the Job yet, nothing tells it from a new one.
      const { status = {} } = origin;
      if (!('active' in status) && !('startTime' in status)) return;
      this.#note('user takes the record off');
      this.isMeddledWith = true;
      this.management.edit('user', namespace, name, { metadata: { annotations: null, finalizers: [] } });
    } else if (isTrue(origin.status, 'Suspended') && origin.status?.['startTime'] === undefined) {
      this.#note('user edits the template');
      const spec = { template: { spec: { nodeSelector: { pool: `p${Math.floor(this.#random() * 3)}` } } } };
      if (origin.spec?.['suspend'] === true) this.management.edit('user', namespace, name, { spec });
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
    for (const worker of this.#allWorkers) {
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
    for (const cluster of [this.management, ...this.#allWorkers]) {
      for (const commit of cluster.commits.slice(this.#checked.get(cluster) ?? 0)) {
        if (cluster === this.management) this.#checkManagement(commit);
        else this.#checkWorker(commit);
      }
      this.#checked.set(cluster, cluster.commits.length);
      // The UID is a precondition of each write: refused where another cluster answers meanwhile.
      const refusals = cluster.refusals.filter((refusal) => !refusal.includes('metadata.uid: field is immutable'));
      fail('I3: the API server refused a write', refusals.length > 0, refusals);
    }
  }

  #checkManagement({ client, plural, before, after, verb }: Commit): void {
    if (plural !== 'jobs' || !client.startsWith('reconciler')) return;
    fail('I2: a Job of another controller was written', before?.spec?.['managedBy'] !== ourController, before);
    if (before !== undefined) this.#checkAbsence(before, after);
    if (verb !== 'status' || before === undefined || after === undefined) return;
    for (const field of ['failed', 'succeeded'] as const) {
      fail(`I5: ${field} fell`, Number(after.status?.[field] ?? 0) < Number(before.status?.[field] ?? 0), after.status);
    }
    for (const type of ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']) {
      fail(`I5: ${type} was taken back`, isTrue(before.status, type) && !isTrue(after.status, type), after.status);
    }
  }

  /** I9: that a mirror is gone is said, and a deleted Job let go for it, only if it really is. */
  #checkAbsence(before: StoredObject, after: StoredObject | undefined): void {
    const { [recordKeys.workerUid]: workerUid, [recordKeys.mirrorUid]: mirrorUid } = before.metadata.annotations ?? {};
    const worker = this.#allWorkers.find(({ uid }) => uid === workerUid);
    const mirror = worker?.job(namespace, name);
    if (mirror === undefined || mirror.metadata.uid !== mirrorUid || !isOurs(mirror, this.management.uid)) return;
    const saysDeleted = after?.metadata.annotations?.[recordKeys.phaseReason] === 'MirrorDeleted';
    fail('I9: a mirror that is there was said to be deleted', saysDeleted, mirror);
    const isKept = mirror.metadata.labels?.[mirrorKeys.detached] === 'true';
    const isLetGo = after === undefined && before.metadata.deletionTimestamp !== undefined;
    fail('I9: a Job was let go while its mirror is there', isLetGo && !isKept, mirror);
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
