import { describe, expect, test } from 'vitest';
import { ClusterSession } from '../../src/session/clusterSession.ts';
import type { ClusterTarget } from '../../src/session/target.ts';

const target = (management: string): ClusterTarget => ({
  kubeconfig: '',
  management,
  workers: [],
  namespaces: [],
  controllerName: 'x.example/y',
});

class Link {
  isOpen = true;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  dispose(): void {
    this.isOpen = false;
  }
}

/** A session whose openings the test ends by hand, with every link it ever made. */
function setUp() {
  const openings: { target: ClusterTarget; signal: AbortSignal; succeed: () => Link; fail: (error: Error) => void }[] =
    [];
  const links: Link[] = [];
  const session = new ClusterSession<Link>(
    (to, signal) =>
      new Promise((resolve, reject) => {
        const succeed = (): Link => {
          const link = new Link(to.management);
          links.push(link);
          resolve(link);
          return link;
        };
        openings.push({ target: to, signal, succeed, fail: reject });
      }),
    (error) => {
      throw error;
    },
  );
  const opening = (index: number) => {
    const one = openings[index];
    if (one === undefined) throw new Error(`There was no opening ${index}.`);
    return one;
  };
  return { session, openings, opening, links, open: () => links.filter((link) => link.isOpen) };
}

describe('a cluster session', () => {
  test('opens nothing by itself', () => {
    expect(setUp().openings).toHaveLength(0);
  });

  test('opens once for two that ask at the same time', async () => {
    const { session, openings, opening } = setUp();
    const both = [session.connect(target('a')), session.connect(target('a'))];
    opening(0).succeed();
    const [first, second] = await Promise.all(both);
    expect(first).toBe(second);
    expect(openings).toHaveLength(1);
    expect(session.link).toBe(first);
  });

  test('closes one target when another is asked for', async () => {
    const { session, opening, open } = setUp();
    const first = session.connect(target('a'));
    opening(0).succeed();
    await first;
    const second = session.connect(target('b'));
    opening(1).succeed();
    await second;
    expect(open().map(({ name }) => name)).toEqual(['b']);
  });

  test('closes at once what opens after it was given up', async () => {
    const { session, opening, open } = setUp();
    const given = session.connect(target('a'));
    session.disconnect();
    opening(0).succeed();
    await expect(given).rejects.toThrow();
    expect(open()).toEqual([]);
    expect(session.state.kind).toBe('disconnected');
  });

  test('a late failure does not disturb its successor', async () => {
    const { session, opening } = setUp();
    const late = session.connect(target('a'));
    const next = session.connect(target('b'));
    opening(1).succeed();
    await next;
    opening(0).fail(new Error('too late'));
    await expect(late).rejects.toThrow('too late');
    expect(session.state.kind).toBe('connected');
  });

  test('keeps the problem of a failed opening to show it, and opens again when asked', async () => {
    const { session, opening } = setUp();
    const failing = session.connect(target('a'));
    opening(0).fail(new Error('no such file'));
    await expect(failing).rejects.toThrow('no such file');
    expect(session.state).toMatchObject({ kind: 'disconnected', problem: { message: 'no such file' } });
    const again = session.connect(target('a'));
    opening(1).succeed();
    await expect(again).resolves.toBeInstanceOf(Link);
  });

  test('announces every change', async () => {
    const { session, opening } = setUp();
    const seen: string[] = [];
    session.onDidChange(() => seen.push(session.state.kind));
    const connecting = session.connect(target('a'));
    opening(0).succeed();
    await connecting;
    session.disconnect();
    expect(seen).toEqual(['connecting', 'connected', 'disconnected']);
  });

  test('leaves nothing open and nothing waiting when it is disposed', async () => {
    const { session, opening, open } = setUp();
    const connecting = session.connect(target('a'));
    session.dispose();
    expect(opening(0).signal.aborted).toBe(true);
    opening(0).succeed();
    await expect(connecting).rejects.toThrow();
    expect(open()).toEqual([]);
  });

  describe('opens anew what is behind the same names', () => {
    async function connected() {
      const world = setUp();
      const connecting = world.session.connect(target('a'));
      const first = world.opening(0).succeed();
      await connecting;
      return { ...world, first };
    }

    test('and keeps the link of before until the new one is there', async () => {
      const { session, opening, first, open } = await connected();
      const reopening = session.reopen();
      expect(session.link).toBe(first);
      const second = opening(1).succeed();
      await reopening;
      expect(session.link).toBe(second);
      expect(open()).toEqual([second]);
    });

    test('and goes on with the link of before if that fails', async () => {
      const { session, opening, first, open } = await connected();
      const reopening = session.reopen();
      opening(1).fail(new Error('half a file'));
      await expect(reopening).rejects.toThrow('half a file');
      expect(session.link).toBe(first);
      expect(open()).toEqual([first]);
    });

    test('and drops the new link if all was disconnected meanwhile', async () => {
      const { session, opening, open } = await connected();
      const reopening = session.reopen();
      session.disconnect();
      opening(1).succeed();
      await expect(reopening).resolves.toBeUndefined();
      expect(open()).toEqual([]);
    });

    test('and nothing where nothing is connected', async () => {
      const { session, openings } = setUp();
      await expect(session.reopen()).resolves.toBeUndefined();
      expect(openings).toEqual([]);
    });
  });
});
