import { expect, test } from 'vitest';
import { SettingsFollower } from '../../src/session/settingsFollower.ts';
import { ManualClock } from '../sandbox/manualClock.ts';

function setUp() {
  const clock = new ManualClock();
  const world = { follows: 0, errors: 0, next: Promise.resolve() };
  const follower = new SettingsFollower({
    clock,
    follow: async () => {
      world.follows++;
      await world.next;
    },
    onError: () => world.errors++,
  });
  const pass = async (): Promise<void> => {
    clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { follower, world, pass };
}

test('several changes in a row are followed once', async () => {
  const { follower, world, pass } = setUp();
  for (let count = 0; count < 3; count++) follower.note();
  await pass();
  expect(world.follows).toBe(1);
  await pass();
  expect(world.follows).toBe(1);
});

test('nothing is followed while a command writes settings; what changed is followed once afterwards', async () => {
  const { follower, world, pass } = setUp();
  await follower.holdWhile(async () => {
    follower.note();
    await pass();
    follower.note();
    await pass();
    expect(world.follows).toBe(0);
  });
  await pass();
  expect(world.follows).toBe(1);
});

test('a change while one is being followed is followed next, not beside it', async () => {
  const { follower, world, pass } = setUp();
  const gate = Promise.withResolvers<void>();
  world.next = gate.promise;
  follower.note();
  await pass();
  follower.note();
  await pass();
  expect(world.follows).toBe(1);
  gate.resolve();
  await pass();
  await pass();
  expect(world.follows).toBe(2);
});

test('a failure is told, and the next change is followed all the same', async () => {
  const { follower, world, pass } = setUp();
  world.next = Promise.reject(new Error('no'));
  follower.note();
  await pass();
  world.next = Promise.resolve();
  follower.note();
  await pass();
  expect(world).toMatchObject({ follows: 2, errors: 1 });
});

test('nothing is followed after the end', async () => {
  const { follower, world, pass } = setUp();
  follower.note();
  follower.dispose();
  await pass();
  expect(world.follows).toBe(0);
});
