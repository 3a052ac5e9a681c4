import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchJourney } from './bench/journey.ts';
import { type Figure, printFigures, single } from './bench/measure.ts';
import { packageVsix } from './package.ts';

/** Prints the benchmarks, section by section, and writes all figures to bench.json. Nothing is asserted. */
const root = join(import.meta.dirname, '..');

async function benchSizes(): Promise<readonly Figure[]> {
  const vsix = join(root, 'build', 'bench.vsix');
  await packageVsix(vsix);
  return [
    single('dist/extension.cjs', 'kB', statSync(join(root, 'dist/extension.cjs')).size / 1000, '≤ 150 kB'),
    single('VSIX', 'kB', statSync(vsix).size / 1000, '≤ 1500 kB'),
  ];
}

const sections: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  Sizes: benchSizes,
  'News on its way (sandbox)': benchJourney,
};

const results: Record<string, readonly Figure[]> = {};
for (const [title, bench] of Object.entries(sections)) {
  const figures = await bench();
  printFigures(title, figures);
  results[title] = figures;
}
writeFileSync(join(root, 'bench.json'), `${JSON.stringify(results, null, 2)}\n`);
