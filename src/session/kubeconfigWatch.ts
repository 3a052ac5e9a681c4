import type { Clock, Disposable } from '../base/index.ts';

export interface KubeconfigWatchPorts {
  readonly files: readonly string[];
  /** Tells of every change of a file, until the result is disposed. */
  readonly watch: (file: string, onChange: () => void) => Disposable;
  /** What the files say of the contexts in use, as a word that changes with it. Rejects while they can't be read. */
  readonly fingerprint: () => Promise<string>;
  /** As it was when the clusters were opened. */
  readonly opened: string;
  readonly clock: Clock;
  /** The clusters that are open are no longer those that the files name. */
  readonly onOutdated: () => void;
}

/** Whoever writes the file gets this long to finish. */
const settleMs = 300;
/** A file that can't be read may be half written: it is looked at once more before anybody hears of it. */
const secondLookMs = 700;

/**
 * Says when the contexts in use have become others, and nothing of what else happens to a kubeconfig: another current
 * context, a new login of another cluster. With the poll of a file each second that is within two seconds.
 */
export class KubeconfigWatch implements Disposable {
  readonly #ports: KubeconfigWatchPorts;
  readonly #watching: readonly Disposable[];
  #timer: Disposable | undefined;
  #isDisposed = false;
  #told: string;

  constructor(ports: KubeconfigWatchPorts) {
    this.#ports = ports;
    this.#told = ports.opened;
    this.#watching = ports.files.map((file) => ports.watch(file, () => this.#lookIn(settleMs, true)));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    for (const one of this.#watching) one.dispose();
  }

  #lookIn(delayMs: number, mayLookAgain: boolean): void {
    this.#timer?.dispose();
    this.#timer = this.#ports.clock.after(delayMs, () => void this.#look(mayLookAgain));
  }

  /** Never rejects. */
  async #look(mayLookAgain: boolean): Promise<void> {
    let now: string;
    try {
      now = await this.#ports.fingerprint();
    } catch {
      if (this.#isDisposed) return;
      if (mayLookAgain) {
        this.#lookIn(secondLookMs, false);
        return;
      }
      now = 'unreadable';
    }
    if (this.#isDisposed || now === this.#told) return;
    this.#told = now;
    // Back to what is open: nothing to do.
    if (now !== this.#ports.opened) this.#ports.onOutdated();
  }
}
