import { statSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { run } from './host/process.ts';

/** Builds the product and packs it: `node scripts/package.ts [--out FILE]` writes delegated-jobs-VERSION.vsix. */
const root = join(import.meta.dirname, '..');

export async function packageVsix(file: string): Promise<void> {
  await buildProduct();
  // The bundles hold all that is needed at run time, hence no dependencies in the package.
  await run('vsce', ['package', '--no-dependencies', '--out', file], { cwd: root });
}

if (import.meta.filename === process.argv[1]) {
  const at = process.argv.indexOf('--out');
  const file = (at > 0 ? process.argv[at + 1] : undefined) ?? join(root, 'delegated-jobs.vsix');
  await packageVsix(file);
  console.log(`${file}: ${Math.round(statSync(file).size / 1000)} kB`);
}
