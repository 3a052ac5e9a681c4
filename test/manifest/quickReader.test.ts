import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { readQuickly } from '../../src/manifest/quickReader.ts';
import { readFully } from '../../src/manifest/readYaml.ts';
import { mangled, manifests, scalars } from './mangled.ts';

/** The quick reader reads what it reads exactly as the full one does, places included, or not at all. */
function check(text: string): 'read' | 'left' {
  const quick = atOnce(readQuickly(text));
  if (quick === undefined) return 'left';
  expect({ root: quick, problems: [] }).toEqual(atOnce(readFully(text)));
  return 'read';
}

test('it reads the manifests that people write', () => {
  expect(manifests.filter((text) => check(text) === 'left')).toEqual([]);
});

test('it agrees on every scalar', () => {
  const outcomes = scalars.map(check);
  expect(outcomes.filter((outcome) => outcome === 'read').length).toBeGreaterThan(200);
});

describe('it reads', () => {
  test.each([
    ['comments anywhere', '# a\nk: v # b\n\n  # c\nl:\n# d\n- x # e\n'],
    ['lists at the column of their key, and to the right of it', 'a:\n- 1\nb:\n  - c: 2\n    d:\n    - 3\n'],
    ['quoted keys and values', '"a b": \'c\'\n\'d\': "e # f"\n'],
    ['literal blocks', 'a: |\n  one\n    two\n\n  # three\nb: |-\n  four\n\n# five\nc: 6\n'],
    ['brackets of one line', 'a: [b, "c", {d: e, f: []}] # g\nh: {}\n'],
    ['CRLF', 'a:\r\n  b: |\r\n    c\r\n  d: [e]\r\n'],
    ['keys without values', 'a:\nb:\n  c:\n'],
    ['words in other writing', 'a: größe\n'],
    ['text without an end', 'a: b'],
  ])('%s', (_, text) => {
    expect(check(text)).toBe('read');
  });
});

describe('it leaves', () => {
  test.each([
    ['anchors', 'a: &x 1\n'],
    ['aliases', 'a: *x\n'],
    ['tags', 'a: !!str 1\n'],
    ['merges', '<<: {a: 1}\n'],
    ['folded text', 'a: >\n  b\n'],
    ['scalars of several lines', 'a: b\n  c\n'],
    ['brackets of several lines', 'a: [b,\n  c]\n'],
    ['escapes', 'a: "\\n"\n'],
    ['tabs', 'a:\tb\n'],
    ['repeated keys', 'a: 1\na: 2\n'],
    ['faults', 'a: 1\n b: 2\n'],
    ['numbers that JSON lacks', 'a: .inf\n'],
    ['null keys', '~: 1\n'],
    ['nothing', '# a\n'],
  ])('%s', (_, text) => {
    expect(check(text)).toBe('left');
  });
});

test('it agrees on whatever else somebody types', () => {
  fc.assert(
    fc.property(mangled([...manifests, ...scalars]), (text) => void check(text)),
    { numRuns: 1500 },
  );
});
