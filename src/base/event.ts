import type { Disposable } from './disposable.ts';

/** Registers a listener; disposing the result removes it. Events announce a change and carry ids, never state. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The owner's side of an `Event`. A listener that throws is reported to `onError` and doesn't keep the others. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // Each registration is its own, so that registering a function twice and disposing once leaves one.
    const registration = (value: T): void => listener(value);
    this.#listeners.add(registration);
    return { dispose: () => void this.#listeners.delete(registration) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
