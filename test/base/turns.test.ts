import { expect, test } from 'vitest';
import { Turns } from '../../src/base/index.ts';

/** Turns on a clock of which each `tick` is a turn of the event loop, and what was done in it. */
function turnsAndTicks() {
  let waiting: (() => void)[] = [];
  const done: string[] = [];
  const turns = new Turns({
    after(delayMs, callback) {
      expect(delayMs).toBe(0);
      waiting.push(callback);
      return {
        dispose() {
          waiting = waiting.filter((one) => one !== callback);
        },
      };
    },
  });
  const tick = (): readonly string[] => {
    const due = waiting;
    waiting = [];
    for (const one of due) one();
    return done.splice(0);
  };
  const add = (name: string, job: () => void = () => undefined): void =>
    turns.set(name, () => {
      done.push(name);
      job();
    });
  return { turns, add, tick, isIdle: () => waiting.length === 0 };
}

test('each turn does one job, in the order in which they came', () => {
  const { add, tick, isIdle } = turnsAndTicks();
  for (const name of ['a', 'b', 'c']) add(name);
  expect([tick(), tick(), tick()]).toEqual([['a'], ['b'], ['c']]);
  expect(isIdle()).toBe(true);
});

test('a job that comes again while it runs waits behind the others', () => {
  const { add, tick, isIdle } = turnsAndTicks();
  add('a', () => add('a'));
  add('b');
  expect([tick(), tick(), tick()]).toEqual([['a'], ['b'], ['a']]);
  expect(isIdle()).toBe(true);
});

test('a job is done once, however often it is asked for, and not at all once it is dropped', () => {
  const { turns, add, tick, isIdle } = turnsAndTicks();
  for (const name of ['a', 'b', 'a']) add(name);
  turns.delete('b');
  expect([tick(), tick()]).toEqual([['a'], []]);
  expect(isIdle()).toBe(true);
});

test('one that fails keeps nobody from its turn', () => {
  const { add, tick } = turnsAndTicks();
  add('a', () => {
    throw new Error('no');
  });
  add('b');
  expect(tick).toThrow('no');
  expect(tick()).toEqual(['a', 'b']);
});

test('nothing is left when it is disposed', () => {
  const { turns, add, tick, isIdle } = turnsAndTicks();
  add('a');
  turns.dispose();
  expect(isIdle()).toBe(true);
  expect(tick()).toEqual([]);
});
