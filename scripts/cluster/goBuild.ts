import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/base/index.ts';
import { hasCode } from './buildLock.ts';

/** Receives one line of progress for people. */
export type Report = (line: string) => void;

/** What to compile: a package as the module in `folder` sees it, and the file to make of it. */
export interface GoProgram {
  readonly package: string;
  readonly output: string;
  /** `-X` settings of the linker. */
  readonly stamps?: Readonly<Record<string, string>>;
}

const reportEveryMs = 20_000;
const shownErrorLines = 40;

/** Go itself is missing; the message names the command that brings it. */
export class GoMissingError extends Error {
  override readonly name = 'GoMissingError';
}

function installGo(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'brew install go';
  if (platform === 'win32') return 'winget install GoLang.Go';
  return 'sudo apt-get install golang-go (or your distribution’s package; 1.21 or newer)';
}

/** Compiles statically and without traces of this machine's paths, so that all modules share Go's own build cache. */
export async function goBuild(folder: string, program: GoProgram, report: Report): Promise<void> {
  const stamps = Object.entries(program.stamps ?? {}).map(([name, value]) => `-X ${name}=${value}`);
  const flags = ['-v', '-p', '2', '-mod=mod', '-trimpath', '-ldflags', ['-s', '-w', ...stamps].join(' ')];
  await runGo(folder, ['build', ...flags, '-o', program.output, program.package], report);
}

/** The folder of a module's source in Go's module cache, fetched through the module proxy if need be. */
export async function goModuleFolder(folder: string, module: string, report: Report): Promise<string> {
  const answer: unknown = JSON.parse(await runGo(folder, ['mod', 'download', '-json', module], report));
  if (typeof answer === 'object' && answer !== null && 'Dir' in answer && typeof answer.Dir === 'string') {
    return answer.Dir;
  }
  throw new Error(`go mod download said nothing of a folder for ${module}`);
}

/**
 * Makes `folder` a module in which Kubernetes' programs can be built at the very versions that Kubernetes pins.
 * Its own go.mod serves as the pattern; the modules that it takes from its repository's staging area are replaced by
 * their published twins.
 */
export async function writeKubernetesModule(folder: string, release: string, report: Report): Promise<void> {
  await mkdir(folder, { recursive: true });
  const source = await goModuleFolder(folder, `k8s.io/kubernetes@v${release}`, report);
  const pattern = await readFile(join(source, 'go.mod'), 'utf8');
  const directives = pattern.split('\n').filter((line) => /^(go|godebug) /.test(line));
  const requires = pattern.match(/^require \([^)]*\)/gm) ?? [];
  const staged = [...pattern.matchAll(/^\s*(k8s\.io\/\S+) => \.\/staging/gm)].map((match) => match[1]);
  const published = release.replace(/^1/, 'v0');
  const text = [
    'module delegated-jobs.dev/kubernetes',
    ...directives,
    ...requires,
    `require k8s.io/kubernetes v${release}`,
    'replace (',
    ...staged.map((name) => `\t${name} => ${name} ${published}`),
    ')',
    '',
  ].join('\n');
  await writeFile(join(folder, 'go.mod'), text);
  await writeFile(join(folder, 'go.sum'), await readFile(join(source, 'go.sum')));
}

/** Makes `folder` a module with the package ./etcd: the server as a program of its own. */
export async function writeEtcdModule(folder: string, release: string): Promise<void> {
  await mkdir(join(folder, 'etcd'), { recursive: true });
  const requires = `require go.etcd.io/etcd/server/v3 v${release}`;
  await writeFile(join(folder, 'go.mod'), `module delegated-jobs.dev/etcd\ngo 1.24\n${requires}\n`);
  const main = [
    'package main',
    'import (',
    '\t"os"',
    '\t"go.etcd.io/etcd/server/v3/etcdmain"',
    ')',
    'func main() { etcdmain.Main(os.Args) }',
    '',
  ].join('\n');
  await writeFile(join(folder, 'etcd', 'main.go'), main);
}

/** Puts a package, given as texts by file name, into the module at `folder`. */
export async function addPackage(folder: string, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(join(folder, name, file), text)));
}

function runGo(folder: string, args: readonly string[], report: Report): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd: folder,
      env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const startMs = systemClock.monotonicMs();
    const lastLines: string[] = [];
    let packages = 0;
    let nextReportMs = reportEveryMs;
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > shownErrorLines) lastLines.shift();
      packages += 1;
      const passedMs = systemClock.monotonicMs() - startMs;
      if (passedMs < nextReportMs) return;
      nextReportMs = passedMs + reportEveryMs;
      report(`  … ${Math.round(passedMs / 1000)} s, ${packages} packages and downloads so far`);
    });
    child.on('error', (error) => {
      if (!hasCode(error, 'ENOENT')) reject(error);
      else reject(new GoMissingError(`Go is needed and isn't on the PATH. Install it: ${installGo(process.platform)}`));
    });
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`go ${args.join(' ')} failed:\n${lastLines.join('\n')}\n${output}`));
    });
  });
}
