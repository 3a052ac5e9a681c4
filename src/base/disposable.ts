/** Something that holds a resource until it is disposed. Structurally the same as VS Code's, without importing it. */
export interface Disposable {
  dispose(): void;
}

/**
 * Owns disposables and disposes them in reverse order of arrival. One that throws doesn't keep the others: the errors
 * are collected and thrown at the end. What arrives after the store was disposed is disposed at once.
 */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  /** Takes ownership of `item` and returns it. */
  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    const errors: unknown[] = [];
    for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, 'Several disposables failed.');
  }
}
