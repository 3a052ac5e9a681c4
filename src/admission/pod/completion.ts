/**
 * Completing objects without changing them: what is already complete is returned as it is, so that the common case of a
 * stored object costs no copy.
 */

/** How one field is completed: from its value and the object that holds it; undefined leaves it absent. */
type Completion<T, K extends keyof T> = (value: NonNullable<T[K]> | undefined, owner: T) => T[K] | undefined;

/** For each field, how it is completed. */
export type Completions<T> = { readonly [K in keyof T]?: Completion<T, K> };

/** The object with its fields completed; the object itself if there was nothing to complete. */
export function completed<T extends object>(object: T, completions: Completions<T>): T {
  let copy: T | undefined;
  for (const name in completions) {
    const complete = completions[name];
    if (complete === undefined) continue;
    const before = object[name] ?? undefined;
    const after = complete(before, object);
    if (after === before || after === undefined) continue;
    copy ??= { ...object };
    copy[name] = after;
  }
  return copy ?? object;
}

/** Completes a part that is there; leaves an absent one absent. */
export function ifPresent<T extends object>(completions: Completions<T>): (value: T | undefined) => T | undefined {
  return (value) => value && completed(value, completions);
}

/** Completes each item of a list; the same list if no item needed it. */
export function eachItem<T extends object>(
  completions: Completions<T>,
): (items: readonly T[] | undefined) => readonly T[] | undefined {
  return (items) => {
    if (!Array.isArray(items)) return items;
    const before: readonly T[] = items;
    let copy: T[] | undefined;
    for (let index = 0; index < before.length; index++) {
      const item = before[index];
      const after = item && completed(item, completions);
      if (after === item || after === undefined) continue;
      copy ??= [...before];
      copy[index] = after;
    }
    return copy ?? before;
  };
}

/** A text that absent and empty both stand for. */
export function textOr(standard: string): (value: string | undefined) => string {
  return (value) => value || standard;
}

/** A number that absent and zero both stand for. */
export function numberOr(standard: number): (value: number | undefined) => number {
  return (value) => value || standard;
}

/** A value for an absent field; an empty or zero one stays. */
export function absentOr<T>(standard: T): (value: T | undefined) => T {
  return (value) => value ?? standard;
}
