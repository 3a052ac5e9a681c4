import { isAtLeast, type KubernetesMinor, kubernetesMinors } from '../admission/index.ts';
import generated from './generated/structure.json' with { type: 'json' };
import type { WorkloadKind } from './kinds.ts';

/** What may stand somewhere in a Job, a CronJob or a Pod. */
export type Shape =
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly FieldShape[] }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'map'; readonly value: Shape }
  | { readonly kind: 'scalar'; readonly type: ScalarType; readonly values?: readonly string[] }
  | { readonly kind: 'any' };

export type ScalarType = 'string' | 'int32' | 'int64' | 'number' | 'boolean' | 'quantity' | 'int-or-string' | 'time';

export interface FieldShape {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** First minor that has the field, if it isn't the oldest supported one. */
  readonly since: KubernetesMinor | undefined;
  /** The shape of the value; a getter's work, so that the structs may contain each other. */
  readonly shape: () => Shape;
}

const scalarTypes: ReadonlySet<string> = new Set<ScalarType>([
  'string',
  'int32',
  'int64',
  'number',
  'boolean',
  'quantity',
  'int-or-string',
  'time',
]);

const structs: Readonly<Record<string, Readonly<Record<string, string>>>> = generated.structs;

/** The shape at a path of keys and indexes below an object of the kind; undefined where nothing can stand. */
export function shapeAt(kind: string, path: readonly (string | number)[], version: KubernetesMinor): Shape | undefined {
  return shapeWithin(Object.hasOwn(structs, kind) ? shapeOf(kind, version) : undefined, path);
}

/** The shape at a path of keys and indexes below another; undefined where nothing can stand. */
export function shapeWithin(root: Shape | undefined, path: readonly (string | number)[]): Shape | undefined {
  let shape = root;
  for (const step of path) {
    switch (shape?.kind) {
      case 'struct':
        shape = shape.fields.find((field) => field.name === step)?.shape();
        break;
      case 'list':
        shape = typeof step === 'number' ? shape.item : undefined;
        break;
      case 'map':
        shape = typeof step === 'string' ? shape.value : undefined;
        break;
      case 'any':
        return shape;
      default:
        return undefined;
    }
  }
  return shape;
}

/**
 * The same for an object of any kind that we know: of those whose structure isn't known here, the metadata alone.
 */
export function structureAt(
  kind: WorkloadKind,
  path: readonly (string | number)[],
  version: KubernetesMinor,
): Shape | undefined {
  const isKnown = kind.podTemplate !== undefined || kind.judged !== undefined;
  return isKnown || path[0] === 'metadata' ? shapeAt(isKnown ? kind.kind : 'Job', path, version) : undefined;
}

/** The names of a struct's fields; none of anything else. */
export function fieldNamesOf(shape: Shape | undefined): readonly string[] {
  return shape?.kind === 'struct' ? shape.fields.map(({ name }) => name) : [];
}

/**
 * Every path, without indexes, at which a struct below a shape has a field of this name. Values of maps are passed over:
 * their keys aren't known.
 */
export function pathsWithin(root: Shape | undefined, name: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  const walk = (shape: Shape, path: readonly string[], open: ReadonlySet<string>): void => {
    if (shape.kind === 'list') walk(shape.item, [...path, '*'], open);
    if (shape.kind !== 'struct' || open.has(shape.name)) return;
    const inside = new Set([...open, shape.name]);
    for (const field of shape.fields) {
      if (field.name === name) found.push([...path, name]);
      // Metadata and status of inner objects are no place to move a field to.
      if (field.name !== 'status') walk(field.shape(), [...path, field.name], inside);
    }
  };
  if (root !== undefined) walk(root, [], new Set());
  return found.sort((a, b) => a.length - b.length);
}

function shapeOf(type: string, version: KubernetesMinor): Shape {
  if (type.startsWith('[]')) return { kind: 'list', item: shapeOf(type.slice(2), version) };
  if (type.startsWith('{}')) return { kind: 'map', value: shapeOf(type.slice(2), version) };
  if (isScalarType(type)) return { kind: 'scalar', type };
  if (Object.hasOwn(structs, type)) return structShape(type, version);
  if (type === 'any') return { kind: 'any' };
  return { kind: 'scalar', type: 'string', values: type.split('|') };
}

function isScalarType(type: string): type is ScalarType {
  return scalarTypes.has(type);
}

function structShape(name: string, version: KubernetesMinor): Shape {
  const fields: FieldShape[] = [];
  for (const [field, text] of Object.entries(structs[name] ?? {})) {
    const [, required, deprecated, type = 'any', since, until] =
      /^(!?)(-?)([^@]*)(?:@(1\.\d+))?(?:@~(1\.\d+))?$/.exec(text) ?? [];
    const from = minorOf(since);
    const to = minorOf(until);
    if (from !== undefined && !isAtLeast(version, from)) continue;
    if (to !== undefined && to !== version && isAtLeast(version, to)) continue;
    fields.push({
      name: field,
      isRequired: required === '!',
      isDeprecated: deprecated === '-',
      since: from,
      shape: () => shapeOf(type, version),
    });
  }
  return { kind: 'struct', name, fields };
}

function minorOf(text: string | undefined): KubernetesMinor | undefined {
  return kubernetesMinors.find((minor) => minor === text);
}

/** A shape in a few words. */
export function typeName(shape: Shape): string {
  switch (shape.kind) {
    case 'struct':
      // Those of a CRD have no name of their own.
      return shape.name.includes('.') ? 'object' : shape.name;
    case 'list':
      return `list of ${typeName(shape.item)}`;
    case 'map':
      return `map of ${typeName(shape.value)}`;
    case 'any':
      return 'anything';
    case 'scalar':
      return shape.values === undefined || shape.values.length > 8 ? shape.type : shape.values.join(' | ');
  }
}
