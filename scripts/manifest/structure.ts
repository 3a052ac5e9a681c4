/**
 * Writes src/manifest/generated/structure.json: the structs of Job, CronJob and Pod in all supported minors, merged into
 * one small table, from schemas/kubernetes-MINOR.json. Run by scripts/schemas/generate.ts; alone:
 * `node scripts/manifest/structure.ts`.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { minorOf, readSchemaFiles } from '../schemas/files.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly deprecated?: boolean;
}

const root = path.join(import.meta.dirname, '../..');

/**
 * A type as text: a scalar's name, `[]T`, `{}T` for a map, `a|b` for a set of words, the name of a struct; `any`. In
 * front `!` for required and `-` for deprecated; behind, `@` and the first minor or `@` `~` and the last one.
 */
function typeText(schema: Schema, definitions: Readonly<Record<string, Schema>>): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/$defs/', '');
    const target = definitions[name];
    return target?.properties === undefined ? typeText(target ?? {}, definitions) : name;
  }
  if (schema.enum !== undefined) return schema.enum.join('|');
  if (schema.format === 'int-or-string' || schema.format === 'quantity') return schema.format;
  if (schema.type === 'array') return `[]${typeText(schema.items ?? {}, definitions)}`;
  if (schema.type === 'object' && schema.additionalProperties !== undefined) {
    return `{}${typeText(schema.additionalProperties, definitions)}`;
  }
  if (schema.type === 'string') return schema.format === 'date-time' ? 'time' : 'string';
  if (schema.type === 'integer') return schema.format ?? 'int32';
  return schema.type === 'boolean' || schema.type === 'number' ? schema.type : 'any';
}

export function writeStructure(): void {
  const files = readSchemaFiles();
  const known = files.map(minorOf);
  const seen = new Map<string, Map<string, { text: string; minors: string[] }[]>>();
  for (const file of files) {
    const minor = minorOf(file);
    const { $defs } = file;
    for (const [struct, schema] of Object.entries<Schema>($defs)) {
      // A struct without fields is one all the same: its presence says something.
      if (schema.properties !== undefined && !seen.has(struct)) seen.set(struct, new Map());
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        const isRequired = schema.required?.includes(field) === true;
        const text = `${isRequired ? '!' : ''}${property.deprecated === true ? '-' : ''}${typeText(property, $defs)}`;
        const fields = seen.get(struct) ?? new Map<string, { text: string; minors: string[] }[]>();
        seen.set(struct, fields);
        const variants = fields.get(field) ?? [];
        fields.set(field, variants);
        const same = variants.find((variant) => variant.text === text);
        if (same) same.minors.push(minor);
        else variants.push({ text, minors: [minor] });
      }
    }
  }

  const structs: Record<string, Record<string, string>> = {};
  for (const [struct, fields] of [...seen].sort(([a], [b]) => (a < b ? -1 : 1))) {
    structs[struct] = {};
    for (const [field, variants] of fields) {
      // The newest description of a field serves for all minors that have the field at all.
      const text = variants.at(-1)?.text ?? 'any';
      const minors = variants.flatMap((variant) => variant.minors);
      const since = minors[0] === known[0] ? '' : `@${minors[0]}`;
      const until = minors.includes(known.at(-1) ?? '') ? '' : `@~${minors.at(-1)}`;
      structs[struct][field] = `${text}${since}${until}`;
    }
  }
  const target = path.join(root, 'src/manifest/generated/structure.json');
  writeFileSync(target, `${JSON.stringify({ minors: known, structs }, undefined, 1)}\n`);
  console.log(`wrote ${path.relative(root, target)}: ${Object.keys(structs).length} structs of ${known.join(', ')}`);
}

if (import.meta.main) writeStructure();
