/** Work that pauses: each `next` does a piece of it. For what must not hold the event loop until all of it is done. */
export type Pieces<T> = Generator<void, T, void>;

/** Does all of it at once. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const step = pieces.next();
    if (step.done === true) return step.value;
  }
}
