import { type Disposable, describeError, Emitter, type Event } from '../base/index.ts';
import { consentKey, type OptIn, optInFor, type Question } from './optIn.ts';
import { isSameTarget, type ResolvedTarget } from './target.ts';

/**
 * The reconciler of one window.
 *
 * ```
 * off ──enable──▶ asking ──yes──▶ starting ──▶ running ──disable, window closes──▶ off
 *                   └──no──▶ off                  └──thread ends by itself──▶ failed
 * ```
 * Invariants: it runs only while trust, setting and answer agree (`optIn.ts`); at most one question is open and at most
 * one thread exists; an answer or a thread that comes after all was given up changes nothing.
 */
export type ReconcilerPhase<Report> =
  | { readonly kind: 'off' }
  | { readonly kind: 'asking' | 'starting'; readonly target: ResolvedTarget }
  | { readonly kind: 'running'; readonly target: ResolvedTarget; readonly report: Report }
  | { readonly kind: 'failed'; readonly target: ResolvedTarget; readonly reason: string };

/** A reconciler at work; `Report` is what it tells of itself from time to time. */
export interface ReconcilerRun<Report> {
  readonly report: Report;
  readonly onReport: Event<Report>;
  /** Resolves with the reason when it ends without being asked to. */
  readonly ended: Promise<string>;
  /** A person asked for another try, at one cluster or at all. */
  retry(cluster?: string): void;
  stop(): Promise<void>;
}

export interface ReconcilerPorts<Report> {
  readonly isTrusted: () => boolean;
  readonly isEnabled: () => boolean;
  /** Writes the workspace's setting, or remembers it for this window where there is no workspace. */
  readonly setEnabled: (isEnabled: boolean) => Promise<void>;
  readonly consents: () => readonly string[];
  readonly rememberConsent: (consent: string) => Promise<void>;
  readonly forgetConsent: (consent: string) => Promise<void>;
  /** Resolves with true for a yes. */
  readonly ask: (question: Question) => Promise<boolean>;
  readonly run: (target: ResolvedTarget) => Promise<ReconcilerRun<Report>>;
}

export class ReconcilerSession<Report> implements Disposable {
  readonly #ports: ReconcilerPorts<Report>;
  readonly #changed: Emitter<void>;
  #phase: ReconcilerPhase<Report> = { kind: 'off' };
  #run: ReconcilerRun<Report> | undefined;
  #listening: Disposable | undefined;
  /** Grows with every start and stop, so that what comes late can tell that it is late. */
  #turn = 0;

  constructor(ports: ReconcilerPorts<Report>, onError: (error: unknown) => void) {
    this.#ports = ports;
    this.#changed = new Emitter(onError);
  }

  get phase(): ReconcilerPhase<Report> {
    return this.#phase;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Where the opt-in stands, without asking or starting anything. */
  optIn(target: ResolvedTarget | undefined): OptIn {
    return this.#optIn(target, this.#ports.isEnabled());
  }

  /** A person wants it: asks if need be, and starts it. Resolves with what came of it. */
  async enable(target: ResolvedTarget): Promise<OptIn['kind']> {
    if (this.#phase.kind === 'asking') return 'ask';
    const optIn = this.#optIn(target, true);
    if (optIn.kind === 'ask') {
      const turn = this.#turn;
      this.#set({ kind: 'asking', target });
      const isYes = await this.#askGuarded(optIn.question);
      if (turn !== this.#turn) return 'ask';
      if (!isYes) {
        this.#set({ kind: 'off' });
        return 'ask';
      }
      await this.#start(target, async () => {
        await this.#ports.rememberConsent(optIn.consent);
        await this.#switchOn();
      });
      return 'go';
    }
    if (optIn.kind !== 'go') return optIn.kind;
    if (!this.#isAtWorkFor(target)) await this.#start(target, () => this.#switchOn());
    return 'go';
  }

  /** Starts it without a question, if all that is needed was agreed to before. */
  async resume(target: ResolvedTarget): Promise<OptIn['kind']> {
    const optIn = this.#optIn(target, this.#ports.isEnabled());
    if (optIn.kind === 'go' && !this.#isAtWorkFor(target)) await this.#start(target);
    return optIn.kind;
  }

  /**
   * Stops it, switches the workspace's setting off and takes the answer back: should the setting come back by itself,
   * with an update of the repository say, there is a question again.
   */
  async disable(): Promise<void> {
    const phase = this.#phase;
    await this.stop();
    if (phase.kind !== 'off') await this.#ports.forgetConsent(consentKey(phase.target));
    await this.#ports.setEnabled(false);
  }

  /** A person asked for another try; nothing happens while it doesn't run. */
  retry(cluster?: string): void {
    this.#run?.retry(cluster);
  }

  /** Stops it; the setting stays as it is. */
  async stop(): Promise<void> {
    this.#turn++;
    const run = this.#run;
    this.#run = undefined;
    this.#listening?.dispose();
    this.#listening = undefined;
    if (this.#phase.kind !== 'off') this.#set({ kind: 'off' });
    await run?.stop();
  }

  dispose(): void {
    void this.stop();
    this.#changed.dispose();
  }

  #optIn(target: ResolvedTarget | undefined, isEnabled: boolean): OptIn {
    return optInFor({ isTrusted: this.#ports.isTrusted(), isEnabled, target, consents: this.#ports.consents() });
  }

  #isAtWorkFor(target: ResolvedTarget): boolean {
    const phase = this.#phase;
    const isAtWork = phase.kind === 'starting' || phase.kind === 'running';
    return isAtWork && isSameTarget(phase.target, target) && consentKey(phase.target) === consentKey(target);
  }

  async #switchOn(): Promise<void> {
    if (!this.#ports.isEnabled()) await this.#ports.setEnabled(true);
  }

  /** A question that could not be put counts as a no, and leaves nothing open. */
  async #askGuarded(question: Question): Promise<boolean> {
    try {
      return await this.#ports.ask(question);
    } catch (error) {
      this.#set({ kind: 'off' });
      throw error;
    }
  }

  /** `prepare` is what must be written down beforehand; the phase says by then that it starts. */
  async #start(target: ResolvedTarget, prepare: () => Promise<void> = async () => {}): Promise<void> {
    const stopping = this.stop();
    const turn = this.#turn;
    this.#set({ kind: 'starting', target });
    let run: ReconcilerRun<Report>;
    try {
      await stopping;
      await prepare();
      if (turn !== this.#turn) return;
      run = await this.#ports.run(target);
    } catch (error) {
      if (turn === this.#turn) this.#set({ kind: 'failed', target, reason: describeError(error) });
      throw error;
    }
    if (turn !== this.#turn) {
      await run.stop();
      return;
    }
    this.#run = run;
    this.#set({ kind: 'running', target, report: run.report });
    this.#listening = run.onReport((report) => this.#set({ kind: 'running', target, report }));
    void run.ended.then((reason) => {
      if (turn !== this.#turn) return;
      this.#run = undefined;
      this.#set({ kind: 'failed', target, reason });
    });
  }

  #set(phase: ReconcilerPhase<Report>): void {
    this.#phase = phase;
    this.#changed.fire();
  }
}
