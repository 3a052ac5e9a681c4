import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { mergePatch } from './api.ts';
import { listOf, openWorld, ours, type Program, partOf, trueConditions, until, type World } from './world.ts';

/** The reconciler between two real clusters: what becomes of Jobs, seen from outside. */
describe('between real clusters', () => {
  let world: World;
  let reconciler: Program;

  beforeAll(async () => {
    world = await openWorld('reconcile');
    reconciler = world.reconcile();
  });

  afterAll(async () => {
    await world.close();
  });

  const finished = (name: string): Promise<JsonObject> =>
    until(`${name} is finished. The reconciler says: ${reconciler.stderr()}`, async () => {
      const job = await world.job(name);
      const conditions = trueConditions(job);
      return 'Complete' in conditions || 'Failed' in conditions ? job : undefined;
    });
  const released = (name: string): Promise<unknown> =>
    until(`nothing is left of ${name}'s mirror`, async () => {
      const finalizers = partOf(await world.job(name), 'metadata')['finalizers'];
      const names = (await world.mirrors()).map((mirror) => partOf(mirror, 'metadata')['name']);
      return finalizers === undefined && !names.includes(name) ? true : undefined;
    });

  test('a Job runs on the worker and its end comes back', async () => {
    await world.createJob('plain', { managedBy: ours });
    const mirror = await until('the mirror runs', async () =>
      (await world.mirrors()).find((job) => partOf(job, 'status')['active'] === 1),
    );
    expect(partOf(mirror, 'spec')['managedBy']).toBeUndefined();

    const job = await finished('plain');
    const { startTime, completionTime, ...status } = partOf(job, 'status');
    expect(trueConditions(job)).toEqual({
      SuccessCriteriaMet: 'CompletionsReached',
      Complete: 'CompletionsReached',
    });
    expect(status).toMatchObject({ succeeded: 1, ready: 0, terminating: 0 });
    expect(startTime).toEqual(expect.any(String));
    expect(completionTime).toEqual(expect.any(String));
    await released('plain');
  });

  test('a Job that fails there fails here, with its reason', async () => {
    await world.createJob(
      'failing',
      { managedBy: ours, backoffLimit: 0 },
      { 'sandbox.delegated-jobs.dev/exit-code': '3' },
    );
    const job = await finished('failing');
    expect(trueConditions(job)).toEqual({ FailureTarget: 'BackoffLimitExceeded', Failed: 'BackoffLimitExceeded' });
    expect(partOf(job, 'status')).toMatchObject({ failed: 1 });
    expect(partOf(job, 'status')['completionTime']).toBeUndefined();
  });

  test('an Indexed Job brings its indexes', async () => {
    const spec = {
      managedBy: ours,
      completionMode: 'Indexed',
      completions: 4,
      parallelism: 2,
      backoffLimitPerIndex: 0,
    };
    await world.createJob('indexed', spec, { 'sandbox.delegated-jobs.dev/fail-indexes': '1' });
    const job = await finished('indexed');
    expect(trueConditions(job)).toMatchObject({ Failed: 'FailedIndexes' });
    expect(partOf(job, 'status')).toMatchObject({
      completedIndexes: '0,2,3',
      failedIndexes: '1',
      succeeded: 3,
      failed: 1,
    });
  });

  test('a Job that is suspended and resumed follows, on the same mirror', async () => {
    const created = await world.createJob('paused', { managedBy: ours, suspend: true });
    await until('it says that it is suspended', async () =>
      'Suspended' in trueConditions(await world.job('paused')) ? true : undefined,
    );
    const path = `/apis/batch/v1/namespaces/${world.namespace}/jobs/paused`;
    await world.management.request('PATCH', path, { spec: { suspend: false } }, mergePatch);
    const job = await finished('paused');
    expect(partOf(job, 'metadata')['uid']).toBe(partOf(created, 'metadata')['uid']);
    expect(trueConditions(job)).toMatchObject({ Complete: 'CompletionsReached' });
  });

  test('a Job of another controller is not touched', async () => {
    const other = await world.createJob('other', { managedBy: 'kueue.x-k8s.io/multikueue' });
    const unmanaged = await world.createJob('theirs', { suspend: true });
    await world.createJob('later', { managedBy: ours });
    await finished('later');
    expect(await world.job('other')).toEqual(other);
    const built = await world.job('theirs');
    expect(partOf(built, 'metadata')['annotations']).toEqual(partOf(unmanaged, 'metadata')['annotations']);
    const names = (await world.mirrors()).map((mirror) => partOf(mirror, 'metadata')['name']);
    expect(names).not.toContain('other');
    expect(names).not.toContain('theirs');
  });

  test('deleting a Job that runs deletes its mirror and its pods', async () => {
    await world.createJob('dropped', { managedBy: ours }, { 'sandbox.delegated-jobs.dev/duration': '10m' });
    await until('it runs', async () =>
      partOf(await world.job('dropped'), 'status')['active'] === 1 ? true : undefined,
    );
    const path = `/apis/batch/v1/namespaces/${world.namespace}/jobs/dropped`;
    await world.management.request('DELETE', path, { propagationPolicy: 'Background' });
    await until('the Job, its mirror and its pods are gone', async () => {
      const { body } = await world.worker.request('GET', `/api/v1/namespaces/${world.namespace}/pods`);
      const pods = listOf(body['items']).filter((pod) => String(partOf(pod, 'metadata')['name']).startsWith('dropped'));
      const mirrors = (await world.mirrors()).filter((mirror) => partOf(mirror, 'metadata')['name'] === 'dropped');
      const job = await world.job('dropped');
      return pods.length + mirrors.length === 0 && job === undefined ? true : undefined;
    });
  });

  test('a Job that grows grows there, too', async () => {
    const spec = { managedBy: ours, parallelism: 1, completions: 9 };
    await world.createJob('growing', spec, { 'sandbox.delegated-jobs.dev/duration': '10m' });
    const runs = (count: number): Promise<unknown> =>
      until(`${count} pods run`, async () =>
        partOf(await world.job('growing'), 'status')['active'] === count ? true : undefined,
      );
    await runs(1);
    const path = `/apis/batch/v1/namespaces/${world.namespace}/jobs/growing`;
    await world.management.request('PATCH', path, { spec: { parallelism: 3 } }, mergePatch);
    await runs(3);
  });

  test('the management cluster’s clean-up of finished Jobs is not held up', async () => {
    await world.createJob('short', { managedBy: ours, ttlSecondsAfterFinished: 1 });
    await until('it is finished and gone', async () => {
      const mirrors = (await world.mirrors()).filter((mirror) => partOf(mirror, 'metadata')['name'] === 'short');
      return (await world.job('short')) === undefined && mirrors.length === 0 ? true : undefined;
    });
  });

  test('it ends in good order when asked', async () => {
    expect(await reconciler.stop()).toBe(0);
  });
});
