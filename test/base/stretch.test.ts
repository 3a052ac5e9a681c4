import { expect, test } from 'vitest';
import { beginStretch, inStretches, type Pieces } from '../../src/base/index.ts';

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

/** Work of ten pieces of so many milliseconds, on a clock that notes each turn of the event loop. */
function tenPieces(pieceMs: number) {
  let now = 0;
  let done = 0;
  const turns: number[] = [];
  const clock = {
    monotonicMs: () => now,
    after(_: number, callback: () => void) {
      turns.push(done);
      queueMicrotask(callback);
      return { dispose: () => undefined };
    },
  };
  function* pieces(): Pieces<string> {
    for (; done < 10; done++) {
      yield;
      now += pieceMs;
    }
    return 'all';
  }
  return { pieces: pieces(), clock, turns };
}

test('work in stretches lets others go first in between, and ends when nobody wants it', async () => {
  const short = tenPieces(1);
  expect(await inStretches(short.pieces, 8, short.clock, () => true)).toBe('all');
  expect(short.turns).toEqual([8]);
  const long = tenPieces(5);
  expect(await inStretches(long.pieces, 8, long.clock, () => long.turns.length < 3)).toBeUndefined();
  expect(long.turns).toEqual([1, 2, 3]);
});
