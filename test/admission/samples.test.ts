import { describe, expect, it } from 'vitest';
import { judge, type KubernetesMinor, kubernetesMinors, ruleCatalogue } from '../../src/admission/index.ts';
import { generatedSamples, type Sample, writtenSamples } from './samples.ts';

const written = writtenSamples();
const generated = generatedSamples();

/** What the engine says, in the terms of the samples; undefined where it agrees. */
function disagreement({ id, request, answers }: Sample, version: KubernetesMinor): unknown {
  const answer = answers.get(version);
  if (answer === undefined) return { id, version, problem: 'no answer' };
  const failures: string[] = [];
  const verdict = judge(request, { version, onRuleFailure: (code, error) => failures.push(`${code}: ${error}`) });
  const isDecoding = verdict.errors.some(({ type }) => type === 'TypeInvalid' || type === 'Unknown');
  const code = verdict.allowed ? 200 : isDecoding ? 400 : 422;
  const errors = isDecoding ? [] : [...new Set(verdict.errors.map(({ field, type }) => `${field} ${type}`))].toSorted();
  const warnings = answer.warnings === undefined ? undefined : verdict.warnings.toSorted();
  const actual = { code, errors, warnings };
  const isSame = JSON.stringify(actual) === JSON.stringify(answer) && failures.length === 0;
  return isSame ? undefined : { id, version, expected: answer, actual, failures };
}

/** Every sample that the engine judges otherwise than Kubernetes of this version does. */
function check(samples: readonly Sample[], version: KubernetesMinor): void {
  const disagreements = samples.map((sample) => disagreement(sample, version)).filter((one) => one !== undefined);
  expect(disagreements).toEqual([]);
}

describe.each(kubernetesMinors)('Kubernetes %s', (version) => {
  it('says the same to every case written by hand', () => check(written, version));
  it('says the same to every generated case', () => check(generated, version));
});

describe('the samples', () => {
  it('are all there', () => {
    expect(written.length).toBe(248);
    expect(generated.length).toBe(2589);
  });

  it('speak only of rules that the catalogue knows or that are no refusals', () => {
    const known = new Set(ruleCatalogue().flatMap(({ source }) => source.split(', ')));
    const facts = new Set(written.filter(({ answers }) => answers.get('1.35')?.code === 422).flatMap((s) => s.sources));
    // Facts about how the server works, which rules build on.
    for (const fact of ['B40', 'C1', 'E4', 'E5', 'E6', 'F1', 'F10', 'D9', 'A5']) facts.delete(fact);
    expect([...facts].filter((fact) => !known.has(fact))).toEqual([]);
  });
});
