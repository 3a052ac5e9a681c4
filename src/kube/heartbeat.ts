import type { Clock, Disposable } from '../base/index.ts';
import { KubeError, type KubeErrorKind } from './errors.ts';

/** Ticks of silence until the server is asked, and until it is given up although it was asked. */
const askAfterTicks = 4;
const loseAfterTicks = 6;

/** What the answer to the question may be that no stream outlives; any other answer shows that the server is there. */
const losing: ReadonlySet<KubeErrorKind> = new Set([
  'unauthorized',
  'credentials',
  'kubeconfig',
  'certificate',
  'timeout',
  'unreachable',
  'server-error',
]);

/**
 * Finds out that a server is out of touch although its connections look open: where packets vanish, a stream just falls
 * silent, as one does on which nothing happens. After so much silence the server is asked; what comes of it is told to
 * all who wait for a stream.
 *
 * Time is counted in ticks that were lived through, not read off a clock: a process that was stopped or slept is one
 * tick older, whatever the clocks say, and raises no alarm.
 *
 * Invariant: a timer is pending exactly while somebody waits for a stream.
 */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #ask: (signal: AbortSignal) => Promise<void>;
  readonly #waiting = new Set<(error: KubeError | undefined) => void>();
  #timer: Disposable | undefined;
  #silentTicks = 0;
  #question: AbortController | undefined;

  /**
   * @param silenceMs - how long nothing may be heard before `ask` is called; half of it again is its time to answer
   */
  constructor(clock: Clock, silenceMs: number, ask: (signal: AbortSignal) => Promise<void>) {
    this.#clock = clock;
    this.#tickMs = silenceMs / askAfterTicks;
    this.#ask = ask;
  }

  /** Anything came from the server. */
  heard(): void {
    this.#silentTicks = 0;
    this.#question?.abort();
    this.#question = undefined;
  }

  /**
   * Calls `onLost` at most once: with the answer that says why no stream can go on, or with undefined where none came.
   * Disposing the result ends the wait.
   */
  wait(onLost: (error: KubeError | undefined) => void): Disposable {
    // The same function may wait twice.
    const waiter = (error: KubeError | undefined): void => onLost(error);
    if (this.#waiting.size === 0) this.heard();
    this.#waiting.add(waiter);
    this.#timer ??= this.#clock.after(this.#tickMs, () => this.#tick());
    return { dispose: () => this.#leave(waiter) };
  }

  #leave(waiter: (error: KubeError | undefined) => void): void {
    this.#waiting.delete(waiter);
    if (this.#waiting.size > 0) return;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.heard();
  }

  #tick(): void {
    this.#silentTicks += 1;
    if (this.#silentTicks === askAfterTicks) void this.#askNow();
    if (this.#silentTicks >= loseAfterTicks) this.#lose(undefined);
    this.#timer = this.#waiting.size === 0 ? undefined : this.#clock.after(this.#tickMs, () => this.#tick());
  }

  async #askNow(): Promise<void> {
    const question = new AbortController();
    this.#question = question;
    try {
      await this.#ask(question.signal);
      if (this.#question === question) this.heard();
    } catch (error) {
      if (this.#question !== question) return;
      if (error instanceof KubeError && losing.has(error.kind)) this.#lose(error);
      else this.heard();
    }
  }

  #lose(error: KubeError | undefined): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#timer?.dispose();
    this.#timer = undefined;
    this.heard();
    for (const onLost of waiting) onLost(error);
  }
}
