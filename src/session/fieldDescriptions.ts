import { type Clock, type Disposable, isJsonObject, type JsonObject } from '../base/index.ts';

/** A field of an object, from its root; places in lists are left out of the path. */
export interface FieldName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: readonly string[];
}

export interface FieldDescriptionsPorts {
  /** The cluster's OpenAPI document (v3) of an API version, such as `batch/v1`; undefined where it has none. */
  readonly read: (apiVersion: string, signal: AbortSignal) => Promise<JsonObject | undefined>;
  readonly clock: Clock;
  readonly onProblem: (apiVersion: string, error: unknown) => void;
}

/** The schemas of one API version by their name. */
type Schemas = JsonObject;

/** Somebody holds the mouse still; what comes later is there the next time. */
const patienceMs = 1000;
/** A manifest names a few; each keeps some hundred kilobytes. */
const versionsAtMost = 8;
const longestText = 2000;

/**
 * What the connected cluster itself says of fields, in the words of its OpenAPI documents: the only ones that know the CRDs
 * and the version that it really runs. Each document is asked for when a field of it is first looked at, and once.
 */
export class FieldDescriptions implements Disposable {
  readonly #ports: FieldDescriptionsPorts;
  readonly #stop = new AbortController();
  readonly #documents = new Map<string, Promise<Schemas | undefined>>();

  constructor(ports: FieldDescriptionsPorts) {
    this.#ports = ports;
  }

  /** Plain text; undefined where the cluster says nothing, or not soon enough. Never rejects. */
  async describe({ apiVersion, kind, path }: FieldName): Promise<string | undefined> {
    const schemas = await this.#soon(this.#document(apiVersion));
    const text = schemas && descriptionIn(schemas, apiVersion, kind, path);
    return text !== undefined && text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  }

  dispose(): void {
    this.#stop.abort(new DOMException('The clusters were disconnected.', 'AbortError'));
    this.#documents.clear();
  }

  /** What couldn't be read isn't asked for again: the next connection is another chance. */
  #document(apiVersion: string): Promise<Schemas | undefined> {
    const known = this.#documents.get(apiVersion);
    if (known !== undefined) return known;
    if (this.#documents.size >= versionsAtMost || this.#stop.signal.aborted) return Promise.resolve(undefined);
    const read = this.#read(apiVersion);
    this.#documents.set(apiVersion, read);
    return read;
  }

  async #read(apiVersion: string): Promise<Schemas | undefined> {
    const { read, onProblem } = this.#ports;
    const { signal } = this.#stop;
    try {
      const components = (await read(apiVersion, signal))?.['components'];
      const schemas = isJsonObject(components) ? components['schemas'] : undefined;
      return isJsonObject(schemas) ? schemas : undefined;
    } catch (error) {
      if (!signal.aborted) onProblem(apiVersion, error);
      return undefined;
    }
  }

  async #soon<T>(work: Promise<T>): Promise<T | undefined> {
    const late = Promise.withResolvers<undefined>();
    const timer = this.#ports.clock.after(patienceMs, () => late.resolve(undefined));
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      timer.dispose();
    }
  }
}

function descriptionIn(
  schemas: Schemas,
  apiVersion: string,
  kind: string,
  path: readonly string[],
): string | undefined {
  let field: unknown = Object.values(schemas).find((schema) => isOfKind(schema, apiVersion, kind));
  for (const name of path) field = memberOf(structOf(field, schemas), name);
  for (const said of [field, structOf(field, schemas)]) {
    const text = isJsonObject(said) ? said['description'] : undefined;
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return undefined;
}

function isOfKind(schema: unknown, apiVersion: string, kind: string): boolean {
  const kinds = isJsonObject(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
  const at = apiVersion.indexOf('/');
  const [group, version] = [apiVersion.slice(0, Math.max(at, 0)), apiVersion.slice(at + 1)];
  return (Array.isArray(kinds) ? kinds : []).some(
    (one) => isJsonObject(one) && one['group'] === group && one['version'] === version && one['kind'] === kind,
  );
}

/** What has the members of a field: the schema that it refers to, or that of its items. A document may lead in circles. */
function structOf(field: unknown, schemas: Schemas): unknown {
  let schema = field;
  for (let step = 0; step < 10 && isJsonObject(schema); step++) {
    const { $ref: reference, allOf, items } = schema;
    const prefix = '#/components/schemas/';
    if (typeof reference === 'string' && reference.startsWith(prefix)) schema = schemas[reference.slice(prefix.length)];
    else if (Array.isArray(allOf) && allOf.length === 1) schema = allOf[0];
    else if (isJsonObject(items)) schema = items;
    else break;
  }
  return schema;
}

function memberOf(struct: unknown, name: string): unknown {
  if (!isJsonObject(struct)) return undefined;
  const { properties, additionalProperties } = struct;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return isJsonObject(additionalProperties) ? additionalProperties : undefined;
}
