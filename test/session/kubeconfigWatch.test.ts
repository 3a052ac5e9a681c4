import { describe, expect, test } from 'vitest';
import { KubeconfigWatch } from '../../src/session/kubeconfigWatch.ts';
import { ManualClock } from '../sandbox/manualClock.ts';

/** A watched kubeconfig of one file. What it says stands in `content`; `undefined` can't be read. */
function setUp() {
  const clock = new ManualClock();
  const listeners = new Set<() => void>();
  const world: { content: string | undefined; told: number } = { content: 'opened', told: 0 };
  const watch = new KubeconfigWatch({
    files: ['config'],
    watch: (_file, onChange) => {
      listeners.add(onChange);
      return { dispose: () => void listeners.delete(onChange) };
    },
    fingerprint: async () => {
      if (world.content === undefined) throw new Error('unreadable');
      return world.content;
    },
    opened: 'opened',
    clock,
    onOutdated: () => world.told++,
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const write = (content: string | undefined): void => {
    world.content = content;
    for (const listener of listeners) listener();
  };
  return { watch, world, write, pass, listeners };
}

describe('a watched kubeconfig', () => {
  test('is told of once its contexts are others', async () => {
    const { world, write, pass } = setUp();
    write('other');
    await pass(1000);
    expect(world.told).toBe(1);
  });

  test('is not told of for what concerns no context in use', async () => {
    const { world, write, pass } = setUp();
    write('opened');
    await pass(1000);
    expect(world.told).toBe(0);
  });

  test('is not told of while it is half written', async () => {
    const { world, write, pass } = setUp();
    write(undefined);
    await pass(400);
    world.content = 'opened';
    await pass(1000);
    expect(world.told).toBe(0);
  });

  test('is told of once if it stays unreadable, and again when it is something else', async () => {
    const { world, write, pass } = setUp();
    write(undefined);
    await pass(400);
    await pass(1000);
    write(undefined);
    await pass(400);
    await pass(1000);
    expect(world.told).toBe(1);
    write('opened');
    await pass(1000);
    expect(world.told).toBe(1);
    write('other');
    await pass(1000);
    expect(world.told).toBe(2);
  });

  test('leaves no listener behind, and says nothing after its end', async () => {
    const { watch, world, write, pass, listeners } = setUp();
    write('other');
    watch.dispose();
    await pass(1000);
    expect(world.told).toBe(0);
    expect(listeners.size).toBe(0);
  });
});
