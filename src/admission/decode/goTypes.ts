/**
 * The Go types of the API's fields, in the notation of the generated table: as Go prints a type (`int32`,
 * `[]v1.Container`, `map[string]string`), followed by `=` and what it is a name of where a list or map has a name, and
 * by `@` and the embedded structs that the field comes through, joined by dots (`v1.GRPCAction@ProbeHandler`).
 */

/** A field of a struct. */
export interface GoField {
  readonly type: string;
  /** With a dot behind; empty for a field of the struct itself. */
  readonly embeddedPrefix: string;
}

/** The structs by name, their fields by JSON name. */
export type GoStructs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The generated table, parsed at the first call: most documents have no fault that needs it. */
export function lazyStructs(text: string): () => GoStructs {
  let parsed: GoStructs | undefined;
  return () => {
    if (parsed) return parsed;
    const fresh: GoStructs = JSON.parse(text);
    parsed = fresh;
    return fresh;
  };
}

/** The field, if the struct has one of this name. */
export function fieldOf(structs: GoStructs, struct: string, name: string): GoField | undefined {
  const fields = structs[struct];
  const text = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (text === undefined) return undefined;
  const mark = text.indexOf('@');
  return mark < 0
    ? { type: text, embeddedPrefix: '' }
    : { type: text.slice(0, mark), embeddedPrefix: `${text.slice(mark + 1)}.` };
}

/** The type as Go prints it. */
export function printedType(type: string): string {
  const mark = type.indexOf('=');
  return mark < 0 ? type : type.slice(0, mark);
}

/** The type of the elements of a list or the values of a map; undefined for other types. */
export function elementType(type: string): string | undefined {
  const mark = type.indexOf('=');
  const underlying = mark < 0 ? type : type.slice(mark + 1);
  if (underlying.startsWith('[]')) return underlying.slice(2);
  return underlying.startsWith('map[') ? underlying.slice(underlying.indexOf(']') + 1) : undefined;
}

/** The name of the struct, without its package; undefined for other types. */
export function structName(structs: GoStructs, type: string): string | undefined {
  const name = type.slice(type.lastIndexOf('.') + 1);
  return elementType(type) === undefined && Object.hasOwn(structs, name) ? name : undefined;
}
