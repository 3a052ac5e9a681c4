import { type Disposable, Emitter } from '../base/index.ts';
import type { StoredObject } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';

/** As the events of a watch call it. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One committed write. For a deletion `object` is the last state, with the resourceVersion of the deletion. */
export interface StoreChange {
  readonly type: ChangeType;
  readonly object: StoredObject;
  readonly previous?: StoredObject;
  readonly resourceVersion: number;
}

/** Where an object lies within its type: `namespace/name`, or `name` for what is cluster-scoped. */
export function storageKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** Where the object lies. */
export function keyOf(object: StoredObject): string {
  return storageKey(object.metadata.namespace, object.metadata.name);
}

class Collection {
  readonly objects = new Map<string, StoredObject>();
  /** The latest changes, oldest first. Everything after `forgottenUntil` is in it. */
  changes: StoreChange[] = [];
  forgottenUntil = 0;
  readonly changed: Emitter<StoreChange>;
  #sortedKeys: readonly string[] | undefined;

  constructor(onError: (error: unknown) => void) {
    this.changed = new Emitter<StoreChange>(onError);
  }

  /** Keys in byte order, as etcd lists them. */
  sortedKeys(): readonly string[] {
    this.#sortedKeys ??= [...this.objects.keys()].sort();
    return this.#sortedKeys;
  }

  set(key: string, object: StoredObject): void {
    if (!this.objects.has(key)) this.#sortedKeys = undefined;
    this.objects.set(key, object);
  }

  delete(key: string): void {
    this.#sortedKeys = undefined;
    this.objects.delete(key);
  }
}

/** How much of the past is kept, and who hears of listeners that throw. */
export interface StoreOptions {
  /** Changes kept for each type, for watches that resume. */
  readonly historyLimit: number;
  readonly onError: (error: unknown) => void;
}

/**
 * A cluster's memory: objects by type and key, one counter of resourceVersions for all of them, and the recent changes.
 * Everything is synchronous. Listeners hear of changes in the order of the commits, even if one of them writes.
 */
export class ObjectStore implements Disposable {
  readonly #collections = new Map<string, Collection>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #options: StoreOptions;
  readonly #undelivered: { readonly collection: Collection; readonly change: StoreChange }[] = [];
  #isDelivering = false;
  #resourceVersion = 1;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** The resourceVersion of the latest write. */
  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  get(type: ResourceDefinition, namespace: string | undefined, name: string): StoredObject | undefined {
    return this.#collection(type).objects.get(storageKey(namespace, name));
  }

  /** All objects of the type in order of their keys, of one namespace if it is named. A copy of the moment. */
  list(type: ResourceDefinition, namespace?: string): StoredObject[] {
    const collection = this.#collection(type);
    const found: StoredObject[] = [];
    for (const key of collection.sortedKeys()) {
      const object = collection.objects.get(key);
      if (object === undefined) continue;
      if (namespace === undefined || object.metadata.namespace === namespace) found.push(object);
    }
    return found;
  }

  count(type: ResourceDefinition): number {
    return this.#collection(type).objects.size;
  }

  /** Stores `object`, new or changed, and returns it with its new resourceVersion. */
  put(type: ResourceDefinition, object: StoredObject): StoredObject {
    const collection = this.#collection(type);
    const key = keyOf(object);
    const previous = collection.objects.get(key);
    const stored = this.#versioned(object);
    collection.set(key, stored);
    this.#reindex(type, key, previous, stored);
    this.#commit(collection, {
      type: previous === undefined ? 'ADDED' : 'MODIFIED',
      object: stored,
      ...(previous === undefined ? {} : { previous }),
      resourceVersion: this.#resourceVersion,
    });
    return stored;
  }

  /** Removes the object; what is announced carries the resourceVersion of the deletion. */
  remove(type: ResourceDefinition, object: StoredObject): StoredObject {
    const collection = this.#collection(type);
    const key = keyOf(object);
    const previous = collection.objects.get(key);
    collection.delete(key);
    this.#reindex(type, key, previous, undefined);
    const last = this.#versioned(object);
    this.#commit(collection, {
      type: 'DELETED',
      object: last,
      ...(previous === undefined ? {} : { previous }),
      resourceVersion: this.#resourceVersion,
    });
    return last;
  }

  onChange(type: ResourceDefinition, listener: (change: StoreChange) => void): Disposable {
    return this.#collection(type).changed.event(listener);
  }

  /** Keys of the objects of `type` that name `ownerUid` among their ownerReferences. */
  dependentsOf(type: ResourceDefinition, ownerUid: string): StoredObject[] {
    const keys = this.#dependents.get(`${type.qualifiedName} ${ownerUid}`);
    if (keys === undefined) return [];
    const { objects } = this.#collection(type);
    const found: StoredObject[] = [];
    for (const key of keys) {
      const object = objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** What happened after `resourceVersion`, oldest first; undefined if that is no longer remembered. */
  changesSince(type: ResourceDefinition, resourceVersion: number): readonly StoreChange[] | undefined {
    const { changes, forgottenUntil } = this.#collection(type);
    if (resourceVersion < forgottenUntil) return undefined;
    // Resuming watches ask for the latest few, so the search goes backwards.
    let start = changes.length;
    while (start > 0 && (changes[start - 1]?.resourceVersion ?? 0) > resourceVersion) start -= 1;
    return changes.slice(start);
  }

  /** Forgets all past changes, as etcd does when it compacts: a watch that resumes from before gets a 410. */
  compact(): void {
    for (const collection of this.#collections.values()) {
      collection.changes = [];
      collection.forgottenUntil = this.#resourceVersion;
    }
  }

  dispose(): void {
    for (const collection of this.#collections.values()) collection.changed.dispose();
  }

  #versioned(object: StoredObject): StoredObject {
    this.#resourceVersion += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#resourceVersion) } };
  }

  #commit(collection: Collection, change: StoreChange): void {
    collection.changes.push(change);
    // Cut in large steps: a shift per write would cost the length of the window each time.
    if (collection.changes.length > this.#options.historyLimit * 2) {
      const removed = collection.changes.splice(0, collection.changes.length - this.#options.historyLimit);
      collection.forgottenUntil = removed.at(-1)?.resourceVersion ?? collection.forgottenUntil;
    }
    this.#undelivered.push({ collection, change });
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let next = this.#undelivered.shift(); next !== undefined; next = this.#undelivered.shift()) {
        next.collection.changed.fire(next.change);
      }
    } finally {
      this.#isDelivering = false;
    }
  }

  #reindex(
    type: ResourceDefinition,
    key: string,
    before: StoredObject | undefined,
    after: StoredObject | undefined,
  ): void {
    const oldOwners = before?.metadata.ownerReferences;
    const newOwners = after?.metadata.ownerReferences;
    if (oldOwners === newOwners) return;
    for (const { uid } of oldOwners ?? []) {
      const index = `${type.qualifiedName} ${uid}`;
      const keys = this.#dependents.get(index);
      keys?.delete(key);
      if (keys?.size === 0) this.#dependents.delete(index);
    }
    for (const { uid } of newOwners ?? []) {
      const index = `${type.qualifiedName} ${uid}`;
      const keys = this.#dependents.get(index) ?? new Set<string>();
      keys.add(key);
      this.#dependents.set(index, keys);
    }
  }

  #collection(type: ResourceDefinition): Collection {
    let collection = this.#collections.get(type.qualifiedName);
    if (collection === undefined) {
      collection = new Collection(this.#options.onError);
      this.#collections.set(type.qualifiedName, collection);
    }
    return collection;
  }
}
