import { isJsonObject, type JsonObject } from '../base/index.ts';
import { equalJson, looseMetadata, type StoredMeta, type StoredObject, stringAt } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { badRequest, conflict, missingVersion } from './status.ts';
import { storageKey } from './store.ts';

/** What the server itself knows and does about metadata, the same for every type. */

/**
 * The metadata that a client sent, once its body is known to be about what the URL names. Throws the 400 otherwise.
 * No `name`: the object is new, and may name itself.
 */
export function metadataOf(
  type: ResourceDefinition,
  namespace: string | undefined,
  name: string | undefined,
  body: JsonObject,
): JsonObject {
  const { apiVersion = type.apiVersion, kind = type.kind } = body;
  if (apiVersion !== type.apiVersion) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${type.apiVersion})`,
    );
  }
  if (kind !== type.kind) {
    const [from, to] = [`${type.version}.${String(kind)}`, `${type.group || 'core'}.${type.kind}`];
    throw badRequest(
      `${String(kind)} in version "${type.version}" cannot be handled as a ${type.kind}: converting (${from}) to (${to}): unknown conversion`,
    );
  }
  if (body['metadata'] !== undefined && !isJsonObject(body['metadata'])) {
    throw badRequest(
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: metadata is not an object`,
    );
  }
  const metadata = looseMetadata(body);
  const bodyNamespace = stringAt(metadata, 'namespace');
  if (namespace !== undefined && bodyNamespace !== undefined && bodyNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const bodyName = stringAt(metadata, 'name');
  if (name !== undefined && bodyName !== name) {
    if (bodyName === undefined) throw badRequest('name must be provided');
    throw badRequest(`the name of the object (${bodyName}) does not match the name on the URL (${name})`);
  }
  return metadata;
}

/**
 * Throws the 409 of a write that is meant for another object or another state of it. Without a resourceVersion the last
 * write wins, where the type allows that.
 */
export function checkPreconditions(type: ResourceDefinition, old: StoredObject, metadata: JsonObject): void {
  const { name, uid, resourceVersion } = old.metadata;
  const sentUid = stringAt(metadata, 'uid');
  if (sentUid !== undefined && sentUid !== uid) {
    throw conflict(type, name, storageConflict(type, old, sentUid));
  }
  const sentVersion = stringAt(metadata, 'resourceVersion');
  if (sentVersion === undefined || sentVersion === '0') {
    if (type.allowsUnconditionalUpdate) return;
    throw missingVersion(type, name);
  }
  if (sentVersion !== resourceVersion) throw conflict(type, name);
}

function storageConflict(type: ResourceDefinition, { metadata }: StoredObject, sentUid: string): string {
  const key = `/registry/${type.plural}/${storageKey(metadata.namespace, metadata.name)}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${sentUid}, UID in object meta: ${metadata.uid}`;
}

/** What no client may decide for a new object. */
export function withoutServerFields(metadata: JsonObject): JsonObject {
  const {
    uid: _uid,
    creationTimestamp: _creation,
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    selfLink: _self,
    managedFields: _managed,
    ...rest
  } = metadata;
  return rest;
}

/** The client's metadata on update, with what the server owns put back; sending other values for it changes nothing. */
export function keptMetadata(sent: JsonObject, stored: StoredMeta): JsonObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion, name } =
    stored;
  return {
    ...withoutServerFields(sent),
    name,
    ...(stored.namespace === undefined ? {} : { namespace: stored.namespace }),
    uid,
    resourceVersion,
    creationTimestamp,
    ...(generation === undefined ? {} : { generation }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
  };
}

/** Raises the generation if what is wanted has changed; a status is what is, and doesn't count. */
export function withGeneration(type: ResourceDefinition, next: StoredObject, old: StoredObject): StoredObject {
  const generation = old.metadata.generation;
  if (!type.hasGeneration || generation === undefined) return next;
  const isChanged = !equalJson(next['spec'], old['spec']);
  return { ...next, metadata: { ...next.metadata, generation: isChanged ? generation + 1 : generation } };
}
