import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainValueOf } from '../../../src/manifest/yaml/nodes.ts';
import { readYaml } from '../../../src/manifest/yaml/readYaml.ts';
import { anchored } from '../../manifest/mangled.ts';
import { seedOfThisRun } from '../fuzz/seed.ts';

/** Our reader against sigs.k8s.io/yaml itself, on texts that nobody thought of. */
const seed = seedOfThisRun();
let folder: string;
let program: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-yaml-'));
  program = join(folder, 'reader');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: import.meta.dirname, stdio: 'inherit' });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly json?: unknown;
  readonly error?: string;
}

function ask(texts: readonly string[]): readonly Answer[] {
  const input = texts.map((text, index) => JSON.stringify({ id: String(index), text })).join('\n');
  const output = execFileSync(program, { input, maxBuffer: 1 << 28, encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function read(text: string): unknown {
  const { root, problems } = readYaml(text);
  if (problems.some(({ severity }) => severity === 'error')) return 'refused';
  // By way of JSON, as the other side comes.
  return JSON.parse(JSON.stringify(root === undefined ? null : plainValueOf(root)));
}

/** The texts on which the two differ, with both answers. */
function differences(texts: readonly string[]): readonly object[] {
  const answers = ask(texts);
  return texts.flatMap((text, index) => {
    const { json = null, error } = answers[index] ?? {};
    const theirs = error === undefined ? json : 'refused';
    const ours = read(text);
    return JSON.stringify(sorted(ours)) === JSON.stringify(sorted(theirs)) ? [] : [{ text, ours, theirs, error }];
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

/** What numbers, dates and words of YAML are made of; no colon, whose rules in braces differ between YAML 1.1 and 1.2. */
const scalar = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789_+-.eExXobBinfaNyt~'), minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    'yes',
    'No',
    'on',
    'OFF',
    'y',
    'N',
    'TRUE',
    'null',
    'Null',
    '~',
    '.inf',
    '.NaN',
    '0o17',
    '0b101',
    '0x1F',
    '1_000',
    '08',
    '2001-01-01',
    '1e400',
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    '!!str 5',
    '!!int "5"',
    '!!int x',
    '!!float 3',
    '!!bool yes',
    '!!null x',
    '!!binary aGk=',
    '!custom 3',
    '! 5',
  ),
  fc.constantFrom("'5'", '"5"', '"\\x41"', "'it''s'", '"a\\tb"', '"a b" # c', 'a b # c', 'a#b'),
);
/** A dash alone opens an item, and the largest integer is rounded down on purpose. */
const isComparable = (text: string): boolean => !/^[-?]$/.test(text) && !/9223372036854775807/.test(text);

const structure = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar.filter(isComparable),
    fc
      .array(tie('value'), { minLength: 1, maxLength: 3 })
      .map((items) => `\n${items.map((item) => indented(`- ${item}`)).join('\n')}`),
    fc
      .array(tie('value'), { minLength: 1, maxLength: 3 })
      .map((items) => `\n${items.map((item, index) => indented(`k${index}: ${item}`)).join('\n')}`),
    fc.array(fc.integer().map(String), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.constant('|\n    line\n      more'),
    fc.constant('>-\n    folded\n    text'),
  ),
})).value;

function indented(text: string): string {
  return `  ${text.replaceAll('\n', '\n  ')}`;
}

describe(`our reader reads what kubectl reads (seed ${seed})`, () => {
  test('scalars', () => {
    const texts = fc
      .sample(scalar.filter(isComparable), { numRuns: 4000, seed })
      .map((text) => `k: ${text}\nl:\n- ${text}\n`);
    expect(differences(texts)).toEqual([]);
  }, 120_000);

  test('anchors, aliases and merges', () => {
    expect(differences(fc.sample(anchored, { numRuns: 4000, seed }))).toEqual([]);
  }, 120_000);

  test('keys', () => {
    const key = fc.string({ unit: fc.constantFrom(...'0123456789.eExnyo~'), minLength: 1, maxLength: 6 });
    expect(differences(fc.sample(key, { numRuns: 2000, seed }).map((text) => `${text}: v\n`))).toEqual([]);
  }, 120_000);

  test('maps and lists in blocks', () => {
    expect(differences(fc.sample(structure, { numRuns: 2000, seed }).map((text) => `k: ${text}\n`))).toEqual([]);
  }, 120_000);
});
