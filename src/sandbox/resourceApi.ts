import { type Clock, isJsonObject, type JsonObject, type Random } from '../base/index.ts';
import { type DeleteOptions, deletionOf, isReleased } from './deletion.ts';
import { createdName, newUid, randomSuffix } from './identity.ts';
import { checkPreconditions, keptMetadata, metadataOf, withGeneration, withoutServerFields } from './metadataRules.ts';
import { equalJson, looseMetadata, type StoredObject, stringAt, timestamp } from './objects.ts';
import { applyPatch, type PatchBody } from './patch.ts';
import { quotaRefusal } from './quota.ts';
import { definitions, type ResourceDefinition } from './resources.ts';
import { ApiError, alreadyExists, forbidden, invalid, notFound, unreadablePatch } from './status.ts';
import type { ObjectStore } from './store.ts';
import type { FieldValidation, Strategy } from './strategy.ts';
import { wireForm } from './wireForm.ts';

/** Without `fieldValidation` unknown fields are dropped with a warning, the API's default. */
export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldValidation?: FieldValidation;
}

/** The object as it is stored now; for a dry run, as it would be. */
export interface WriteResult {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
  readonly isNew: boolean;
}

/** The object as it was left, or in its last state. */
export interface DeleteResult {
  readonly object: StoredObject;
  /** False while finalizers or a grace period hold the object. */
  readonly isGone: boolean;
}

/** Which half of an object a write is about. */
export type Subresource = 'status' | undefined;

/** What the rules of each type and the identity of new objects come from. */
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

/** As often is a drawn name drawn again if it is taken. Source: Kubernetes 1.35, registry store. */
const nameTries = 8;

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

  /** Throws the 404. */
  get(type: ResourceDefinition, namespace: string | undefined, name: string): StoredObject {
    const found = this.store.get(type, namespace, name);
    if (found === undefined) throw notFound(type, name);
    return found;
  }

  /** POST. Completes, judges and stores a new object. */
  create(
    type: ResourceDefinition,
    namespace: string | undefined,
    body: JsonObject,
    options: WriteOptions = {},
  ): WriteResult {
    const metadata = metadataOf(type, namespace, undefined, body);
    const isDrawn = stringAt(metadata, 'name') === undefined;
    for (let tries = isDrawn ? nameTries : 1; ; tries -= 1) {
      try {
        return this.#createNamed(type, namespace, body, metadata, options);
      } catch (error) {
        const isTaken = error instanceof ApiError && error.body['reason'] === 'AlreadyExists';
        if (!isTaken || tries === 1) throw error;
      }
    }
  }

  #createNamed(
    type: ResourceDefinition,
    namespace: string | undefined,
    body: JsonObject,
    metadata: JsonObject,
    options: WriteOptions,
  ): WriteResult {
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
    if (this.store.get(type, namespace, name) !== undefined) throw alreadyExists(type, name);
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
    const metadata = metadataOf(type, namespace, name, body);
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
    checkPreconditions(type, old, metadata);
    return this.#write(type, old, body, options);
  }

  /** PATCH: applied to what is stored now, hence never in conflict with it unless the patch names a resourceVersion. */
  patch(
    type: ResourceDefinition,
    namespace: string | undefined,
    name: string,
    patch: PatchBody,
    options: WriteOptions & { readonly subresource?: Subresource } = {},
  ): WriteResult {
    const old = this.get(type, namespace, name);
    const body = applyPatch(type, old, patch);
    const metadata = metadataOf(type, namespace, name, body);
    // In a PUT another uid means another object; in a patch it is a field like others that may not change.
    const { uid, ...others } = metadata;
    checkPreconditions(type, old, others);
    try {
      return this.#write(type, old, body, { ...options, ...(typeof uid === 'string' ? { uid } : {}) });
    } catch (error) {
      throw error instanceof ApiError && error.code === 400 ? unreadablePatch(body, error.message) : error;
    }
  }

  /** DELETE. A pod that goes at once is seen marked before it goes. */
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
    // The engine refuses this for Jobs, with what follows from it; the simpler types leave it to us.
    if (object.metadata.uid !== old.metadata.uid) {
      const fault = { field: 'metadata.uid', type: 'Invalid', value: uid, message: 'field is immutable' } as const;
      throw invalid(type, old.metadata.name, [fault]);
    }
    const next = wireForm(type, withGeneration(type, object, old));
    // The real server writes nothing either then: no new resourceVersion, no event.
    if (equalJson(next, old)) return { object: old, warnings, isNew: false };
    if (options.dryRun) return { object: next, warnings, isNew: false };
    if (isReleased(type, next)) return { object: this.store.remove(type, next), warnings, isNew: false };
    return { object: this.store.put(type, next), warnings, isNew: false };
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
