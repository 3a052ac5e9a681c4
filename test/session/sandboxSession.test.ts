import { describe, expect, test } from 'vitest';
import { SandboxSession } from '../../src/session/sandboxSession.ts';

/** A session whose sandboxes the test starts and ends by hand. */
function setUp() {
  const starts: { succeed: () => void; end: (reason: string) => void; isStopped: boolean }[] = [];
  const world = { isDiskFull: false, files: 0, endings: [] as string[] };
  const session = new SandboxSession(
    {
      start: () =>
        new Promise((resolve) => {
          const ended = Promise.withResolvers<string>();
          const one = {
            isStopped: false,
            end: ended.resolve,
            succeed: () =>
              resolve({
                kubeconfig: 'text',
                ended: ended.promise,
                stop: async () => {
                  one.isStopped = true;
                },
              }),
          };
          starts.push(one);
        }),
      keepKubeconfig: async () => {
        if (world.isDiskFull) throw new Error('no space left');
        world.files++;
        return {
          path: '/kept/kubeconfig',
          remove: async () => {
            world.files--;
          },
        };
      },
      onEnded: (reason) => world.endings.push(reason),
    },
    (error) => {
      throw error;
    },
  );
  const start = (index: number) => {
    const one = starts[index];
    if (one === undefined) throw new Error(`There was no start ${index}.`);
    return one;
  };
  return { session, starts, start, world };
}

describe('the sandbox of a window', () => {
  test('starts once for two that ask, and is the target then', async () => {
    const { session, starts, start } = setUp();
    const both = [session.start('x/y'), session.start('x/y')];
    start(0).succeed();
    expect((await Promise.all(both)).map(({ kubeconfig }) => kubeconfig)).toEqual([
      '/kept/kubeconfig',
      '/kept/kubeconfig',
    ]);
    expect(starts).toHaveLength(1);
    expect(session.target?.management).toBe('management');
  });

  test('leaves nothing when it is stopped', async () => {
    const { session, start, world } = setUp();
    const starting = session.start('x/y');
    start(0).succeed();
    await starting;
    await session.stop();
    expect(session.target).toBeUndefined();
    expect(start(0).isStopped).toBe(true);
    expect(world).toMatchObject({ files: 0, endings: [] });
  });

  test('is stopped if it comes up after it was given up, and another may start meanwhile', async () => {
    const { session, start, world } = setUp();
    const first = session.start('x/y');
    await session.stop();
    const second = session.start('x/y');
    start(0).succeed();
    await expect(first).rejects.toThrow('stopped before');
    expect(start(0).isStopped).toBe(true);
    expect(session.target).toBeUndefined();
    start(1).succeed();
    await second;
    expect(start(1).isStopped).toBe(false);
    expect(world.files).toBe(1);
  });

  test('does not stay behind when its kubeconfig could not be kept, and can be tried again', async () => {
    const { session, start, world } = setUp();
    world.isDiskFull = true;
    const failing = session.start('x/y');
    start(0).succeed();
    await expect(failing).rejects.toThrow('no space left');
    expect(start(0).isStopped).toBe(true);
    world.isDiskFull = false;
    const again = session.start('x/y');
    start(1).succeed();
    await again;
    expect(session.target).toBeDefined();
  });

  test('is no target any more once it ended by itself, and that is told', async () => {
    const { session, start, world } = setUp();
    const starting = session.start('x/y');
    start(0).succeed();
    await starting;
    start(0).end('out of memory');
    await new Promise((resolve) => setImmediate(resolve));
    expect(session.target).toBeUndefined();
    expect(world).toMatchObject({ files: 0, endings: ['out of memory'] });
  });
});
