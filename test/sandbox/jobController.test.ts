import { describe, expect, it } from 'vitest';
import { definitions } from '../../src/sandbox/resources.ts';
import { Rig } from './rig.ts';

/** What the recorded histories don't show. */
describe('the Job controller', () => {
  it.each(['example.com/other', 'kueue.x-k8s.io/multikueue'])('leaves a Job alone that %s manages', (managedBy) => {
    const rig = new Rig();
    rig.createJob('a', { managedBy });
    rig.clock.advance(60_000);
    expect(rig.statusOf('a')).toEqual({});
    expect(rig.pods()).toEqual([]);
    expect(rig.reasons('a')).toEqual([]);
  });

  it('takes its own name for its own', () => {
    const rig = new Rig();
    rig.createJob('a', { managedBy: 'kubernetes.io/job-controller' });
    rig.clock.advance(10_000);
    expect(rig.conditionsOf('a')).toEqual(['SuccessCriteriaMet', 'Complete']);
  });

  it('tells of what it did', () => {
    const rig = new Rig();
    rig.createJob('a');
    rig.clock.advance(10_000);
    expect(rig.reasons('a')).toEqual(['SuccessfulCreate', 'Completed']);
  });

  it('makes pods that belong to their Job and are counted before they may go', () => {
    const rig = new Rig();
    const { uid } = rig.createJob('a', { suspend: false }).metadata;
    rig.clock.advance(10);
    expect(rig.pods()[0]?.metadata).toMatchObject({
      name: expect.stringMatching(/^a-[a-z0-9]{5}$/u),
      labels: { 'batch.kubernetes.io/job-name': 'a', 'batch.kubernetes.io/controller-uid': uid },
      finalizers: ['batch.kubernetes.io/job-tracking'],
      ownerReferences: [{ kind: 'Job', name: 'a', uid, controller: true, blockOwnerDeletion: true }],
    });
    rig.clock.advance(10_000);
    expect(rig.pods()[0]?.metadata.finalizers).toBeUndefined();
  });

  it('tells each pod of an Indexed Job its index', () => {
    const rig = new Rig();
    rig.createJob('a', { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 1 });
    rig.clock.advance(10);
    const index = 'batch.kubernetes.io/job-completion-index';
    expect(rig.pods()[1]).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^a-1-[a-z0-9]{5}$/u),
        labels: { [index]: '1' },
        annotations: { [index]: '1', 'batch.kubernetes.io/job-index-failure-count': '0' },
      },
      spec: {
        hostname: 'a-1',
        containers: [
          {
            env: [
              { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: `metadata.labels['${index}']` } } },
            ],
          },
        ],
      },
    });
  });

  it('doubles the wait after each failure', () => {
    const rig = new Rig();
    rig.createJob('a', { backoffLimit: 3 }, { 'sandbox.delegated-jobs.dev/exit-code': '2' });
    const births: number[] = [];
    rig.cluster.store.onChange(definitions.pods, ({ type }) => {
      if (type === 'ADDED') births.push(rig.clock.monotonicMs());
    });
    rig.clock.advance(300_000);
    const waits = births.map((at, i) => Math.round((at - (births[i - 1] ?? 0)) / 1000)).slice(1);
    expect(waits).toEqual([12, 22, 42]);
    expect(rig.statusOf('a')).toMatchObject({ failed: 4 });
    expect(rig.conditionsOf('a')).toEqual(['FailureTarget', 'Failed']);
    expect(rig.reasons('a').at(-1)).toBe('BackoffLimitExceeded');
  });

  it('shows nothing new while it backs off beside a ready sibling', () => {
    const rig = new Rig({ hasKubelet: false });
    rig.createJob('a', { parallelism: 2, completions: 2 });
    rig.clock.advance(400);
    const [first, second] = rig.pods();
    if (first === undefined || second === undefined) throw new Error('There should be two pods.');
    for (const pod of [first, second]) rig.setPhase(pod, 'Running', { isReady: true });
    rig.clock.advance(2000);
    rig.setPhase(first, 'Failed', { exitCode: 1 });
    rig.clock.advance(8000);
    expect(rig.statusOf('a')).toMatchObject({ active: 2, ready: 2 });
    expect(rig.statusOf('a').failed).toBeUndefined();
    rig.clock.advance(4000);
    expect(rig.statusOf('a')).toMatchObject({ active: 2, ready: 1, failed: 1 });
  });

  it('counts restarts in pods that restart in place', () => {
    const rig = new Rig();
    rig.createJob(
      'a',
      { restartPolicy: 'OnFailure', backoffLimit: 2 },
      { 'sandbox.delegated-jobs.dev/exit-code': '1' },
    );
    rig.clock.advance(120_000);
    expect(rig.conditionsOf('a')).toEqual(['FailureTarget', 'Failed']);
    expect(rig.pods()).toHaveLength(0);
  });

  it.each([
    ['1.35', true],
    ['1.36', false],
  ] as const)('of Kubernetes %s keeps the startTime of a Job that is suspended: %s', (version, isKept) => {
    const rig = new Rig({ version });
    rig.createJob('a', {}, { 'sandbox.delegated-jobs.dev/duration': '1m' });
    rig.clock.advance(3000);
    rig.patchJob('a', { spec: { suspend: true } });
    rig.clock.advance(3000);
    expect(rig.statusOf('a').startTime !== undefined).toBe(isKept);
    rig.patchJob('a', { spec: { suspend: false } });
    rig.clock.advance(100_000);
    expect(rig.conditionsOf('a')).toEqual(['SuccessCriteriaMet', 'Complete']);
  });

  it('says so when pods cannot be made, and makes them when they can', () => {
    const rig = new Rig();
    const { api } = rig.cluster;
    api.create(definitions.resourceQuotas, 'default', { metadata: { name: 'small' }, spec: { hard: { pods: '1' } } });
    rig.createJob('a', { completions: 2, parallelism: 2 });
    rig.clock.advance(1500);
    expect(rig.statusOf('a')).toMatchObject({ active: 1 });
    expect(rig.reasons('a')).toContain('FailedCreate');
    const told = rig.cluster.store.list(definitions.events, 'default').find(({ reason }) => reason === 'FailedCreate');
    expect(told?.['message']).toMatch(/exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1$/u);
    api.delete(definitions.resourceQuotas, 'default', 'small');
    rig.clock.advance(60_000);
    expect(rig.conditionsOf('a')).toContain('Complete');
  });

  it('brings hundreds of Jobs to their ends', () => {
    const rig = new Rig();
    const names = Array.from({ length: 300 }, (_, i) => `job-${i}`);
    for (const name of names) rig.createJob(name);
    rig.clock.advance(10_000);
    expect(names.filter((name) => rig.conditionsOf(name).includes('Complete'))).toHaveLength(300);
  });
});

describe('the TTL controller', () => {
  it('deletes finished Jobs, also those that another controller manages', () => {
    const rig = new Rig();
    const job = rig.createJob('a', { managedBy: 'example.com/other', ttlSecondsAfterFinished: 60 });
    const at = '2026-11-29T12:00:00Z';
    const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: at });
    const status = {
      startTime: at,
      completionTime: at,
      conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
    };
    rig.cluster.api.update(definitions.jobs, 'default', 'a', { ...job, status }, { subresource: 'status' });
    rig.clock.advance(59_000);
    expect(rig.find(definitions.jobs, 'a')).toBeDefined();
    rig.clock.advance(2000);
    expect(rig.find(definitions.jobs, 'a')).toBeUndefined();
  });

  it('minds a time that is raised meanwhile', () => {
    const rig = new Rig();
    rig.createJob('a', { ttlSecondsAfterFinished: 10 });
    rig.clock.advance(5000);
    rig.patchJob('a', { spec: { ttlSecondsAfterFinished: 100 } });
    rig.clock.advance(30_000);
    expect(rig.find(definitions.jobs, 'a')).toBeDefined();
    rig.clock.advance(100_000);
    expect(rig.find(definitions.jobs, 'a')).toBeUndefined();
  });
});

describe('a deleted Job', () => {
  function check(policy: 'Background' | 'Foreground' | 'Orphan' | undefined, podsAreKept: boolean): void {
    const rig = new Rig();
    rig.createJob('a', {}, { 'sandbox.delegated-jobs.dev/duration': '5m' });
    rig.clock.advance(3000);
    rig.deleteJob('a', policy);
    rig.clock.advance(5000);
    expect(rig.find(definitions.jobs, 'a')).toBeUndefined();
    expect(rig.pods()).toHaveLength(podsAreKept ? 1 : 0);
    // Nothing may hold a pod that nobody counts any more.
    expect(rig.pods()[0]?.metadata.finalizers).toBeUndefined();
    expect(rig.pods()[0]?.metadata.ownerReferences).toBeUndefined();
  }

  it.each([
    ['in the background takes its pods along', 'Background', false],
    ['in the foreground takes its pods along', 'Foreground', false],
    ['that orphans leaves its pods', 'Orphan', true],
    ['without a policy leaves its pods', undefined, true],
  ] as const)('%s', (_, policy, podsAreKept) => check(policy, podsAreKept));

  it('in the foreground goes after its pods', () => {
    const rig = new Rig();
    rig.createJob('a', {}, { 'sandbox.delegated-jobs.dev/duration': '5m' });
    rig.clock.advance(3000);
    const gone: string[] = [];
    for (const type of [definitions.jobs, definitions.pods]) {
      rig.cluster.store.onChange(type, (change) => {
        if (change.type === 'DELETED') gone.push(type.kind);
      });
    }
    rig.deleteJob('a', 'Foreground');
    rig.clock.advance(100);
    expect(rig.job('a').metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      finalizers: ['foregroundDeletion'],
    });
    rig.clock.advance(5000);
    expect(gone).toEqual(['Pod', 'Job']);
  });
});

describe('the garbage collector', () => {
  const owner = (uid: string, name: string) => [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];

  it('keeps what still has an owner, without the reference to the dead one', () => {
    const rig = new Rig();
    const { api } = rig.cluster;
    const [a, b] = ['a', 'b'].map(
      (name) => api.create(definitions.configMaps, 'default', { metadata: { name } }).object,
    );
    if (a === undefined || b === undefined) throw new Error('There should be two.');
    const ownerReferences = [...owner(a.metadata.uid, 'a'), ...owner(b.metadata.uid, 'b')];
    api.create(definitions.configMaps, 'default', { metadata: { name: 'child', ownerReferences } });
    api.delete(definitions.configMaps, 'default', 'a');
    rig.clock.advance(1000);
    expect(rig.find(definitions.configMaps, 'child')?.metadata.ownerReferences).toEqual(owner(b.metadata.uid, 'b'));
    api.delete(definitions.configMaps, 'default', 'b');
    rig.clock.advance(1000);
    expect(rig.find(definitions.configMaps, 'child')).toBeUndefined();
  });

  it('removes what names an owner that never was', () => {
    const rig = new Rig();
    const ownerReferences = owner('00000000-0000-0000-0000-000000000000', 'nobody');
    rig.cluster.api.create(definitions.configMaps, 'default', { metadata: { name: 'child', ownerReferences } });
    rig.clock.advance(1000);
    expect(rig.find(definitions.configMaps, 'child')).toBeUndefined();
  });
});

describe('a deleted namespace', () => {
  it('goes with all that is in it', () => {
    const rig = new Rig();
    const { api, store } = rig.cluster;
    api.create(definitions.namespaces, undefined, { metadata: { name: 'demo' } });
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
    api.create(definitions.jobs, 'demo', { metadata: { name: 'a' }, spec: { template } });
    api.create(definitions.configMaps, 'demo', { metadata: { name: 'b' } });
    rig.clock.advance(1000);
    expect(store.list(definitions.pods, 'demo')).toHaveLength(1);
    api.delete(definitions.namespaces, undefined, 'demo');
    expect(() => api.create(definitions.configMaps, 'demo', { metadata: { name: 'c' } })).toThrow(
      'because it is being terminated',
    );
    rig.clock.advance(5000);
    expect(rig.find(definitions.namespaces, 'demo')).toBeUndefined();
    for (const type of [definitions.jobs, definitions.pods, definitions.events])
      expect(store.list(type, 'demo')).toEqual([]);
  });

  it('waits for what is held', () => {
    const rig = new Rig();
    const { api } = rig.cluster;
    api.create(definitions.namespaces, undefined, { metadata: { name: 'demo' } });
    api.create(definitions.configMaps, 'demo', { metadata: { name: 'b', finalizers: ['example.com/hold'] } });
    api.delete(definitions.namespaces, undefined, 'demo');
    rig.clock.advance(5000);
    expect(rig.find(definitions.namespaces, 'demo')).toMatchObject({ status: { phase: 'Terminating' } });
    const patch = { mediaType: 'application/merge-patch+json', body: { metadata: { finalizers: null } } } as const;
    api.patch(definitions.configMaps, 'demo', 'b', patch);
    rig.clock.advance(1000);
    expect(rig.find(definitions.namespaces, 'demo')).toBeUndefined();
  });
});
