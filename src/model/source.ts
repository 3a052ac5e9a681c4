import type { ObjectChange } from '../kube/index.ts';
import type { ClusterStatus, Contact } from './clusterStatus.ts';
import type { ObservedJob, ObservedPod, ObservedWorkload } from './observed.ts';

/** Objects of one type as they are known now. A reflector is one, and so is its cache. */
export interface ObjectSource<K> {
  get(uid: string): K | undefined;
  find(namespace: string | undefined, name: string): K | undefined;
  values(): Iterable<K>;
}

/** What the model reads of one cluster. */
export interface ClusterSight {
  /** The workspace's name of a worker; empty for the management cluster. */
  readonly name: string;
  readonly jobs: ObjectSource<ObservedJob>;
  readonly pods: ObjectSource<ObservedPod>;
  readonly workloads: ObjectSource<ObservedWorkload>;
  /** True once a whole list of Jobs has been read: what is missing then is missing there. */
  readonly isComplete: boolean;
  /** Whether an absent Workload means that there is none. */
  readonly hasWorkloads: boolean;
  readonly status: ClusterStatus;
  /** How fresh the Jobs of one namespace are: a login may be allowed in some alone. */
  contactIn(namespace: string): Contact;
  /** UID of its `kube-system`, once known. */
  readonly identity: string | undefined;
  /** How far its clock is ahead of this machine's. */
  readonly clockOffsetMs: number | undefined;
}

export const noObjects: ObjectSource<never> = {
  get: () => undefined,
  find: () => undefined,
  values: () => [],
};

/**
 * UIDs by a key that never changes during an object's life.
 *
 * Invariant: holds exactly the objects of which it was told that they are there.
 */
export class UidIndex<K> {
  readonly #keyOf: (object: K) => string | undefined;
  readonly #uids = new Map<string, Set<string>>();

  constructor(keyOf: (object: K) => string | undefined) {
    this.#keyOf = keyOf;
  }

  get(key: string): ReadonlySet<string> {
    return this.#uids.get(key) ?? none;
  }

  note(change: ObjectChange<K>, source: ObjectSource<K>): void {
    const object = change.kind === 'deleted' ? change.last : source.get(change.uid);
    const key = object === undefined ? undefined : this.#keyOf(object);
    if (key === undefined) return;
    const uids = this.#uids.get(key);
    if (change.kind !== 'deleted') {
      if (uids === undefined) this.#uids.set(key, new Set([change.uid]));
      else uids.add(change.uid);
      return;
    }
    uids?.delete(change.uid);
    if (uids?.size === 0) this.#uids.delete(key);
  }
}

const none: ReadonlySet<string> = new Set();
