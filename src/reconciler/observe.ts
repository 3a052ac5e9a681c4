import { type Job, jobs, KubeError } from '../kube/index.ts';
import { momentOf } from './elapsed.ts';
import { consequenceOf, pauseMs } from './failures.ts';
import type { JobMemory } from './jobMemory.ts';
import { isDeleting, isFinished } from './jobState.ts';
import type { JobKey, ReconcileDeps, WorkerAccess } from './ports.ts';
import { reasons } from './reasons.ts';
import { type DispatchRecord, readRecord, recordKeys } from './record.ts';
import type { Decision, DepartedJob, ManagementObservation, MirrorObservation } from './situation.ts';

/**
 * Where the look at the mirror comes from: a GET that was the last request of this pass; a GET or an own write earlier in
 * it; a watch cache, which may be behind.
 */
type MirrorSource = 'live' | 'earlier' | 'cache';

/** A worker that this process does not know may come back any time. */
const unknownWorkerMs = 60_000;

/** What one pass has seen of the two sides. Caches save requests; what has to be proven is asked. */
export class Observations {
  readonly #key: JobKey;
  readonly #memory: JobMemory;
  readonly #deps: ReconcileDeps;
  readonly #signal: AbortSignal;
  #management: ManagementObservation | undefined;
  #mirror: MirrorObservation | undefined;
  #source: MirrorSource = 'cache';
  #mustAsk = false;
  #mustAskManagement = false;
  #wasConfirmed = false;

  constructor(key: JobKey, memory: JobMemory, deps: ReconcileDeps, signal: AbortSignal) {
    this.#key = key;
    this.#memory = memory;
    this.#deps = deps;
    this.#signal = signal;
  }

  /** The management Job, if there is one and it was looked at. */
  get job(): Job | undefined {
    return this.#management?.kind === 'present' ? this.#management.job : undefined;
  }

  /** The mirror, or what stands in its place. */
  get mirrorJob(): Job | undefined {
    return this.#mirror?.kind === 'present' ? this.#mirror.job : undefined;
  }

  get isMirrorUnknown(): boolean {
    return this.#mirror?.kind === 'unknown';
  }

  /** Rejects if the management cluster can't be asked; a worker that can't is an observation. */
  async look(): Promise<{
    readonly management: ManagementObservation;
    readonly mirror: MirrorObservation;
    readonly departed: DepartedJob | undefined;
    /** By which record the worker was looked at. */
    readonly target: DispatchRecord | undefined;
  }> {
    const management = this.#management ?? (await this.#readManagement());
    this.#management = management;
    const departed = this.#departed();
    if (departed !== undefined && !(await this.#isStillManagement())) {
      const observation = { management: replaced('management'), mirror: { kind: 'not-looked' } } as const;
      return { ...observation, departed: undefined, target: undefined };
    }
    const target = departed?.record ?? this.#target();
    this.#useNewerMirror(target);
    const mirror = this.#mirror ?? (await this.#readMirror(target));
    this.#mirror = mirror;
    return { management, mirror, departed, target };
  }

  /** True if the decision rests on more than the two sides were seen well enough for; they have then to be looked at anew. */
  needsLiveLook(decision: Decision): boolean {
    // Before it is said that a record is missing: of two caches, the worker's may know more.
    if (decision.kind === 'wait' && decision.reason === 'RecordCorrupt' && !this.#mustAskManagement) {
      this.#mustAskManagement = true;
      this.#management = undefined;
      return true;
    }
    if (this.#mirror?.kind !== 'present' || this.#source === 'live') return false;
    // A deletion is decided on a look right before it (A3). A cache does for what is conditional on its version anyway,
    // for copying a status, and for finding that all is well.
    const isConditional = decision.kind === 'write-status' || decision.kind === 'adjust-mirror';
    const isWell = decision.kind === 'wait' && reasons[decision.reason].kind === 'progress';
    const doesSuffice = isConditional || isWell || (this.#source === 'earlier' && decision.kind !== 'delete-mirror');
    if (doesSuffice) return false;
    this.#mustAsk = true;
    this.#mirror = undefined;
    return true;
  }

  /** An own write answered with the management Job as it is now. */
  tookManagement(job: Job): void {
    this.#management = this.#seen(job);
    this.#age();
  }

  /** An own write answered with the mirror as it is now; or nothing of it is known any more. */
  tookMirror(job: Job | undefined): void {
    this.#mirror = undefined;
    if (job !== undefined) this.#mirror = this.#sawMirror(job, 'earlier');
  }

  /** The assignment was made in this pass: nobody can have made a mirror by it. */
  tookAssignment(): void {
    this.#mirror = { kind: 'not-made' };
  }

  /** The Job that is gone is dealt with; what is there now comes next. */
  forgetDeparted(): void {
    this.#memory.lastSeen = undefined;
    this.#mirror = undefined;
    if (this.#management?.kind === 'present') this.#management = undefined;
    else this.#memory.resourceVersion = undefined;
  }

  #age(): void {
    if (this.#source === 'live') this.#source = 'earlier';
  }

  /** Before a Job is taken for gone, or for replaced by another of its name. */
  async #isStillManagement(): Promise<boolean> {
    this.#wasConfirmed ||= await this.#deps.isStillItself(undefined, this.#signal);
    return this.#wasConfirmed;
  }

  async #readManagement(): Promise<ManagementObservation> {
    const { cached, management } = this.#deps;
    const known = this.#mustAskManagement ? undefined : cached(this.#key, this.#memory.resourceVersion);
    if (known !== undefined) return this.#seen(known);
    try {
      return this.#seen(await management.get<Job>(jobs, this.#key, this.#signal));
    } catch (error) {
      if (!isGone(error)) throw error;
      return { kind: 'absent' };
    }
  }

  #seen(job: Job): ManagementObservation {
    const memory = this.#memory;
    memory.resourceVersion = job.metadata.resourceVersion;
    memory.goneSince = undefined;
    const reading = readRecord(job);
    if (reading.kind === 'assigned' && job.spec.managedBy === this.#deps.controllerName) {
      const isDetached = job.metadata.annotations?.[recordKeys.onDelete] === 'detach';
      const seen = { uid: job.metadata.uid, record: reading.record, isDetached };
      // An earlier Job's mirror is looked after first; its memory goes once nothing is left of it.
      if (memory.lastSeen === undefined || memory.lastSeen.uid === seen.uid) memory.lastSeen = seen;
    }
    if (!isFinished(job)) memory.finishedSince = undefined;
    else memory.finishedSince ??= momentOf(this.#deps.clock);
    return { kind: 'present', job };
  }

  #target(): DispatchRecord | undefined {
    const { job } = this;
    if (job === undefined || job.spec.managedBy !== this.#deps.controllerName) return undefined;
    const reading = readRecord(job);
    if (reading.kind !== 'assigned') return undefined;
    const { record } = reading;
    const isOver = !record.hasFinalizer && (isDeleting(job) || record.phaseReason === 'Done');
    return isOver ? undefined : record;
  }

  #departed(): DepartedJob | undefined {
    const { lastSeen } = this.#memory;
    return this.job?.metadata.uid === lastSeen?.uid ? undefined : lastSeen;
  }

  async #readMirror(target: DispatchRecord | undefined): Promise<MirrorObservation> {
    const { leadership, worker: access, random } = this.#deps;
    const { namespace } = this.#key;
    if (target === undefined || leadership(namespace, target.workerUid) === undefined) return { kind: 'not-looked' };
    const worker = access(target.workerUid);
    if (worker === undefined) {
      const message = `The worker is "${target.workerName}", cluster ${target.workerUid}.`;
      return { kind: 'unknown', reason: 'WorkerNotConfigured', message, afterMs: unknownWorkerMs };
    }
    if (worker.trouble !== undefined) return { kind: 'unknown', ...worker.trouble };
    const known = this.#mustAsk ? undefined : this.#cachedMirror(target);
    if (known !== undefined) return this.#sawMirror(known, 'cache');
    try {
      return await this.#askForMirror(worker, target);
    } catch (error) {
      this.#signal.throwIfAborted();
      const consequence = consequenceOf(error);
      const afterMs = pauseMs(consequence, this.#memory.failures++, random);
      return { kind: 'unknown', reason: consequence.reason, message: consequence.message, afterMs };
    }
  }

  /** That the recorded mirror is gone follows from a 404, or from another UID in its place: of the same cluster, both. */
  async #askForMirror({ name, api }: WorkerAccess, target: DispatchRecord): Promise<MirrorObservation> {
    const { mirrorName, mirrorUid, workerUid } = target;
    let found: Job | undefined;
    try {
      found = await api.get<Job>(jobs, { namespace: this.#key.namespace, name: mirrorName }, this.#signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    const isAsExpected = found !== undefined && (mirrorUid === undefined || found.metadata.uid === mirrorUid);
    if (!isAsExpected && !(await this.#deps.isStillItself(workerUid, this.#signal))) return replaced(name);
    return found === undefined ? { kind: 'absent' } : this.#sawMirror(found, 'live');
  }

  /** What an own write answered may be behind the watch by now, such as a status that the worker wrote since. */
  #useNewerMirror(target: DispatchRecord | undefined): void {
    if (target === undefined || this.mirrorJob === undefined || this.#source === 'live') return;
    const known = this.#cachedMirror(target);
    if (known === undefined || known.metadata.resourceVersion === this.mirrorJob.metadata.resourceVersion) return;
    if (known.metadata.uid === this.mirrorJob.metadata.uid) this.#mirror = this.#sawMirror(known, 'earlier');
  }

  #cachedMirror({ workerUid, mirrorName }: DispatchRecord): Job | undefined {
    const { mirrorVersion } = this.#memory;
    const since = mirrorVersion?.workerUid === workerUid ? mirrorVersion.resourceVersion : undefined;
    return this.#deps.cachedMirror(workerUid, { namespace: this.#key.namespace, name: mirrorName }, since);
  }

  #sawMirror(job: Job, source: MirrorSource): MirrorObservation {
    this.#source = source;
    const workerUid = this.#memory.lastSeen?.record.workerUid ?? '';
    this.#memory.mirrorVersion = { workerUid, resourceVersion: job.metadata.resourceVersion };
    return { kind: 'present', job };
  }
}

/** A 404 of another cluster says nothing of what is in this one. */
function replaced(name: string): Extract<MirrorObservation & ManagementObservation, { kind: 'unknown' }> {
  const message = `What answers as ${name} is another cluster now.`;
  return { kind: 'unknown', reason: 'ClusterReplaced', message, afterMs: unknownWorkerMs };
}

/** The answer proves that the object is not there: it, or its namespace, was looked for and not found. */
function isGone(error: unknown): boolean {
  return error instanceof KubeError && (error.kind === 'not-found' || error.kind === 'namespace-missing');
}
