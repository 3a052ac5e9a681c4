/**
 * `node test/conformance/fuzz.ts [--kubernetes 1.35] [--cases 5000] [--seed 1] [--only pod|job|status|cronjob|workload]
 * [--shrink 20] [--out FILE]`: our engine against Kubernetes' own code on generated writes. Prints each kind of fault
 * with the smallest case that shows it; `--out` writes those cases as JSON lines with the verdict that is right. Exit code 1 if the
 * two disagree.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { isKubernetesMinor } from '../../scripts/cluster/versions.ts';
import { kubernetesMinors } from '../../src/admission/index.ts';
import { describeError, systemClock, systemRandom } from '../../src/base/index.ts';
import { askEngine } from './fuzz/engine.ts';
import { type Area, areas } from './fuzz/generate.ts';
import { startOracle } from './fuzz/oracle.ts';
import { type Fault, type FuzzOptions, fuzz } from './fuzz/run.ts';
import { shapesFor } from './fuzz/shapes.ts';

const { values } = parseArgs({
  options: {
    kubernetes: { type: 'string', multiple: true },
    cases: { type: 'string', default: '5000' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true },
    shrink: { type: 'string', default: '20' },
    out: { type: 'string' },
  },
});

async function main(): Promise<boolean> {
  const options: FuzzOptions = {
    seed: Number(values.seed ?? Math.floor(systemRandom() * 2 ** 31)),
    cases: Number(values.cases),
    only: readAreas(values.only ?? []),
    shrunkFaults: Number(values.shrink),
  };
  let agree = true;
  const lines: string[] = [];
  for (const minor of values.kubernetes ?? kubernetesMinors) {
    if (!isKubernetesMinor(minor)) throw new Error(`No such Kubernetes minor here: ${minor}`);
    const oracle = await startOracle(minor, (line) => console.error(line));
    try {
      const startMs = systemClock.monotonicMs();
      const result = await fuzz(await shapesFor(minor), oracle, (request) => askEngine(request, minor), options);
      const seconds = ((systemClock.monotonicMs() - startMs) / 1000).toFixed(1);
      console.log(
        `Kubernetes ${minor}, seed ${options.seed}: ${result.cases} cases (${result.allowed} allowed) in ${seconds} s, ` +
          `${result.disagreeing} disagree in ${result.faults.length} kinds`,
      );
      for (const fault of result.faults) printFault(fault);
      agree &&= result.disagreeing === 0;
      const smallest = result.faults.slice(0, options.shrunkFaults).map((fault) => fault.smallest);
      const answers = await oracle.ask(smallest);
      for (const [index, request] of smallest.entries()) {
        const { code, errors, warnings, message } = answers[index] ?? {};
        lines.push(JSON.stringify({ kubernetes: minor, ...request, verdict: { code, errors, warnings, message } }));
      }
    } finally {
      await oracle.close();
    }
  }
  if (values.out !== undefined) await writeFile(values.out, lines.map((line) => `${line}\n`).join(''));
  return agree;
}

function printFault({ line, count, smallest }: Fault): void {
  console.log(`\n${count} × ${line}`);
  const { operation, object, old } = smallest;
  console.log(`  ${operation} ${brief(object)}`);
  if (old !== undefined) console.log(`  old ${brief(old)}`);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 1500 ? `${text.slice(0, 1500)}…` : text;
}

function readAreas(texts: readonly string[]): readonly Area[] {
  return texts.map((text) => {
    const area = areas.find((each) => each === text);
    if (area === undefined) throw new Error(`--only takes ${areas.join(', ')}; not ${text}`);
    return area;
  });
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(describeError(error));
  process.exitCode = 2;
}
