import { describe, expect, test } from 'vitest';
import { applyFixes, createManifestSession, type Finding, toYaml } from '../../src/manifest/index.ts';
import { generatedSamples, writtenSamples } from '../admission/samples.ts';

/** What the API server refuses of objects that were made to be refused: each rule's first findings, with their texts. */

const perRule = 3;
const settings = { version: '1.37' } as const;
const session = createManifestSession();

interface Refusal {
  readonly text: string;
  readonly finding: Finding;
}

const refusals = refusalsByRule();

function refusalsByRule(): ReadonlyMap<string, readonly Refusal[]> {
  const found = new Map<string, Refusal[]>();
  for (const { request } of [...writtenSamples(), ...generatedSamples()]) {
    const { operation, object } = request;
    if (operation !== 'create' || typeof object !== 'object' || object === null) continue;
    const text = toYaml(object);
    for (const finding of session.check(text, settings).findings) {
      if (finding.severity !== 'error') continue;
      const known = found.get(finding.code) ?? [];
      if (known.length < perRule) found.set(finding.code, [...known, { text, finding }]);
    }
  }
  return found;
}

const countOf = (code: string, findings: readonly Finding[]): number =>
  findings.filter((one) => one.code === code).length;

const answersOf = ({ finding }: Refusal) => finding.fixes.filter(({ isSuppression }) => isSuppression !== true);

test('most rules offer a fix', () => {
  const fixable = [...refusals.values()].filter((all) => all.some((one) => answersOf(one).length > 0));
  expect(refusals.size).toBeGreaterThan(200);
  expect(fixable.length / refusals.size).toBeGreaterThanOrEqual(0.7);
});

describe('a fix answers its finding', () => {
  const rows = [...refusals].filter(([, all]) => all.some((one) => answersOf(one).length > 0));
  test.each(rows)('%s', (code, all) => {
    for (const refusal of all) {
      for (const fix of answersOf(refusal)) {
        const { findings } = session.check(applyFixes(refusal.text, [fix]), settings);
        const count = countOf(code, session.check(refusal.text, settings).findings);
        // Of two equal items one is told of, and the other steps into its place.
        const left = fix.title === 'Remove this item' ? count : count - 1;
        expect(countOf(code, findings), `${fix.title} in\n${refusal.text}`).toBeLessThanOrEqual(left);
        expect(findings.filter((one) => one.code.startsWith('yaml-'))).toEqual([]);
      }
    }
  });
});
