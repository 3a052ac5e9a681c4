import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { buildProduct } from './build.ts';
import { run } from './host/process.ts';

/** What must be in the package, by its paths there. */
const needed: readonly string[] = [
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'dist/extension.cjs',
  'dist/cli.cjs',
  'dist/ThirdPartyNotices.txt',
];
/** What may be in it beside that: nothing else, whatever .vscodeignore lets through. */
const allowed: readonly RegExp[] = [
  /^dist\/\w+\.cjs$/,
  /^media\/(icon\.png|activity\.svg|walkthrough\.svg)$/,
  /^media\/snippets\/[\w.-]+\.json$/,
];
const largestBytes = 1_500_000;

/** Builds the product and packs it: `node scripts/package.ts [--out FILE]` writes delegated-jobs.vsix. */
const root = join(import.meta.dirname, '..');

export async function packageVsix(file: string): Promise<void> {
  await buildProduct();
  const complaint = complaintAbout(await listFiles({ cwd: root, packageManager: PackageManager.None }));
  if (complaint !== undefined) throw new Error(complaint);
  // The bundles hold all that is needed at run time, hence no dependencies in the package.
  mkdirSync(dirname(file), { recursive: true });
  await run('vsce', ['package', '--no-dependencies', '--out', file], { cwd: root });
  const { size } = statSync(file);
  if (size > largestBytes) throw new Error(`The package has ${size} bytes; ${largestBytes} are the most it may have.`);
}

/** What is wrong with a package of these files; undefined where nothing is. */
export function complaintAbout(files: readonly string[]): string | undefined {
  const strangers = files.filter((file) => !needed.includes(file) && !allowed.some((pattern) => pattern.test(file)));
  if (strangers.length > 0) return `The package would hold what it must not: ${strangers.join(', ')}`;
  const missing = needed.filter((file) => !files.includes(file));
  return missing.length > 0 ? `The package would lack what it must hold: ${missing.join(', ')}` : undefined;
}

if (import.meta.filename === process.argv[1]) {
  const at = process.argv.indexOf('--out');
  const file = (at > 0 ? process.argv[at + 1] : undefined) ?? join(root, 'delegated-jobs.vsix');
  await packageVsix(file);
  console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`);
}
