import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  type AdmissionRequest,
  admit,
  judge,
  type KubernetesMinor,
  type ServerIdentity,
} from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { drawFrom } from '../../test/conformance/fuzz/draw.ts';
import { makeGenerator } from '../../test/conformance/fuzz/generate.ts';
import { type OracleRequest, startOracle } from '../../test/conformance/fuzz/oracle.ts';
import { shapesFor } from '../../test/conformance/fuzz/shapes.ts';
import { GoMissingError } from '../cluster/goBuild.ts';
import { controlPlaneMinor } from '../cluster/versions.ts';
import { type Figure, figure, single } from './measure.ts';
import { richJob } from './richJob.ts';

/**
 * What a verdict costs: warm, from a cold start, and beside Kubernetes' own code. Costs are processor time, which other
 * work on the machine disturbs less than the clock on the wall.
 */
const version: KubernetesMinor = controlPlaneMinor;
const samples = 40;
const callsPerSample = 200;
const freshProcesses = 15;
const generatedCases = 1000;

export async function benchEngine(): Promise<readonly Figure[]> {
  return [...benchWarm(), ...benchColdStart(), ...(await benchBesideOracle())];
}

function benchWarm(): readonly Figure[] {
  const sent = richJob('render');
  const text = JSON.stringify(sent);
  const old = stored(sent);
  const changed: JsonObject = { ...old, spec: { ...specOf(old), parallelism: 8 } };
  const progress: JsonObject = { ...old, status: { active: 4, ready: 4, startTime: '2026-01-01T00:00:00Z' } };
  const verdicts: Readonly<Record<string, AdmissionRequest>> = {
    'create of a Job with a rich pod template': { operation: 'create', object: sent },
    'update of it': { operation: 'update', object: changed, old },
    'update of its status': { operation: 'status-update', object: progress, old },
  };
  const parse = median(costs(() => JSON.parse(text)));
  return Object.entries(verdicts).flatMap(([name, request]) => {
    if (!judge(request, { version }).allowed)
      throw new Error(`${name}: refused, so it measures another thing than it says.`);
    const samples = costs(() => judge(request, { version }));
    return [
      figure(name, 'µs', samples, '≤ 100 µs on an idle machine'),
      single(`  beside JSON.parse of the Job's text`, '×', median(samples) / parse),
    ];
  });
}

/** Processor time of one call in microseconds, sample by sample, when all is warm. */
function costs(work: () => unknown): readonly number[] {
  const times: number[] = [];
  // The first samples warm up.
  for (let sample = -10; sample < samples; sample++) {
    const start = process.cpuUsage();
    for (let round = 0; round < callsPerSample; round++) work();
    const { user, system } = process.cpuUsage(start);
    if (sample >= 0) times.push((user + system) / callsPerSample);
  }
  return times;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** A fresh process loads the engine as the package holds it and judges once; what Node itself takes to start is the yardstick. */
function benchColdStart(): readonly Figure[] {
  const program = `
    const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    const job = JSON.parse(process.argv[2]);
    const node = spent();
    const { judge } = require(process.argv[1]);
    const loaded = spent();
    if (!judge({ operation: 'create', object: job }, { version: '${version}' }).allowed) throw new Error('refused');
    console.log(JSON.stringify({ node, load: loaded - node, first: spent() - loaded }));`;
  const engine = join(import.meta.dirname, '../../dist/admission.cjs');
  const runs = Array.from({ length: freshProcesses }, () => {
    const output = execFileSync(process.execPath, ['-e', program, engine, JSON.stringify(richJob('render'))]);
    const run: Readonly<Record<'node' | 'load' | 'first', number>> = JSON.parse(output.toString());
    return run;
  });
  const total = ({ load, first }: (typeof runs)[number]): number => load + first;
  return [
    figure('cold start: load and first verdict', 'ms', runs.map(total), '≤ 15 ms on an idle machine'),
    figure(
      '  of that: load',
      'ms',
      runs.map(({ load }) => load),
    ),
    figure(
      '  of that: first verdict',
      'ms',
      runs.map(({ first }) => first),
    ),
    figure(
      "cold start beside Node's own",
      '×',
      runs.map((run) => total(run) / run.node),
    ),
  ];
}

/** The same generated cases to both, from JSON text to JSON text. */
async function benchBesideOracle(): Promise<readonly Figure[]> {
  try {
    const oracle = await startOracle(version, (line) => console.log(`  ${line}`));
    try {
      const generate = await makeGenerator(await shapesFor(version), oracle, ['pod', 'job', 'status', 'cronjob']);
      const draw = drawFrom(1);
      const cases = Array.from({ length: generatedCases }, (_, index) => generate(String(index), draw));
      const ours: number[] = [];
      const theirs: number[] = [];
      // In turns, so that other work on the machine meets both; the best of each is least disturbed.
      for (let round = 0; round < 10; round++) {
        ours.push(cases.length / (await seconds(() => judgeAll(cases))));
        theirs.push(cases.length / (await seconds(() => oracle.ask(cases))));
      }
      const best = Math.max(...ours) / Math.max(...theirs);
      return [
        figure('generated cases a second: this engine', '/s', ours),
        figure("generated cases a second: Kubernetes' own code", '/s', theirs),
        single('the best of ours beside the best of theirs', '×', best),
      ];
    } finally {
      await oracle.close();
    }
  } catch (error) {
    if (!(error instanceof GoMissingError)) throw error;
    console.log(`  Not compared with Kubernetes' own code: ${error.message}`);
    return [];
  }
}

async function judgeAll(cases: readonly OracleRequest[]): Promise<void> {
  for (const request of cases) {
    const parsed: OracleRequest = JSON.parse(JSON.stringify(request));
    JSON.stringify(judge(parsed, { version }));
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

const identity: ServerIdentity = {
  uid: '7b1d1c9e-3f5a-4a51-9a0e-5c2f6d7e8a90',
  creationTimestamp: '2026-01-01T00:00:00Z',
  nameSuffix: 'x7k2p',
};

function stored(object: JsonObject): JsonObject {
  const admission = admit({ operation: 'create', object }, { version, identity });
  if (admission.stored === undefined) throw new Error(JSON.stringify(admission.errors));
  const metadata = admission.stored['metadata'];
  return { ...admission.stored, metadata: { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion: '41' } };
}

function specOf(object: JsonObject): JsonObject {
  const spec = object['spec'];
  return isJsonObject(spec) ? spec : {};
}
