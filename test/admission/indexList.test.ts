import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstSharedIndex, formatIndexList, readIndexList } from '../../src/admission/index.ts';

/** How many indexes the list names below 10 completions, or undefined if it can't be read. */
function check(text: string, expected: number | undefined): void {
  const reading = readIndexList(text, 10);
  expect(reading.ok ? reading.count : undefined).toBe(expected);
}

const rows: readonly (readonly [name: string, text: string, count: number | undefined])[] = [
  ['an empty text is an empty list', '', 0],
  ['one index', '3', 1],
  ['an interval', '2-5', 4],
  ['neighbours need not be joined', '0-1,2', 3],
  ['leading zeros and a plus sign pass', '007,+8', 2],
  ['an interval of one is no interval', '2-2', undefined],
  ['an interval does not fall', '5-2', undefined],
  ['three limits are too many', '1-2-3', undefined],
  ['a negative number is none', '-1', undefined],
  ['a trailing comma is a missing number', '1,', undefined],
  ['spaces are no digits', '1, 2', undefined],
  ['items do not fall', '3,1', undefined],
  ['items do not touch twice', '1-3,3', undefined],
  ['an index lies below completions', '10', undefined],
  ['the end of an interval lies below completions', '8-10', undefined],
  ['what no integer can hold is refused', '99999999999999999999', undefined],
];

describe('readIndexList', () => {
  it.each(rows)('%s', (_name, text, count) => check(text, count));

  it('reads what formatIndexList writes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 500 })), (indexes) => {
        const reading = readIndexList(formatIndexList(indexes), 501);
        if (!reading.ok) return false;
        const read = reading.intervals.flatMap(({ first, last }) =>
          Array.from({ length: last - first + 1 }, (_, offset) => first + offset),
        );
        return (
          reading.count === indexes.length && JSON.stringify(read) === JSON.stringify(indexes.toSorted((a, b) => a - b))
        );
      }),
    );
  });
});

describe('firstSharedIndex', () => {
  it('finds an index that both lists have, if there is one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 40 })), fc.uniqueArray(fc.nat({ max: 40 })), (left, right) => {
        const shared = firstSharedIndex(formatIndexList(left), formatIndexList(right), 41);
        const common = left.filter((index) => right.includes(index));
        return shared === undefined ? common.length === 0 : common.includes(shared);
      }),
    );
  });
  it('passes over what cannot be read', () => expect(firstSharedIndex('x,3', '3', 10)).toBe(3));
});
