import { describe, expect, test } from 'vitest';
import type { Job, KubeObject } from '../../src/kube/index.ts';
import { workloadHash } from '../../src/model/join.ts';
import { type FedEvent, HandFedModel } from './replayedClusters.ts';

const ours = 'delegated-jobs.dev/reconciler';
const multiKueue = 'kueue.x-k8s.io/multikueue';

interface Shape {
  readonly uid?: string;
  readonly name?: string;
  readonly managedBy?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: Job['status'];
}

let version = 0;

function event(
  type: FedEvent['type'],
  { uid = 'j1', name = 'a', managedBy, labels = {}, annotations = {}, status }: Shape,
): FedEvent {
  const metadata = {
    uid,
    name,
    namespace: 'default',
    resourceVersion: String(++version),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
    annotations,
  };
  const spec = { template: {}, ...(managedBy === undefined ? {} : { managedBy }) };
  return {
    type,
    object: { apiVersion: 'batch/v1', kind: 'Job', metadata, spec, ...(status === undefined ? {} : { status }) },
  };
}

function ourLabels(originUid: string, cluster = 'm-uid'): Readonly<Record<string, string>> {
  return { 'delegated-jobs.dev/origin-uid': originUid, 'delegated-jobs.dev/origin-cluster': cluster };
}

function kueueLabels(workload?: string): Readonly<Record<string, string>> {
  return {
    'kueue.x-k8s.io/multikueue-origin': 'multikueue',
    ...(workload === undefined ? {} : { 'kueue.x-k8s.io/prebuilt-workload-name': workload }),
  };
}

function recorded(mirrorUid: string, mirrorName = 'a'): Readonly<Record<string, string>> {
  const prefix = 'delegated-jobs.dev/';
  return {
    [`${prefix}worker-uid`]: 'w1-uid',
    [`${prefix}worker-name`]: 'first',
    [`${prefix}mirror-name`]: mirrorName,
    [`${prefix}mirror-uid`]: mirrorUid,
  };
}

function workloadEvent(name: string, jobUid: string): FedEvent {
  const object: KubeObject = {
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'Workload',
    metadata: {
      uid: `wl-${name}`,
      name,
      namespace: 'default',
      resourceVersion: String(++version),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'kueue.x-k8s.io/job-uid': jobUid },
    },
  };
  return { type: 'ADDED', object };
}

const runs = { active: 1, startTime: '2026-01-01T00:00:00Z' };
const w1 = (feed: FedEvent): readonly [string, FedEvent] => ['w1', feed];
const w2 = (feed: FedEvent): readonly [string, FedEvent] => ['w2', feed];
const manager = (feed: FedEvent): readonly [string, FedEvent] => ['', feed];

/** Feeds the events and tells what the rows say: by the Job's name, or the mirror's with its worker. */
function check(
  events: readonly (readonly [string, FedEvent])[],
  expected: Record<string, string>,
  prepare: (fed: HandFedModel) => void = () => undefined,
): void {
  const fed = new HandFedModel(['w1', 'w2']);
  fed.now = Date.parse('2026-01-01T01:00:00Z');
  prepare(fed);
  for (const [cluster, feed] of events) fed.feed(cluster, feed);
  expect(fed.view()).toEqual(expected);
}

describe('our mirrors', () => {
  const delegated = manager(event('ADDED', { managedBy: ours, annotations: recorded('m1') }));
  test('join by the UID that they carry', () =>
    check([delegated, w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1'), status: runs }))], { a: 'Running w1' }));
  test('join whichever is seen first', () =>
    check([w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1'), status: runs })), delegated], { a: 'Running w1' }));
  test('join under another name, if the record says so', () =>
    check(
      [
        manager(event('ADDED', { managedBy: ours, annotations: recorded('m1', 'a-x1') })),
        w1(event('ADDED', { uid: 'm1', name: 'a-x1', labels: ourLabels('j1'), status: runs })),
      ],
      { a: 'Running w1' },
    ));
  test('do not join a Job of the same name that was made anew', () =>
    check(
      [
        manager(event('ADDED', { uid: 'j2', managedBy: ours })),
        w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1'), status: runs })),
      ],
      {
        a: 'Unmanaged - NoReconciler',
        'a (w1)': 'Orphan w1 JobGone',
      },
    ));
  test('of another management cluster are nobody’s business here', () =>
    check([w1(event('ADDED', { uid: 'm1', labels: ourLabels('j9', 'other'), status: runs }))], {}));
  test('are no orphans while the Jobs are not all known', () =>
    check([w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1') }))], {}, (fed) => {
      fed.management.isComplete = false;
    }));
  test('are no orphans while the management cluster is out of touch', () =>
    check([w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1') }))], {}, (fed) => {
      fed.management.status = { contact: 'unreachable' };
    }));
  test('become orphans when their Job goes', () =>
    check(
      [
        delegated,
        w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1'), status: runs })),
        manager(event('DELETED', {})),
      ],
      { 'a (w1)': 'Orphan w1 JobGone' },
    ));
  test('of an earlier attempt stand behind the recorded one', () => {
    const fed = new HandFedModel(['w1', 'w2']);
    fed.feed(...manager(event('ADDED', { managedBy: ours, annotations: recorded('m2') })));
    fed.feed(...w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1'), status: runs })));
    fed.feed(...w2(event('ADDED', { uid: 'm2', labels: ourLabels('j1') })));
    expect(fed.model.row('job:j1')?.mirrors.map(({ worker, job }) => [worker, job.uid])).toEqual([
      ['w2', 'm2'],
      ['w1', 'm1'],
    ]);
  });
  test('are found by the name of their Job as well', () => {
    const fed = new HandFedModel(['w1', 'w2']);
    fed.feed(...delegated);
    fed.feed(...w1(event('ADDED', { uid: 'm1', labels: ourLabels('j1'), status: runs })));
    expect(fed.model.rowNamed('default', 'a')).toEqual(fed.model.row('job:j1'));
    expect(fed.model.rowNamed('default', 'b')).toBeUndefined();
    expect(fed.model.rowNamed('other', 'a')).toBeUndefined();
  });
  test('that are missing are given a moment before they count as deleted', () => {
    const fed = new HandFedModel(['w1', 'w2']);
    fed.feed(...delegated);
    expect(fed.view()).toEqual({ a: 'WorkerSelected w1 MirrorNotThere' });
    fed.now += 5_000;
    expect(fed.view()).toEqual({ a: 'MirrorLost w1 MirrorDeleted' });
  });
  test('that are missing on a worker out of touch are not called deleted', () => {
    const fed = new HandFedModel(['w1', 'w2']);
    for (const worker of fed.workers) worker.status = { contact: 'auth-needed' };
    fed.feed(...delegated);
    fed.view();
    fed.now += 60_000;
    expect(fed.view()).toEqual({ a: 'WorkerSelected w1 MirrorNotThere' });
  });
});

describe("MultiKueue's mirrors", () => {
  const queue = { 'kueue.x-k8s.io/queue-name': 'q' };
  const delegated = manager(event('ADDED', { managedBy: multiKueue, labels: queue }));
  const own = `job-a-${workloadHash({ name: 'a', uid: 'j1' })}`;
  test('join by the hash of the UID in the name of their Workload', () =>
    check([delegated, w2(event('ADDED', { uid: 'm1', labels: kueueLabels(own), status: runs }))], { a: 'Running w2' }));
  test('do not join a Job of the same name that was made anew', () =>
    check([delegated, w2(event('ADDED', { uid: 'm1', labels: kueueLabels('job-a-00000'), status: runs }))], {
      a: 'Unmanaged - NoWorkload',
      'a (w2)': 'Orphan w2 NoJobHere',
    }));
  test('join by the Workload itself where that can be read', () =>
    check(
      [
        delegated,
        manager(workloadEvent('job-a-elastic', 'j1')),
        w2(event('ADDED', { uid: 'm1', labels: kueueLabels('job-a-elastic'), status: runs })),
      ],
      { a: 'Running w2' },
    ));
  test('join by origin and name where there is nothing better', () =>
    check([delegated, w2(event('ADDED', { uid: 'm1', labels: kueueLabels(), status: runs }))], { a: 'Running w2' }));
  test('never join by name alone', () =>
    check([delegated, w2(event('ADDED', { uid: 'm1', status: runs }))], { a: 'Unmanaged - NoWorkload' }));
});

describe("a Job's queue", () => {
  const labels = { 'kueue.x-k8s.io/queue-name': 'astray' };
  test.each<[string, string, boolean | undefined]>([
    ['leads elsewhere: nobody will run the Job', 'QueueElsewhere', false],
    ['leads to MultiKueue', 'NotYetJudged', true],
    ['leads nobody knows where', 'NotYetJudged', undefined],
  ])('%s', (_, code, leads) => {
    const asked: string[] = [];
    const leadsToMultiKueue = (namespace: string, queue: string): boolean | undefined => {
      asked.push(`${namespace}/${queue}`);
      return leads;
    };
    const fed = new HandFedModel(['w1'], { leadsToMultiKueue });
    fed.feed('', event('ADDED', { managedBy: multiKueue, labels }));
    fed.feed('', workloadEvent('job-a', 'j1'));
    expect(fed.view()).toEqual({ a: `Queued - ${code}` });
    expect(new Set(asked)).toEqual(new Set(['default/astray']));
  });
});
