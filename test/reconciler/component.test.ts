import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/kube/index.ts';
import { isTrue } from '../../src/reconciler/jobState.ts';
import type { Reason } from '../../src/reconciler/reasons.ts';
import { mirrorFinalizer, recordKeys } from '../../src/reconciler/record.ts';
import type { Fault } from '../../src/sandbox/index.ts';
import { manifest } from './builders.ts';
import { Rig } from './rig.ts';

/** The whole reconciler on embedded clusters, over loopback HTTP. */

function isComplete(job: Job | undefined): boolean {
  return isTrue(job?.status, 'Complete');
}

function reasonOf(job: Job | undefined): string | undefined {
  return job?.metadata.annotations?.[recordKeys.phaseReason];
}

describe('a delegated Job', () => {
  test('runs on a worker, and its success flows back', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', { completions: 3, parallelism: 2 });
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    const { status, metadata } = (await rig.job('management', 'a')) ?? {};
    expect(status).toMatchObject({ succeeded: 3, ready: 0 });
    expect(await rig.podNames('management')).toEqual([]);
    await rig.until(() => !rig.seen('management', 'a')?.metadata.finalizers?.includes(mirrorFinalizer));
    expect(metadata?.annotations?.[recordKeys.workerName]).toBe('worker-1');
    // The mirror stays for its logs, then goes, and the Job remembers where it ran.
    expect(rig.seen('worker-1', 'a')).toBeDefined();
    await rig.until(() => rig.seen('worker-1', 'a') === undefined && reasonOf(rig.seen('management', 'a')) === 'Done');
    expect(isComplete(await rig.job('management', 'a'))).toBe(true);
  });

  test('that fails is shown failed', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', { backoffLimit: 0 }, { 'sandbox.delegated-jobs.dev/exit-code': '3' });
    await rig.until(() => isTrue(rig.seen('management', 'a')?.status, 'Failed'));
    expect(rig.seen('management', 'a')?.status).toMatchObject({ failed: 1 });
    expect(isTrue(rig.seen('management', 'a')?.status, 'FailureTarget')).toBe(true);
  });

  test('with indexes shows which of them failed', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    const spec = { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 0 };
    await rig.create('a', spec, { 'sandbox.delegated-jobs.dev/fail-indexes': '1' });
    await rig.until(() => isTrue(rig.seen('management', 'a')?.status, 'Failed'));
    expect(rig.seen('management', 'a')?.status).toMatchObject({ completedIndexes: '0,2', failedIndexes: '1' });
  });

  test('waits while it is suspended, and starts when it is resumed', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', { suspend: true });
    await rig.until(() => isTrue(rig.seen('management', 'a')?.status, 'Suspended'));
    await rig.later(3_000);
    expect(await rig.job('worker-1', 'a')).toBeUndefined();
    await rig.patch('management', 'a', { spec: { suspend: false } });
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    expect(isTrue(rig.seen('management', 'a')?.status, 'Suspended')).toBe(false);
  });

  test('is suspended and resumed on the same mirror while it runs', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '6s' });
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    const uid = rig.seen('worker-1', 'a')?.metadata.uid;
    await rig.patch('management', 'a', { spec: { suspend: true } });
    await rig.until(() => (rig.seen('management', 'a')?.status?.active ?? 0) === 0);
    expect(rig.seen('worker-1', 'a')?.spec.suspend).toBe(true);
    await rig.patch('management', 'a', { spec: { suspend: false } });
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    expect(rig.seen('worker-1', 'a')?.metadata.uid).toBe(uid);
  });

  test('is scaled on the same mirror', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', { parallelism: 1, completions: 4 }, { 'sandbox.delegated-jobs.dev/duration': '5s' });
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    const uid = rig.seen('worker-1', 'a')?.metadata.uid;
    await rig.patch('management', 'a', { spec: { parallelism: 3 } });
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 3);
    expect(rig.seen('worker-1', 'a')?.metadata.uid).toBe(uid);
  });

  test('that is deleted takes its mirror and pods along', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '1h' });
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    await rig.delete('management', 'a');
    await rig.until(() => rig.seen('management', 'a') === undefined);
    expect(await rig.job('worker-1', 'a')).toBeUndefined();
  });

  test('that is deleted and asks for it leaves its mirror running', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    const keep = { annotations: { [recordKeys.onDelete]: 'detach' } };
    await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '1h' }, keep);
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    await rig.delete('management', 'a');
    await rig.until(() => rig.seen('management', 'a') === undefined);
    await rig.later(2_000);
    expect((await rig.job('worker-1', 'a'))?.metadata.labels).toMatchObject({ 'delegated-jobs.dev/detached': 'true' });
  });

  test('goes by its TTL, although the mirror is still kept', async () => {
    await using rig = await Rig.start();
    rig.reconcile({ retainFinishedMs: 3_600_000 });
    await rig.create('a', { ttlSecondsAfterFinished: 2 });
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    await rig.until(() => rig.seen('management', 'a') === undefined && rig.seen('worker-1', 'a') === undefined);
  });

  test('of another controller is never touched', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('other', { managedBy: 'kueue.x-k8s.io/multikueue' });
    await rig.create('a');
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    const other = await rig.job('management', 'other');
    expect(other?.metadata.annotations).toBeUndefined();
    expect(other?.status ?? {}).toEqual({});
    expect(await rig.job('worker-1', 'other')).toBeUndefined();
  });

  test('whose name is taken on the worker says so, and the other Job stays as it is', async () => {
    await using rig = await Rig.start();
    const foreign = await rig.createOn('worker-1', manifest('a', { managedBy: 'example.com/nobody' }));
    rig.reconcile();
    await rig.create('a');
    await rig.until(() => reasonOf(rig.seen('management', 'a')) === 'NameConflict');
    await rig.delete('management', 'a');
    await rig.until(() => rig.seen('management', 'a') === undefined);
    expect((await rig.job('worker-1', 'a'))?.metadata.resourceVersion).toBe(foreign.metadata.resourceVersion);
  });

  test('whose mirror somebody deletes is not run again', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '1h' });
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    await rig.delete('worker-1', 'a');
    await rig.until(() => reasonOf(rig.seen('management', 'a')) === 'MirrorDeleted');
    expect(rig.seen('management', 'a')?.status?.active ?? 0).toBe(0);
    await rig.later(3_000);
    expect(await rig.job('worker-1', 'a')).toBeUndefined();
  });

  test('goes to the worker that it names', async () => {
    await using rig = await Rig.start(2);
    rig.reconcile();
    await rig.create('a', {}, {}, { annotations: { [recordKeys.requestedWorker]: 'worker-2' } });
    await rig.create('b', {}, {}, { annotations: { [recordKeys.requestedWorker]: 'nowhere' } });
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    await rig.until(() => reasonOf(rig.seen('management', 'b')) === 'UnknownWorker');
    expect(rig.seen('worker-2', 'a')).toBeDefined();
    expect(rig.seen('worker-1', 'a')).toBeUndefined();
  });
});

describe('trouble', () => {
  test('a worker that is cut off while the Job runs costs nothing but time', async () => {
    await using rig = await Rig.start();
    rig.reconcile();
    await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '4s' });
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    const cut = rig.cluster('worker-1').faults.add({ match: { resource: 'jobs' }, fault: { kind: 'reset' } });
    rig.cluster('worker-1').faults.cutWatches();
    await rig.later(8_000);
    expect(rig.seen('management', 'a')?.status?.active).toBe(1);
    cut.dispose();
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    expect(rig.actions.filter(({ action }) => action === 'create-mirror')).toHaveLength(1);
  });

  describe('a worker that is cut off while a Job runs', () => {
    const cuts: readonly [string, Fault, boolean, RegExp][] = [
      ['connections break', { kind: 'reset' }, true, /^Unreachable The connection broke/],
      ['connections break but for the open ones', { kind: 'reset' }, false, /^Unreachable The connection broke/],
      ['packets vanish', { kind: 'black-hole' }, false, /^Unreachable The cluster did not answer in time/],
      ['the server fails', { kind: 'answer', status: 503 }, false, /^Unreachable The API server failed/],
      [
        'the login expires',
        { kind: 'answer', status: 401 },
        false,
        /^LoginExpired The cluster does not accept the login/,
      ],
      ['a proxy answers', { kind: 'garbage' }, true, /^Unreachable What answered is not a Kubernetes API/],
    ];
    test.each(cuts)('is told, and so is its return: %s', async (_name, fault, cutsWatches, words) => {
      await using rig = await Rig.start();
      const handle = rig.reconcile();
      await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '10h' });
      await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
      const { faults, openWatches } = rig.cluster('worker-1');
      const cut = faults.add({ fault });
      if (cutsWatches) faults.cutWatches();
      const health = () => handle.state.workers[0]?.health;
      await rig.until(() => {
        const now = health();
        return now?.kind === 'trouble' && words.test(`${now.reason} ${now.message}`);
      });
      await rig.until(() => handle.state.waiting.some(({ reason, message }) => words.test(`${reason} ${message}`)));
      expect(rig.seen('management', 'a')?.status?.active).toBe(1);
      // One that was just being opened when they were cut is cut now.
      const openAfterCut = (): number => {
        if (cutsWatches) faults.cutWatches();
        return openWatches();
      };
      await expect.poll(openAfterCut).toBe(0);
      cut.dispose();
      await rig.until(() => health()?.kind === 'reachable' && handle.state.waiting.length === 0);
      await expect.poll(openWatches).toBeGreaterThan(0);
      // It is at work there again: the Job goes only after its mirror has gone.
      await rig.delete('management', 'a');
      await rig.until(() => rig.seen('management', 'a') === undefined);
      expect(await rig.job('worker-1', 'a')).toBeUndefined();
    });

    test('but not for long if its Jobs can be read', async () => {
      await using rig = await Rig.start();
      const handle = rig.reconcile();
      await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '10h' });
      // From here on nothing comes over the watch.
      await rig.until(() => rig.seen('management', 'a')?.status?.ready === 1);
      const { faults } = rig.cluster('worker-1');
      faults.add({ match: { resource: 'namespaces' }, fault: { kind: 'answer', status: 503 } });
      const asked = faults.add({ match: { resource: 'jobs', verb: 'get' }, fault: { kind: 'delay', ms: 0 } });
      handle.retry('worker-1');
      await rig.until(() => handle.state.workers[0]?.health.kind === 'trouble');
      await rig.until(() => handle.state.workers[0]?.health.kind === 'reachable');
      expect(asked.hits()).toBeGreaterThan(0);
    });

    test('or a management cluster', async () => {
      await using rig = await Rig.start();
      const handle = rig.reconcile();
      await rig.until(() => handle.state.leases[0]?.lease.kind === 'leading');
      // Nothing but leases goes there by then.
      const cut = rig.cluster('management').faults.add({ fault: { kind: 'black-hole' } });
      const health = () => handle.state.management.health;
      await rig.until(() => {
        const now = health();
        return now.kind === 'trouble' && /did not answer in time.*write lease/.test(now.message);
      });
      cut.dispose();
      await rig.until(() => health().kind === 'reachable' && handle.state.leases[0]?.lease.kind === 'leading');
    });

    test.each<[Reason, Fault, RegExp]>([
      ['Unreachable', { kind: 'reset' }, /The connection broke.*Check the network/],
      ['LoginExpired', { kind: 'answer', status: 401 }, /does not accept the login.*Log in again/],
    ])('the Job says so itself after a minute, and that it is over: %s', async (reason, fault, words) => {
      await using rig = await Rig.start();
      rig.reconcile();
      await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '10h' });
      await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
      const { faults } = rig.cluster('worker-1');
      const cut = faults.add({ fault });
      faults.cutWatches();
      await rig.until(() => reasonOf(rig.seen('management', 'a')) === reason);
      const message = rig.seen('management', 'a')?.metadata.annotations?.[recordKeys.phaseMessage];
      expect(message).toMatch(words);
      cut.dispose();
      await rig.until(() => reasonOf(rig.seen('management', 'a')) === 'Mirrored');
    });
  });

  test('a creation whose answer is lost makes one mirror', async () => {
    await using rig = await Rig.start();
    const match = { verb: 'create', resource: 'jobs' };
    rig.cluster('worker-1').faults.add({ match, fault: { kind: 'lose-answer' }, times: 1 });
    rig.reconcile();
    await rig.create('a');
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    expect(rig.actions.filter(({ action }) => action === 'create-mirror')).toHaveLength(0);
  });

  test('a worker that never answers does not hold up the Jobs of another', async () => {
    await using rig = await Rig.start(2);
    rig.reconcile();
    await rig.create('first');
    await rig.until(() => isComplete(rig.seen('management', 'first')));
    rig.cluster('worker-1').faults.add({ fault: { kind: 'black-hole' } });
    const toSecond = { annotations: { [recordKeys.requestedWorker]: 'worker-2' } };
    await rig.create('stuck', {}, {}, { annotations: { [recordKeys.requestedWorker]: 'worker-1' } });
    for (const name of ['b', 'c', 'd']) await rig.create(name, {}, {}, toSecond);
    await rig.until(() => ['b', 'c', 'd'].every((name) => isComplete(rig.seen('management', name))));
    rig.cluster('worker-1').faults.clear();
  });

  test('a login without rights is told before anything is created', async () => {
    await using rig = await Rig.start();
    const { token } = rig.cluster('worker-1');
    const rule = { apiGroups: ['batch'], resources: ['jobs'], namespaces: ['default'] };
    rig.cluster('worker-1').setRules(token, [{ ...rule, verbs: ['get', 'list', 'watch'] }]);
    const handle = rig.reconcile({ clusterIds: { 'worker-1': 'some-worker' } });
    await rig.create('a');
    await rig.until(() => handle.state.leases.some(({ problems }) => problems.length > 0));
    expect(handle.state.leases[0]?.problems.join()).toContain(
      'cannot create, patch, delete jobs in default on worker-1',
    );
    expect(rig.actions).toEqual([]);
  });
});

describe('a login that may not read who the cluster is', () => {
  const rights = [
    { verbs: ['*'], apiGroups: ['batch'], resources: ['jobs', 'jobs/status'] },
    { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] },
  ];

  test('on a worker: cluster and Job tell what was refused and both ways out', async () => {
    await using rig = await Rig.start();
    const worker = rig.cluster('worker-1');
    worker.setRules(worker.token, rights);
    const handle = rig.reconcile();
    await rig.create('a');
    const told =
      /User "\S+" cannot get resource "namespaces".*kube-system.*--cluster-id worker-1=UID.*delegatedJobs\.clusterIds/s;
    await rig.until(() => told.test(handle.state.workers[0]?.problem ?? ''));
    await rig.until(() => told.test(handle.state.waiting[0]?.message ?? ''));
    expect(handle.state.waiting[0]).toMatchObject({ name: 'a', reason: 'NoWorkerAccepts' });
  });

  test('on the management cluster: the cluster tells', async () => {
    await using rig = await Rig.start();
    const management = rig.cluster('management');
    management.setRules(management.token, rights);
    const handle = rig.reconcile();
    await rig.until(() => /cannot get.*--cluster-id management=UID/s.test(handle.state.management.problem ?? ''));
  });

  test('goes on once it may, when a person asks for another try', async () => {
    await using rig = await Rig.start();
    const worker = rig.cluster('worker-1');
    worker.setRules(worker.token, rights);
    const handle = rig.reconcile();
    await rig.create('a');
    await rig.until(() => handle.state.workers[0]?.problem !== undefined);
    worker.setRules(worker.token, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
    handle.retry('worker-1');
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    expect(handle.state.workers[0]?.problem).toBeUndefined();
  });

  test('runs Jobs under the identities that were given by hand', async () => {
    await using rig = await Rig.start();
    for (const { token, setRules } of [rig.cluster('management'), rig.cluster('worker-1')]) setRules(token, rights);
    rig.reconcile({ clusterIds: { management: 'the-hub', 'worker-1': 'a-worker' } });
    const origin = await rig.create('a');
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    expect(rig.seen('worker-1', 'a')?.metadata.labels).toMatchObject({
      'delegated-jobs.dev/origin-cluster': 'the-hub',
      'delegated-jobs.dev/origin-uid': origin.metadata.uid,
    });
  });
});

describe('several reconcilers', () => {
  test('one killed in the middle, another goes on with the same mirror', async () => {
    await using rig = await Rig.start();
    const first = rig.reconcile({}, 'first');
    await rig.create('a', {}, { 'sandbox.delegated-jobs.dev/duration': '6s' });
    await rig.until(() => rig.seen('management', 'a')?.status?.active === 1);
    const uid = rig.seen('worker-1', 'a')?.metadata.uid;
    await rig.stop(first);
    rig.reconcile({}, 'second');
    await rig.until(() => isComplete(rig.seen('management', 'a')));
    expect(rig.seen('worker-1', 'a')?.metadata.uid).toBe(uid);
  });

  test('one whose login to the worker stays refused gives its lease back', async () => {
    await using rig = await Rig.start();
    const first = rig.reconcile({}, 'first');
    await rig.until(() => first.state.leases[0]?.lease.kind === 'leading');
    const { faults } = rig.cluster('worker-1');
    const cut = faults.add({ fault: { kind: 'answer', status: 401 } });
    faults.cutWatches();
    await rig.until(() => first.state.leases[0]?.lease.kind === 'campaigning');
    cut.dispose();
    await rig.until(() => first.state.leases[0]?.lease.kind === 'leading');
  });

  test('one leads, the other stands by and takes over', async () => {
    await using rig = await Rig.start();
    const first = rig.reconcile({}, 'first');
    await rig.until(() => first.state.leases[0]?.lease.kind === 'leading');
    const second = rig.reconcile({}, 'second');
    await rig.until(() => second.state.leases[0]?.lease.kind === 'standby');
    expect(second.state.leases[0]?.lease).toMatchObject({ holder: 'first' });
    await rig.stop(first);
    await rig.until(() => second.state.leases[0]?.lease.kind === 'leading');
    await rig.create('a');
    await rig.until(() => isComplete(rig.seen('management', 'a')));
  });
});
