import type { ObjectMeta } from './types.ts';

/** What happened to one object. The current state is read from the cache; only a deletion brings what was there last. */
export type ObjectChange<K> =
  | { readonly kind: 'added' | 'modified'; readonly uid: string }
  | { readonly kind: 'deleted'; readonly uid: string; readonly last: K };

interface Entry<K> {
  readonly path: string;
  readonly resourceVersion: string;
  readonly value: K;
}

/**
 * Objects by UID. A name that comes back with another UID is another object: the old one is deleted first.
 *
 * Invariant: `#uids` maps the namespace and name of each entry to its UID, and nothing else.
 */
export class ObjectCache<T extends { readonly metadata: ObjectMeta }, K> {
  readonly #keep: (object: T) => K | undefined;
  readonly #entries = new Map<string, Entry<K>>();
  readonly #uids = new Map<string, string>();

  /** `keep` chooses what stays in memory of an object; undefined if it is of no interest. */
  constructor(keep: (object: T) => K | undefined) {
    this.#keep = keep;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(uid: string): K | undefined {
    return this.#entries.get(uid)?.value;
  }

  find(namespace: string | undefined, name: string): K | undefined {
    return this.get(this.#uids.get(pathOf(namespace, name)) ?? '');
  }

  resourceVersionOf(uid: string): string | undefined {
    return this.#entries.get(uid)?.resourceVersion;
  }

  *values(): IterableIterator<K> {
    for (const { value } of this.#entries.values()) yield value;
  }

  uids(): IterableIterator<string> {
    return this.#entries.keys();
  }

  /** Takes an object in; says what changed, nothing if this very version was known. */
  put(object: T): ObjectChange<K>[] {
    const { uid, resourceVersion, namespace, name } = object.metadata;
    const known = this.#entries.get(uid);
    if (known?.resourceVersion === resourceVersion) return [];
    const value = this.#keep(object);
    if (value === undefined) return this.remove(uid);
    const path = known?.path ?? pathOf(namespace, name);
    const before = this.#uids.get(path);
    const replaced = before === undefined || before === uid ? [] : this.remove(before);
    this.#entries.set(uid, { path, resourceVersion, value });
    this.#uids.set(path, uid);
    return [...replaced, { kind: known === undefined ? 'added' : 'modified', uid }];
  }

  remove(uid: string): ObjectChange<K>[] {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return [];
    this.#entries.delete(uid);
    if (this.#uids.get(entry.path) === uid) this.#uids.delete(entry.path);
    return [{ kind: 'deleted', uid, last: entry.value }];
  }

  /** Removes what a complete list did not show. */
  retain(uids: ReadonlySet<string>): ObjectChange<K>[] {
    return [...this.#entries.keys()].filter((uid) => !uids.has(uid)).flatMap((uid) => this.remove(uid));
  }
}

function pathOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
