import { type Clock, isJsonObject, type JsonObject, type Random } from '../base/index.ts';
import { type DeleteOptions, deletionOf, isReleased } from './deletion.ts';
import { createdName, newUid, randomSuffix } from './identity.ts';
import { equalJson, looseMetadata, type StoredMeta, type StoredObject, stringAt, timestamp } from './objects.ts';
import { applyPatch, type PatchBody } from './patch.ts';
import { quotaRefusal } from './quota.ts';
import { definitions, type ResourceDefinition } from './resources.ts';
import {
  ApiError,
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  missingVersion,
  notFound,
  unreadablePatch,
} from './status.ts';
import { type ObjectStore, storageKey } from './store.ts';
import type { FieldValidation, Strategy } from './strategy.ts';
import { wireForm } from './wireForm.ts';

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldValidation?: FieldValidation;
}

export interface WriteResult {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
  readonly isNew: boolean;
}

export interface DeleteResult {
  readonly object: StoredObject;
  /** False while finalizers or a grace period hold the object. */
  readonly isGone: boolean;
}

export type Subresource = 'status' | undefined;

export interface ResourceApiOptions {
  readonly store: ObjectStore;
  readonly strategyOf: (type: ResourceDefinition) => Strategy;
  readonly clock: Clock;
  readonly random: Random;
}

/** What a write to a terminating namespace is told. */
function namespaceEnds(type: ResourceDefinition, name: string, namespace: string): ApiError {
  return forbidden(
    type,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}

/**
 * The writing half of an API server, without HTTP: every write of a client and of the cluster's own controllers passes
 * here, so all meet the same rules. Synchronous; refusals are thrown as `ApiError`.
 */
export class ResourceApi {
  readonly #options: ResourceApiOptions;

  constructor(options: ResourceApiOptions) {
    this.#options = options;
  }

  get store(): ObjectStore {
    return this.#options.store;
  }

  get(type: ResourceDefinition, namespace: string | undefined, name: string): StoredObject {
    const found = this.store.get(type, namespace, name);
    if (found === undefined) throw notFound(type, name);
    return found;
  }

  create(
    type: ResourceDefinition,
    namespace: string | undefined,
    body: JsonObject,
    options: WriteOptions = {},
  ): WriteResult {
    const metadata = this.#bodyMetadata(type, namespace, undefined, body);
    if (stringAt(metadata, 'resourceVersion') !== undefined) {
      throw new ApiError({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
    }
    if (namespace !== undefined) this.#requireNamespace(type, createdName(metadata, ''), namespace);
    const identity = {
      uid: newUid(this.#options.random),
      creationTimestamp: timestamp(this.#options.clock.now()),
      nameSuffix: randomSuffix(this.#options.random),
    };
    const { object, warnings } = this.#strategy(type).create(
      { ...body, metadata: { ...withoutServerFields(metadata), ...(namespace === undefined ? {} : { namespace }) } },
      identity,
      options.fieldValidation ?? 'Warn',
    );
    const complete = wireForm(
      type,
      type.hasGeneration ? { ...object, metadata: { ...object.metadata, generation: 1 } } : object,
    );
    const { name } = complete.metadata;
    if (this.store.get(type, namespace, name) !== undefined) {
      // A drawn name that is taken is drawn again; with 27^5 suffixes a second clash means a full namespace.
      if (stringAt(metadata, 'name') === undefined) return this.create(type, namespace, body, options);
      throw alreadyExists(type, name);
    }
    const refusal = namespace === undefined ? undefined : quotaRefusal(this.store, type, namespace, name);
    if (refusal !== undefined) throw refusal;
    if (options.dryRun) return { object: complete, warnings, isNew: true };
    return { object: this.store.put(type, complete), warnings, isNew: true };
  }

  /** PUT. Conditional if the body carries a resourceVersion or a uid. */
  update(
    type: ResourceDefinition,
    namespace: string | undefined,
    name: string,
    body: JsonObject,
    options: WriteOptions & { readonly subresource?: Subresource } = {},
  ): WriteResult {
    const metadata = this.#bodyMetadata(type, namespace, name, body);
    const old = this.store.get(type, namespace, name);
    if (old === undefined) {
      if (type.createsOnUpdate && options.subresource === undefined) {
        return this.create(
          type,
          namespace,
          { ...body, metadata: { ...metadata, name, resourceVersion: undefined } },
          options,
        );
      }
      throw notFound(type, name);
    }
    this.#checkPreconditions(type, old, metadata);
    return this.#write(type, old, body, options);
  }

  patch(
    type: ResourceDefinition,
    namespace: string | undefined,
    name: string,
    patch: PatchBody,
    options: WriteOptions & { readonly subresource?: Subresource } = {},
  ): WriteResult {
    const old = this.get(type, namespace, name);
    const body = applyPatch(type, old, patch);
    const metadata = this.#bodyMetadata(type, namespace, name, body);
    // In a PUT another uid means another object; in a patch it is a field like others that may not change.
    const { uid, ...others } = metadata;
    this.#checkPreconditions(type, old, others);
    try {
      return this.#write(type, old, body, { ...options, ...(typeof uid === 'string' ? { uid } : {}) });
    } catch (error) {
      throw error instanceof ApiError && error.code === 400 ? unreadablePatch(body, error.message) : error;
    }
  }

  delete(
    type: ResourceDefinition,
    namespace: string | undefined,
    name: string,
    options: DeleteOptions = {},
  ): DeleteResult {
    const old = this.get(type, namespace, name);
    const { next, isGone } = deletionOf(type, old, options, this.#options.clock.now());
    if (options.dryRun) return { object: next, isGone };
    const marked = next === old ? old : this.store.put(type, next);
    if (isGone) this.store.remove(type, marked);
    return { object: marked, isGone };
  }

  /** What a scheduler does: gives the pod its node. */
  bind(namespace: string | undefined, name: string, nodeName: string): StoredObject {
    const pod = this.get(definitions.pods, namespace, name);
    const spec = isJsonObject(pod['spec']) ? pod['spec'] : {};
    return this.store.put(definitions.pods, { ...pod, spec: { ...spec, nodeName } });
  }

  /** What the namespace controller does last: nothing holds the namespace any more. */
  finalizeNamespace(name: string): void {
    this.store.remove(definitions.namespaces, this.get(definitions.namespaces, undefined, name));
  }

  /** Stores what became of `old` and removes it if that was the last thing that held it. */
  #write(
    type: ResourceDefinition,
    old: StoredObject,
    body: JsonObject,
    options: WriteOptions & { readonly subresource?: Subresource; readonly uid?: string },
  ): WriteResult {
    const strategy = this.#strategy(type);
    const validation = options.fieldValidation ?? 'Warn';
    const { uid = old.metadata.uid } = options;
    const metadata = { ...keptMetadata(looseMetadata(body), old.metadata), uid };
    const incoming: JsonObject = { ...body, metadata };
    const { object, warnings } =
      options.subresource === 'status'
        ? strategy.updateStatus(incoming, old, validation)
        : strategy.update(incoming, old, validation);
    const next = wireForm(type, withGeneration(type, object, old));
    if (equalJson(next, old)) return { object: old, warnings, isNew: false };
    if (options.dryRun) return { object: next, warnings, isNew: false };
    if (isReleased(type, next)) return { object: this.store.remove(type, next), warnings, isNew: false };
    return { object: this.store.put(type, next), warnings, isNew: false };
  }

  #bodyMetadata(
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

  #checkPreconditions(type: ResourceDefinition, old: StoredObject, metadata: JsonObject): void {
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

  #requireNamespace(type: ResourceDefinition, name: string, namespace: string): void {
    const found = this.store.get(definitions.namespaces, undefined, namespace);
    if (found === undefined) throw notFound(definitions.namespaces, namespace);
    if (found.metadata.deletionTimestamp !== undefined) throw namespaceEnds(type, name, namespace);
  }

  #strategy(type: ResourceDefinition): Strategy {
    return this.#options.strategyOf(type);
  }
}

function storageConflict(type: ResourceDefinition, { metadata }: StoredObject, sentUid: string): string {
  const key = `/registry/${type.plural}/${storageKey(metadata.namespace, metadata.name)}`;
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${sentUid}, UID in object meta: ${metadata.uid}`;
}

/** What no client may decide for a new object. */
function withoutServerFields(metadata: JsonObject): JsonObject {
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
function keptMetadata(sent: JsonObject, stored: StoredMeta): JsonObject {
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

function withGeneration(type: ResourceDefinition, next: StoredObject, old: StoredObject): StoredObject {
  const generation = old.metadata.generation;
  if (!type.hasGeneration || generation === undefined) return next;
  const isChanged = !equalJson(next['spec'], old['spec']);
  return { ...next, metadata: { ...next.metadata, generation: isChanged ? generation + 1 : generation } };
}
