import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createManifestSession, type ForeignProblem, withoutEchoes } from '../../src/manifest/index.ts';

const text = `apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  paralelism: 2
  completions: many
  backoffLimit: -1
  completionMode: Sometimes
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: r/x}]}}
`;

/** A complaint about a word of the text. */
function about(word: string, message: string, source = 'yaml-schema: Kubernetes'): ForeignProblem {
  const line = text.split('\n').findIndex((one) => one.includes(word));
  const column = text.split('\n')[line]?.indexOf(word) ?? -1;
  return { source, message, range: { start: { line, column }, end: { line, column: column + word.length } } };
}

/** The one door: the words at which something of ours is still shown beside what others say. */
function left(...others: readonly ForeignProblem[]): readonly string[] {
  const { findings } = createManifestSession().check(text, { version: '1.35' });
  return withoutEchoes(findings, others).map(({ range }) => text.slice(range.start.offset, range.end.offset));
}

const all = ['paralelism', 'many', '-1', 'Sometimes'];

describe('of what others say as well', () => {
  test.each([
    ['nothing', [], all],
    ['an unknown property', [about('paralelism', 'Property paralelism is not allowed.')], ['many', '-1', 'Sometimes']],
    ['a wrong type', [about('many', 'Incorrect type. Expected "integer".')], ['paralelism', '-1', 'Sometimes']],
    [
      'a value outside the set',
      [about('Sometimes', 'Value is not accepted. Valid values: "Never".')],
      ['paralelism', 'many', '-1'],
    ],
    [
      'the whole entry',
      [about('  completions: many', 'Incorrect type. Expected "integer".')],
      ['paralelism', '-1', 'Sometimes'],
    ],
    ['a schema in another language', [about('many', 'Falscher Typ.')], ['paralelism', '-1', 'Sometimes']],
    ['another meaning at the same place', [about('many', 'Property many is not allowed.')], all],
    ['the same meaning at another place', [about('backoffLimit', 'Incorrect type.')], all],
    ['what no schema knows', [about('-1', 'Value is below the minimum of 0.')], all],
    ['something else at the same place', [about('many', 'Unknown word.', 'cSpell')], all],
    ['something missing', [about('many', 'Missing property "x".')], all],
  ])('%s', (_, others, expected) => {
    expect(left(...others)).toEqual(expected);
  });
});

interface RecordedCase {
  readonly name: string;
  readonly text: string;
  readonly theirs: readonly {
    readonly message: string;
    readonly source: string;
    readonly range: Readonly<Record<'start' | 'end', { readonly line: number; readonly character: number }>>;
  }[];
}

/**
 * What yaml-language-server really said of faulty manifests, with a schema of Jobs that is closed and lists the values.
 * Recorded and held against the server by `npm run bench -- said`.
 */
const recorded: { readonly server: string; readonly cases: readonly RecordedCase[] } = JSON.parse(
  readFileSync(new URL('../fixtures/manifest/schemaEchoes.json', import.meta.url), 'utf8'),
);

describe(`beside ${recorded.server} is said of`, () => {
  /** What is left of ours; all else it has said itself. */
  const expected: Readonly<Record<string, readonly string[]>> = {
    'what no schema knows': ['backoff-limit-negative', 'managed-by-format'],
    // The server reads a bare y as a text, kubectl as true.
    'a missing field beside a wrong one of that name': ['env-name-format', 'wrong-type'],
    'two faults of one rule': ['success-policy-rule-empty'],
    'an unresolved merge': ['merge-conflict'],
  };

  test.each(recorded.cases)('$name', ({ name, text: manifest, theirs }) => {
    const { findings } = createManifestSession().check(manifest, { version: '1.35' });
    const others = theirs.map(({ message, source, range: { start, end } }) => ({
      message,
      source,
      range: {
        start: { line: start.line, column: start.character },
        end: { line: end.line, column: end.character },
      },
    }));
    expect(findings).not.toEqual([]);
    expect(withoutEchoes(findings, others).map(({ code }) => code)).toEqual(expected[name] ?? []);
    expect(withoutEchoes(findings, [])).toEqual(findings);
  });
});

test('JSON that cannot be read is told by VS Code itself', () => {
  const broken = '{"apiVersion": "batch/v1", "kind": "Job",\n"metadata": {"name": "a"';
  const { findings } = createManifestSession().check(broken, { version: '1.35' });
  expect(findings.map(({ code }) => code)).toEqual(['yaml-syntax']);
  const [line] = findings.map(({ range }) => range.start.line);
  const place = { line: line ?? 0, column: 0 };
  const others = [{ source: 'json', message: 'Expected comma or closing brace', range: { start: place, end: place } }];
  expect(withoutEchoes(findings, others)).toEqual([]);
});
