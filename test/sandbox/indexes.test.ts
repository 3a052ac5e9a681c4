import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIndexes, parseIndexes } from '../../src/sandbox/job/indexes.ts';

describe('a list of completion indexes', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[0, 1], '0,1'],
    [[0, 1, 2], '0-2'],
    [[0, 2, 3, 4, 7, 8], '0,2-4,7,8'],
  ])('%j is written %j', (indexes, text) => {
    expect(formatIndexes(new Set(indexes))).toBe(text);
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40)), (indexes) => {
        expect(parseIndexes(formatIndexes(new Set(indexes)), 41)).toEqual(new Set(indexes.toSorted((a, b) => a - b)));
      }),
    );
  });

  it('loses what lies beyond the completions', () => {
    expect(parseIndexes('0,2-9', 4)).toEqual(new Set([0, 2, 3]));
  });
});
