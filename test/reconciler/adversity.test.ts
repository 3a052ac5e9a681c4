import { describe, expect, test } from 'vitest';
import { jobs, type KubeApi, leases, type ResourceType } from '../../src/kube/index.ts';
import { recordKeys } from '../../src/reconciler/record.ts';
import { manifest } from './builders.ts';
import { Rig } from './rig.ts';

/** What befalls clusters and settings from outside while Jobs live: the whole reconciler, over loopback HTTP. */

const never = new AbortController().signal;
const namespaces = { group: '', version: 'v1', plural: 'namespaces' };
const forever = { 'sandbox.delegated-jobs.dev/duration': '10h' };

/** A client that can be turned to another cluster behind the same name, as behind one address. */
function turnable(first: KubeApi): KubeApi & { turn(to: KubeApi): void } {
  let current = first;
  return {
    turn(to) {
      current = to;
    },
    contextName: first.contextName,
    get: (...request) => current.get(...request),
    has: (...request) => current.has(...request),
    list: (...request) => current.list(...request),
    create: (...request) => current.create(...request),
    replace: (...request) => current.replace(...request),
    patch: (...request) => current.patch(...request),
    delete: (...request) => current.delete(...request),
    watch: (...request) => current.watch(...request),
    serverVersion: (...request) => current.serverVersion(...request),
    canI: (...request) => current.canI(...request),
    podLog: (...request) => current.podLog(...request),
    dispose: () => first.dispose(),
  };
}

describe('a Job on a worker that the window does not know', () => {
  test('says so', async () => {
    await using rig = await Rig.start(2);
    const first = rig.reconcile();
    await rig.create('a', {}, forever);
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    await rig.stop(first);
    const second = rig.reconcile({}, 'second', { workers: new Map([['other', rig.client('worker-2')]]) });
    await rig.until(() => second.state.waiting[0]?.reason === 'WorkerNotConfigured');
    expect(second.state.waiting[0]?.message).toContain('"worker-1"');
  });

  test('says what keeps its worker from telling who it is', async () => {
    await using rig = await Rig.start();
    const first = rig.reconcile();
    await rig.create('a', {}, forever);
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    await rig.stop(first);
    rig.cluster('worker-1').faults.add({ fault: { kind: 'answer', status: 503 } });
    const second = rig.reconcile({}, 'second');
    await rig.until(() => second.state.waiting.some(({ reason }) => reason === 'Unreachable'));
    expect(second.state.waiting[0]?.message).toMatch(/^worker-1: The API server failed/);
  });
});

describe('two workers that are one cluster', () => {
  test('are told, whichever of them answers first, and worked with once', async () => {
    await using rig = await Rig.start();
    const slow = rig.client('worker-1');
    const answer = Promise.withResolvers<void>();
    const late: KubeApi = {
      ...slow,
      get: async (...request) => {
        await answer.promise;
        return slow.get(...request);
      },
    };
    const workers = new Map([
      ['late', late],
      ['early', rig.client('worker-1')],
    ]);
    const handle = rig.reconcile({}, 'one', { workers });
    await rig.until(() => handle.state.leases[0]?.lease.kind === 'leading');
    answer.resolve();
    await rig.until(() => handle.state.workers.some(({ problem }) => problem !== undefined));
    expect(handle.state.workers[0]?.problem).toBe('this is the same cluster as early');
    expect(handle.state.leases).toHaveLength(1);
    expect(handle.state.leases[0]?.worker).toBe('early');
  });
});

describe('a window that only stands by', () => {
  test('forgets a Job that is gone', async () => {
    await using rig = await Rig.start();
    const first = rig.reconcile({}, 'first');
    await rig.until(() => first.state.leases[0]?.lease.kind === 'leading');
    const second = rig.reconcile({}, 'second');
    await rig.until(() => second.state.leases[0]?.lease.kind === 'standby');
    await rig.create('a', {}, forever);
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    await rig.until(() => second.state.counts.waiting === 1);
    await rig.delete('management', 'a');
    await rig.until(() => rig.seen('management', 'a') === undefined);
    await rig.until(() => second.state.counts.waiting === 0);
  });
});

describe('a worker that is full', () => {
  test('has a place again where somebody deleted a mirror', async () => {
    await using rig = await Rig.start();
    rig.reconcile({ maxLiveMirrors: 1 });
    await rig.create('a', {}, forever);
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    await rig.create('b', {}, forever);
    await rig.until(
      () => rig.seen('management', 'b')?.metadata.annotations?.[recordKeys.phaseReason] === 'QueuedLocally',
    );
    await rig.delete('worker-1', 'a');
    await rig.until(() => rig.seen('management', 'b')?.status?.active === 1);
  });
});

describe('a namespace that is deleted', () => {
  test('goes, although no window was open by then and no Lease can be made any more', async () => {
    await using rig = await Rig.start();
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
    for (const context of ['management', 'worker-1']) {
      await rig.client(context).create(namespaces, undefined, team, {}, never);
    }
    const first = rig.reconcile({ namespaces: ['team'] }, 'first');
    await rig.management.create(jobs, 'team', manifest('a', {}, { namespace: 'team' }), {}, never);
    await rig.until(() => rig.actions.some(({ action }) => action === 'adjust-mirror'));
    await rig.stop(first);
    const { uid } = (await rig.management.get(namespaces, { name: 'team' }, never)).metadata;
    await rig.management.delete(namespaces, { name: 'team' }, { uid, propagationPolicy: 'Background' }, never);
    // All but the Job, which waits for its finalizer.
    await expect.poll(() => isThere(rig.management, leases, 'team'), { timeout: 20_000 }).toBe(false);
    rig.reconcile({ namespaces: ['team'] }, 'second');
    await rig.until(() => rig.actions.some(({ action }) => action === 'release'));
    await expect.poll(() => isThere(rig.client('worker-1'), jobs, 'team'), { timeout: 20_000 }).toBe(false);
  });
});

async function isThere(api: KubeApi, type: ResourceType, namespace: string): Promise<boolean> {
  return (await api.list(type, { namespace }, never)).items.length > 0;
}

describe('another cluster behind the same address', () => {
  test('as the management cluster: no mirror goes because its Job is not there', async () => {
    await using rig = await Rig.start(2);
    const management = turnable(rig.management);
    const workers = new Map([['worker-1', rig.client('worker-1')]]);
    const handle = rig.reconcile({}, 'one', { management, workers });
    await rig.create('a', {}, forever);
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    management.turn(rig.client('worker-2'));
    rig.cluster('management').faults.cutWatches();
    handle.retry();
    await rig.until(() => /another cluster/.test(handle.state.management.problem ?? ''));
    await rig.later(30_000);
    expect(await rig.job('worker-1', 'a')).toBeDefined();
  });

  test('as a worker: the Job is not told that its mirror was deleted', async () => {
    await using rig = await Rig.start(2);
    const worker = turnable(rig.client('worker-1'));
    const handle = rig.reconcile({}, 'one', { workers: new Map([['worker-1', worker]]) });
    await rig.create('a', {}, forever);
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    worker.turn(rig.client('worker-2'));
    rig.cluster('worker-1').faults.cutWatches();
    handle.retry();
    await rig.until(() => /another cluster/.test(handle.state.workers[0]?.problem ?? ''));
    await rig.later(30_000);
    const { status, metadata } = (await rig.job('management', 'a')) ?? {};
    expect(status?.active).toBe(1);
    expect(metadata?.annotations?.[recordKeys.phaseReason]).not.toBe('MirrorDeleted');
  });
});
