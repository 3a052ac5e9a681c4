import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explain, type ObservedJob, type Phase, phaseOf, phases, type Situation } from '../../src/model/index.ts';
import { job, mirror, pod, record, retrying, running, situation, suspended, workload } from './builders.ts';

const hints = (code: string) =>
  code === 'Mirrored' || code === 'Assigned'
    ? { level: 'fine' as const, remedy: '' }
    : code === 'NoWorker'
      ? { level: 'attention' as const, remedy: 'Configure a worker.' }
      : { level: 'waiting' as const, remedy: '' };

/** What differs from a Job of ours that was just created; `none`: there is no Job. */
type Parts = Partial<Omit<Situation, 'job'>> & { readonly job?: ObservedJob | 'none' };

type Row = readonly [name: string, parts: Parts, phase: Phase, code: string];

/** The phase, and the reason's code, of one situation. */
function check({ job: given, ...rest }: Parts, phase: Phase, code: string): void {
  const { job: plain, ...base } = situation(rest);
  const whole: Situation = given === 'none' ? base : { ...base, job: given ?? plain ?? job() };
  const reason = explain(whole, hints);
  expect({ phase: phaseOf(whole), code: reason.code }).toEqual({ phase, code });
  expect(reason.text === '').toBe(code === '');
  if (reason.level === 'attention') expect(reason.remedy).not.toBe('');
}

const selected = { worker: 'w1', contact: 'connected', isMirrorGone: false } as const;
const w1 = { selection: selected };
const mk = { controller: 'multikueue' } as const;
const queued = { queueName: 'q' } as const;

const ended: readonly Row[] = [
  ['complete', { job: job({ fate: 'succeeded' }) }, 'Succeeded', ''],
  [
    'failed',
    { job: job({ fate: 'failed', fateReason: 'BackoffLimitExceeded', fateMessage: 'too often' }) },
    'Failed',
    'BackoffLimitExceeded',
  ],
  ['complete, whatever the mirror does', { job: job({ fate: 'succeeded' }), mirror: mirror(running) }, 'Succeeded', ''],
  ['complete, although suspended', { job: job({ fate: 'succeeded', ...suspended }) }, 'Succeeded', ''],
  [
    'complete, although its worker is lost',
    { job: job({ fate: 'succeeded' }), selection: { ...selected, contact: 'unreachable' } },
    'Succeeded',
    '',
  ],
  ['failed and being deleted', { job: job({ fate: 'failed', isDeleting: true }) }, 'Failed', 'Failed'],
  [
    'being deleted while it runs',
    { job: job({ isDeleting: true, ...running, ...record() }), mirror: mirror(running), ...w1 },
    'Deleting',
    'Deleting',
  ],
  ['being deleted, nothing dispatched', { job: job({ isDeleting: true }) }, 'Deleting', 'Deleting'],
  ['success decided, pods still stop', { job: job({ fate: 'succeeding', terminating: 2 }) }, 'Finishing', 'Finishing'],
  ['failure decided', { job: job({ fate: 'failing' }) }, 'Finishing', 'Finishing'],
  [
    'ended on the worker, not copied',
    { job: job(running), mirror: mirror({ fate: 'succeeded' }), ...w1 },
    'Finishing',
    'ResultNotCopied',
  ],
  [
    'failed on the worker, not copied',
    { job: job(running), mirror: mirror({ fate: 'failed' }), ...w1 },
    'Finishing',
    'ResultNotCopied',
  ],
  [
    'ended on the worker, and nobody copies',
    { job: job(running), mirror: mirror({ fate: 'succeeded' }), reconciler: 'not-running' },
    'Finishing',
    'NobodyCopies',
  ],
  [
    'ended on the worker, the Job suspended meanwhile',
    { job: job(suspended), mirror: mirror({ fate: 'succeeded' }) },
    'Finishing',
    'ResultNotCopied',
  ],
  ['decided on the worker', { job: job(running), mirror: mirror({ fate: 'failing' }) }, 'Finishing', 'Finishing'],
];

const lost: readonly Row[] = [
  [
    'worker unreachable',
    {
      job: job({ ...running, ...record() }),
      mirror: mirror(running, { contact: 'unreachable' }),
      selection: { ...selected, contact: 'unreachable' },
    },
    'WorkerLost',
    'Unreachable',
  ],
  [
    'worker unreachable before the mirror was seen',
    { job: job(record()), selection: { ...selected, contact: 'unreachable' } },
    'WorkerLost',
    'Unreachable',
  ],
  [
    'worker out of touch for a moment',
    {
      job: job({ ...running, ...record() }),
      mirror: mirror(running, { contact: 'stale' }),
      selection: { ...selected, contact: 'stale' },
    },
    'Running',
    '',
  ],
  [
    'login to the worker expired: says nothing about the Job',
    {
      job: job({ ...running, ...record() }),
      mirror: mirror(running, { contact: 'auth-needed' }),
      selection: { ...selected, contact: 'auth-needed' },
    },
    'Running',
    '',
  ],
  [
    'somebody else says that the worker is lost',
    {
      job: job({ ...running, ...record({ phaseReason: 'Unreachable' }) }),
      selection: { ...selected, contact: 'unknown' },
    },
    'WorkerLost',
    'Unreachable',
  ],
  [
    'somebody said so, but the mirror is in sight',
    { job: job({ ...running, ...record({ phaseReason: 'Unreachable' }) }), mirror: mirror(running), ...w1 },
    'Running',
    '',
  ],
  [
    'mirror deleted on the worker',
    { job: job({ ...running, ...record({ mirrorUid: 'x' }) }), selection: { ...selected, isMirrorGone: true } },
    'MirrorLost',
    'MirrorDeleted',
  ],
  [
    'the reconciler found the mirror deleted',
    {
      job: job({ ...running, ...record({ phaseReason: 'MirrorDeleted' }) }),
      selection: { ...selected, contact: 'unknown' },
    },
    'MirrorLost',
    'MirrorDeleted',
  ],
  [
    'MultiKueue on an unreachable worker',
    {
      ...mk,
      job: job({ ...running, ...queued }),
      mirror: mirror(running, { contact: 'unreachable' }),
      selection: { ...selected, contact: 'unreachable' },
    },
    'WorkerLost',
    'Unreachable',
  ],
];

const ours: readonly Row[] = [
  ['just created', {}, 'WaitingForWorker', 'NotYetTaken'],
  ['just created, the reconciler runs', { reconciler: 'running' }, 'WaitingForWorker', 'NotYetTaken'],
  ['just created, no reconciler runs', { reconciler: 'not-running' }, 'Unmanaged', 'NoReconciler'],
  ['untouched for a minute', { isPastGrace: true }, 'Unmanaged', 'NoReconciler'],
  [
    'untouched for a minute while the reconciler runs',
    { isPastGrace: true, reconciler: 'running' },
    'WaitingForWorker',
    'NotYetTaken',
  ],
  ['no worker', { job: job({ record: { phaseReason: 'NoWorker' } }) }, 'WaitingForWorker', 'NoWorker'],
  [
    'no worker accepts',
    { job: job({ record: { phaseReason: 'NoWorkerAccepts', phaseMessage: 'w1: quota' } }), isPastGrace: true },
    'WaitingForWorker',
    'NoWorkerAccepts',
  ],
  ['too many mirrors', { job: job({ record: { phaseReason: 'QueuedLocally' } }) }, 'Queued', 'QueuedLocally'],
  ['assigned, mirror not there', { job: job(record()), ...w1 }, 'WorkerSelected', 'MirrorNotThere'],
  [
    'assigned, name taken on the worker',
    { job: job(record({ phaseReason: 'NameConflict' })), ...w1 },
    'WorkerSelected',
    'NameConflict',
  ],
  [
    'assigned, namespace missing there',
    { job: job(record({ phaseReason: 'NamespaceMissing' })), ...w1 },
    'WorkerSelected',
    'NamespaceMissing',
  ],
  [
    'assigned to a worker that this window does not know',
    { job: job(record()), selection: { ...selected, contact: 'unknown' } },
    'WorkerSelected',
    'WorkerNotConnected',
  ],
  [
    'runs on a worker that this window does not know',
    { job: job({ ...running, ...record() }), selection: { ...selected, contact: 'unknown' } },
    'Running',
    '',
  ],
  [
    'mirror made, still suspended',
    { job: job(record()), mirror: mirror(suspended), ...w1 },
    'WorkerSelected',
    'MirrorSuspended',
  ],
  [
    'mirror held by its worker',
    { job: job(record({ phaseReason: 'HeldByWorker' })), mirror: mirror(suspended), ...w1 },
    'WorkerSelected',
    'HeldByWorker',
  ],
  [
    'mirror held by a queue of its worker',
    {
      job: job(record()),
      mirror: mirror(suspended, { workload: workload({ quota: { reason: 'Pending', message: 'no quota' } }) }),
      ...w1,
    },
    'WorkerSelected',
    'Pending',
  ],
  [
    'mirror not started',
    { job: job(record({ phaseReason: 'Mirrored' })), mirror: mirror(), ...w1 },
    'WorkerSelected',
    'MirrorNotStarted',
  ],
  ['mirror runs, status not copied yet', { job: job(record()), mirror: mirror(running), ...w1 }, 'Running', ''],
  [
    'runs',
    { job: job({ ...running, ...record({ phaseReason: 'Mirrored' }) }), mirror: mirror(running), ...w1 },
    'Running',
    '',
  ],
  [
    'runs, somebody changed the mirror',
    { job: job({ ...running, ...record({ phaseReason: 'NoWorker' }) }), mirror: mirror(running), ...w1 },
    'Running',
    'NoWorker',
  ],
  [
    'a pod waits for its image',
    {
      job: job(record()),
      mirror: mirror(running, {
        pods: [pod({ phase: 'Pending', trouble: { reason: 'ImagePullBackOff', message: 'no such image' } })],
      }),
      ...w1,
    },
    'Running',
    'ImagePullBackOff',
  ],
  [
    'a pod finds no node',
    {
      job: job(record()),
      mirror: mirror(running, {
        pods: [pod({ phase: 'Pending', trouble: { reason: 'Unschedulable', message: '0/1 nodes' } })],
      }),
      ...w1,
    },
    'Running',
    'Unschedulable',
  ],
  [
    'a pod that failed long ago is no trouble',
    {
      job: job(record()),
      mirror: mirror(running, { pods: [pod({ phase: 'Failed', trouble: { reason: 'Error', message: '' } })] }),
      ...w1,
    },
    'Running',
    '',
  ],
  ['waits for a back-off', { job: job(record()), mirror: mirror(retrying), ...w1 }, 'Running', 'BackOff'],
  ['no pod could be made', { job: job(record()), mirror: mirror({ startedAt: 1 }), ...w1 }, 'Running', 'NoPods'],
  ['suspended before dispatch', { job: job(suspended) }, 'Suspended', 'Suspended'],
  ['suspended, nobody reconciles', { job: job(suspended), isPastGrace: true }, 'Suspended', 'Suspended'],
  [
    'suspended with its mirror',
    { job: job({ ...suspended, ...record() }), mirror: mirror(suspended), ...w1 },
    'Suspended',
    'Suspended',
  ],
  [
    'being suspended',
    { job: job({ ...suspended, ...record() }), mirror: mirror(running), ...w1 },
    'Running',
    'BeingSuspended',
  ],
];

const multiKueue: readonly Row[] = [
  ['no queue label', { ...mk }, 'Unmanaged', 'NoQueue'],
  ['just created', { ...mk, job: job({ ...queued, ...suspended }) }, 'Queued', 'NotYetSeen'],
  [
    'just created, in a queue that leads elsewhere',
    { ...mk, job: job({ ...queued, ...suspended }), isQueueElsewhere: true },
    'Queued',
    'QueueElsewhere',
  ],
  [
    'no quota yet, in a queue that leads elsewhere',
    {
      ...mk,
      job: job({ ...queued, ...suspended }),
      workload: workload({ quota: { reason: 'Pending', message: 'insufficient unused quota' } }),
      isQueueElsewhere: true,
    },
    'Queued',
    'QueueElsewhere',
  ],
  [
    'admitted here, in a queue that leads elsewhere',
    { ...mk, job: job(queued), workload: workload({ hasQuota: true, isAdmitted: true }), isQueueElsewhere: true },
    'Unmanaged',
    'QueueElsewhere',
  ],
  [
    'on a worker already, when its queue is led elsewhere',
    {
      ...mk,
      job: job(queued),
      workload: workload({ hasQuota: true }),
      mirror: mirror(running),
      isQueueElsewhere: true,
    },
    'Running',
    '',
  ],
  [
    'run here, in a queue that leads elsewhere, as it should',
    { controller: 'built-in', job: job({ ...queued, ...suspended }), isQueueElsewhere: true },
    'Queued',
    'NotYetSeen',
  ],
  [
    'no Workload after a minute',
    { ...mk, job: job({ ...queued, ...suspended }), isPastGrace: true },
    'Unmanaged',
    'NoWorkload',
  ],
  [
    'Workloads can not be read',
    { ...mk, job: job({ ...queued, ...suspended }), isPastGrace: true, workload: 'unreadable' },
    'Queued',
    'KueueHoldsIt',
  ],
  ['not judged', { ...mk, job: job({ ...queued, ...suspended }), workload: workload() }, 'Queued', 'NotYetJudged'],
  [
    'no quota now',
    {
      ...mk,
      job: job(queued),
      workload: workload({ quota: { reason: 'Pending', message: 'insufficient unused quota' } }),
    },
    'Queued',
    'Pending',
  ],
  [
    'never enough quota',
    {
      ...mk,
      job: job(queued),
      workload: workload({ quota: { reason: 'Pending', message: 'insufficient quota for cpu' } }),
    },
    'Queued',
    'Pending',
  ],
  [
    'no such queue',
    {
      ...mk,
      job: job(queued),
      workload: workload({ quota: { reason: 'Inadmissible', message: "LocalQueue x doesn't exist" } }),
    },
    'Queued',
    'Inadmissible',
  ],
  [
    'quota, offered to nobody',
    { ...mk, job: job(queued), workload: workload({ hasQuota: true }) },
    'WaitingForWorker',
    'NoWorkerYet',
  ],
  [
    'quota, nobody admits',
    { ...mk, job: job(queued), workload: workload({ hasQuota: true, nominatedClusters: ['w1', 'w2'] }) },
    'WaitingForWorker',
    'NoWorkerAdmits',
  ],
  [
    'tries again',
    {
      ...mk,
      job: job(queued),
      workload: workload({ hasQuota: true, check: { name: 'mk', state: 'Retry', message: 'lost' } }),
    },
    'WaitingForWorker',
    'CheckRetry',
  ],
  [
    'worker chosen',
    { ...mk, job: job(queued), workload: workload({ hasQuota: true, clusterName: 'w1' }), ...w1 },
    'WorkerSelected',
    'MirrorNotThere',
  ],
  [
    'mirror made',
    {
      ...mk,
      job: job(queued),
      workload: workload({ hasQuota: true, clusterName: 'w1' }),
      mirror: mirror(suspended),
      ...w1,
    },
    'WorkerSelected',
    'MirrorSuspended',
  ],
  [
    'runs while the manager still has it suspended',
    {
      ...mk,
      job: job({ ...queued, ...suspended }),
      workload: workload({ hasQuota: true }),
      mirror: mirror(running),
      ...w1,
    },
    'Running',
    'ManagerNotAdmitted',
  ],
  [
    'runs',
    {
      ...mk,
      job: job({ ...queued, ...running }),
      workload: workload({ hasQuota: true, isAdmitted: true }),
      mirror: mirror(running),
      ...w1,
    },
    'Running',
    '',
  ],
  [
    'runs on a worker out of sight',
    {
      ...mk,
      job: job({ ...queued, ...running }),
      workload: workload({ hasQuota: true, clusterName: 'x' }),
      selection: { worker: 'x', contact: 'unknown', isMirrorGone: false },
    },
    'Running',
    '',
  ],
  [
    'runs, Workloads can not be read',
    { ...mk, job: job({ ...queued, ...running }), workload: 'unreadable' },
    'Running',
    '',
  ],
  [
    'deactivated',
    { ...mk, job: job({ ...queued, ...suspended }), workload: workload({ isInactive: true }) },
    'Suspended',
    'Deactivated',
  ],
  [
    'taken back by a stopped queue',
    {
      ...mk,
      job: job({ ...queued, ...suspended }),
      workload: workload({
        hasQuota: true,
        eviction: { reason: 'LocalQueueStopped', message: 'The LocalQueue is stopped' },
      }),
      mirror: mirror(suspended),
      ...w1,
    },
    'Queued',
    'LocalQueueStopped',
  ],
];

const others: readonly Row[] = [
  ['here, not started', { controller: 'built-in' }, 'Queued', 'NotYetStarted'],
  ['here, runs', { controller: 'built-in', job: job(running) }, 'Running', ''],
  ['here, suspended', { controller: 'built-in', job: job(suspended) }, 'Suspended', 'Suspended'],
  [
    'here, in a queue',
    {
      controller: 'built-in',
      job: job({ ...suspended, ...queued }),
      workload: workload({ quota: { reason: 'Inadmissible', message: "LocalQueue x doesn't exist" } }),
    },
    'Queued',
    'Inadmissible',
  ],
  [
    'here, in a queue that nothing is known of',
    { controller: 'built-in', job: job({ ...suspended, ...queued }), workload: 'unreadable' },
    'Queued',
    'KueueHoldsIt',
  ],
  [
    'unknown controller, just created',
    { controller: 'other', job: job({ managedBy: 'x/y' }) },
    'Queued',
    'NotYetTaken',
  ],
  [
    'unknown controller, untouched for a minute',
    { controller: 'other', job: job({ managedBy: 'x/y' }), isPastGrace: true },
    'Unmanaged',
    'NoController',
  ],
  [
    'unknown controller that has written a status',
    { controller: 'other', job: job({ managedBy: 'x/y', hasStatus: true }), isPastGrace: true },
    'Queued',
    'NotYetTaken',
  ],
  ['unknown controller, runs', { controller: 'other', job: job({ managedBy: 'x/y', ...running }) }, 'Running', ''],
  [
    'unknown controller, suspended',
    { controller: 'other', job: job({ managedBy: 'x/y', ...suspended }) },
    'Suspended',
    'Suspended',
  ],
  ['our mirror without its Job', { job: 'none', mirror: mirror(running) }, 'Orphan', 'JobGone'],
  [
    'our mirror, left behind on purpose',
    {
      job: 'none',
      mirror: mirror({ origin: { kind: 'ours', cluster: 'm', uid: 'x', isDetached: true } }),
    },
    'Orphan',
    'Detached',
  ],
  [
    'a mirror of MultiKueue without a Job here',
    {
      job: 'none',
      controller: 'multikueue',
      mirror: mirror({ origin: { kind: 'multikueue', origin: 'multikueue' } }),
    },
    'Orphan',
    'NoJobHere',
  ],
];

describe('the end', () => test.each(ended)('%s', (_name, parts, phase, code) => check(parts, phase, code)));
describe('loss', () => test.each(lost)('%s', (_name, parts, phase, code) => check(parts, phase, code)));
describe('our reconciler', () => test.each(ours)('%s', (_name, parts, phase, code) => check(parts, phase, code)));
describe('MultiKueue', () => test.each(multiKueue)('%s', (_name, parts, phase, code) => check(parts, phase, code)));
describe('other controllers and orphans', () =>
  test.each(others)('%s', (_name, parts, phase, code) => check(parts, phase, code)));

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const yes = maybe(fc.constant(true as const));
const contact = fc.constantFrom(
  'connecting',
  'connected',
  'stale',
  'auth-needed',
  'misconfigured',
  'forbidden',
  'unreachable',
  'closed',
);

function strip<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

const anyJob = fc
  .record({
    fate: fc.constantFrom('open', 'succeeding', 'succeeded', 'failing', 'failed'),
    isDeleting: yes,
    isSuspended: yes,
    hasStatus: yes,
    active: maybe(fc.constant(1)),
    failed: maybe(fc.constant(1)),
    startedAt: maybe(fc.constant(2)),
    queueName: maybe(fc.constant('q')),
    record: maybe(
      fc
        .constantFrom('Mirrored', 'Unreachable', 'MirrorDeleted', 'NoWorker', 'QueuedLocally', undefined)
        .map((phaseReason) => strip({ workerName: 'w1', phaseReason })),
    ),
  })
  .map((parts) => job(strip(parts) as Partial<Situation['job'] & object>));

const anySituation: fc.Arbitrary<Situation> = fc
  .record({
    job: maybe(anyJob),
    controller: fc.constantFrom('built-in', 'ours', 'multikueue', 'other'),
    selection: maybe(
      fc.record({
        worker: fc.constant('w1'),
        contact: fc.oneof(contact, fc.constant('unknown' as const)),
        isMirrorGone: fc.boolean(),
      }),
    ),
    mirror: maybe(fc.record({ worker: fc.constant('w1'), contact, job: anyJob, pods: fc.constant([]) })),
    workload: fc.oneof(
      fc.constantFrom('none' as const, 'unreadable' as const),
      fc
        .record({
          hasQuota: yes,
          isInactive: yes,
          eviction: maybe(fc.constant({ reason: 'E', message: 'm' })),
          quota: maybe(fc.constant({ reason: 'Q', message: '' })),
        })
        .map((parts) => workload(strip(parts) as object)),
    ),
    isQueueElsewhere: yes,
    reconciler: fc.constantFrom('running', 'not-running', 'unknown'),
    isPastGrace: fc.boolean(),
    management: contact,
  })
  .map((parts) => strip(parts) as Situation);

test('every situation has one phase, and every phase in which a Job waits has a reason', () => {
  fc.assert(
    fc.property(anySituation, (one) => {
      const phase = phaseOf(one);
      const reason = explain(one, hints);
      expect(phases).toContain(phase);
      if (phase !== 'Running' && phase !== 'Succeeded') expect(reason.text).not.toBe('');
      if (reason.level === 'attention') expect(reason.remedy).not.toBe('');
      expect(reason.text).not.toMatch(/undefined|\s\s|\.\./);
    }),
    { numRuns: 5000 },
  );
});
