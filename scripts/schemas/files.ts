/** The schema files: where they are, how they are written. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Schema } from './openApi.ts';

/** One file of schemas: a JSON schema whose definitions bear the API's own type names. */
export interface SchemaFile {
  readonly $schema: string;
  readonly title: string;
  readonly 'x-source': {
    readonly module: string;
    /** The module's version, `v1.35.4`. */
    readonly version: string;
    readonly files: readonly string[];
    readonly license: string;
  };
  readonly $defs: Readonly<Record<string, Schema>>;
}

export const schemaFolder = path.resolve(import.meta.dirname, '../../schemas');

/** The schema files of the Kubernetes minors, oldest first. */
export function readSchemaFiles(): readonly SchemaFile[] {
  return readdirSync(schemaFolder)
    .filter((name) => /^kubernetes-1\.\d+\.json$/.test(name))
    .map((name): SchemaFile => JSON.parse(readFileSync(path.join(schemaFolder, name), 'utf8')))
    .sort((a, b) => Number(minorOf(a).slice(2)) - Number(minorOf(b).slice(2)));
}

/** `1.35` for a file made from v1.35.4. */
export function minorOf(file: SchemaFile): string {
  return file['x-source'].version.slice(1).split('.').slice(0, 2).join('.');
}

/** Any file of definitions, whatever else it says. */
export interface FormattableFile {
  readonly [head: string]: unknown;
  readonly $defs: Readonly<Record<string, { readonly properties?: object }>>;
}

/** A line a field, so that the difference between two releases reads as one. */
export function formatSchemaFile(file: FormattableFile): string {
  const { $defs, ...head } = file;
  const lines = Object.entries(head).map(([key, value]) => `"${key}":${JSON.stringify(value)}`);
  const definitions = Object.entries($defs).map(([name, { properties, ...rest }]) => {
    const others = JSON.stringify(rest);
    if (!properties) return `${JSON.stringify(name)}:${others}`;
    const fields = Object.entries(properties).map(
      ([key, value]) => `  ${JSON.stringify(key)}:${JSON.stringify(value)}`,
    );
    return `${JSON.stringify(name)}:${others.slice(0, -1)},"properties":{\n${fields.join(',\n')}}}`;
  });
  return `{\n${lines.join(',\n')},\n"$defs":{\n${definitions.join(',\n')}}}\n`;
}
