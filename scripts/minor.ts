/**
 * `node scripts/run.mjs minor 1.38 [v1.38.0] [--cases 20000] [--seed 1]`: makes the engine know one more Kubernetes minor,
 * or another patch release of one that it knows. Does all that needs no thought, then prints what is left: the list of
 * places where the new release's own code says something else than the engine. Run it again after each change; it ends
 * with 0 when nothing is left.
 *
 * Nothing here may import the engine before the minor stands in its list: hence the imports further down.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeError, systemRandom } from '../src/base/index.ts';
import { GoMissingError } from './cluster/goBuild.ts';
import { chooseRelease, type Release } from './minor/release.ts';
import { readSchemaFiles } from './schemas/files.ts';
import { writeSchemas } from './schemas/generate.ts';
import { recordAnswers } from './schemas/recordAnswers.ts';

const root = path.join(import.meta.dirname, '..');
const usage = `Usage: node scripts/run.mjs minor MINOR [RELEASE]

  MINOR         the Kubernetes minor to add, such as 1.38
  RELEASE       the release that stands for it, such as v1.38.2; its newest one if absent
  --cases N     generated cases that are compared, 20000 if absent
  --seed N      repeats a run`;

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { cases: { type: 'string', default: '20000' }, seed: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [minor, wanted] = positionals;
  if (values.help === true || minor === undefined || !/^1\.\d+$/.test(minor) || positionals.length > 2) {
    console.log(usage);
    return values.help === true;
  }
  const release = await chooseRelease(minor, wanted);
  const isKnown = readSchemaFiles().some((file) => file['x-source'].version === `v${release.version}`);
  step(1, `the structure of Kubernetes ${release.version}${isKnown ? ', which is there, made again' : ''}`);
  writeSchemas([release.version]);
  step(2, `${minor} among the minors that the engine knows`);
  list(release);
  step(3, "what Kubernetes' own code is and says (built once, which takes some minutes)");
  recordAnswers({ only: minor });
  const { recordSamples } = await import('./minor/record.ts');
  await recordSamples(minor);
  step(4, 'what is left');
  const { printWork } = await import('./minor/work.ts');
  const seed = Number(values.seed ?? Math.floor(systemRandom() * 2 ** 31));
  return printWork(minor, { cases: Number(values.cases), seed });
}

function step(number: number, what: string): void {
  console.log(`\n[${number}/4] ${what}`);
}

/** Writes the minor into the two lists that there are: the engine's, and the values that VS Code offers in its settings. */
function list({ minor }: Release): void {
  const engine = path.join(root, 'src/admission/verdict.ts');
  edit(engine, (text) =>
    text.replace(/(const kubernetesMinors = \[)(.*)(\] as const)/, (_, before, minors, after) => {
      const known = [...String(minors).matchAll(/'([^']+)'/g)].map(([, one = '']) => one);
      return `${before}${inOrder([...known, minor])
        .map((each) => `'${each}'`)
        .join(', ')}${after}`;
    }),
  );
  edit(path.join(root, 'package.json'), (text) => {
    const manifest = JSON.parse(text);
    const setting = manifest.contributes.configuration.properties['delegatedJobs.kubernetesVersion'];
    const [auto, ...known]: readonly string[] = setting.enum;
    setting.enum = [auto, ...inOrder([...known, minor])];
    return `${JSON.stringify(manifest, undefined, 2)}\n`;
  });
}

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) return;
  writeFileSync(file, after);
  console.log(`wrote ${path.relative(root, file)}`);
}

function inOrder(minors: readonly string[]): readonly string[] {
  return [...new Set(minors)].sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof GoMissingError ? error.message : describeError(error));
  process.exitCode = 2;
}
