/** What one release's schema has and another's has not. */
import type { SchemaFile } from '../schemas/files.ts';
import type { Schema } from '../schemas/openApi.ts';

/** A struct's field that came, went or changed. */
export interface SchemaChange {
  readonly struct: string;
  /** Absent where it is the struct itself. */
  readonly field?: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** What changed: `enum ["a"] → ["a","b"]`, or the type of a field that was added. */
  readonly detail: string;
}

/** In the order of the structs' names. */
export function schemaChanges(before: SchemaFile, after: SchemaFile): readonly SchemaChange[] {
  const structs = [...new Set([...Object.keys(before.$defs), ...Object.keys(after.$defs)])].sort();
  return structs.flatMap((struct): readonly SchemaChange[] => {
    const [old, now] = [before.$defs[struct], after.$defs[struct]];
    if (old === undefined) {
      const fields = Object.keys(now?.properties ?? {}).join(', ');
      return [{ struct, kind: 'added', detail: `a struct${fields === '' ? '' : ` with ${fields}`}` }];
    }
    if (now === undefined) return [{ struct, kind: 'removed', detail: 'a struct' }];
    return structChanges(struct, old, now);
  });
}

function structChanges(struct: string, old: Schema, now: Schema): readonly SchemaChange[] {
  const [before, after] = [old.properties ?? {}, now.properties ?? {}];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields.flatMap((field): readonly SchemaChange[] => {
    const [was, is] = [before[field], after[field]];
    if (is === undefined) return [{ struct, field, kind: 'removed', detail: was === undefined ? '' : typeText(was) }];
    if (was === undefined) return [{ struct, field, kind: 'added', detail: typeText(is) }];
    const detail = attributeChanges(was, is);
    return detail === '' ? [] : [{ struct, field, kind: 'changed', detail }];
  });
  const { properties: _, ...oldRest } = old;
  const { properties: __, ...nowRest } = now;
  const detail = attributeChanges(oldRest, nowRest);
  return detail === '' ? changes : [...changes, { struct, kind: 'changed', detail }];
}

function attributeChanges(was: Schema, is: Schema): string {
  const [before, after] = [new Map(Object.entries(was)), new Map(Object.entries(is))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .map((name) => [name, JSON.stringify(before.get(name)) ?? 'none', JSON.stringify(after.get(name)) ?? 'none'])
    .filter(([, one, other]) => one !== other)
    .map(([name, one, other]) => `${name} ${one} → ${other}`)
    .join('; ');
}

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice('#/$defs/'.length);
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map of ${typeText(schema.additionalProperties)}`;
  return schema.enum === undefined ? String(schema.format ?? schema.type) : schema.enum.join(' | ');
}
