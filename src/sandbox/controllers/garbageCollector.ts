import { type Clock, type Disposable, DisposableStore } from '../../base/index.ts';
import type { OwnerReference } from '../../kube/index.ts';
import { foregroundFinalizer, orphanFinalizer } from '../deletion.ts';
import type { StoredObject } from '../objects.ts';
import type { ResourceApi } from '../resourceApi.ts';
import { allDefinitions, type ResourceDefinition } from '../resources.ts';
import type { StoreChange } from '../store.ts';

/** The collector works from a graph of its own, a moment behind the store. */
const lagMs = 10;

/** An object of whatever type, with its type. */
interface Dependent {
  readonly type: ResourceDefinition;
  readonly object: StoredObject;
}

/** Removes what is owned by nobody any more, and sees foreground and orphaning deletions through. */
export class GarbageCollector implements Disposable {
  readonly #api: ResourceApi;
  readonly #clock: Clock;
  readonly #resources = new DisposableStore();

  constructor(api: ResourceApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
    for (const type of allDefinitions)
      this.#resources.add(api.store.onChange(type, (change) => this.#onChange(type, change)));
  }

  dispose(): void {
    this.#resources.dispose();
  }

  #onChange(type: ResourceDefinition, { type: kind, object, previous }: StoreChange): void {
    const { metadata } = object;
    const owners = metadata.ownerReferences ?? [];
    if (kind === 'DELETED') {
      this.#later(() => {
        for (const dependent of this.#dependentsOf(metadata.uid)) this.#collect(dependent);
        // An owner that waits for its dependents may have waited for this one.
        for (const owner of owners) this.#advanceOwner(metadata.namespace, owner);
      });
    } else if (metadata.deletionTimestamp !== undefined && isHeldByUs(object)) {
      this.#later(() => this.#advance(type, metadata.namespace, metadata.name));
      // Even an object that is born with a dead owner is collected.
    } else if (owners.length > 0 && previous?.metadata.ownerReferences !== metadata.ownerReferences) {
      this.#later(() => this.#collect({ type, object }));
    }
  }

  #later(callback: () => void): void {
    this.#clock.after(lagMs, callback);
  }

  /** Owners are named by UID alone, and anything may be owned. */
  #dependentsOf(uid: string): readonly Dependent[] {
    return allDefinitions.flatMap((type) =>
      this.#api.store.dependentsOf(type, uid).map((object) => ({ type, object })),
    );
  }

  /** Deletes the object if all of its owners are gone, and takes the dead ones off its list otherwise. */
  #collect({ type, object }: Dependent): void {
    const { namespace, name, uid } = object.metadata;
    const current = this.#api.store.get(type, namespace, name);
    if (current === undefined || current.metadata.uid !== uid) return;
    const owners = current.metadata.ownerReferences ?? [];
    const living = owners.filter((owner) => this.#find(namespace, owner) !== undefined);
    if (living.length === owners.length) return;
    if (living.length > 0) this.#setOwners(type, current, living);
    else if (current.metadata.deletionTimestamp === undefined) {
      this.#api.delete(type, namespace, name, { uid, propagationPolicy: inheritedPolicy(current) });
    }
  }

  #advanceOwner(namespace: string | undefined, reference: OwnerReference): void {
    const owner = this.#find(namespace, reference);
    if (owner !== undefined) this.#advance(owner.type, owner.object.metadata.namespace, owner.object.metadata.name);
  }

  /** One step of a foreground or orphaning deletion. */
  #advance(type: ResourceDefinition, namespace: string | undefined, name: string): void {
    const object = this.#api.store.get(type, namespace, name);
    if (object?.metadata.deletionTimestamp === undefined) return;
    const { uid, finalizers = [] } = object.metadata;
    const dependents = this.#dependentsOf(uid);
    if (finalizers.includes(orphanFinalizer)) {
      for (const { type: dependentType, object: dependent } of dependents) {
        const rest = dependent.metadata.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [];
        this.#setOwners(dependentType, dependent, rest);
      }
      this.#release(type, object, orphanFinalizer);
    } else if (finalizers.includes(foregroundFinalizer)) {
      for (const { type: dependentType, object: dependent } of dependents) {
        if (dependent.metadata.deletionTimestamp !== undefined) continue;
        this.#api.delete(dependentType, dependent.metadata.namespace, dependent.metadata.name, {
          uid: dependent.metadata.uid,
          propagationPolicy:
            this.#dependentsOf(dependent.metadata.uid).length > 0 ? 'Foreground' : inheritedPolicy(dependent),
        });
      }
      const isBlocked = this.#dependentsOf(uid).some(({ object: dependent }) =>
        dependent.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
      );
      // Dependents without the mark are deleted too, but nobody waits for them.
      if (!isBlocked) this.#release(type, object, foregroundFinalizer);
    }
  }

  /** A reference whose name now belongs to another object is as dead as one to nothing. */
  #find(namespace: string | undefined, owner: OwnerReference): Dependent | undefined {
    const type = allDefinitions.find(({ apiVersion, kind }) => apiVersion === owner.apiVersion && kind === owner.kind);
    if (type === undefined) return undefined;
    const object = this.#api.store.get(type, type.isNamespaced ? namespace : undefined, owner.name);
    return object?.metadata.uid === owner.uid ? { type, object } : undefined;
  }

  #setOwners(type: ResourceDefinition, object: StoredObject, ownerReferences: readonly OwnerReference[]): void {
    const { namespace, name } = object.metadata;
    this.#api.update(type, namespace, name, { ...object, metadata: { ...object.metadata, ownerReferences } });
  }

  #release(type: ResourceDefinition, object: StoredObject, finalizer: string): void {
    const { namespace, name } = object.metadata;
    const finalizers = object.metadata.finalizers?.filter((other) => other !== finalizer) ?? [];
    this.#api.update(type, namespace, name, { ...object, metadata: { ...object.metadata, finalizers } });
  }
}

function isHeldByUs({ metadata }: StoredObject): boolean {
  return (
    metadata.finalizers?.some((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer) ??
    false
  );
}

/** What a dependent was told before about its own dependents stays in force. */
function inheritedPolicy({ metadata }: StoredObject): 'Orphan' | 'Foreground' | 'Background' {
  if (metadata.finalizers?.includes(orphanFinalizer)) return 'Orphan';
  return metadata.finalizers?.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}
