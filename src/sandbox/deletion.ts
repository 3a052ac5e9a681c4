import { isJsonObject } from '../base/index.ts';
import { asPod, type StoredObject, timestamp } from './objects.ts';
import { definitions, type ResourceDefinition } from './resources.ts';
import { forbidden, preconditionFailed } from './status.ts';

/** What becomes of the dependents: they follow later, they go first, or they stay. */
export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

/** What a client says about a deletion. `uid` and `resourceVersion` are preconditions. */
export interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: PropagationPolicy;
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

/** What a deletion does to the object itself; its dependents are the garbage collector's. */
export interface Deletion {
  /** The object afterwards; its last state if it is gone. The very same object if nothing changes. */
  readonly next: StoredObject;
  readonly isGone: boolean;
}

/** Hold an object until the garbage collector has let its dependents go, or has seen them go. */
export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

const orphanWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/** What the client is told about a deletion that doesn't say what shall become of the pods. */
export function deletionWarnings(type: ResourceDefinition, { propagationPolicy }: DeleteOptions): readonly string[] {
  return type.defaultPropagation === 'Orphan' && propagationPolicy === undefined ? [orphanWarning] : [];
}

/**
 * What a DELETE makes of an object: gone at once, or marked and kept until its grace period and its finalizers allow.
 * Throws the refusal of a precondition that doesn't hold.
 */
export function deletionOf(type: ResourceDefinition, old: StoredObject, options: DeleteOptions, now: number): Deletion {
  checkPreconditions(type, old, options);
  if (type === definitions.namespaces && isPermanent(old)) {
    throw forbidden(type, old.metadata.name, 'this namespace may not be deleted');
  }
  const finalizers = finalizersFor(type, old, options.propagationPolicy);
  const graceSeconds = graceOf(type, old, options);
  const isGone = finalizers.length === 0 && graceSeconds === 0 && namespaceHolders(type, old) === 0;
  // Only pods are marked before they go, for only they could have been given time.
  if (isGone && type !== definitions.pods) return { next: old, isGone };

  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = old.metadata;
  const isFirst = deletionTimestamp === undefined;
  const isShortened = isFirst || graceSeconds < deletionGracePeriodSeconds;
  const isSameFinalizers = sameList(finalizers, old.metadata.finalizers ?? []);
  if (!isShortened && isSameFinalizers) return { next: old, isGone };

  const askedAt = isFirst ? now : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  const { finalizers: _, ...metadata } = old.metadata;
  const next: StoredObject = {
    ...old,
    metadata: {
      ...metadata,
      ...(finalizers.length === 0 ? {} : { finalizers }),
      ...(isShortened
        ? {
            deletionTimestamp: timestamp(Math.max(now, askedAt + graceSeconds * 1000)),
            deletionGracePeriodSeconds: graceSeconds,
          }
        : {}),
      // The mark is a change of what is wanted, hence a new generation.
      ...(isFirst && generation !== undefined ? { generation: generation + 1 } : {}),
    },
  };
  return { next: markNamespace(type, next), isGone };
}

function isPermanent({ metadata }: StoredObject): boolean {
  return metadata.name === 'default' || metadata.name === 'kube-system' || metadata.name === 'kube-public';
}

/** Before anything else, so that a deletion meant for another object tells nothing about this one. */
function checkPreconditions(
  type: ResourceDefinition,
  old: StoredObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const { name, uid: storedUid, resourceVersion: storedVersion } = old.metadata;
  if (uid !== undefined && uid !== storedUid) {
    throw preconditionFailed(
      type,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${storedUid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== storedVersion) {
    throw preconditionFailed(
      type,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${storedVersion}). The object might have been modified`,
    );
  }
}

/** An explicit policy wins; without one, finalizers that are there already; then the type's default. */
function finalizersFor(
  type: ResourceDefinition,
  old: StoredObject,
  policy: PropagationPolicy | undefined,
): readonly string[] {
  const current = old.metadata.finalizers ?? [];
  const others = current.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  switch (policy) {
    case 'Orphan':
      return [...others, orphanFinalizer];
    case 'Foreground':
      return [...others, foregroundFinalizer];
    case 'Background':
      return others;
    case undefined:
      if (others.length < current.length) return current;
      return type.defaultPropagation === 'Orphan' ? [...others, orphanFinalizer] : others;
  }
}

/** Only pods that run somewhere are given time to stop. */
function graceOf(type: ResourceDefinition, old: StoredObject, options: DeleteOptions): number {
  if (type !== definitions.pods) return 0;
  const { spec, status } = asPod(old);
  if (spec.nodeName === undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
  const wanted = options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30;
  const asked = wanted < 0 ? 1 : wanted;
  const running = old.metadata.deletionGracePeriodSeconds;
  // A second deletion may only hurry the first.
  return running === undefined ? asked : Math.min(asked, running);
}

/** A deleted object whose last finalizer is gone and that no grace period holds. */
export function isReleased(type: ResourceDefinition, object: StoredObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (deletionGracePeriodSeconds ?? 0) > 0) return false;
  return (finalizers?.length ?? 0) === 0 && namespaceHolders(type, object) === 0;
}

/** A namespace has finalizers of its own in its spec; they go when its content is gone. */
function namespaceHolders(type: ResourceDefinition, object: StoredObject): number {
  if (type !== definitions.namespaces) return 0;
  const spec = object['spec'];
  const holders = isJsonObject(spec) ? spec['finalizers'] : undefined;
  return Array.isArray(holders) ? holders.length : 0;
}

function markNamespace(type: ResourceDefinition, object: StoredObject): StoredObject {
  return type === definitions.namespaces ? { ...object, status: { phase: 'Terminating' } } : object;
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
