import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nullLog } from '../../src/base/index.ts';
import {
  createKubeApi,
  type Job,
  jobs,
  type KubeClient,
  type ObjectChange,
  type Reflector,
  startReflector,
  unlimited,
} from '../../src/kube/index.ts';
import { FakeCluster, type Fault, fastClock } from './fakeCluster.ts';
import { json, status } from './fakeServer.ts';
import { fixedCredentials } from './fixedCredentials.ts';

/** What the tests keep of a Job. */
interface Kept {
  readonly name: string;
  readonly version: string;
}

let cluster: FakeCluster;
let api: KubeClient;
let reflector: Reflector<Kept>;
let seen: string[];

beforeEach(async () => {
  cluster = new FakeCluster();
  await cluster.start();
});

afterEach(async () => {
  reflector.dispose();
  api.dispose();
  await cluster[Symbol.asyncDispose]();
});

function start(factor = 200): void {
  const clock = fastClock(factor);
  api = createKubeApi(
    { contextName: 'test', server: cluster.server.url, credentials: fixedCredentials() },
    { clock, limiter: unlimited },
  );
  seen = [];
  reflector = startReflector<Job, Kept>({
    api,
    type: jobs,
    scope: {},
    keep: ({ metadata }) => ({ name: metadata.name, version: `${metadata.uid}/${metadata.resourceVersion}` }),
    clock,
    random: () => 0.5,
    log: nullLog,
  });
  const describeChange = (change: ObjectChange<Kept>): string =>
    change.kind === 'deleted' ? `deleted ${change.last.name}` : `${change.kind} ${reflector.get(change.uid)?.name}`;
  reflector.onChange((changes) => void seen.push(...changes.map(describeChange)));
}

function contents(): Record<string, string> {
  return Object.fromEntries([...reflector.values()].map(({ name, version }) => [name, version]).sort());
}

async function expectInSync(): Promise<void> {
  await expect
    .poll(() => ({ state: reflector.state.kind, contents: contents() }), { timeout: 20_000 })
    .toEqual({ state: 'watching', contents: cluster.contents() });
}

function countOf(kind: 'list' | 'watch'): number {
  return cluster.server.requests.filter(({ query }) => (query.get('watch') === 'true') === (kind === 'watch')).length;
}

describe('in good weather', () => {
  test('lists all pages, then follows the watch', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) cluster.put(name);
    start();
    await expectInSync();
    expect([countOf('list'), countOf('watch'), reflector.isComplete]).toEqual([3, 1, true]);
    cluster.put('f');
    cluster.put('a');
    cluster.delete('b');
    await expectInSync();
    expect(seen.slice(5)).toEqual(['added f', 'modified a', 'deleted b']);
  });

  test('a name that comes back is another object', async () => {
    cluster.put('a');
    start();
    await expectInSync();
    cluster.recreate('a');
    await expectInSync();
    expect(seen).toEqual(['added a', 'deleted a', 'added a']);
  });

  test('a watch that ends in good order goes on from where it was', async () => {
    cluster.put('a');
    start();
    await expectInSync();
    cluster.dropWatches('end');
    await expect.poll(() => countOf('watch')).toBe(2);
    cluster.put('b');
    await expectInSync();
    expect([countOf('list'), seen]).toEqual([1, ['added a', 'added b']]);
  });

  test('nothing is left after it was disposed', async () => {
    start();
    await expectInSync();
    reflector.dispose();
    expect(reflector.state.kind).toBe('stopped');
    await expect.poll(() => cluster.watches).toBe(0);
  });
});

describe('faults', () => {
  const faults: readonly (readonly [string, readonly Fault[]])[] = [
    ['a list that fails twice', ['unavailable', 'reset']],
    ['a list that breaks off', ['cut']],
    ['a continue token that expires', ['none', 'expired']],
    ['a server that asks for a pause', ['slow-down']],
    ['a watch that is refused', ['none', 'none', 'unavailable']],
    ['a watch that breaks off', ['none', 'none', 'cut']],
    ['a watch that is too old', ['none', 'none', 'expired']],
    ['a watch whose event says too old', ['none', 'none', 'event-expired']],
    ['a watch whose event is an error', ['none', 'none', 'event-error', 'event-error']],
    ['a watch with garbage in it', ['none', 'none', 'garbage', 'garbage']],
    ['a proxy that closes each watch', ['none', 'none', 'close', 'close', 'close']],
  ];
  test.each(faults)('%s is overcome', async (_name, plan) => {
    for (const name of ['a', 'b', 'c']) cluster.put(name);
    cluster.faults = [...plan];
    start();
    await expectInSync();
    expect(cluster.faults).toEqual([]);
    cluster.put('d');
    await expectInSync();
  });

  test('what changed during an outage is found, and nothing was forgotten meanwhile', async () => {
    cluster.put('kept');
    cluster.put('gone');
    cluster.put('again');
    start();
    await expectInSync();
    cluster.faults = ['unavailable', 'unavailable', 'unavailable'];
    cluster.dropWatches('reset');
    await expect.poll(() => reflector.state.kind).toBe('waiting');
    expect(reflector.state).toMatchObject({ staleSince: expect.any(Number), error: { contextName: 'test' } });
    expect(Object.keys(contents())).toEqual(['again', 'gone', 'kept']);
    cluster.delete('gone');
    cluster.recreate('again');
    cluster.put('new');
    cluster.forget();
    await expectInSync();
    expect(seen.slice(3).sort()).toEqual(['added again', 'added new', 'deleted again', 'deleted gone']);
  });

  test('a proxy that closes every watch at once is not stormed', async () => {
    cluster.faults = Array.from({ length: 1000 }, (_, index) => (index === 0 ? 'none' : 'close'));
    start(1000);
    // About an hour of its time.
    await expect
      .poll(() => reflector.state.kind === 'waiting' && reflector.state.retryAt > 1_700_003_600_000, {
        timeout: 20_000,
      })
      .toBe(true);
    expect(countOf('watch') + countOf('list')).toBeLessThan(10 * 60 + 10);
  });

  test('a login that is refused stops all requests until somebody retries', async () => {
    cluster.put('a');
    start();
    await expectInSync();
    let isRefused = true;
    let refusals = 0;
    const good = cluster;
    cluster.server.answer((request, response) => {
      if (isRefused) {
        refusals += 1;
        status(response, 401, 'Unauthorized', 'Unauthorized');
      } else if (request.query.get('watch') === 'true') response.flushHeaders();
      else json(response, { kind: 'JobList', metadata: { resourceVersion: '1' }, items: [...good.objects.values()] });
    });
    cluster.dropWatches('reset');
    await expect.poll(() => reflector.state.kind).toBe('unauthorized');
    reflector.notifyWake();
    expect([reflector.state.kind, refusals, Object.keys(contents())]).toEqual(['unauthorized', 1, ['a']]);
    isRefused = false;
    reflector.retry();
    await expect.poll(() => reflector.state.kind).toBe('watching');
  });

  test('without the right to watch the list is read again and again', async () => {
    let lists = 0;
    cluster.put('a');
    cluster.server.answer((request, response) => {
      if (request.query.get('watch') === 'true') {
        status(response, 403, 'Forbidden', 'jobs.batch is forbidden: User "u" cannot watch resource "jobs"');
        return;
      }
      lists += 1;
      json(response, { kind: 'JobList', metadata: { resourceVersion: '1' }, items: [...cluster.objects.values()] });
    });
    start();
    await expect.poll(() => reflector.state.kind).toBe('polling');
    cluster.delete('a');
    cluster.put('b');
    await expect.poll(() => Object.keys(contents())).toEqual(['b']);
    expect(lists).toBeGreaterThan(1);
  });

  test('a list that is forbidden is said to be so', async () => {
    cluster.server.answer((_request, response) =>
      status(response, 403, 'Forbidden', 'jobs.batch is forbidden: User "u" cannot list resource "jobs"'),
    );
    start();
    await expect.poll(() => reflector.state).toMatchObject({ kind: 'waiting', error: { kind: 'forbidden' } });
  });

  test('after a sleep it reopens at once from where it was', async () => {
    cluster.put('a');
    start(1);
    await expectInSync();
    reflector.notifyWake();
    await expect.poll(() => countOf('watch')).toBe(2);
    cluster.put('b');
    await expectInSync();
    expect(countOf('list')).toBe(1);
  });

  test('a server that hangs is noticed by the deadline', async () => {
    cluster.put('a');
    start();
    await expectInSync();
    let hung = 0;
    cluster.server.answer(() => {
      hung += 1;
    });
    cluster.dropWatches('reset');
    await expect.poll(() => hung).toBeGreaterThan(1);
    expect(Object.keys(contents())).toEqual(['a']);
  });
});

type Action =
  | { readonly kind: 'put' | 'delete' | 'recreate'; readonly name: string }
  | { readonly kind: 'drop'; readonly how: 'reset' | 'end' }
  | { readonly kind: 'forget' | 'wake' | 'settle' };

async function perform(action: Action): Promise<void> {
  switch (action.kind) {
    case 'put':
    case 'delete':
    case 'recreate':
      cluster[action.kind](action.name);
      break;
    case 'drop':
      cluster.dropWatches(action.how);
      break;
    case 'forget':
      cluster.forget();
      break;
    case 'wake':
      reflector.notifyWake();
      break;
    case 'settle':
      await expect.poll(() => reflector.state.kind, { timeout: 20_000 }).not.toBe('listing');
      break;
  }
}

test('whatever goes wrong, the copy equals the cluster in the end', async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const action: fc.Arbitrary<Action> = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('put', 'delete', 'recreate'), name }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), how: fc.constantFrom('reset', 'end') }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('forget', 'wake', 'settle') }) },
  );
  const fault = fc.constantFrom<Fault>(
    'none',
    'none',
    'none',
    'reset',
    'unavailable',
    'slow-down',
    'expired',
    'cut',
    'event-expired',
    'event-error',
    'garbage',
    'close',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 30 }),
      fc.array(fault, { maxLength: 12 }),
      async (actions, faults) => {
        await using fresh = new FakeCluster();
        await fresh.start();
        await cluster[Symbol.asyncDispose]();
        cluster = fresh;
        cluster.faults = [...faults];
        start(1000);
        for (const one of actions) await perform(one);
        await expectInSync();
        reflector.dispose();
        api.dispose();
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);
