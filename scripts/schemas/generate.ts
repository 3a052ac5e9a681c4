/**
 * Writes schemas/kubernetes-MINOR.json from the OpenAPI documents and API types of a Kubernetes release, then makes
 * the tables that are read from all of them. Needs Go, for `go mod download`. Run by scripts/minor.ts for one release;
 * alone, `node scripts/schemas/generate.ts`, it makes all anew that are there already.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeStructure } from '../manifest/structure.ts';
import { writeDecoderTable } from './decoderTable.ts';
import { formatSchemaFile, readSchemaFiles, schemaFolder } from './files.ts';
import { GoTypes } from './goTypes.ts';
import { convertSchemas, type OpenApiSchemas } from './openApi.ts';

const roots = [
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.apps.v1.StatefulSet',
  'io.k8s.api.batch.v1.Job',
  'io.k8s.api.batch.v1.CronJob',
  'io.k8s.api.core.v1.Pod',
];
const documents = ['apis__apps__v1_openapi.json', 'apis__batch__v1_openapi.json', 'api__v1_openapi.json'];

/** Writes the schema file of each release (`1.38.0`), and the tables. */
export function writeSchemas(releases: readonly string[]): void {
  for (const release of releases) {
    const file = path.join(schemaFolder, `kubernetes-${release.split('.').slice(0, 2).join('.')}.json`);
    writeFileSync(file, generate(release));
    console.log(`wrote ${path.relative(process.cwd(), file)}`);
  }
  writeDecoderTable();
  writeStructure();
}

function generate(release: string): string {
  const kubernetes = download('k8s.io/kubernetes', `v${release}`);
  // The API types have a module of their own, whose releases count 0.35.4 where Kubernetes counts 1.35.4.
  const staged = `v0${release.slice(1)}`;
  const moduleFolders = new Map(['k8s.io/api', 'k8s.io/apimachinery'].map((each) => [each, download(each, staged)]));
  const schemas: OpenApiSchemas = Object.assign({}, ...documents.map((name) => readDocument(kubernetes, name)));
  return formatSchemaFile({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Kubernetes ${release}: Job, CronJob, Pod, Deployment and StatefulSet`,
    'x-source': {
      module: 'k8s.io/kubernetes',
      version: `v${release}`,
      files: documents.map((name) => `api/openapi-spec/v3/${name}`),
      license: 'Apache-2.0',
    },
    $defs: convertSchemas(schemas, roots, new GoTypes(moduleFolders)),
  });
}

function readDocument(folder: string, name: string): OpenApiSchemas {
  return JSON.parse(readFileSync(path.join(folder, 'api/openapi-spec/v3', name), 'utf8')).components.schemas;
}

function download(modulePath: string, version: string): string {
  const module = `${modulePath}@${version}`;
  // Go says in its answer what is wrong, and nothing else of it.
  const { stdout, error } = spawnSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  if (error !== undefined) throw error;
  const { Dir: folder, Error: fault }: { Dir?: string; Error?: string } = JSON.parse(stdout || '{}');
  if (folder !== undefined) return folder;
  throw new Error(`${module} can't be fetched through the Go module proxy: ${fault ?? 'go mod download says nothing'}`);
}

if (import.meta.main) writeSchemas(readSchemaFiles().map((file) => file['x-source'].version.slice(1)));
