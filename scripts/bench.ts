import { statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { benchAuthoring } from './bench/authoring.ts';
import { benchEngine } from './bench/engine.ts';
import { benchJourney } from './bench/journey.ts';
import { type Figure, figure, printFigures, single } from './bench/measure.ts';
import { benchPeers } from './bench/peers.ts';
import { benchSchemaEchoes } from './bench/schemaEchoes.ts';
import { benchTyping } from './bench/typing.ts';
import { buildProduct } from './build.ts';
import { findChromium } from './host/browser.ts';
import { runHostSuite } from './host/suite.ts';
import { packageVsix } from './package.ts';

/**
 * Prints the benchmarks, section by section, and writes all figures to bench.json. Nothing is asserted.
 * `npm run bench -- WORD…` runs the sections with one of these words in their title.
 */
const root = join(import.meta.dirname, '..');

async function benchSizes(): Promise<readonly Figure[]> {
  const vsix = join(root, 'build', 'bench.vsix');
  await packageVsix(vsix);
  return [
    single('dist/extension.cjs', 'kB', statSync(join(root, 'dist/extension.cjs')).size / 1000, '≤ 150 kB'),
    single('VSIX', 'kB', statSync(vsix).size / 1000, '≤ 1500 kB'),
  ];
}

async function benchActivation(): Promise<readonly Figure[]> {
  const report = (line: string): void => console.error(line);
  const chromium = await findChromium(report);
  const samples: number[] = [];
  for (let run = 0; run < 3; run++) {
    const { activationMs } = await runHostSuite({ subject: { kind: 'folder' }, trusted: false, chromium, report });
    samples.push(activationMs);
  }
  return [figure('activation without a cluster, in the extension host', 'ms', samples, '< 50 ms')];
}

const sections: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  Sizes: benchSizes,
  Activation: benchActivation,
  'Verdict engine': benchEngine,
  'Beside other tools (generated creates)': benchPeers,
  'Typing, stretches of the event loop': benchTyping,
  'Typing and linting': benchAuthoring,
  'Said twice (beside the YAML language server)': benchSchemaEchoes,
  'News on its way (sandbox)': benchJourney,
};

const words = process.argv.slice(2).map((word) => word.toLowerCase());
await buildProduct();
const results: Record<string, readonly Figure[]> = {};
for (const [title, bench] of Object.entries(sections)) {
  if (words.length > 0 && !words.some((word) => title.toLowerCase().includes(word))) continue;
  const [load = 0] = loadavg();
  const figures = await bench();
  printFigures(`${title} (load ${load.toFixed(1)} on ${availableParallelism()} processors)`, figures);
  results[title] = figures;
}
writeFileSync(join(root, 'bench.json'), `${JSON.stringify(results, null, 2)}\n`);
