import { type Job, type JobStatus, KubeError, type KubeErrorKind } from '../kube/index.ts';
import { type Applied, applyAction, sideOf } from './apply.ts';
import { decide } from './decide.ts';
import { elapsedMs, momentOf } from './elapsed.ts';
import { type JobEvent, publishEvent } from './events.ts';
import { consequenceOf, pauseMs } from './failures.ts';
import { type JobMemory, remainingMs, waitedMs } from './jobMemory.ts';
import { canonicalJson } from './mirrorObject.ts';
import { Observations } from './observe.ts';
import { podTrouble } from './podTrouble.ts';
import type { JobKey, PassResult, ReconcileDeps } from './ports.ts';
import { isReason, type Reason, reasons } from './reasons.ts';
import { type DispatchRecord, recordKeys } from './record.ts';
import type { Action, Facts, Wait } from './situation.ts';

/** More steps than any Job needs in one go; a loop between two deciders ends here and waits for its turn. */
const maxSteps = 12;
const statusPeriodMs = 1000;
const refusalPeriodMs = 10 * 60_000;
const noteAfterMs = 60_000;
/** Whoever leads has looked after what a Job that is gone left behind by then; else garbage collection finds it. */
const forgetAfterMs = 60_000;
/** By then another leader has taken a Job that it wants, or has been replaced by one that does. */
const othersAssignMs = 60_000;

/** Answers to a creation that leave no doubt: there is no mirror, and asking again at once would bring none. */
const refusals: ReadonlySet<KubeErrorKind> = new Set([
  'forbidden',
  'quota-exceeded',
  'admission-denied',
  'namespace-missing',
  'invalid',
  'bad-request',
  'too-large',
]);

/**
 * Level-triggered: reads both sides, decides, acts, and goes on with what the act answered, until nothing is to be done.
 * Never rejects for what a cluster says; rejects with the signal's reason when that aborts.
 */
export async function reconcileJob(
  key: JobKey,
  memory: JobMemory,
  deps: ReconcileDeps,
  signal: AbortSignal,
): Promise<PassResult> {
  return new Pass(key, memory, deps, signal).run();
}

class Pass {
  readonly #key: JobKey;
  readonly #memory: JobMemory;
  readonly #deps: ReconcileDeps;
  readonly #signal: AbortSignal;
  readonly #seen: Observations;
  #isLeading = false;
  /** The worker that `#isLeading` is about; undefined for any. */
  #workerUid: string | undefined;

  constructor(key: JobKey, memory: JobMemory, deps: ReconcileDeps, signal: AbortSignal) {
    this.#key = key;
    this.#memory = memory;
    this.#deps = deps;
    this.#signal = signal;
    this.#seen = new Observations(key, memory, deps, signal);
  }

  async run(): Promise<PassResult> {
    for (let step = 0; step < maxSteps; step++) {
      try {
        const result = await this.#step();
        if (result !== undefined) return result;
      } catch (error) {
        this.#signal.throwIfAborted();
        return await this.#failed(error, undefined, undefined);
      }
    }
    return this.#result('StaleRead', 'Many steps in one go; the next follow shortly.', statusPeriodMs);
  }

  /** One look and one action; a result once the pass is over. */
  async #step(): Promise<PassResult | undefined> {
    const { management, mirror, departed, target } = await this.#seen.look();
    const facts = this.#facts(target?.workerUid);
    this.#isLeading = facts.isLeading;
    this.#workerUid = target?.workerUid;
    const decision = decide({ management, departed, mirror, facts });
    if (this.#seen.needsLiveLook(decision)) return undefined;
    if (decision.kind === 'wait') {
      if (departed !== undefined) {
        const forgetMs = this.#forgetMs(decision);
        if (forgetMs > 0) return this.#result(decision.reason, decision.message, earlier(decision.afterMs, forgetMs));
        if (this.#isDoneWith(decision)) {
          this.#seen.forgetDeparted();
          return undefined;
        }
      }
      if (mirror.kind !== 'unknown' && facts.refusal === undefined) this.#memory.failures = 0;
      return this.#conclude(await this.#whyNoPods(decision, target));
    }
    // Giving an assignment up is the work of whoever leads for the worker that refused.
    const workerUid = target?.workerUid ?? (decision.kind === 'assign' ? decision.workerUid : undefined);
    try {
      await this.#act(decision, workerUid);
      return undefined;
    } catch (error) {
      this.#signal.throwIfAborted();
      // A refused creation is looked at once more: another worker may take the Job.
      if (this.#wasRefusedFor(error, decision, workerUid)) return undefined;
      return this.#failed(error, decision, workerUid);
    }
  }

  /** Notes that the worker will have no mirror, if that is what the error says. */
  #wasRefusedFor(error: unknown, decision: Action, workerUid: string | undefined): boolean {
    if (decision.kind !== 'create-mirror' || workerUid === undefined || !(error instanceof KubeError)) return false;
    if (!refusals.has(error.kind)) return false;
    const { clock, random } = this.#deps;
    this.#report(error, decision.kind, 'worker');
    const consequence = consequenceOf(error);
    const ms = pauseMs(consequence, this.#memory.failures++, random);
    const { reason, message } = consequence;
    this.#memory.refusal = { workerUid, reason, message, at: momentOf(clock), ms };
    return true;
  }

  /** Nothing is left of the Job that is gone, or nothing can be done about it while its successor waits. */
  #isDoneWith({ reason }: Wait): boolean {
    if (reason === 'JobGone' || reason === 'NotLeading') return true;
    return reason !== 'MirrorDeleting' && this.#seen.job !== undefined;
  }

  /** How much longer a Job that is gone is remembered while another process looks after what it left behind. */
  #forgetMs({ reason }: Wait): number {
    const { clock } = this.#deps;
    if (reason !== 'NotLeading' || this.#seen.job !== undefined) return 0;
    this.#memory.goneSince ??= momentOf(clock);
    return remainingMs(clock, this.#memory.goneSince, forgetAfterMs);
  }

  #facts(workerUid: string | undefined): Facts {
    const { deps, memory, key } = { deps: this.#deps, memory: this.#memory, key: this.#key };
    const now = deps.clock.now();
    const candidates = deps.candidates(key.namespace);
    const leads = (uid: string | undefined) => uid !== undefined && deps.leadership(key.namespace, uid) !== undefined;
    return {
      controllerName: deps.controllerName,
      originCluster: deps.originCluster,
      isNamespaceEnabled: deps.isNamespaceEnabled(key.namespace),
      candidates,
      maxLiveMirrors: deps.maxLiveMirrors,
      isLeading: workerUid === undefined ? candidates.some(({ uid }) => leads(uid)) : leads(workerUid),
      observedAt: now,
      workerAheadMs: workerUid === undefined ? undefined : deps.worker(workerUid)?.aheadMs,
      othersAssignMs: this.#othersAssignMs(),
      retainMs: remainingMs(deps.clock, memory.finishedSince, deps.retainFinishedMs),
      statusPauseMs: remainingMs(deps.clock, memory.statusWrittenAt, statusPeriodMs),
      refusal: this.#refusal(workerUid),
      strayOn: workerUid === undefined ? this.#mirroredOn() : undefined,
      wasRefused: (next) => this.#wasRefused(next),
      judge: deps.judge,
    };
  }

  #mirroredOn(): string | undefined {
    const uid = this.#seen.job?.metadata.uid;
    return uid === undefined ? undefined : this.#deps.mirroredOn(this.#key, uid);
  }

  #othersAssignMs(): number {
    const { waiting } = this.#memory;
    const hasWaited = waiting?.reason === 'NotLeading' && waiting.uid === this.#seen.job?.metadata.uid;
    return hasWaited ? remainingMs(this.#deps.clock, waiting.since, othersAssignMs) : othersAssignMs;
  }

  #refusal(workerUid: string | undefined): Facts['refusal'] {
    const { refusal } = this.#memory;
    if (refusal === undefined || refusal.workerUid !== workerUid) return undefined;
    const afterMs = remainingMs(this.#deps.clock, refusal.at, refusal.ms);
    return afterMs > 0 ? { reason: refusal.reason, message: refusal.message, afterMs } : undefined;
  }

  /** All seems well, but nothing runs: the worker's events may say why (J2). */
  async #whyNoPods(wait: Wait, target: DispatchRecord | undefined): Promise<Wait> {
    const mirror = this.#seen.mirrorJob;
    if (wait.reason !== 'Mirrored' || mirror === undefined || target === undefined) return wait;
    const worker = this.#deps.worker(target.workerUid);
    if (worker === undefined || worker.trouble !== undefined) return wait;
    return podTrouble(wait, mirror, worker.api, this.#memory, this.#deps, this.#signal);
  }

  #wasRefused(next: JobStatus): boolean {
    const { refused } = this.#memory;
    if (refused === undefined || elapsedMs(this.#deps.clock, refused.at) > refusalPeriodMs) return false;
    return refused.hash === hashOf(next);
  }

  async #act(action: Action, workerUid: string | undefined): Promise<void> {
    const { deps } = { deps: this.#deps };
    const isOnWorker = sideOf(action) === 'worker';
    const worker = workerUid === undefined ? undefined : deps.worker(workerUid);
    const api = isOnWorker ? worker?.api : deps.management;
    if (api === undefined) throw new Error('The worker of an action is not configured.');
    const term = workerUid === undefined ? undefined : deps.leadership(this.#key.namespace, workerUid);
    // It may have ended while something else was asked.
    if (workerUid !== undefined && term === undefined)
      throw new DOMException('This process leads no more.', 'AbortError');
    const signal = term === undefined ? this.#signal : AbortSignal.any([this.#signal, term]);
    const applied = await applyAction(action, api, signal);
    this.#memory.failures = 0;
    this.#take(action, applied);
    const { job } = this.#seen;
    deps.onAction({
      action: action.kind,
      namespace: this.#key.namespace,
      job: this.#key.name,
      uid: job?.metadata.uid ?? this.#memory.lastSeen?.uid ?? '',
      worker: worker?.name,
      detail: applied.detail,
    });
    if (applied.event !== undefined && job !== undefined) await this.#publish(job, applied.event);
  }

  /** What the action's answer makes of the observations: its own object is the newest there is; the rest is asked anew. */
  #take(action: Action, applied: Applied): void {
    const { clock } = this.#deps;
    if (applied.job !== undefined) this.#seen.tookManagement(applied.job);
    switch (action.kind) {
      case 'assign':
        this.#seen.tookAssignment();
        return;
      case 'write-status':
        this.#memory.statusWrittenAt = momentOf(clock);
        this.#memory.refused = undefined;
        return;
      case 'note-reason':
        this.#memory.noted = { reason: action.reason, at: momentOf(clock) };
        return;
      case 'delete-mirror':
      case 'create-mirror':
      case 'adjust-mirror':
      case 'detach-mirror':
        this.#seen.tookMirror(applied.mirror);
        return;
      case 'record-mirror':
      case 'release':
        return;
    }
  }

  async #publish(job: Job, event: JobEvent): Promise<void> {
    const { clock, log, management } = this.#deps;
    const refusal = await publishEvent(management, job, event, clock.now(), this.#signal);
    if (refusal === undefined) return;
    log.debug('An Event could not be written.', {
      job: job.metadata.name,
      reason: event.reason,
      error: refusal.message,
    });
  }

  /** The pass is over. What somebody should know is written onto the Job first. */
  async #conclude({ reason, message, afterMs }: Pick<Wait, 'reason' | 'message' | 'afterMs'>): Promise<PassResult> {
    const waited = waitedMs(this.#memory, reason, this.#seen.job?.metadata.uid, this.#deps.clock);
    const note = this.#note(reason, message, waited);
    if (note !== undefined) {
      try {
        await this.#act(note, this.#workerUid);
      } catch (error) {
        this.#signal.throwIfAborted();
        // Said again with the next pass; the reason itself stands in the result either way.
        this.#report(error, 'note-reason', 'management');
        return this.#result(reason, message, earlier(afterMs, statusPeriodMs));
      }
      return this.#result(reason, message, afterMs);
    }
    const isPending = this.#isNoteworthy(reason) && reasons[reason].report === 'after-a-minute' && waited < noteAfterMs;
    return this.#result(reason, message, earlier(afterMs, isPending ? noteAfterMs - waited : undefined));
  }

  #note(reason: Reason, message: string, waited: number): Action | undefined {
    const { job } = this.#seen;
    if (job === undefined || !this.#isNoteworthy(reason)) return undefined;
    if (reasons[reason].report === 'after-a-minute' && waited < noteAfterMs) return undefined;
    const { noted } = this.#memory;
    // Two processes that see different things must not overwrite each other's note for ever.
    if (noted?.reason === reason && elapsedMs(this.#deps.clock, noted.at) < refusalPeriodMs) return undefined;
    return { kind: 'note-reason', job, reason, message };
  }

  /** True if what stands on the Job says something else. That all is well is only said where something was wrong. */
  #isNoteworthy(reason: Reason): boolean {
    const { job } = this.#seen;
    if (job === undefined || !this.#isLeading || reasons[reason].report === 'never') return false;
    const stored = job.metadata.annotations?.[recordKeys.phaseReason];
    // More than a note: it keeps the mirror from being made again.
    if (stored === 'MirrorNotRunnable') return false;
    if (reasons[reason].kind !== 'progress') return stored !== reason;
    return stored !== undefined && isReason(stored) && reasons[stored].kind !== 'progress';
  }

  async #failed(error: unknown, action: Action | undefined, workerUid: string | undefined): Promise<PassResult> {
    const { deps, memory } = { deps: this.#deps, memory: this.#memory };
    const side = action === undefined ? 'management' : sideOf(action);
    if (workerUid !== undefined && deps.leadership(this.#key.namespace, workerUid) === undefined) {
      return this.#result('NotLeading', '', undefined);
    }
    this.#report(error, action?.kind ?? 'read', side);
    const consequence = consequenceOf(error);
    const afterMs = pauseMs(consequence, memory.failures++, deps.random);
    let { reason } = consequence;
    if (action?.kind === 'write-status' && reason === 'InvalidSpec') {
      reason = 'StatusRefused';
      memory.refused = { hash: hashOf(action.status), at: momentOf(deps.clock) };
    }
    return this.#conclude({ reason, message: consequence.message, afterMs });
  }

  #report(error: unknown, action: string, side: 'management' | 'worker'): void {
    const { reason, message } = consequenceOf(error);
    const { namespace, name } = this.#key;
    // That somebody else was quicker is the ordinary way of two writers.
    const level = reason === 'ObjectChanged' ? 'debug' : 'info';
    this.#deps.log[level]('A request failed.', { namespace, job: name, side, action, reason, error: message });
  }

  #result(reason: Reason, message: string, afterMs: number | undefined): PassResult {
    return { reason, message, afterMs };
  }
}

function hashOf(status: JobStatus): string {
  return canonicalJson(JSON.parse(JSON.stringify(status)));
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
