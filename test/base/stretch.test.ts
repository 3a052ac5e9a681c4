import { expect, test } from 'vitest';
import { beginStretch } from '../../src/base/index.ts';

/** How many of the pieces a stretch of eight milliseconds holds. */
function held(...piecesMs: readonly number[]): number {
  let now = 0;
  const isOver = beginStretch(8, { monotonicMs: () => now });
  expect(isOver()).toBe(false);
  return (
    1 +
    piecesMs.findIndex((pieceMs) => {
      now += pieceMs;
      return isOver();
    })
  );
}

test.each([
  ['ends before its time is up', [2, 2, 2, 2, 2, 2], 4],
  ['ends behind a long piece: the next may take as long', [5, 1, 1], 1],
  ['ends early once a piece was long', [1, 3, 1, 1, 1, 1], 4],
  ['ends late only for a piece as long as none before', [1, 1, 1, 1, 20, 1], 5],
  ['ends behind its first piece where that outlasts it', [40, 1], 1],
])('a stretch %s', (_, piecesMs, count) => {
  expect(held(...piecesMs)).toBe(count);
});
