import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/**
 * Jobs of which each turn of the event loop does one, in the order in which they came: many at once would hold it as long as
 * a single long one. A job may come again while it runs.
 */
export class Turns implements Disposable {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #jobs = new Map<string, () => void>();
  #next: Disposable | undefined;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** What waits under that name already is replaced, in its place. */
  set(name: string, job: () => void): void {
    this.#jobs.set(name, job);
    this.#wait();
  }

  delete(name: string): void {
    this.#jobs.delete(name);
  }

  /** Drops all that waits. */
  dispose(): void {
    this.#jobs.clear();
    this.#next?.dispose();
    this.#next = undefined;
  }

  #wait(): void {
    this.#next ??= this.#clock.after(0, () => {
      this.#next = undefined;
      for (const [name, job] of this.#jobs) {
        this.#jobs.delete(name);
        if (this.#jobs.size > 0) this.#wait();
        job();
        return;
      }
    });
  }
}
