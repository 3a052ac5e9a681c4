import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { plainValueOf } from '../../src/manifest/yaml/nodes.ts';
import { readYaml } from '../../src/manifest/yaml/readYaml.ts';

/** What kubectl would send: the value, or 'refused'. */
function read(text: string): unknown {
  const { root, problems } = readYaml(text);
  if (problems.some((problem) => problem.severity === 'error')) return 'refused';
  return root === undefined ? null : plainValueOf(root);
}

interface Recorded {
  readonly text: string;
  readonly json?: unknown;
  readonly error?: string;
}

describe('every scalar reads as sigs.k8s.io/yaml reads it', () => {
  // Recorded with the program in test/conformance/yaml.
  const path = new URL('../fixtures/manifest/readerAnswers.ndjson', import.meta.url);
  const recorded: Recorded[] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  test.each(recorded)('$text', ({ text, json, error }) => {
    expect(read(text)).toEqual(error === undefined ? json : 'refused');
  });
});

test('a reader that refuses a Job is the only one that says so', () => {
  const path = new URL('../fixtures/manifest/yamlScalars.ndjson', import.meta.url);
  const cases: { id: string; text: string; verdict: { code: number | 'yaml' } }[] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const wrong = cases.filter(
    ({ text, verdict }) => (read(text.replace(/^\uFEFF/, '')) === 'refused') !== (verdict.code === 'yaml'),
  );
  expect(cases.length).toBe(271);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

describe('merges and aliases', () => {
  test.each([
    ['an alias is what its anchor names', 'a: &x {b: 1}\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
    ['what follows a merge wins', 'a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n', { a: { b: 1 }, c: { b: 2 } }],
    ['a merge wins over what stands before it', 'a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n', { a: { b: 1 }, c: { b: 1 } }],
    ['of several, the first in the list wins', 'a:\n  <<: [{b: 1}, {b: 2, c: 3}]\n', { a: { b: 1, c: 3 } }],
    ['a quoted merge key is a key', 'a:\n  "<<": 1\n', { a: { '<<': 1 } }],
    ['a merge of something else is refused', 'a:\n  <<: 1\n', 'refused'],
    ['a merge of an alias of a list is refused', 'a: &x [{b: 1}]\nc:\n  <<: *x\n', 'refused'],
    ['the last anchor of a name counts', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n', { a: 1, b: 1, c: 2, d: 2 }],
    ['also within another of that name', 'a: &x {b: &x 1, c: *x}\nd: *x\n', { a: { b: 1, c: 1 }, d: 1 }],
    ['an alias without an anchor is refused', 'a: *x\n', 'refused'],
    ['an anchor that contains itself is refused', 'a: &x {b: *x}\n', 'refused'],
    ['the last of two equal keys counts', 'a: 1\na: 2\n', { a: 2 }],
    ['a key named like a property of objects is a key', '__proto__: {a: 1}\n', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });
});

describe('a key is called repeated', () => {
  test.each([
    ['where it stands twice', 'a: 1\na: 2\n', 1],
    ['where it stands twice around a merge', 'a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n  b: 3\n', 1],
    ['but not where it replaces what a merge brought', 'a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n', 0],
    ['but where it replaces that twice', 'a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n  b: 3\n', 1],
    ['but not where two merges bring it', 'a: &x {b: 1}\nc:\n  <<: *x\n  <<: {b: 3}\n  b: 4\n', 0],
  ])('%s', (_, text, count) => {
    const { problems } = readYaml(text);
    expect(problems.map(({ code }) => code)).toEqual(Array(count).fill('duplicate-key'));
  });
});

describe('texts that would exhaust a reader', () => {
  const laughs = ['a: &a ["x", "x", "x", "x", "x", "x", "x", "x", "x"]'];
  for (const [letter, previous] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg', 'ih']) {
    laughs.push(`${letter}: &${letter} [${Array(9).fill(`*${previous}`).join(', ')}]`);
  }
  test.each([
    ['a billion laughs', laughs.join('\n')],
    ['brackets without end', '['.repeat(100_000)],
    ['brackets that do end', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
    ['braces without end', '{a: '.repeat(10_000)],
    ['a deep block', Array.from({ length: 1_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['dashes without end', '- '.repeat(10_000)],
  ])('%s gives one problem', (_, text) => {
    expect(readYaml(text).problems).toHaveLength(1);
  });
});

test('a merge conflict is called by its name', () => {
  const text = 'kind: Job\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> theirs\n';
  expect(readYaml(text).problems.map(({ code, span }) => [code, span.start])).toEqual([['merge-conflict', 10]]);
});

test('the largest 64-bit integer stays below what overflows', () => {
  expect(read('k: 9223372036854775807\n')).toEqual({ k: 2 ** 63 - 1024 });
  expect(read('k: 9223372036854775808\n')).toEqual({ k: 2 ** 63 });
});
