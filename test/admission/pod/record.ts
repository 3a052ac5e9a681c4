/**
 * `node test/admission/pod/record.ts [--cases 40000] [--seed 1] [--write]`: asks Kubernetes' own code about odd pod
 * templates and compares. With `--write` it makes the fixture anew: for each rule a case that breaks it, and some
 * that are allowed, each with the answers of all minors. Exit code 1 if the two disagree.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type KubernetesMinor, kubernetesMinors } from '../../../src/admission/index.ts';
import { differences } from '../../conformance/fuzz/compare.ts';
import { drawFrom } from '../../conformance/fuzz/draw.ts';
import { askEngine } from '../../conformance/fuzz/engine.ts';
import { type Oracle, type OracleAnswer, type OracleRequest, startOracle } from '../../conformance/fuzz/oracle.ts';
import { oddTemplateRequest } from './odd/templates.ts';
import { brokenRules, fixture, type RecordedTemplate } from './recorded.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '40000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});

const batch = 500;
/** How many cases the fixture keeps for each rule, and of those that are allowed. */
const perRule = 1;
const mostAllowed = 80;

async function main(): Promise<boolean> {
  const draw = drawFrom(Number(values.seed));
  const kept: RecordedTemplate[] = [];
  const broken = new Map<string, number>();
  let allowed = 0;
  let disagreeing = 0;
  const oracles = new Map<KubernetesMinor, Oracle>();
  for (const minor of kubernetesMinors) oracles.set(minor, await startOracle(minor, (line) => console.error(line)));
  for (let done = 0; done < Number(values.cases); done += batch) {
    const requests = Array.from({ length: batch }, (_, index) => oddTemplateRequest(`odd-${done + index}`, draw));
    const answers = await askAll(oracles, requests);
    for (const [index, request] of requests.entries()) {
      const recorded: RecordedTemplate = { request, answers: answers[index] ?? [] };
      disagreeing += disagreementsOf(recorded);
      const isRare = brokenRules(recorded).some((code) => {
        const times = (broken.get(code) ?? 0) + 1;
        broken.set(code, times);
        return times <= perRule;
      });
      const isAllowed = recorded.answers.every(({ answer }) => answer.code === 200);
      if (isAllowed) allowed += 1;
      if (isRare || (isAllowed && allowed <= mostAllowed)) kept.push(recorded);
    }
  }
  for (const oracle of oracles.values()) await oracle.close();
  console.log(`${values.cases} cases, ${allowed} allowed, ${disagreeing} disagree, ${broken.size} rules broken`);
  if (values.write) {
    await mkdir(new URL('.', fixture), { recursive: true });
    await writeFile(fixture, gzipSync(kept.map((one) => `${JSON.stringify(one)}\n`).join(''), { level: 9 }));
    console.log(`${kept.length} cases written`);
  }
  return disagreeing === 0;
}

async function askAll(
  oracles: ReadonlyMap<KubernetesMinor, Oracle>,
  requests: readonly OracleRequest[],
): Promise<readonly RecordedTemplate['answers'][]> {
  const all: Map<string, { minors: KubernetesMinor[]; answer: OracleAnswer }>[] = requests.map(() => new Map());
  for (const [minor, oracle] of oracles) {
    const answers = await oracle.ask(requests);
    for (const [index, given] of answers.entries()) {
      // Messages are the server's own words, and long.
      const answer = { ...given, errors: given.errors.map((error) => ({ ...error, message: '' })) };
      const key = JSON.stringify(answer);
      const same = all[index]?.get(key) ?? { minors: [], answer };
      same.minors.push(minor);
      all[index]?.set(key, same);
    }
  }
  return all.map((answers) => [...answers.values()]);
}

function disagreementsOf({ request, answers }: RecordedTemplate): number {
  let count = 0;
  for (const { minors, answer } of answers) {
    for (const minor of minors) {
      const lines = differences(answer, askEngine(request, minor));
      if (lines.length === 0) continue;
      count += 1;
      console.log(`${minor} ${lines.join('\n  ')}\n  ${JSON.stringify(request)}`);
    }
  }
  return count;
}

process.exitCode = (await main()) ? 0 : 1;
