import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ItemSplitter } from '../../src/kube/itemSplitter.ts';

/** Feeds the text in chunks of the given sizes, over and over. */
function split(text: string, sizes: readonly number[]): { items: unknown[]; rest: string } {
  const items: unknown[] = [];
  const splitter = new ItemSplitter((json) => void items.push(JSON.parse(json)));
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    splitter.push(bytes.subarray(at, at + size));
    at += size;
  }
  return { items, rest: splitter.rest };
}

function check(text: string, sizes: readonly number[] = [1000]): void {
  const { items, rest } = split(text, sizes);
  const { items: expected, ...around } = JSON.parse(text) as { items?: unknown[] };
  expect(items).toEqual(expected ?? []);
  expect(JSON.parse(rest)).toEqual(expected === undefined ? around : { ...around, items: [] });
}

describe('a list', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['with items in the middle', '{"kind":"L","items":[{"a":1},{"b":[1,2,{"c":[]}]}],"metadata":{"x":"y"}}'],
    ['without any', '{"items":[],"kind":"L"}'],
    ['without the key', '{"kind":"L"}'],
    ['with white space', ' {\n "items" : [ {"a" : 1} ,\n {} ]\n}\n'],
    [
      'with brackets, commas and quotes in strings',
      String.raw`{"items":[{"a":"]},{\"\\"},{"b":"\\\\"}],"k":"[\"items\":["}`,
    ],
    ['whose items hold a key of the same name', '{"items":[{"items":[{"x":1},2]}]}'],
    ['with a key of the same name further down', '{"metadata":{"items":[1,2]},"items":[{"a":1}]}'],
    ['with the word as a value', '{"kind":"items","list":[1,2],"items":[{"a":1}]}'],
    ['with letters of several bytes', '{"items":[{"ä":"日本"},{"😀":"\\ud83d\\ude00"}]}'],
  ];
  test.each(rows)('%s', (_name, text) => {
    check(text);
    check(text, [1]);
    check(text, [3, 1, 2]);
  });

  test('of anything, in chunks of any size', () => {
    const item = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    const list = fc.record({ kind: fc.string(), items: fc.array(item), metadata: fc.jsonValue({ maxDepth: 2 }) });
    fc.assert(
      fc.property(
        list,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.boolean(),
        (value, sizes, isLoose) => check(JSON.stringify(value, undefined, isLoose ? 2 : 0), sizes),
      ),
      { numRuns: 1000 },
    );
  });

  test('that breaks off is broken JSON', () => {
    const text = '{"items":[{"a":1},{"b":2}],"metadata":{}}';
    for (let end = 0; end < text.length; end++) {
      const { rest } = split(text.slice(0, end), [7]);
      expect(() => JSON.parse(rest)).toThrow();
    }
  });
});
