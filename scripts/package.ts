import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { buildProduct } from './build.ts';
import { run } from './host/process.ts';

/** What may be in the package: nothing else, whatever .vscodeignore lets through. */
const allowed: readonly RegExp[] = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/\w+\.cjs$/,
  /^media\/(icon\.png|activity\.svg|walkthrough\.svg)$/,
  /^media\/snippets\/[\w.-]+\.json$/,
];
const largestBytes = 1_500_000;

/** Builds the product and packs it: `node scripts/package.ts [--out FILE]` writes delegated-jobs-VERSION.vsix. */
const root = join(import.meta.dirname, '..');

export async function packageVsix(file: string): Promise<void> {
  await buildProduct();
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  const strangers = files.filter((name) => !allowed.some((pattern) => pattern.test(name)));
  if (strangers.length > 0) throw new Error(`The package would hold what it must not: ${strangers.join(', ')}`);
  // The bundles hold all that is needed at run time, hence no dependencies in the package.
  mkdirSync(dirname(file), { recursive: true });
  await run('vsce', ['package', '--no-dependencies', '--out', file], { cwd: root });
  const { size } = statSync(file);
  if (size > largestBytes) throw new Error(`The package has ${size} bytes; ${largestBytes} are the most it may have.`);
}

if (import.meta.filename === process.argv[1]) {
  const at = process.argv.indexOf('--out');
  const file = (at > 0 ? process.argv[at + 1] : undefined) ?? join(root, 'delegated-jobs.vsix');
  await packageVsix(file);
  console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`);
}
