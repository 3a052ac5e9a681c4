import { describe, expect, test } from 'vitest';
import { textListsByName, textOf, textsByName, textsOf, wordOf } from '../../src/session/index.ts';

/** What VS Code hands out: a proxy, read-only all the way down. */
function asSetting<T extends object>(value: T): T {
  return new Proxy(value, { set: () => false });
}

describe('a setting', () => {
  test.each([
    ['1.35', '1.35'],
    [1.35, '1.35'],
    ['', ''],
    [undefined, 'auto'],
    [null, 'auto'],
    [['1.35'], 'auto'],
    [true, 'auto'],
  ])('that is a text: %j is %j', (value, text) => expect(textOf(value, 'auto')).toBe(text));

  test.each([
    [asSetting(['a', 'b']), ['a', 'b']],
    [['a', 1, null, ['b']], ['a']],
    ['ab', []],
    [null, []],
    [{ 0: 'a' }, []],
  ])('that is a list: %j is %j', (value, texts) => expect(textsOf(value)).toEqual(texts));

  test.each([
    [asSetting({ gpu: 'g', cpu: 'c' }), { gpu: 'g', cpu: 'c' }],
    [{ gpu: { context: 'g' }, cpu: 'c' }, { cpu: 'c' }],
    [null, {}],
    ['gpu', {}],
    [7, {}],
  ])('that is a map: %j is %j', (value, map) => expect(textsByName(value)).toEqual(map));

  test.each([
    [asSetting({ rule: ['a/**'] }), { rule: ['a/**'] }],
    [
      { rule: 'a/**', other: [1, 'b'] },
      { rule: [], other: ['b'] },
    ],
    [null, {}],
  ])('that is a map of lists: %j is %j', (value, map) => expect(textListsByName(value)).toEqual(map));

  test.each([
    ['off', 'off'],
    ['Off', 'apply'],
    [null, 'apply'],
    [false, 'apply'],
  ])('that is one of some words: %j is %j', (value, word) => expect(wordOf(value, ['apply', 'off'])).toBe(word));

  test('is plain, so that a thread can be told of it', () => {
    const ids = textsByName(asSetting({ hub: 'uid' }));
    expect(structuredClone({ ids, list: textsOf(asSetting(['a'])) })).toEqual({ ids: { hub: 'uid' }, list: ['a'] });
  });
});
