import { describe, expect, it } from 'vitest';
import { kubernetesMinors, ruleCatalogue } from '../../../src/admission/index.ts';
import { differences } from '../../conformance/fuzz/compare.ts';
import { askEngine } from '../../conformance/fuzz/engine.ts';
import { brokenRules, recordedTemplates } from './recorded.ts';

const recorded = recordedTemplates();

/** Rules that no template can break, each with the reason. */
const unreachable: ReadonlySet<string> = new Set([
  // Defaulting fills these in.
  'http-path-required',
  'image-volume-pull-policy-required',
  'volume-source-required',
  // A pod itself is asked for these, and no template.
  'claim-for-volume-alone',
  'claim-for-volume-name',
  'pod-image-padded',
  'pod-node-name-gated',
]);

describe.each(kubernetesMinors)('Kubernetes %s', (minor) => {
  it('gets the same errors, warnings and stored form for every recorded template', () => {
    const disagreements = recorded.flatMap(({ request, answers }) =>
      answers
        .filter(({ minors }) => minors.includes(minor))
        .flatMap(({ answer }) =>
          differences(answer, askEngine(request, minor)).map((line) => `${request.id}: ${line}`),
        ),
    );
    expect(disagreements).toEqual([]);
  });
});

describe('the rules of pod templates', () => {
  it('are each broken by a recorded template', () => {
    const broken = new Set(recorded.flatMap(brokenRules));
    const ours = ruleCatalogue().filter(({ source }) => /^G\d|pod spec/.test(source));
    const missed = ours.map(({ code }) => code).filter((code) => !broken.has(code) && !unreachable.has(code));
    expect(missed).toEqual([]);
  });
});
