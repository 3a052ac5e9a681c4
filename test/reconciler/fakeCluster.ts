import { type Admission, admit, type KubernetesMinor } from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/index.ts';
import {
  type KubeApi,
  KubeError,
  type KubeErrorKind,
  type KubeObject,
  type ResourceType,
} from '../../src/kube/index.ts';

/**
 * A strict cluster in memory, behind the same port as a real one: resourceVersions, conditional writes, UID
 * preconditions, finalizers, and for Jobs the admission engine's verdict on every write. No HTTP, no watches: made for
 * schedules in which every request is a step.
 */

/** A write that was carried out, in order. */
export interface Commit {
  readonly client: string;
  readonly verb: 'create' | 'patch' | 'status' | 'delete' | 'replace';
  readonly plural: string;
  /** Before the write; undefined for a create. */
  readonly before: StoredObject | undefined;
  /** After it; undefined where nothing is left. */
  readonly after: StoredObject | undefined;
}

export type StoredObject = KubeObject & { readonly spec?: JsonObject; readonly status?: JsonObject };

/** What happens to one request on its way. */
export type Fate = 'carried-out' | 'lost-before' | 'lost-after' | KubeErrorKind;

/** Decides about each request before it is carried out; may wait. */
export type Gate = (request: string, signal: AbortSignal) => Promise<Fate>;

export class FakeCluster {
  readonly name: string;
  readonly uid: string;
  readonly commits: Commit[] = [];
  /** Answers that refused a write of a Job. */
  readonly refusals: string[] = [];
  /** Told of every object that a GET of a client returned. */
  onGet: (object: StoredObject) => void = () => {};
  readonly #objects = new Map<string, StoredObject>();
  readonly #version: KubernetesMinor;
  readonly #now: () => number;
  #resourceVersion = 100;
  #nextUid = 1;

  constructor(name: string, now: () => number, version: KubernetesMinor = '1.35') {
    this.name = name;
    this.uid = `cluster-${name}`;
    this.#now = now;
    this.#version = version;
  }

  /** A client of this cluster; every request passes through `gate`. */
  client(name: string, gate: Gate = async () => 'carried-out'): KubeApi {
    const pass = async <T>(request: string, signal: AbortSignal, carryOut: () => T): Promise<T> => {
      signal.throwIfAborted();
      const fate = await gate(`${this.name}: ${request}`, signal);
      if (fate === 'carried-out') return copy(carryOut());
      if (fate === 'lost-before') throw this.#error('timeout', request, 'No answer.');
      if (fate === 'lost-after') {
        carryOut();
        throw this.#error('unreachable', request, 'The connection was reset.');
      }
      throw this.#error(fate, request, `Injected: ${fate}.`);
    };
    const read = <T>(value: unknown): T => copy(value) as T;
    return {
      contextName: this.name,
      get: (type, { namespace, name: object }, signal) =>
        pass(`GET ${type.plural}/${object}`, signal, () => {
          const found = this.#get(type, namespace, object);
          this.onGet(found);
          return read(found);
        }),
      has: (type, { namespace, name: object }, signal) =>
        pass(`HEAD ${type.plural}/${object}`, signal, () => {
          try {
            this.#get(type, namespace, object);
            return true;
          } catch {
            return false;
          }
        }),
      list: (type, scope, signal) =>
        pass(`LIST ${type.plural}`, signal, () =>
          read({ items: this.#list(type, scope), resourceVersion: this.#rv() }),
        ),
      create: (type, namespace, body, options, signal) =>
        pass(`POST ${type.plural}`, signal, () =>
          read(this.#answer(this.#create(name, type, namespace, body, options))),
        ),
      patch: (type, { namespace, name: object }, { body, subresource }, _options, signal) =>
        pass(`PATCH ${type.plural}/${object}/${subresource ?? ''}`, signal, () =>
          read(this.#answer(this.#patch(name, type, namespace, object, body, subresource))),
        ),
      replace: (type, { namespace, name: object }, body, _options, signal) =>
        pass(`PUT ${type.plural}/${object}`, signal, () =>
          read(this.#answer(this.#replace(name, type, namespace, object, body))),
        ),
      delete: (type, { namespace, name: object }, preconditions, signal) =>
        pass(`DELETE ${type.plural}/${object}`, signal, () =>
          this.remove(name, type.plural, namespace, object, preconditions),
        ),
      watch: async (_type, _request, _onEvent, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
      serverVersion: async () => ({ minor: this.#version, gitVersion: `v${this.#version}.0` }),
      canI: async () => ({ allowed: true }),
      podLog: async () => '',
      dispose: () => {},
    };
  }

  /** The stored Job, or undefined. */
  job(namespace: string, name: string): StoredObject | undefined {
    return this.#objects.get(keyOf('jobs', namespace, name));
  }

  objects(plural: string): StoredObject[] {
    return [...this.#objects].filter(([key]) => key.startsWith(`${plural}/`)).map(([, object]) => object);
  }

  /** Changes the main part of a Job as a person or another controller would, unconditionally. */
  edit(client: string, namespace: string, name: string, patch: JsonObject): void {
    this.#patch(client, { group: 'batch', version: 'v1', plural: 'jobs' }, namespace, name, patch, undefined);
  }

  editStatus(client: string, namespace: string, name: string, status: JsonObject): void {
    this.#patch(client, { group: 'batch', version: 'v1', plural: 'jobs' }, namespace, name, { status }, 'status');
  }

  add(client: string, body: JsonObject): StoredObject {
    const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
    const namespace = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : 'default';
    return this.#create(client, { group: 'batch', version: 'v1', plural: 'jobs' }, namespace, body, {});
  }

  remove(
    client: string,
    plural: string,
    namespace: string | undefined,
    name: string,
    { uid, resourceVersion }: { readonly uid?: string; readonly resourceVersion?: string } = {},
  ): void {
    const before = this.#get({ plural }, namespace, name);
    const isOther = uid !== undefined && before.metadata.uid !== uid;
    const isChanged = resourceVersion !== undefined && before.metadata.resourceVersion !== resourceVersion;
    if (isOther || isChanged) throw this.#error('conflict', `DELETE ${plural}/${name}`, 'Precondition failed.');
    if ((before.metadata.finalizers ?? []).length > 0) {
      if (before.metadata.deletionTimestamp !== undefined) return;
      const generation = (before.metadata.generation ?? 1) + 1;
      const deletionTimestamp = this.time();
      this.#store(client, 'delete', plural, before, {
        ...before,
        metadata: { ...before.metadata, generation, deletionTimestamp },
      });
      return;
    }
    this.#store(client, 'delete', plural, before, undefined);
  }

  #answer(object: StoredObject): { object: StoredObject; warnings: string[] } {
    return { object, warnings: [] };
  }

  #rv(): string {
    return String(this.#resourceVersion);
  }

  /** Now by this cluster, in whole seconds. */
  time(): string {
    return new Date(Math.floor(this.#now() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  }

  #get(type: { plural: string }, namespace: string | undefined, name: string): StoredObject {
    const object = this.#objects.get(keyOf(type.plural, namespace, name));
    if (object === undefined) throw this.#error('not-found', `GET ${type.plural}/${name}`, `${name} not found`);
    return object;
  }

  #list(
    type: ResourceType,
    { namespace, labelSelector }: { namespace?: string; labelSelector?: string },
  ): StoredObject[] {
    const [key, value] = labelSelector?.split('=') ?? [];
    return this.objects(type.plural).filter(
      ({ metadata }) =>
        (namespace === undefined || metadata.namespace === namespace) &&
        (key === undefined || metadata.labels?.[key] === value),
    );
  }

  #create(
    client: string,
    type: ResourceType,
    namespace: string | undefined,
    body: JsonObject,
    { dryRun }: { dryRun?: boolean },
  ): StoredObject {
    const uid = `${this.name}-${type.plural}-${this.#nextUid++}`;
    const identity = { uid: fakeUuid(uid), creationTimestamp: this.time(), nameSuffix: 'abcde' };
    const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {};
    const request = `POST ${type.plural}`;
    const name = String(metadata['name']);
    if (this.#objects.has(keyOf(type.plural, namespace, name))) {
      throw this.#error('already-exists', request, `${name} already exists`);
    }
    const stored =
      type.plural === 'jobs'
        ? this.#admitted(request, admit({ operation: 'create', object: body }, { version: this.#version, identity }))
        : { ...body, metadata: { ...metadata, uid: identity.uid, creationTimestamp: identity.creationTimestamp } };
    const withNamespace = { ...stored, metadata: { ...asObject(stored['metadata']), namespace } };
    if (dryRun === true) return asStored(withNamespace, this.#rv());
    return this.#store(client, 'create', type.plural, undefined, asStored(withNamespace, this.#rv()));
  }

  #patch(
    client: string,
    type: ResourceType,
    namespace: string | undefined,
    name: string,
    body: unknown,
    subresource: 'status' | undefined,
  ): StoredObject {
    const before = this.#get(type, namespace, name);
    const request = `PATCH ${type.plural}/${name}`;
    const patch = asObject(body);
    this.#checkVersion(request, before, patch);
    const merged = asObject(mergePatch(before as unknown as JsonValue, { ...patch, metadata: withoutVersion(patch) }));
    return this.#update(client, type, before, merged, subresource, request);
  }

  #replace(
    client: string,
    type: ResourceType,
    namespace: string | undefined,
    name: string,
    body: JsonObject,
  ): StoredObject {
    const before = this.#get(type, namespace, name);
    const request = `PUT ${type.plural}/${name}`;
    this.#checkVersion(request, before, body);
    const metadata = { ...asObject(before.metadata), ...withoutVersion(body) };
    return this.#update(client, type, before, { ...body, metadata }, undefined, request);
  }

  #update(
    client: string,
    type: ResourceType,
    before: StoredObject,
    merged: JsonObject,
    subresource: 'status' | undefined,
    request: string,
  ): StoredObject {
    const isJob = type.plural === 'jobs';
    const old = before as unknown as JsonObject;
    const object: JsonObject = !isJob
      ? merged
      : subresource === 'status'
        ? { ...merged, spec: old['spec'] }
        : { ...merged, status: old['status'] };
    const operation = subresource === 'status' ? 'status-update' : 'update';
    const identity = { uid: 'x', creationTimestamp: this.time(), nameSuffix: 'abcde' };
    const stored = isJob
      ? this.#admitted(request, admit({ operation, object, old }, { version: this.#version, identity }))
      : object;
    const after = asStored(stored, this.#rv());
    const isRemoved = after.metadata.deletionTimestamp !== undefined && (after.metadata.finalizers ?? []).length === 0;
    const verb = subresource === 'status' ? 'status' : request.startsWith('PUT') ? 'replace' : 'patch';
    this.#store(client, verb, type.plural, before, isRemoved ? undefined : after);
    return after;
  }

  #checkVersion(request: string, before: StoredObject, body: JsonObject): void {
    const sent = asObject(body['metadata'])['resourceVersion'];
    if (sent !== undefined && sent !== before.metadata.resourceVersion) {
      throw this.#error('conflict', request, 'The object has been modified.');
    }
  }

  #admitted(request: string, admission: Admission): JsonObject {
    if (admission.stored !== undefined) return admission.stored;
    const message = admission.errors.map(({ field, message: text }) => `${field}: ${text}`).join('; ');
    this.refusals.push(`${request}: ${message}`);
    throw this.#error('invalid', request, message);
  }

  #store(
    client: string,
    verb: Commit['verb'],
    plural: string,
    before: StoredObject | undefined,
    after: StoredObject | undefined,
  ): StoredObject {
    const object = after ?? before;
    if (object === undefined) throw new Error('Nothing to store.');
    const key = keyOf(plural, object.metadata.namespace, object.metadata.name);
    // As on a real server, a write that changes nothing is none.
    if (before !== undefined && after !== undefined && sameText(before, after)) return before;
    this.#resourceVersion++;
    const stored = after && { ...after, metadata: { ...after.metadata, resourceVersion: this.#rv() } };
    if (stored === undefined) this.#objects.delete(key);
    else this.#objects.set(key, stored);
    this.commits.push({ client, verb, plural, before, after: stored });
    if (stored !== undefined && after !== undefined) Object.assign(after.metadata, { resourceVersion: this.#rv() });
    return stored ?? object;
  }

  #error(kind: KubeErrorKind, request: string, message: string): KubeError {
    return new KubeError(message, { kind, contextName: this.name, request });
  }
}

/** RFC 7386. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, JsonValue | undefined> = { ...(isJsonObject(target) ? target : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = mergePatch(result[key], value);
  }
  return result;
}

function keyOf(plural: string, namespace: string | undefined, name: string): string {
  return `${plural}/${namespace ?? ''}/${name}`;
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function withoutVersion(body: JsonObject): JsonObject {
  const { resourceVersion: _version, ...metadata } = asObject(body['metadata']);
  return metadata;
}

function asStored(object: JsonObject, resourceVersion: string): StoredObject {
  return { ...object, metadata: { ...asObject(object['metadata']), resourceVersion } } as unknown as StoredObject;
}

function sameText(a: StoredObject, b: StoredObject): boolean {
  const strip = ({ metadata: { resourceVersion: _version, ...metadata }, ...rest }: StoredObject) =>
    JSON.stringify({ ...rest, metadata });
  return strip(a) === strip(b);
}

function copy<T>(value: T): T {
  return value === undefined ? value : structuredClone(value);
}

/** Something that looks like a UID and can be recognised in a message. */
function fakeUuid(text: string): string {
  return `${text}-0000`;
}
