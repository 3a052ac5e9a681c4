import { isMap, type Json, type JsonMap } from './json.ts';

/** What the API's schema says about the structure of a value. */
export type Shape =
  | { readonly kind: 'object'; readonly name: string; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: 'map'; readonly value: Shape }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'integer'; readonly bits: 32 | 64 }
  | { readonly kind: 'string'; readonly enumeration: readonly string[] }
  | { readonly kind: 'time' | 'quantity' | 'intOrString' | 'boolean' | 'any' };

/** Steps from the root; `[]` stands for any item of a list, `{}` for any value of a map. */
export type Steps = readonly string[];

/** A place in the schema. */
export interface Target {
  readonly steps: Steps;
  readonly shape: Shape;
}

/** Reads one of the repository's schemas (`schemas/`). `name` is that of a type: Job, CronJob. */
export function shapeOf(document: Json, name: string): Shape {
  const types = isMap(document) ? document['$defs'] : undefined;
  if (!isMap(types)) throw new Error('The schema document has no types.');
  return named(types, name);
}

function named(types: JsonMap, name: string): Shape {
  const schema = types[name];
  if (!isMap(schema)) throw new Error(`The schema document lacks ${name}.`);
  return shapeFrom(types, schema, name);
}

function shapeFrom(types: JsonMap, schema: Json | undefined, name: string): Shape {
  if (!isMap(schema)) return { kind: 'any' };
  const reference = schema['$ref'];
  if (typeof reference === 'string') return named(types, reference.slice('#/$defs/'.length));
  const format = schema['format'];
  if (format === 'quantity') return { kind: 'quantity' };
  if (format === 'int-or-string') return { kind: 'intOrString' };
  if (format === 'date-time') return { kind: 'time' };
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
      return { kind: 'integer', bits: format === 'int64' ? 64 : 32 };
    case 'array':
      return { kind: 'list', item: shapeFrom(types, schema['items'], name) };
    case 'string':
      return { kind: 'string', enumeration: textsIn(schema['enum']) };
    case 'object':
      return objectFrom(types, schema, name);
    default:
      return { kind: 'any' };
  }
}

/** The field manager owns these; a server overwrites what a client sends. */
const unasked: readonly string[] = ['managedFields'];

function objectFrom(types: JsonMap, schema: JsonMap, name: string): Shape {
  const values = schema['additionalProperties'];
  if (isMap(values)) return { kind: 'map', value: shapeFrom(types, values, name) };
  const properties = isMap(schema['properties']) ? schema['properties'] : {};
  const fields = Object.entries(properties)
    .filter(([field]) => !unasked.includes(field))
    .map(([field, value]) => [field, shapeFrom(types, value, name)] as const);
  return { kind: 'object', name, fields: new Map(fields) };
}

function textsIn(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : [];
}

/** Every place that the schema has, the inner ones included. */
export function targetsOf(root: Shape): readonly Target[] {
  const targets: Target[] = [];
  const visit = (shape: Shape, steps: Steps): void => {
    if (steps.length > 0) targets.push({ steps, shape });
    if (shape.kind === 'object') for (const [field, inner] of shape.fields) visit(inner, [...steps, field]);
    else if (shape.kind === 'list') visit(shape.item, [...steps, '[]']);
    else if (shape.kind === 'map') visit(shape.value, [...steps, '{}']);
  };
  visit(root, []);
  return targets;
}

/** Those places that `value` has: what a change there meets is there already. */
export function targetsIn(root: Shape, value: Json): readonly Target[] {
  const targets: Target[] = [];
  const visit = (shape: Shape, part: Json, steps: Steps): void => {
    if (steps.length > 0) targets.push({ steps, shape });
    if (shape.kind === 'object' && isMap(part)) {
      for (const [field, inner] of Object.entries(part)) {
        const below = shape.fields.get(field);
        if (below !== undefined) visit(below, inner, [...steps, field]);
      }
    } else if (shape.kind === 'list' && Array.isArray(part)) {
      for (const item of part.slice(0, 3)) visit(shape.item, item, [...steps, '[]']);
    } else if (shape.kind === 'map' && isMap(part)) {
      for (const item of Object.values(part)) visit(shape.value, item, [...steps, '{}']);
    }
  };
  visit(root, value, []);
  return targets;
}
