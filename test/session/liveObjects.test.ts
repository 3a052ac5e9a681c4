import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { type LiveKey, LiveObjects } from '../../src/session/liveObjects.ts';
import { ManualClock } from '../sandbox/manualClock.ts';

const keyOf = (name: string): LiveKey => ({ kind: 'Job', namespace: 'a', name });
const objectOf = (name: string, resourceVersion: string): JsonObject => ({
  kind: 'Job',
  metadata: { name, uid: `uid-${name}`, resourceVersion },
});

/** A window with its cluster: what is stored there, what was asked for, who was told. */
function setUp() {
  const clock = new ManualClock();
  const stored = new Map<string, JsonObject | Error>();
  const stamps = new Map<string, string>();
  const asked: string[] = [];
  const told: string[][] = [];
  const problems: string[] = [];
  let answers: (() => void)[] | undefined;
  let open = 0;
  let mostOpen = 0;
  const live = new LiveObjects({
    fetch: async ({ name }) => {
      asked.push(name);
      open++;
      mostOpen = Math.max(mostOpen, open);
      await new Promise<void>((resolve) => (answers === undefined ? resolve() : answers.push(resolve)));
      open--;
      const object = stored.get(name);
      if (object instanceof Error) throw object;
      return object;
    },
    stampOf: ({ name }) => stamps.get(name),
    clock,
    onProblem: (key) => void problems.push(key.name),
    onError: (error) => {
      throw error;
    },
  });
  live.onDidChange((readers) => void told.push([...readers].sort()));
  /** Lets time pass and answers arrive. */
  const settle = async (): Promise<void> => {
    clock.advance(1000);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    live,
    clock,
    stored,
    stamps,
    asked,
    told,
    problems,
    settle,
    mostOpen: () => mostOpen,
    hold: () => {
      answers = [];
    },
    letGo: () => {
      const held = answers ?? [];
      answers = undefined;
      for (const answer of held) answer();
    },
  };
}

describe('stored objects', () => {
  test('are asked for once, however many texts name them', async () => {
    const { live, stored, asked, told, settle } = setUp();
    stored.set('x', objectOf('x', '1'));
    live.want('one', [keyOf('x')]);
    live.want('two', [keyOf('x')]);
    await settle();
    expect(asked).toEqual(['x']);
    expect(told).toEqual([['one', 'two']]);
    expect(live.get(keyOf('x'))).toEqual(objectOf('x', '1'));
  });

  test('are not asked for again as a text is typed', async () => {
    const { live, asked, settle } = setUp();
    for (let keystroke = 0; keystroke < 5; keystroke++) {
      live.want('one', [keyOf('x')]);
      await settle();
    }
    expect(asked).toEqual(['x']);
  });

  test('are asked for again on save, and told of only if they are others', async () => {
    const { live, stored, asked, told, settle } = setUp();
    stored.set('x', objectOf('x', '1'));
    live.want('one', [keyOf('x')]);
    await settle();
    live.refresh('one');
    await settle();
    expect(told).toHaveLength(1);
    stored.set('x', objectOf('x', '2'));
    live.refresh('one');
    await settle();
    expect(asked).toHaveLength(3);
    expect(told).toHaveLength(2);
  });

  test('are asked for again when the watch knows them to be others', async () => {
    const { live, stored, stamps, asked, told, settle } = setUp();
    stored.set('x', objectOf('x', '1'));
    stamps.set('x', 'running');
    live.want('one', [keyOf('x'), keyOf('y')]);
    await settle();
    live.noteNews();
    await settle();
    expect(asked).toEqual(['x', 'y']);
    stored.delete('x');
    stamps.delete('x');
    live.noteNews();
    await settle();
    expect(asked).toEqual(['x', 'y', 'x']);
    expect(told).toHaveLength(2);
    expect(live.get(keyOf('x'))).toBeUndefined();
  });

  test('are asked for three at a time', async () => {
    const { live, asked, settle, hold, letGo, mostOpen } = setUp();
    hold();
    live.want(
      'one',
      Array.from({ length: 10 }, (_, index) => keyOf(`job-${index}`)),
    );
    await settle();
    expect(asked).toHaveLength(3);
    letGo();
    await settle();
    expect(asked).toHaveLength(10);
    expect(mostOpen()).toBe(3);
  });

  test('that change while they are asked for are asked for once more', async () => {
    const { live, stored, settle, hold, letGo, asked } = setUp();
    hold();
    live.want('one', [keyOf('x')]);
    await settle();
    live.refresh('one');
    stored.set('x', objectOf('x', '2'));
    letGo();
    await settle();
    expect(asked).toEqual(['x', 'x']);
    expect(live.get(keyOf('x'))).toEqual(objectOf('x', '2'));
  });

  test('that nobody reads any more are forgotten', async () => {
    const { live, stored, settle, asked } = setUp();
    stored.set('x', objectOf('x', '1'));
    live.want('one', [keyOf('x')]);
    live.want('one', []);
    await settle();
    expect(asked).toEqual([]);
    expect(live.get(keyOf('x'))).toBeUndefined();
  });

  test('that can not be read are not known, and that is reported', async () => {
    const { live, stored, settle, problems, told } = setUp();
    stored.set('x', new Error('forbidden'));
    live.want('one', [keyOf('x')]);
    await settle();
    expect(problems).toEqual(['x']);
    expect(told).toEqual([]);
  });

  test('are all gone when the clusters are, with every timer', async () => {
    const { live, clock, stored, settle, hold, letGo, told } = setUp();
    hold();
    stored.set('x', objectOf('x', '1'));
    live.want('one', [keyOf('x')]);
    await settle();
    live.want('one', [keyOf('x'), keyOf('y')]);
    live.dispose();
    letGo();
    await settle();
    expect(told).toEqual([]);
    expect(live.get(keyOf('x'))).toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});
