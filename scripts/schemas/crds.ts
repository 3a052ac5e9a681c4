/**
 * Writes schemas/ecosystem-KIND.json from the CRDs of the operators whose kinds know `managedBy` or MultiKueue, and the
 * table that the checks read. Needs Go, for `go mod download`.
 *
 *     node scripts/schemas/crds.ts
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CrdSchema, convertRoot, withAddition } from './crdSchema.ts';
import { type CrdSource, crdSources, readCrds } from './crdSources.ts';
import { writeCrdTable } from './crdTable.ts';
import { formatSchemaFile, readSchemaFiles, schemaFolder } from './files.ts';

/** A kind in one version of one release. */
interface Root {
  readonly source: CrdSource;
  readonly kind: string;
  readonly apiVersion: string;
  readonly schema: CrdSchema;
  /** Where the number stands that `kubectl scale` sets: `spec.replicas`. */
  readonly scale?: string;
}

interface Definition {
  readonly body: CrdSchema;
  /** Where it was met first. */
  readonly fieldPath: readonly string[];
  readonly files: Set<string>;
  name: string;
}

const sharedFile = 'ecosystem-shared.json';
const dialect = 'https://json-schema.org/draft/2020-12/schema';

function main(): void {
  const definitions = new Map<string, Definition>();
  const roots = crdSources.flatMap((source) => rootsOf(source, definitions));
  for (const root of roots) markUsed(root.schema, fileOf(root.kind), definitions);
  nameDefinitions([...definitions.values()]);

  for (const old of readdirSync(schemaFolder)) {
    if (old.startsWith('ecosystem-')) rmSync(path.join(schemaFolder, old));
  }
  for (const kind of new Set(roots.map((root) => root.kind))) {
    write(
      fileOf(kind),
      kind,
      roots.filter((root) => root.kind === kind),
      definitions,
    );
  }
  write(sharedFile, 'What several kinds have in common', [], definitions);
  writeCrdTable();
}

function rootsOf(source: CrdSource, definitions: Map<string, Definition>): Root[] {
  return readCrds(source).flatMap(({ spec }) =>
    spec.versions
      .filter(({ served }) => served)
      .map(({ name, schema, subresources }) => ({
        source,
        kind: spec.names.kind,
        apiVersion: `${spec.group}/${name}`,
        ...(subresources?.scale && { scale: subresources.scale.specReplicasPath.replace(/^\./, '') }),
        schema: convertRoot(
          completeSchema(source, spec.names.kind, schema.openAPIV3Schema),
          spec.names.kind,
          (body, fieldPath) => {
            const text = JSON.stringify(body);
            if (!definitions.has(text)) definitions.set(text, { body, fieldPath, files: new Set(), name: '' });
            return { $ref: text };
          },
        ),
      })),
  );
}

function completeSchema({ later = [] }: CrdSource, kind: string, schema: CrdSchema): CrdSchema {
  const additions = later.filter((each) => each.kind === kind);
  return additions.reduce((whole, { at, schema: addition }) => withAddition(whole, at, addition), schema);
}

function fileOf(kind: string): string {
  return `ecosystem-${kind.toLowerCase()}.json`;
}

/** Until they have names, definitions refer to each other by their texts. */
function markUsed(schema: CrdSchema, file: string, definitions: ReadonlyMap<string, Definition>): void {
  const definition = schema.$ref === undefined ? undefined : definitions.get(schema.$ref);
  if (definition?.files.has(file)) return;
  definition?.files.add(file);
  for (const inner of innerSchemas(definition?.body ?? schema)) markUsed(inner, file, definitions);
}

function innerSchemas({ properties, items, additionalProperties }: CrdSchema): readonly CrdSchema[] {
  return [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(additionalProperties ? [additionalProperties] : []),
  ];
}

/** Definitions bear the name of the Kubernetes struct that they are, more or less, else that of their field. */
function nameDefinitions(definitions: readonly Definition[]): void {
  const definitionsOfKubernetes = Object.entries(readSchemaFiles().at(-1)?.$defs ?? {});
  const structs = definitionsOfKubernetes
    .filter(([, { properties = {} }]) => !('apiVersion' in properties))
    .map(([name, { properties = {} }]) => [name, new Set(Object.keys(properties))] as const);
  const taken = new Map<string, number>();
  for (const definition of definitions) {
    const fields = Object.keys(definition.body.properties ?? {});
    const likeness = (struct: ReadonlySet<string>): number => {
      const shared = fields.filter((field) => struct.has(field)).length;
      return shared / (struct.size + fields.length - shared);
    };
    const [nearest] = structs
      .map(([name, struct]) => ({ name, likeness: likeness(struct) }))
      .sort((a, b) => b.likeness - a.likeness);
    const base =
      definition.fieldPath.length > 1 && fields.length > 2 && nearest && nearest.likeness > 0.7
        ? nearest.name
        : nameOfField(definition.fieldPath);
    const count = (taken.get(base) ?? 0) + 1;
    taken.set(base, count);
    definition.name = count === 1 ? base : `${base}${count}`;
  }
}

/** Words that say nothing without what they belong to. */
const vague: ReadonlySet<string> = new Set(['items', 'metadata', 'spec', 'template']);

function nameOfField(fieldPath: readonly string[]): string {
  const last = fieldPath.at(-1) ?? '';
  const name = last.charAt(0).toUpperCase() + last.slice(1);
  return vague.has(last) ? nameOfField(fieldPath.slice(0, -1)) + name : name;
}

function write(
  file: string,
  title: string,
  roots: readonly Root[],
  definitions: ReadonlyMap<string, Definition>,
): void {
  const isHere = ({ files }: Definition): boolean =>
    file === sharedFile ? files.size > 1 : files.size === 1 && files.has(file);
  const renamed = (schema: CrdSchema): CrdSchema => {
    const definition = schema.$ref === undefined ? undefined : definitions.get(schema.$ref);
    if (definition !== undefined) {
      const holder = definition.files.size > 1 && file !== sharedFile ? sharedFile : '';
      return { $ref: `${holder}#/$defs/${definition.name}` };
    }
    const { properties, items, additionalProperties, ...rest } = schema;
    return {
      ...rest,
      ...(items && { items: renamed(items) }),
      ...(additionalProperties && { additionalProperties: renamed(additionalProperties) }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, renamed(each)])),
      }),
    };
  };
  const bodies = [...definitions.values()].filter(isHere).map(({ name, body }) => [name, renamed(body)] as const);
  const sources = new Set(roots.map(({ source }) => source));
  writeFileSync(
    path.join(schemaFolder, file),
    formatSchemaFile({
      $schema: dialect,
      title,
      'x-sources': [...sources].map(({ module, version, files, license }) => ({ module, version, files, license })),
      'x-roots': roots.map(({ source, kind, apiVersion, schema, scale }) => ({
        release: source.release,
        apiVersion,
        kind,
        ...(scale !== undefined && { scale }),
        ...renamed(schema),
      })),
      $defs: Object.fromEntries(bodies.sort(([a], [b]) => (a < b ? -1 : 1))),
    }),
  );
  console.log(`wrote ${file}: ${bodies.length} definitions`);
}

main();
