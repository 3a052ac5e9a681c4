import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesMinor } from '../../src/admission/index.ts';
import { cacheFolder } from '../host/cache.ts';
import { withLock } from './buildLock.ts';
import { addPackage, type GoProgram, goBuild, type Report, writeEtcdModule, writeKubernetesModule } from './goBuild.ts';
import { controlPlaneMinor, etcdRelease, releaseOf } from './versions.ts';

/** Paths of the programs that make up a control plane. */
export interface ControlPlanePrograms {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager: string;
}

const oracleSource = fileURLToPath(new URL('../../test/conformance/oracle', import.meta.url));

/**
 * The programs of a control plane: from `KUBEBUILDER_ASSETS` if that is set, else from the cache, else built into it.
 * Rejects with `GoMissingError` if they must be built and can't.
 */
export async function controlPlanePrograms(report: Report): Promise<ControlPlanePrograms> {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  if (assets) return programsIn(assets);
  const release = releaseOf(controlPlaneMinor);
  const folder = releaseFolder(release);
  const kubernetes = (name: string): Promise<string> =>
    ensure(join(folder, executable(name)), `${name} ${release}`, report, async (module, output) => {
      await writeKubernetesModule(module, release, report);
      return { package: `k8s.io/kubernetes/cmd/${name}`, output, stamps: versionStamps(release) };
    });
  return {
    apiServer: await kubernetes('kube-apiserver'),
    controllerManager: await kubernetes('kube-controller-manager'),
    etcd: await ensure(
      join(folder, executable(`etcd-${etcdRelease}`)),
      `etcd ${etcdRelease}`,
      report,
      async (module, output) => {
        await writeEtcdModule(module, etcdRelease);
        return { package: './etcd', output };
      },
    ),
  };
}

/** The program that answers what kube-apiserver of `minor` would; from the cache, else built into it. */
export async function oracleProgram(minor: KubernetesMinor, report: Report): Promise<string> {
  const release = releaseOf(minor);
  const source = await goFiles(oracleSource);
  const target = join(releaseFolder(release), executable(`verdict-oracle-${digestOf(source)}`));
  return ensure(target, `verdict oracle ${release}`, report, async (module, output) => {
    await writeKubernetesModule(module, release, report);
    await addPackage(module, 'oracle', source);
    return { package: './oracle', output, stamps: versionStamps(release) };
  });
}

async function programsIn(folder: string): Promise<ControlPlanePrograms> {
  const programs = {
    etcd: join(folder, executable('etcd')),
    apiServer: join(folder, executable('kube-apiserver')),
    controllerManager: join(folder, executable('kube-controller-manager')),
  };
  const isThere = await Promise.all(Object.values(programs).map(exists));
  const missing = Object.values(programs).filter((_, index) => !isThere[index]);
  if (missing.length === 0) return programs;
  throw new Error(`KUBEBUILDER_ASSETS lacks ${missing.join(', ')}. Unset it to have them built.`);
}

/** Returns `target`, building it first if it isn't there. Nothing half-built is ever seen at that path. */
export async function ensure(
  target: string,
  title: string,
  report: Report,
  prepare: (module: string, output: string) => Promise<GoProgram>,
): Promise<string> {
  if (await exists(target)) return target;
  const onWait = (pid: number): void => report(`waiting for process ${pid}, which builds ${title} …`);
  return withLock(`${target}.lock`, onWait, async () => {
    if (await exists(target)) return target;
    report(`building ${title} (once; kept in ${dirname(target)}) …`);
    const module = `${target}.building`;
    await rm(module, { recursive: true, force: true });
    await mkdir(module, { recursive: true });
    try {
      const program = await prepare(module, join(module, executable('program')));
      await goBuild(module, program, report);
      await rename(program.output, target);
    } finally {
      await rm(module, { recursive: true, force: true });
    }
    return target;
  });
}

/** The texts of the Go files of a folder, by name. */
export async function goFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.go')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

function releaseFolder(release: string): string {
  return cacheFolder('kubernetes', `v${release}`, `${process.platform}-${process.arch}`);
}

/** Tells programs of other sources apart: two clones of different age can share the cache. */
export function digestOf(source: unknown): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 12);
}

export function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

/** What the programs call themselves; without it a server says v0.0.0. */
function versionStamps(release: string): Readonly<Record<string, string>> {
  const [major = '', minor = ''] = release.split('.');
  const variable = 'k8s.io/component-base/version';
  return {
    [`${variable}.gitVersion`]: `v${release}`,
    [`${variable}.gitMajor`]: major,
    [`${variable}.gitMinor`]: minor,
    [`${variable}.gitTreeState`]: 'clean',
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
