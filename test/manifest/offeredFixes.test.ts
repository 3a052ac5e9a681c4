import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compatibleFixes, createManifestSession, type Fix, fixesAt, fixesForAll } from '../../src/manifest/index.ts';

const text = `apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  paralelism: 2
  completion: 3
  template: {spec: {restartPolicy: Always, containers: [{name: main, image: r/x}]}}
`;

/** The one door: what is offered at a part of the text, `line:column` to `line:column`. */
function offeredAt(start: readonly [number, number], end = start): readonly string[] {
  const { findings } = createManifestSession().check(text, { version: '1.35' });
  const place = ([line, column]: readonly [number, number]) => ({ line, column });
  return fixesAt(findings, { start: place(start), end: place(end) }).map(({ finding, fix }) => {
    return `${text.slice(finding.range.start.offset, finding.range.end.offset)}: ${fix.title}`;
  });
}

describe('what can be done is offered', () => {
  const first = [
    "paralelism: Rename to 'parallelism'",
    "paralelism: Remove 'paralelism'",
    'paralelism: Ignore unknown-field on this line',
  ];
  const second = [
    "completion: Rename to 'completions'",
    "completion: Remove 'completion'",
    'completion: Ignore unknown-field on this line',
  ];
  test.each([
    ['within the finding, what silences it last', offeredAt([4, 5]), first],
    ['at its first character', offeredAt([4, 2]), first],
    ['behind its last', offeredAt([4, 12]), first],
    ['in front of it: nothing', offeredAt([4, 1]), []],
    ['further on its line: nothing', offeredAt([4, 13]), []],
    ['in the column, elsewhere: nothing', offeredAt([3, 3]), []],
    ['of all in a selection, in order', offeredAt([3, 0], [6, 0]), [...first, ...second]],
    ['of a selection that ends where a finding begins', offeredAt([3, 0], [4, 2]), first],
  ])('%s', (_, offered, expected) => expect(offered).toEqual(expected));
});

test('all that has one safe answer is fixed together', () => {
  const { findings } = createManifestSession().check(text, { version: '1.35' });
  const fixes = fixesForAll(findings).map(({ title }) => title);
  expect(fixes).toEqual(["Rename to 'parallelism'", "Rename to 'completions'", 'Set restartPolicy to Never']);
});

test('of fixes that touch the same text the first of the list counts, whatever their order in the text', () => {
  const edit = fc.record({ start: fc.nat(30), length: fc.nat(4) });
  const fix = fc.array(edit, { minLength: 1, maxLength: 3 }).map((edits): Fix => {
    // Of one fix no two edits touch each other.
    const apart = edits.map(({ start, length }, index) => ({
      start: 50 * index + start,
      end: 50 * index + start + length,
    }));
    return { title: '', isPreferred: true, edits: apart.map((one) => ({ ...one, newText: 'x' })) };
  });
  fc.assert(
    fc.property(fc.array(fix, { maxLength: 12 }), (fixes) => {
      const collides = (a: Fix, b: Fix): boolean =>
        a.edits.some((one) =>
          b.edits.some((other) => one.start === other.start || (one.start < other.end && other.start < one.end)),
        );
      const expected: Fix[] = [];
      for (const one of fixes) if (!expected.some((other) => collides(one, other))) expected.push(one);
      expect(compatibleFixes(fixes)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
