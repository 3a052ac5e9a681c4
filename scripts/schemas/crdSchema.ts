/** What a CRD says of the structure of its objects, and what of it is worth keeping. */

/** A CRD, as far as it is read here. */
export interface CrdDocument {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: CrdSchema };
      readonly subresources?: { readonly scale?: { readonly specReplicasPath: string } };
    }[];
  };
}

/** A structural schema. Source: Kubernetes, apiextensions.k8s.io/v1, JSONSchemaProps. */
export interface CrdSchema {
  type?: string;
  format?: string;
  $ref?: string;
  properties?: Record<string, CrdSchema>;
  required?: readonly string[];
  items?: CrdSchema;
  additionalProperties?: CrdSchema;
  enum?: readonly string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-embedded-resource'?: true;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-validations'?: readonly CrdRule[];
}

/** A rule in CEL. */
export interface CrdRule {
  readonly rule: string;
  readonly message?: string;
}

const kept: ReadonlySet<string> = new Set([
  'type',
  'format',
  'required',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-validations',
]);

const leftOut: ReadonlySet<string> = new Set(['description', 'x-kubernetes-map-type', 'nullable']);

/** What isn't looked into: metadata is the same for all kinds, and nobody writes a status by hand. */
const opaque: CrdSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A schema with another laid over it at a path of fields, which is made where there is none. */
export function withAddition(source: CrdSchema, at: readonly string[], addition: CrdSchema): CrdSchema {
  const [field, ...rest] = at;
  if (field === undefined) return { ...source, ...addition };
  const inner = source.properties?.[field] ?? {};
  return { ...source, properties: { ...source.properties, [field]: withAddition(inner, rest, addition) } };
}

/** Makes a definition of a map of fields, and answers the reference to it. */
export type Define = (body: CrdSchema, fieldPath: readonly string[]) => CrdSchema;

/**
 * The structure of a kind's objects, every map of fields a definition of its own. Throws where a CRD says something
 * that this conversion doesn't know: better no schema than a wrong one.
 */
export function convertRoot(source: CrdSchema, kind: string, define: Define): CrdSchema {
  const properties = {
    ...source.properties,
    metadata: opaque,
    ...(source.properties?.['status'] && { status: opaque }),
  };
  return convert({ ...source, properties }, [kind], define);
}

function convert(source: CrdSchema, fieldPath: readonly string[], define: Define): CrdSchema {
  const target: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (kept.has(keyword)) target[keyword] = keyword === 'x-kubernetes-validations' ? value.map(ruleOf) : value;
    else if (keyword === 'properties') {
      target[keyword] = Object.fromEntries(
        Object.entries(source.properties ?? {}).map(([name, each]) => [
          name,
          convert(each, [...fieldPath, name], define),
        ]),
      );
    } else if (keyword === 'items' || keyword === 'additionalProperties') {
      target[keyword] = convert(value, fieldPath, define);
    } else if (keyword === 'x-kubernetes-list-type') {
      if (value !== 'atomic') target[keyword] = value;
    } else if (keyword === 'anyOf') {
      // Every CRD here says so of values that are numbers or strings, beside the extension that means the same.
      if (JSON.stringify(value) !== '[{"type":"integer"},{"type":"string"}]') throw unknownKeyword(keyword, fieldPath);
    } else if (!leftOut.has(keyword)) throw unknownKeyword(keyword, fieldPath);
  }
  return target['properties'] === undefined ? target : define(target, fieldPath);
}

function ruleOf({ rule, message }: CrdRule): CrdRule {
  return message === undefined ? { rule } : { rule, message };
}

function unknownKeyword(keyword: string, fieldPath: readonly string[]): Error {
  return new Error(`${fieldPath.join('.')}: ${keyword} is not understood`);
}
