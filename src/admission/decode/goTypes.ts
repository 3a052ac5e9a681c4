import type { KubernetesMinor } from '../verdict.ts';
import { isInt32, isInt64, isIntOrString, isQuantity, isTime } from './scalars.ts';

/**
 * The Go types of the API's fields, in the notation of the generated table. A struct is a line of fields; a field is its
 * JSON name, `:` and its type as Go prints it (`int32`, `[]v1.Container`, `map[string]string`), followed by
 * - `=` and what it is a name of, where a list or map has a name: `v1.ResourceList=map[v1.ResourceName]resource.Quantity`;
 * - `@` and the embedded structs that the field comes through, joined by dots: `v1.GRPCAction@ProbeHandler`;
 * - `#` and the minors that have the field, where not all do: `v1.WorkloadReference#1.35`.
 */

/** A type: a list with items, a map with values, a struct with fields, or else a scalar. */
export interface GoType {
  /** As Go prints it. */
  readonly printed: string;
  readonly item: GoType | undefined;
  readonly value: GoType | undefined;
  readonly struct: GoStruct | undefined;
  /** Whether a scalar can hold a value that isn't null. */
  readonly holds: (value: unknown) => boolean;
}

/** A struct of the API. */
export interface GoStruct {
  /** Without its package. */
  readonly name: string;
  /** The field of a JSON name, if the minor has it. Read when first asked for: an object meets few of all the fields. */
  readonly field: (name: string) => GoField | undefined;
}

/** A field of a struct. */
export interface GoField {
  readonly type: GoType;
  /** With a dot behind; empty for a field of the struct itself. */
  readonly embeddedPrefix: string;
}

const scalars: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['bool', (value) => typeof value === 'boolean'],
  ['int32', isInt32],
  ['int64', isInt64],
  ['intstr.IntOrString', isIntOrString],
  ['resource.Quantity', isQuantity],
  ['v1.Time', isTime],
  // Any JSON goes.
  ['v1.FieldsV1', () => true],
]);

// Every other name that isn't a struct's is one for a text.
const isText = (value: unknown): boolean => typeof value === 'string';

/** Reads the types of one minor from the texts of a table, each once. */
export function typeReader(
  table: Readonly<Record<string, string>>,
  version: KubernetesMinor,
): (notation: string) => GoType {
  const types = new Map<string, GoType>();
  return read;

  function read(notation: string): GoType {
    const known = types.get(notation);
    if (known !== undefined) return known;
    const element = elementType(notation);
    const inner = element === undefined ? undefined : read(element);
    const isList = underlyingType(notation).startsWith('[]');
    const type: GoType = {
      printed: before(notation, '='),
      item: isList ? inner : undefined,
      value: isList ? undefined : inner,
      struct: inner === undefined ? readStruct(notation.slice(notation.lastIndexOf('.') + 1)) : undefined,
      holds: scalars.get(notation) ?? isText,
    };
    types.set(notation, type);
    return type;
  }

  function readStruct(name: string): GoStruct | undefined {
    const text = Object.hasOwn(table, name) ? table[name] : undefined;
    if (text === undefined) return undefined;
    const fields = new Map<string, GoField>();
    return {
      name,
      field: (fieldName) => {
        const known = fields.get(fieldName);
        if (known !== undefined) return known;
        const notation = notationIn(text, fieldName);
        const field = notation === undefined ? undefined : readField(notation);
        if (field !== undefined) fields.set(fieldName, field);
        return field;
      },
    };
  }

  function readField(notation: string): GoField | undefined {
    const minors = after(notation, '#');
    if (minors !== undefined && !minors.split(',').includes(version)) return undefined;
    const declaration = before(notation, '#');
    const embedded = after(declaration, '@');
    return { type: read(before(declaration, '@')), embeddedPrefix: embedded === undefined ? '' : `${embedded}.` };
  }
}

/** What stands behind the name of a field in the text of a struct, undefined if it has no such field. */
function notationIn(text: string, name: string): string | undefined {
  // Nothing of the notation's own is part of a name.
  if (name.includes(' ') || name.includes(':')) return undefined;
  const rest = text.startsWith(`${name}:`) ? text.slice(name.length + 1) : after(text, ` ${name}:`);
  return rest === undefined ? undefined : before(rest, ' ');
}

/** The text in front of the first such mark, all of it if there is none. */
function before(text: string, mark: string): string {
  const end = text.indexOf(mark);
  return end === -1 ? text : text.slice(0, end);
}

/** The text behind the first such mark, undefined if there is none. */
function after(text: string, mark: string): string | undefined {
  const start = text.indexOf(mark);
  return start === -1 ? undefined : text.slice(start + mark.length);
}

/** The type of the elements of a list or the values of a map; undefined for other types. */
export function elementType(notation: string): string | undefined {
  const underlying = underlyingType(notation);
  if (underlying.startsWith('[]')) return underlying.slice(2);
  return underlying.startsWith('map[') ? underlying.slice(underlying.indexOf(']') + 1) : undefined;
}

function underlyingType(notation: string): string {
  return notation.slice(notation.indexOf('=') + 1);
}
