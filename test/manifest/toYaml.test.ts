import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainValueOf, readYaml, toYaml } from '../../src/manifest/index.ts';

const readBack = (text: string): unknown => {
  const { root } = readYaml(text);
  return root === undefined ? undefined : plainValueOf(root);
};

describe('what is written reads back as itself', () => {
  test.each([
    'y',
    'N',
    'on',
    'Off',
    '010',
    '0o17',
    '0b1',
    '1_000',
    '1:30',
    '.5',
    '0x8',
    '~',
    '',
    '<<',
    '=',
    '2026-01-01',
    '- a',
    'a: b',
    '# a',
    'a\nb\n',
    ' a ',
    '\t',
    '__proto__',
    '1e3',
    '.inf',
    '0.',
    '-',
    '*a',
    '&a',
    '!a',
    '%a',
  ])('%j', (text) => {
    const object = JSON.parse(JSON.stringify({ value: text, list: [text] }).replace('"list"', JSON.stringify(text)));
    expect(readBack(toYaml(object))).toEqual(object);
  });

  test('whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        // As JSON has it: no negative zero.
        const object: object = JSON.parse(JSON.stringify(value));
        expect(readBack(toYaml(object))).toEqual(object);
      }),
    );
  });
});
