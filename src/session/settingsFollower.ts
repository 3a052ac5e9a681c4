import type { Clock, Disposable } from '../base/index.ts';

export interface SettingsFollowerPorts {
  readonly clock: Clock;
  /** Brings the window to where the settings want it. Called once for many changes, and never twice at a time. */
  readonly follow: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** A person who edits a file of settings saves it whole, but VS Code tells of each setting by itself. */
const settleMs = 150;

/**
 * Follows settings as a whole: a choice of clusters is several settings, and half of it must never be acted upon.
 * Invariants: nothing is followed while `holdWhile` runs; what changed by then is followed once afterwards.
 */
export class SettingsFollower implements Disposable {
  readonly #ports: SettingsFollowerPorts;
  #holds = 0;
  #isDue = false;
  #isFollowing = false;
  #isDisposed = false;
  #timer: Disposable | undefined;

  constructor(ports: SettingsFollowerPorts) {
    this.#ports = ports;
  }

  /** Something changed. */
  note(): void {
    this.#isDue = true;
    this.#schedule();
  }

  /** For a command that writes several settings and then acts upon them itself. */
  async holdWhile<T>(act: () => Promise<T>): Promise<T> {
    this.#holds++;
    try {
      return await act();
    } finally {
      this.#holds--;
      this.#schedule();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #schedule(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isDue || this.#holds > 0 || this.#isFollowing || this.#isDisposed) return;
    this.#timer = this.#ports.clock.after(settleMs, () => void this.#follow());
  }

  /** Never rejects. */
  async #follow(): Promise<void> {
    this.#isDue = false;
    this.#isFollowing = true;
    try {
      await this.#ports.follow();
    } catch (error) {
      this.#ports.onError(error);
    } finally {
      this.#isFollowing = false;
      this.#schedule();
    }
  }
}
