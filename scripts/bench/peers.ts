import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFrom } from '../../test/conformance/fuzz/draw.ts';
import { makeGenerator } from '../../test/conformance/fuzz/generate.ts';
import { type OracleAnswer, type OracleRequest, startOracle } from '../../test/conformance/fuzz/oracle.ts';
import { shapesFor } from '../../test/conformance/fuzz/shapes.ts';
import { GoMissingError, type Report } from '../cluster/goBuild.ts';
import { controlPlaneMinor } from '../cluster/versions.ts';
import { type Figure, single } from './measure.ts';
import { kubeconform, kubectlValidate, type PeerTool } from './peerTools.ts';
import { runProgram } from './runProgram.ts';

/**
 * How near each tool comes to the API server: of generated creates of Jobs and CronJobs, which Kubernetes' own code has
 * judged, what share of the refusals a tool refuses as well, and how much it refuses that the server takes. Whatever a
 * tool says against a file counts, the reason doesn't have to be the server's.
 */
const wantedCases = 3000;
const seed = 1;

export async function benchPeers(): Promise<readonly Figure[]> {
  const report: Report = (line) => console.log(`  ${line}`);
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-peers-'));
  try {
    const cases = await judgedCases(report);
    for (const [index, { request }] of cases.entries()) {
      writeFileSync(join(folder, fileName(index)), JSON.stringify(request.object));
    }
    const refused = cases.filter(({ answer }) => answer.code !== 200).length;
    const figures = [single('the server refuses', `of ${cases.length}`, refused)];
    const judges: Readonly<Record<string, () => Promise<Refusals>>> = {
      'Delegated Jobs': () => askOurselves(cases),
      kubeconform: async () => askKubeconform(await kubeconform(report), folder),
      'kubectl-validate': async () => askKubectlValidate(await kubectlValidate(report), folder),
    };
    for (const [name, ask] of Object.entries(judges)) figures.push(...compared(name, cases, await ask()));
    return figures;
  } catch (error) {
    if (!(error instanceof GoMissingError)) throw error;
    report(`Not compared with the server and the other tools: ${error.message}`);
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface JudgedCase {
  readonly request: OracleRequest;
  readonly answer: OracleAnswer;
}

/** The numbers of the cases that a tool refuses, and how long it took over all of them. */
interface Refusals {
  readonly numbers: ReadonlySet<number>;
  readonly seconds: number;
}

async function judgedCases(report: Report): Promise<readonly JudgedCase[]> {
  const oracle = await startOracle(controlPlaneMinor, report);
  try {
    const generate = await makeGenerator(await shapesFor(controlPlaneMinor), oracle, ['pod', 'job', 'cronjob']);
    const draw = drawFrom(seed);
    const requests: OracleRequest[] = [];
    while (requests.length < wantedCases) {
      const request = generate(String(requests.length), draw);
      if (request.operation === 'create') requests.push(request);
    }
    const answers = await oracle.ask(requests);
    return answers.flatMap((answer, index) => {
      const request = requests[index];
      return request === undefined ? [] : [{ request, answer }];
    });
  } finally {
    await oracle.close();
  }
}

function compared(name: string, cases: readonly JudgedCase[], { numbers, seconds }: Refusals): readonly Figure[] {
  const share = (isCounted: (code: number) => boolean): { hit: number; of: number; percent: number } => {
    const counted = [...cases.entries()].filter(([, { answer }]) => isCounted(answer.code));
    const hit = counted.filter(([index]) => numbers.has(index)).length;
    return { hit, of: counted.length, percent: (100 * hit) / Math.max(1, counted.length) };
  };
  const caught = share((code) => code !== 200);
  const byRules = share((code) => code === 422);
  const falseAlarms = share((code) => code === 200);
  return [
    single(`${name}: refuses of what the server refuses`, `% (${caught.hit} of ${caught.of})`, caught.percent),
    single(`${name}: of what its rules refuse (422)`, `% (${byRules.hit} of ${byRules.of})`, byRules.percent),
    single(`${name}: false alarms`, `of ${falseAlarms.of}`, falseAlarms.hit),
    single(`${name}: time for all`, 's', seconds),
  ];
}

async function askOurselves(cases: readonly JudgedCase[]): Promise<Refusals> {
  const program = join(import.meta.dirname, '../../dist/cli.cjs');
  const lines = cases.map(({ request }) => `${JSON.stringify(request)}\n`).join('');
  const { output, seconds } = await runProgram(
    process.execPath,
    [program, 'verdict', '--kubernetes', controlPlaneMinor],
    lines,
  );
  const numbers = new Set<number>();
  for (const [index, line] of output.trimEnd().split('\n').entries()) {
    const answer: { readonly allowed: boolean } = JSON.parse(line);
    if (!answer.allowed) numbers.add(index);
  }
  return { numbers, seconds };
}

async function askKubeconform({ program, args }: PeerTool, folder: string): Promise<Refusals> {
  const { output, seconds } = await runProgram(program, [...args, folder]);
  const { resources }: { resources: readonly { filename: string; status: string }[] } = JSON.parse(output);
  const refused = resources.filter(({ status }) => status === 'statusInvalid' || status === 'statusError');
  return { numbers: new Set(refused.map(({ filename }) => numberOf(filename))), seconds };
}

async function askKubectlValidate({ program, args }: PeerTool, folder: string): Promise<Refusals> {
  const { output, seconds } = await runProgram(program, [...args, folder]);
  const answers: Readonly<Record<string, readonly { readonly status: string }[]>> = JSON.parse(output);
  const refused = Object.entries(answers).filter(([, list]) => list.some(({ status }) => status !== 'Success'));
  return { numbers: new Set(refused.map(([filename]) => numberOf(filename))), seconds };
}

function fileName(index: number): string {
  return `${index}.json`;
}

function numberOf(path: string): number {
  return Number(/(\d+)\.json$/.exec(path)?.[1]);
}
