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
