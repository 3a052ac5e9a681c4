import { type Clock, type Disposable, describeError, type Log } from '../base/index.ts';

export interface QueueOptions {
  /**
   * Looks after one key. Resolves with the milliseconds after which it wants to be called again without being asked,
   * if at all.
   */
  readonly process: (key: string) => Promise<number | undefined>;
  /** Keys of one lane share a few places; a cluster that doesn't answer can't take those of the others (G5). */
  readonly laneOf: (key: string) => string;
  /** Places a lane. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Log;
}

interface Entry {
  state: 'idle' | 'queued' | 'running';
  /** Asked for again while it ran. */
  isDirty: boolean;
  timer: Disposable | undefined;
}

interface Lane {
  readonly waiting: string[];
  running: number;
}

/** After a failure that `process` should have dealt with itself. */
const afterBugMs = 5_000;

/**
 * A level-triggered queue: it knows that a key needs a look, never what happened to it.
 *
 * Invariants: a key is processed by one call at a time; asking any number of times while it waits is asking once; asking
 * while it runs leads to exactly one more run; a key that waits for time has one timer.
 */
export class KeyedQueue {
  readonly #options: QueueOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #lanes = new Map<string, Lane>();
  #isStopped = false;
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Keys that wait for a place, and keys that are being looked after. */
  get depth(): { readonly waiting: number; readonly running: number } {
    let waiting = 0;
    for (const lane of this.#lanes.values()) waiting += lane.waiting.length;
    return { waiting, running: this.#running };
  }

  /** Asks for a look at the key, as soon as its lane has a place. */
  add(key: string): void {
    if (this.#isStopped) return;
    const entry = this.#entry(key);
    entry.timer?.dispose();
    entry.timer = undefined;
    if (entry.state === 'running') entry.isDirty = true;
    if (entry.state !== 'idle') return;
    entry.state = 'queued';
    const lane = this.#lane(key);
    lane.waiting.push(key);
    this.#serve(lane);
  }

  /** Starts nothing any more; resolves once what runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { timer } of this.#entries.values()) timer?.dispose();
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #serve(lane: Lane): void {
    while (!this.#isStopped && lane.running < this.#options.concurrency) {
      const key = lane.waiting.shift();
      if (key === undefined) return;
      void this.#run(key, lane);
    }
  }

  async #run(key: string, lane: Lane): Promise<void> {
    const entry = this.#entry(key);
    entry.state = 'running';
    entry.isDirty = false;
    lane.running++;
    this.#running++;
    let afterMs: number | undefined;
    try {
      afterMs = await this.#options.process(key);
    } catch (error) {
      if (!this.#isStopped)
        this.#options.log.error('A pass failed unexpectedly.', { key, error: describeError(error) });
      afterMs = afterBugMs;
    }
    lane.running--;
    this.#running--;
    entry.state = 'idle';
    if (this.#isStopped) {
      if (this.#running === 0) this.#onIdle?.();
      return;
    }
    if (entry.isDirty || afterMs === 0) this.add(key);
    else if (afterMs !== undefined) entry.timer = this.#options.clock.after(afterMs, () => this.add(key));
    else this.#entries.delete(key);
    this.#serve(lane);
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { state: 'idle', isDirty: false, timer: undefined };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #lane(key: string): Lane {
    const name = this.#options.laneOf(key);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = { waiting: [], running: 0 };
      this.#lanes.set(name, lane);
    }
    return lane;
  }
}
