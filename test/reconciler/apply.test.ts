import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import type { Job } from '../../src/kube/index.ts';
import { applyAction, statusPatch } from '../../src/reconciler/apply.ts';
import { buildMirror } from '../../src/reconciler/mirrorObject.ts';
import { type DispatchRecord, mirrorFinalizer, recordKeys } from '../../src/reconciler/record.ts';
import type { Action } from '../../src/reconciler/situation.ts';
import { conditions, manifest, workerUid } from './builders.ts';
import { FakeCluster, type StoredObject } from './fakeCluster.ts';

const never = new AbortController().signal;
const record: DispatchRecord = {
  workerUid,
  workerName: 'w',
  attempt: 1,
  mirrorName: 'a',
  mirrorUid: undefined,
  phaseReason: undefined,
  refusedBy: [],
  hasFinalizer: true,
};

function asJob(object: StoredObject | undefined): Job {
  if (object === undefined) throw new Error('There is no such Job.');
  return object as unknown as Job;
}

describe('every write is void if the object has changed since', () => {
  const rows: readonly [string, (job: Job) => Action][] = [
    ['the assignment', (job) => ({ kind: 'assign', job, workerUid, workerName: 'w', attempt: 1 })],
    ['the mirror’s UID', (job) => ({ kind: 'record-mirror', job, record, mirrorUid: 'm' })],
    ['the status', (job) => ({ kind: 'write-status', job, status: { active: 1 }, isTerminal: false })],
    ['the release', (job) => ({ kind: 'release', job, phase: 'Done' })],
    ['a note', (job) => ({ kind: 'note-reason', job, reason: 'NoWorker', message: '' })],
    [
      'the start',
      (job) => ({ kind: 'adjust-mirror', job, record, mirror: job, changes: { suspend: true }, isCorrection: false }),
    ],
    ['the detachment', (job) => ({ kind: 'detach-mirror', record, mirror: job })],
    ['the deletion', (job) => ({ kind: 'delete-mirror', record, mirror: job, why: '' })],
  ];
  test.each(rows)('%s', async (_name, actionOn) => {
    const cluster = new FakeCluster('c', () => 0);
    const job = asJob(cluster.add('user', manifest('a')));
    cluster.edit('user', 'default', 'a', { metadata: { labels: { changed: 'yes' } } });
    const before = cluster.commits.length;
    await expect(applyAction(actionOn(job), cluster.client('us'), never)).rejects.toMatchObject({ kind: 'conflict' });
    expect(cluster.commits).toHaveLength(before);
    await expect(
      applyAction(actionOn(asJob(cluster.job('default', 'a'))), cluster.client('us'), never),
    ).resolves.toBeDefined();
  });
  test.each(rows)('%s, or is another of the same version, as in another cluster', async (_name, actionOn) => {
    const cluster = new FakeCluster('c', () => 0);
    const job = asJob(cluster.add('user', manifest('a')));
    const before = cluster.commits.length;
    const other = { ...job, metadata: { ...job.metadata, uid: 'other' } };
    await expect(applyAction(actionOn(other), cluster.client('us'), never)).rejects.toBeDefined();
    expect(cluster.commits).toHaveLength(before);
  });
});

describe('an action', () => {
  test('writes assignment and finalizer in one patch, beside what is there', async () => {
    const cluster = new FakeCluster('c', () => 0);
    const job = asJob(cluster.add('user', manifest('a', {}, { annotations: { k: 'v' }, finalizers: ['x/y'] })));
    await applyAction({ kind: 'assign', job, workerUid, workerName: 'w', attempt: 1 }, cluster.client('us'), never);
    expect(cluster.commits).toHaveLength(2);
    expect(cluster.job('default', 'a')?.metadata).toMatchObject({
      finalizers: ['x/y', mirrorFinalizer],
      annotations: {
        k: 'v',
        [recordKeys.workerUid]: workerUid,
        [recordKeys.mirrorName]: 'a',
        [recordKeys.attempt]: '1',
      },
    });
  });
  test('stores an end and releases the Job in one write, unless it is being deleted', async () => {
    for (const isDeleted of [false, true]) {
      const cluster = new FakeCluster('c', () => 0);
      cluster.add('user', manifest('a', {}, { finalizers: [mirrorFinalizer, 'x/y'] }));
      if (isDeleted) cluster.remove('user', 'jobs', 'default', 'a');
      const job = asJob(cluster.job('default', 'a'));
      const status = {
        startTime: '2026-01-01T10:00:00Z',
        completionTime: '2026-01-01T10:00:30Z',
        conditions: conditions('SuccessCriteriaMet', 'Complete'),
      };
      await applyAction({ kind: 'write-status', job, status, isTerminal: true }, cluster.client('us'), never);
      const kept = isDeleted ? [mirrorFinalizer, 'x/y'] : ['x/y'];
      expect(cluster.job('default', 'a')).toMatchObject({ status, metadata: { finalizers: kept } });
    }
  });
  test('takes off our finalizer alone', async () => {
    const cluster = new FakeCluster('c', () => 0);
    const job = asJob(cluster.add('user', manifest('a', {}, { finalizers: [mirrorFinalizer, 'x/y'] })));
    await applyAction({ kind: 'release', job, phase: undefined }, cluster.client('us'), never);
    expect(cluster.job('default', 'a')?.metadata.finalizers).toEqual(['x/y']);
  });
  test('leaves fields that this program does not know', async () => {
    const status = statusPatch(
      { active: 2, startTime: 't', newer: { deep: 1 } } as object,
      { active: 1, newer: { deep: 1 } } as object,
    );
    expect(status).toEqual({ active: 1, startTime: null });
  });
  test('creates the mirror as it was built', async () => {
    const cluster = new FakeCluster('c', () => 0);
    const job = asJob(new FakeCluster('m', () => 0).add('user', manifest('a')));
    const body: JsonObject = buildMirror(job, record, 'm');
    const { mirror } = await applyAction({ kind: 'create-mirror', job, record, body }, cluster.client('us'), never);
    expect(mirror?.spec).toMatchObject({ suspend: true });
  });
});
