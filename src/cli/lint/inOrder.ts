import { scheduler } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { FileChecker, FileReport } from './checkFile.ts';
import type { LintTarget } from './files.ts';

/** Threads that check files beside this one. */
export interface LintThreads {
  /** 0 where there is one processor. */
  readonly atMost: number;
  /** Starts one, which runs `runLintThread`. It is terminated here. */
  readonly start: () => Worker;
}

/** Targets and their reports, in the same order. */
export interface CheckedBatch {
  readonly targets: readonly LintTarget[];
  readonly reports: readonly FileReport[];
}

/** Files that go to a thread in one message: some milliseconds of work. */
const batchSize = 16;
/** Files for which a thread is worth its start. */
export const filesPerThread = 256;
/** Batches that a thread has at a time, so that it never waits for the next. */
const batchesPerThread = 2;
/** Batches under way, or done and waiting for an earlier one, for each that works: bounds what is held in memory. */
const batchesAhead = 8;

interface Batch {
  readonly targets: readonly LintTarget[];
  reports?: readonly FileReport[];
  /** The thread that had it is gone. */
  isOrphaned?: true;
}

/**
 * Checks targets here and, where there are many, in threads beside this one; what comes is in the order of the targets.
 * No more are taken than keep all busy. A thread that fails leaves its files to this one, so that a fault is told as if
 * there were no threads. The threads are gone when the iteration ends, however it ends. Rejects with the signal's
 * reason when it aborts.
 */
export async function* checkInOrder(
  targets: AsyncIterable<LintTarget>,
  checker: FileChecker,
  threads: LintThreads | undefined,
  signal: AbortSignal,
): AsyncGenerator<CheckedBatch> {
  const rest = targets[Symbol.asyncIterator]();
  const first = await take(rest, (threads?.atMost ?? 0) * filesPerThread);
  const crew = new Crew(threads, Math.floor(first.length / filesPerThread));
  const batches = inBatches(first, rest);
  const mostBatches = batchesAhead * (crew.size + 1);
  const underWay: Batch[] = [];
  let isEnded = false;
  try {
    for (;;) {
      signal.throwIfAborted();
      const [oldest] = underWay;
      if (oldest?.isOrphaned) oldest.reports ??= oldest.targets.map((target) => checker.check(target));
      if (oldest?.reports !== undefined) {
        underWay.shift();
        yield { targets: oldest.targets, reports: oldest.reports };
      } else if (!isEnded && underWay.length < mostBatches) {
        const next = await batches.next();
        if (next.done === true) {
          isEnded = true;
          continue;
        }
        const batch: Batch = { targets: next.value };
        underWay.push(batch);
        if (crew.take(batch)) continue;
        batch.reports = batch.targets.map((target) => checker.check(target));
        // Whatever waits goes first: the threads' answers, a signal.
        await scheduler.yield();
      } else if (oldest === undefined) return;
      else await crew.news(signal);
    }
  } finally {
    await crew.end();
  }
}

async function take(targets: AsyncIterator<LintTarget>, count: number): Promise<readonly LintTarget[]> {
  const taken: LintTarget[] = [];
  while (taken.length < count) {
    const next = await targets.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

async function* inBatches(
  first: readonly LintTarget[],
  rest: AsyncIterator<LintTarget>,
): AsyncGenerator<readonly LintTarget[]> {
  for (let at = 0; at < first.length; at += batchSize) yield first.slice(at, at + batchSize);
  for (;;) {
    const batch = await take(rest, batchSize);
    if (batch.length === 0) return;
    yield batch;
  }
}

interface Member {
  readonly worker: Worker;
  /** In the order of the answers to come. */
  readonly batches: Batch[];
}

/** The threads beside this one. */
class Crew {
  readonly #members: Member[];
  #wake: () => void = () => undefined;

  constructor(threads: LintThreads | undefined, wanted: number) {
    const length = Math.min(threads?.atMost ?? 0, wanted);
    this.#members = threads === undefined ? [] : Array.from({ length }, () => this.#hire(threads.start()));
  }

  get size(): number {
    return this.#members.length;
  }

  /** Whether a thread was free to take it. */
  take(batch: Batch): boolean {
    const free = this.#members.find(({ batches }) => batches.length < batchesPerThread);
    if (free === undefined) return false;
    free.batches.push(batch);
    free.worker.postMessage(batch.targets);
    return true;
  }

  /** Resolves when a thread has answered, or is gone. */
  news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.#members.map(({ worker }) => worker.terminate()));
  }

  #hire(worker: Worker): Member {
    const member: Member = { worker, batches: [] };
    worker.on('message', (reports: readonly FileReport[]) => {
      const batch = member.batches.shift();
      if (batch !== undefined) batch.reports = reports;
      this.#wake();
    });
    // Why it failed is told when its files are checked here: by the same fault, or not at all.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      const at = this.#members.indexOf(member);
      if (at >= 0) this.#members.splice(at, 1);
      for (const batch of member.batches) batch.isOrphaned = true;
      this.#wake();
    });
    return member;
  }
}
