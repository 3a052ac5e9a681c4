/** Turns a Kubernetes OpenAPI document into a compact JSON schema: structure only, none of its prose. */
import type { GoField, GoTypes } from './goTypes.ts';

/** A JSON schema, or the part of an OpenAPI document that is nearly one. */
export interface Schema {
  type?: string | string[];
  format?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  enum?: string[];
  default?: unknown;
  deprecated?: boolean;
  'x-go-type'?: string;
  'x-go-embedded'?: string;
  [extension: `x-kubernetes-${string}`]: unknown;
}

interface OpenApiSchema extends Schema {
  readonly description?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The schemas of OpenAPI documents by their full names (`io.k8s.api.batch.v1.JobSpec`). */
export type OpenApiSchemas = Readonly<Record<string, OpenApiSchema>>;

// Types that decode themselves. OpenAPI describes two of them with a `oneOf` that says less than their format.
const selfDecoding: Readonly<Record<string, Schema>> = {
  Quantity: { type: ['string', 'number'], format: 'quantity' },
  IntOrString: { type: ['integer', 'string'], format: 'int-or-string', 'x-kubernetes-int-or-string': true },
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time-micro' },
  FieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

const keptExtensions = [
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-group-version-kind',
] as const;

/**
 * The definitions that `roots` (full names) reach, by their short names. Throws where a document holds something that
 * this conversion doesn't know: better no schema than a wrong one.
 */
export function convertSchemas(schemas: OpenApiSchemas, roots: readonly string[], go: GoTypes): Record<string, Schema> {
  const defs = new Map<string, Schema>();
  const fullNames = new Map<string, string>();
  const pending = [...roots];
  for (let fullName = pending.pop(); fullName !== undefined; fullName = pending.pop()) {
    const name = shortName(fullName);
    const known = fullNames.get(name);
    if (known === fullName) continue;
    if (known !== undefined) throw new Error(`two definitions are called ${name}: ${known}, ${fullName}`);
    fullNames.set(name, fullName);
    const source = schemas[fullName];
    if (!source) throw new Error(`no schema for ${fullName}`);
    defs.set(name, selfDecoding[name] ?? convertStruct(fullName, source, go, pending));
  }
  return Object.fromEntries([...defs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function convertStruct(fullName: string, source: OpenApiSchema, go: GoTypes, pending: string[]): Schema {
  if (source.type !== 'object') throw new Error(`${fullName} is no object`);
  const goFields = go.fieldsOf(goImportPath(fullName), shortName(fullName));
  if (!goFields) throw new Error(`no Go struct for ${fullName}`);
  const properties: Record<string, Schema> = {};
  for (const [name, property] of Object.entries(source.properties ?? {})) {
    const field = goFields.get(name);
    if (!field) throw new Error(`${fullName}.${name} is not in the Go struct`);
    properties[name] = convertProperty(property, field, pending);
  }
  const undescribed = [...goFields.keys()].filter((name) => !(name in properties));
  if (undescribed.length > 0) throw new Error(`${fullName}: OpenAPI lacks ${undescribed.join(', ')}`);
  const struct: Schema = { type: 'object', properties };
  if (source.required) struct.required = source.required;
  return withExtensions(struct, source);
}

function convertProperty(source: OpenApiSchema, field: GoField, pending: string[]): Schema {
  const converted = withExtensions(convertType(source, pending), source);
  if (field.enumValues.length > 0) innermost(converted).enum = [...field.enumValues].sort();
  if (isTelling(source.default)) converted.default = source.default;
  if (/\bdeprecated:|^deprecated/i.test(source.description ?? '')) converted.deprecated = true;
  if (field.printedType !== defaultGoType(converted)) converted['x-go-type'] = field.printedType;
  if (field.embeddedIn.length > 0) converted['x-go-embedded'] = field.embeddedIn.join('.');
  return converted;
}

function convertType(source: OpenApiSchema, pending: string[]): Schema {
  const reference = source.$ref ?? source.allOf?.[0]?.$ref;
  if (reference !== undefined) {
    const fullName = reference.slice(reference.lastIndexOf('/') + 1);
    pending.push(fullName);
    return { $ref: `#/$defs/${shortName(fullName)}` };
  }
  if (source.type === 'array' && source.items) return { type: 'array', items: convertType(source.items, pending) };
  if (source.type === 'object' && source.additionalProperties) {
    return { type: 'object', additionalProperties: convertType(source.additionalProperties, pending) };
  }
  if (source.type === 'integer' && source.format) return { type: 'integer', format: source.format };
  if (source.type === 'string' || source.type === 'boolean') {
    return source.format === undefined ? { type: source.type } : { type: source.type, format: source.format };
  }
  throw new Error(`unknown shape: ${JSON.stringify(source)}`);
}

/** The Go type that a reader of the schema assumes where there is no `x-go-type`. */
export function defaultGoType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice('#/$defs/'.length);
    if (name === 'Quantity') return 'resource.Quantity';
    if (name === 'IntOrString') return 'intstr.IntOrString';
    return `v1.${name}`;
  }
  if (schema.items) return `[]${defaultGoType(schema.items)}`;
  if (schema.additionalProperties) return `map[string]${defaultGoType(schema.additionalProperties)}`;
  if (schema.type === 'integer') return schema.format ?? 'int64';
  return schema.type === 'boolean' ? 'bool' : 'string';
}

function innermost(schema: Schema): Schema {
  const inner = schema.items ?? schema.additionalProperties;
  return inner ? innermost(inner) : schema;
}

function withExtensions(target: Schema, source: Schema): Schema {
  for (const extension of keptExtensions) {
    if (source[extension] !== undefined) target[extension] = source[extension];
  }
  return target;
}

// OpenAPI names Go's zero values as defaults; only the others are defaults that the server fills in.
function isTelling(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== 0 && value !== false && JSON.stringify(value) !== '{}';
}

function shortName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

// io.k8s.api.batch.v1.JobSpec is declared in k8s.io/api/batch/v1.
function goImportPath(fullName: string): string {
  const parts = fullName.split('.').slice(2, -1);
  return `k8s.io/${parts.join('/')}`;
}
