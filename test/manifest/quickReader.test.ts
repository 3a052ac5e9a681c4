import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import type { ManifestNode } from '../../src/manifest/yaml/nodes.ts';
import { readQuickly } from '../../src/manifest/yaml/quickReader.ts';
import { readFully } from '../../src/manifest/yaml/readYaml.ts';
import { anchored, mangled, manifests, scalars, unfinished } from './mangled.ts';

/** The quick reader reads what it reads exactly as the full one does, places included, or not at all. */
function check(text: string): 'read' | 'left' {
  const quick = atOnce(readQuickly(text));
  if (quick === undefined) return 'left';
  const full = atOnce(readFully(text));
  expect(quick).toEqual(full);
  expect(nodesOf(quick.root)).toEqual(nodesOf(full.root));
  return 'read';
}

/** The number of each node in the order of the text: what aliases share has one and the same. */
function nodesOf(root: ManifestNode | undefined): readonly number[] {
  const known = new Map<unknown, number>();
  const numbers: number[] = [];
  const walk = (node: ManifestNode | undefined): void => {
    if (node === undefined) return;
    const number = known.get(node);
    numbers.push(number ?? known.size);
    if (number !== undefined) return;
    known.set(node, known.size);
    if (node.kind === 'sequence') node.items.forEach(walk);
    if (node.kind === 'map') for (const { value } of node.entries) walk(value);
  };
  walk(root);
  return numbers;
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
    ['folded text', 'a: >\n  one\n  two\n\nb: >-\n  three \n  four\n# five\nc: 6\n'],
    ['escapes', "a: \"\\\"b\\\"\\n\\t\\\\n\" # c\nd: 'it''s'\ne: [\"\\\\\", '''']\n"],
    ['empty items', 'a:\n- \n-   # b\n-\nc:\n  -\n    d: e\n  -\n'],
    ['brackets of one line', 'a: [b, "c", {d: e, f: []}] # g\nh: {}\n'],
    ['CRLF', 'a:\r\n  b: |\r\n    c\r\n  d: [e]\r\n'],
    ['keys without values', 'a:\nb:\n  c:\n'],
    ['words in other writing', 'a: größe\n'],
    ['text without an end', 'a: b'],
    ['anchors of scalars', 'a: &x 1 # b\nc: &y "d"\ne:\n- &z f\ng: &u |\n  h\ni: [*x, *y, *z, *u]\n'],
    [
      'anchors of blocks',
      'a: &x # b\n  c: d\ne: &y\n- f\n- &z\n  g: h\ni: &u\n  - j\nk:\n  - *x\n  - *y\nl: *u\nm: *z\n',
    ],
    ['anchors of brackets', 'a: &x {b: c}\nd: &y [e]\nf: *x\ng: *y # h\n'],
    ['aliases in brackets', 'a: &x 1\nb: {c: *x, d: [*x ]}\n'],
    ['aliases of what holds aliases', 'a: &x 1\nb: &y\n  c: *x\nd: &z [*y]\ne: *z\n'],
    ['blocks that end with aliases', 'a: &x {b: c}\nd:\n  e:\n    f: *x\n  g:\n  - h\n  - *x\ni:\n- *x\n'],
    ['merges', 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\ne:\n  b: 4\n  <<: *x\nf:\n  g: 5\n  <<: {h: 6}\n'],
    ['merges of lists', 'a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n- <<: [*y, *x]\n  f: 4\n- <<:\n  - *x\n  - *y\n'],
    ['anchors of one name', 'a: &x\n  b: &x 2\n  c: *x\nd: *x\ne: &x 3\nf: *x\n'],
    ['a key that is being typed', 'a:\n  b: c\n  templ\n  d: e\nf: g\n'],
    ['a key that is being typed in front of others', 'a:\n  templ\n  b: c\n  d: e\n'],
    ['a key that is being typed behind others', 'a:\n- b: c\n  templ\n\n# d\n- e: f\n'],
    ['a key that is being typed at the end', 'a:\n- b\ntempl'],
    ['quoted merge keys', "'<<': 1\n"],
  ])('%s', (_, text) => {
    expect(check(text)).toBe('read');
  });
});

describe('it leaves', () => {
  test.each([
    ['aliases without an anchor', 'a: *x\n'],
    ['anchors that contain themselves', 'a: &x\n  b: *x\n'],
    ['anchors of keys', '&x a: 1\n'],
    ['anchors behind a dash, of keys', '- &x a: 1\n'],
    ['anchors of nothing', 'a: &x\nb: 1\n'],
    ['anchors in brackets', 'a: [&x 1]\n'],
    ['anchors of everything', '&x\na: 1\n'],
    ['anchors of aliases', 'a: &x 1\nb: &y *x\n'],
    ['merges in brackets', 'a: &x {b: 1}\nc: {<<: *x, d: 2}\n'],
    ['aliases as keys', 'a: &x b\n*x : 1\n'],
    ['merges of something else', 'a: &x 1\nb:\n  <<: *x\n'],
    ['merges of nothing', 'a:\n  <<:\n'],
    ['what aliases blow up', `${blownUp(100, 9999)}`],
    ['tags', 'a: !!str 1\n'],
    ['folded text of several paragraphs', 'a: >\n  b\n\n  c\n'],
    ['scalars of several lines', 'a: b\n  c\n'],
    ['brackets of several lines', 'a: [b,\n  c]\n'],
    ['rare escapes', 'a: "\\x41"\n'],
    ['tabs', 'a:\tb\n'],
    ['repeated keys', 'a: 1\na: 2\n'],
    ['two keys that are being typed', 'a: b\ntempl\nc: d\nspe\ne: f\n'],
    ['words that are a value', 'a:\n  templ\n'],
    ['faults', 'a: 1\n b: 2\n'],
    ['numbers that JSON lacks', 'a: .inf\n'],
    ['null keys', '~: 1\n'],
    ['nothing', '# a\n'],
  ])('%s', (_, text) => {
    expect(check(text)).toBe('left');
  });
});

test('it agrees on where aliases are too many', () => {
  const outcomes = [90, 100, 101, 1000, 9500, 9899, 9900, 9901].flatMap((aliases) =>
    [1, 10, 99, 100].map((items) => check(blownUp(items, aliases))),
  );
  expect(new Set(outcomes)).toEqual(new Set(['read', 'left']));
});

/** So many aliases of a list of so many items. */
function blownUp(items: number, aliases: number): string {
  return `a: &x [${Array(items).fill('1').join(', ')}]\nb:\n${'- *x\n'.repeat(aliases)}`;
}

test('it agrees on anchors, aliases and merges', () => {
  const outcomes: string[] = [];
  fc.assert(
    fc.property(anchored, (text) => void outcomes.push(check(text))),
    { numRuns: 1000 },
  );
  expect(outcomes.filter((outcome) => outcome === 'read').length).toBeGreaterThan(500);
});

test('it agrees on lines that are being typed', () => {
  let faults = 0;
  const text = unfinished(fc.oneof(fc.constantFrom(...manifests), anchored));
  fc.assert(
    fc.property(text, (typed) => {
      if (check(typed) === 'read' && atOnce(readFully(typed)).problems.length > 0) faults++;
    }),
    { numRuns: 1500 },
  );
  expect(faults).toBeGreaterThan(40);
});

test('it agrees on whatever else somebody types', () => {
  const anchors = fc.sample(anchored, { numRuns: 50, seed: 1 });
  const text = fc.oneof(mangled([...manifests, ...scalars]), mangled(anchors, [' &n1 ', '*n0', '<<: *n0\n']));
  fc.assert(
    fc.property(text, (typed) => void check(typed)),
    { numRuns: 2000 },
  );
});
