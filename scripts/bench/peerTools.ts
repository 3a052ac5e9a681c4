import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { executable } from '../cluster/binaries.ts';
import { goBuild, goModuleFolder, type Report } from '../cluster/goBuild.ts';
import { controlPlaneMinor, releaseOf } from '../cluster/versions.ts';
import { cacheFolder, makeOnce } from '../host/cache.ts';
import { strictSchema } from './strictSchema.ts';

/**
 * The tools that the engine is measured beside, built once into the user's cache by Go, and the schemas of the minor
 * that is compared, in the form that each of them reads: they shall have what they would have at their best.
 */
export interface PeerTool {
  readonly name: string;
  readonly release: string;
  readonly program: string;
  /** What to give it before the files. */
  readonly args: readonly string[];
}

const releases = { kubeconform: '0.8.0', kubectlValidate: '0.0.4' } as const;
const schemaRelease = releaseOf(controlPlaneMinor);
const documents = { 'apis/batch/v1': 'apis__batch__v1_openapi.json', 'api/v1': 'api__v1_openapi.json' } as const;

/** Rejects with `GoMissingError` if it must be built and can't. */
export async function kubeconform(report: Report): Promise<PeerTool> {
  const release = releases.kubeconform;
  const program = await built('kubeconform', `github.com/yannh/kubeconform@v${release}`, 'cmd/kubeconform', report);
  const folder = await schemaFolder('json-schema', report, (draft, source) => {
    const document = JSON.parse(readFileSync(join(source, documents['apis/batch/v1']), 'utf8'));
    for (const kind of ['Job', 'CronJob']) {
      const schema = strictSchema(document, `io.k8s.api.batch.v1.${kind}`);
      writeFileSync(join(draft, `${kind.toLowerCase()}.json`), JSON.stringify(schema));
    }
  });
  const args = ['-strict', '-output', 'json', '-schema-location', join(folder, '{{.ResourceKind}}.json')];
  return { name: 'kubeconform -strict', release, program, args };
}

/** Rejects with `GoMissingError` if it must be built and can't. */
export async function kubectlValidate(report: Report): Promise<PeerTool> {
  const release = releases.kubectlValidate;
  const program = await built('kubectl-validate', `sigs.k8s.io/kubectl-validate@v${release}`, '', report);
  const folder = await schemaFolder('openapi', report, (draft, source) => {
    for (const [place, name] of Object.entries(documents)) {
      mkdirSync(join(draft, place, '..'), { recursive: true });
      writeFileSync(join(draft, `${place}.json`), readFileSync(join(source, name)));
    }
  });
  return { name: 'kubectl-validate', release, program, args: ['--output', 'json', '--local-schemas', folder] };
}

async function built(name: string, module: string, inner: string, report: Report): Promise<string> {
  const [path = '', version = ''] = module.split('@');
  const folder = cacheFolder('peers', `${name}-${version}`, `${process.platform}-${process.arch}`);
  const file = executable(name);
  if (!existsSync(folder)) {
    report(`building ${name} ${version} (once; kept in ${folder}) …`);
    await makeOnce(folder, async (draft) => {
      const source = join(draft, 'module');
      mkdirSync(source);
      writeFileSync(join(source, 'go.mod'), `module delegated-jobs.dev/peers\ngo 1.24\nrequire ${path} ${version}\n`);
      await goBuild(source, { package: inner === '' ? path : `${path}/${inner}`, output: join(draft, file) }, report);
    });
  }
  return join(folder, file);
}

async function schemaFolder(
  name: string,
  report: Report,
  fill: (draft: string, source: string) => void,
): Promise<string> {
  const folder = cacheFolder('peers', `${name}-v${schemaRelease}`);
  if (existsSync(folder)) return folder;
  await makeOnce(folder, async (draft) => {
    const module = join(draft, '.module');
    mkdirSync(module);
    writeFileSync(join(module, 'go.mod'), 'module delegated-jobs.dev/peers\n');
    const kubernetes = await goModuleFolder(module, `k8s.io/kubernetes@v${schemaRelease}`, report);
    fill(draft, join(kubernetes, 'api/openapi-spec/v3'));
  });
  return folder;
}
