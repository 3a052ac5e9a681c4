import { describe, expect, test } from 'vitest';
import { textAt, valueAt } from '../../src/base/index.ts';

const job = { metadata: { labels: { 'a.b/c': 'x', empty: '' } }, spec: { items: [{ name: 'first' }, null, 0] } };

describe('what stands under a path', () => {
  const rows: readonly [string, readonly (string | number)[], unknown][] = [
    ['nothing asked: the whole', [], job],
    ['keys, with dots and slashes in them', ['metadata', 'labels', 'a.b/c'], 'x'],
    ['places in lists', ['spec', 'items', 0, 'name'], 'first'],
    ['null and zero are there', ['spec', 'items', 1], null],
    ['null and zero are there, too', ['spec', 'items', 2], 0],
    ['a missing key', ['spec', 'nothing', 'below'], undefined],
    ['a key below a text', ['metadata', 'labels', 'a.b/c', 'length'], undefined],
    ['the length of a list', ['spec', 'items', 'length'], undefined],
    ['a number in an object', ['spec', 0], undefined],
    ['what every object inherits', ['constructor', 'name'], undefined],
  ];
  test.each(rows)('%s', (_name, path, expected) => {
    expect(valueAt(job, path)).toEqual(expected);
  });

  test.each([[undefined], [null], ['text'], [[1]]])('nothing below %j', (value) => {
    expect(valueAt(value, ['a'])).toBeUndefined();
  });

  test('an empty text counts as none', () => {
    expect(textAt(job, ['metadata', 'labels', 'a.b/c'])).toBe('x');
    expect(textAt(job, ['metadata', 'labels', 'empty'])).toBeUndefined();
    expect(textAt(job, ['spec'])).toBeUndefined();
  });
});
