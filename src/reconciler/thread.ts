import {
  type Clock,
  type Disposable,
  DisposableStore,
  describeError,
  Emitter,
  type Event,
  type Log,
} from '../base/index.ts';
import { type MessageToThread, readMessageFromThread, type ThreadTarget } from './messages.ts';
import type { ReconcilerState } from './state.ts';

/** A thread as its parent holds it; the composition root makes one of what the platform has. */
export interface ThreadPort {
  post(message: MessageToThread): void;
  /** Disposing the result stops listening. */
  onMessage(listener: (message: unknown) => void): Disposable;
  /** Once, when the thread is gone for whatever reason. */
  onExit(listener: (reason: string) => void): Disposable;
  /** Ends it at once, without its consent. */
  terminate(): Promise<void>;
}

/** A reconciler in a thread of its own: a blocked extension host can't stall its lease. */
export interface ReconcilerThread {
  readonly report: ReconcilerState;
  readonly onReport: Event<ReconcilerState>;
  /** Resolves with the reason when it ends without being asked to. */
  readonly ended: Promise<string>;
  retry(cluster?: string): void;
  /** Ends it in good order, or after a few seconds without. */
  stop(): Promise<void>;
}

export interface ReconcilerThreadDeps {
  readonly spawn: () => ThreadPort;
  readonly clock: Clock;
  readonly log: Log;
  /** A login program of the thread tells the person something; never logged. */
  readonly onLoginMessage: (command: string, text: string) => void;
}

/** VS Code gives an extension about five seconds at its end. */
const stopPatienceMs = 3_000;

/** Resolves once the reconciler has told its first state; rejects with its reason if it ends before. */
export function startReconcilerThread(target: ThreadTarget, deps: ReconcilerThreadDeps): Promise<ReconcilerThread> {
  return new Promise((resolve, reject) => {
    const thread = new RunningThread(deps);
    thread.ended.then((reason) => reject(new Error(reason)));
    thread.onFirstReport(() => resolve(thread));
    thread.start(target);
  });
}

class RunningThread implements ReconcilerThread {
  readonly ended: Promise<string>;
  readonly #deps: ReconcilerThreadDeps;
  readonly #port: ThreadPort;
  readonly #reports: Emitter<ReconcilerState>;
  readonly #listening = new DisposableStore();
  #report: ReconcilerState | undefined;
  #whenFirst: (() => void) | undefined;
  #whenStopped: (() => void) | undefined;
  #end: (reason: string) => void = () => {};
  #isStopping = false;

  constructor(deps: ReconcilerThreadDeps) {
    this.#deps = deps;
    this.#reports = new Emitter((error) => deps.log.error('A listener failed.', { error: describeError(error) }));
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#port = deps.spawn();
    this.#listening.add(this.#port.onMessage((message) => this.#received(message)));
    this.#listening.add(this.#port.onExit((reason) => this.#gone(reason)));
  }

  get report(): ReconcilerState {
    if (this.#report === undefined) throw new Error('The reconciler has not reported yet.');
    return this.#report;
  }

  get onReport(): Event<ReconcilerState> {
    return this.#reports.event;
  }

  onFirstReport(listener: () => void): void {
    this.#whenFirst = listener;
  }

  start(target: ThreadTarget): void {
    this.#port.post({ kind: 'start', target });
  }

  retry(cluster?: string): void {
    this.#port.post(cluster === undefined ? { kind: 'retry' } : { kind: 'retry', cluster });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await new Promise<void>((resolve) => {
      const timer = this.#deps.clock.after(stopPatienceMs, resolve);
      this.#whenStopped = () => {
        timer.dispose();
        resolve();
      };
      this.#port.post({ kind: 'stop' });
    });
    this.#listening.dispose();
    this.#reports.dispose();
    await this.#port.terminate();
  }

  #received(value: unknown): void {
    const message = readMessageFromThread(value);
    const { log } = this.#deps;
    switch (message?.kind) {
      case undefined:
        log.warn('The reconciler sent something that is no message.');
        return;
      case 'state':
        this.#report = message.state;
        this.#whenFirst?.();
        this.#whenFirst = undefined;
        this.#reports.fire(message.state);
        return;
      case 'action': {
        const { action, namespace, job, worker, detail } = message.action;
        log.info(`Reconciler: ${action}.`, { namespace, job, worker, ...detail });
        return;
      }
      case 'log':
        log[message.level](message.message, message.fields);
        return;
      case 'login':
        this.#deps.onLoginMessage(message.command, message.text);
        return;
      case 'failed':
        this.#gone(message.reason);
        return;
      case 'stopped':
        this.#whenStopped?.();
    }
  }

  #gone(reason: string): void {
    this.#whenStopped?.();
    if (this.#isStopping) return;
    this.#listening.dispose();
    this.#end(reason);
    void this.#port.terminate();
  }
}
