import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../host/cache.ts';
import { type CrdSource, crdSources } from '../schemas/crdSources.ts';
import { digestOf, ensure, executable, goFiles } from './binaries.ts';
import { goModuleFolder, type Report } from './goBuild.ts';

/**
 * The operators whose own code judges objects, in two programs: what one module needs of Kubernetes' libraries, another
 * can't be built with.
 */
const groups = {
  newer: [
    'github.com/kubeflow/mpi-operator',
    'github.com/kubeflow/trainer/v2',
    'github.com/tektoncd/pipeline',
    'sigs.k8s.io/jobset',
  ],
  older: [
    'github.com/kubeflow/spark-operator/v2',
    'github.com/kubeflow/training-operator',
    'github.com/project-codeflare/appwrapper',
    'github.com/ray-project/kuberay/ray-operator',
    'sigs.k8s.io/lws',
  ],
} as const;

export type WebhookGroup = keyof typeof groups;
export const webhookGroups: readonly WebhookGroup[] = ['newer', 'older'];

const source = fileURLToPath(new URL('../../test/conformance/webhooks', import.meta.url));
const spark = {
  module: 'github.com/kubeflow/spark-operator/v2',
  files: ['sparkapplication_validator.go', 'sparkapplication_defaulter.go', 'resourcequota.go'],
};

/** The release that a group's program judges by: that of the newest CRDs that we know. */
export function releasesOf(group: WebhookGroup): readonly CrdSource[] {
  return groups[group].map((module) => {
    const newest = crdSources.find((each) => each.module === module);
    if (newest === undefined) throw new Error(`scripts/schemas/crdSources.ts knows no release of ${module}`);
    return newest;
  });
}

/** The program that answers what the webhooks and operators of a group would; from the cache, else built into it. */
export async function webhookProgram(group: WebhookGroup, report: Report): Promise<string> {
  const releases = releasesOf(group);
  const requires = releases.map(({ module, version }) => `require ${module} ${version}`);
  // What those need is added by Go itself.
  const goMod = ['module delegated-jobs.dev/webhooks', 'go 1.26.0', ...requires, ''].join('\n');
  const files = { ...(await goFiles(source)), ...(await goFiles(join(source, group))) };
  const folder = cacheFolder('webhooks', `${process.platform}-${process.arch}`);
  const target = join(folder, executable(`${group}-${digestOf([goMod, files])}`));
  return ensure(
    target,
    `the webhooks of ${releases.map(({ release }) => release).join(', ')}`,
    report,
    async (module, output) => {
      await writeFile(join(module, 'go.mod'), goMod);
      await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(module, name), text)));
      const ofSpark = releases.find((each) => each.module === spark.module);
      if (ofSpark !== undefined) await copySpark(module, ofSpark.version, report);
      return { package: '.', output };
    },
  );
}

/** Go lets nobody import what a module keeps to itself. */
async function copySpark(module: string, version: string, report: Report): Promise<void> {
  const from = await goModuleFolder(module, `${spark.module}@${version}`, report);
  await mkdir(join(module, 'spark'));
  for (const name of spark.files) {
    await writeFile(join(module, 'spark', name), await readFile(join(from, 'internal', 'webhook', name)));
  }
}
