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
  /** By JSON name. Read from the table when first asked for: an object meets few of all the structs. */
  readonly fields: () => ReadonlyMap<string, GoField>;
}

/** A field of a struct. */
export interface GoField {
  readonly type: GoType;
  /** With a dot behind; empty for a field of the struct itself. */
  readonly embeddedPrefix: string;
  /** The minors that have it; undefined: all. */
  readonly minors: readonly string[] | undefined;
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

/** Reads types from the texts of a table, each once. */
export function typeReader(table: Readonly<Record<string, string>>): (notation: string) => GoType {
  const types = new Map<string, GoType>();
  return read;

  function read(notation: string): GoType {
    const known = types.get(notation);
    if (known !== undefined) return known;
    const element = elementType(notation);
    const inner = element === undefined ? undefined : read(element);
    const isList = underlyingType(notation).startsWith('[]');
    const type: GoType = {
      printed: notation.split('=', 1)[0] ?? '',
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
    let fields: ReadonlyMap<string, GoField> | undefined;
    return {
      name,
      fields: () => {
        fields ??= new Map(text === '' ? [] : text.split(' ').map(readField));
        return fields;
      },
    };
  }

  function readField(text: string): [name: string, field: GoField] {
    const [declaration = '', minors] = text.split('#', 2);
    const [typed = '', embedded] = declaration.split('@', 2);
    const colon = typed.indexOf(':');
    return [
      typed.slice(0, colon),
      {
        type: read(typed.slice(colon + 1)),
        embeddedPrefix: embedded === undefined ? '' : `${embedded}.`,
        minors: minors?.split(','),
      },
    ];
  }
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
