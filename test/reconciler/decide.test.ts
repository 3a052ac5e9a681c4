import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/kube/index.ts';
import { decide } from '../../src/reconciler/decide.ts';
import { buildMirror } from '../../src/reconciler/mirrorObject.ts';
import type { Reason } from '../../src/reconciler/reasons.ts';
import { mirrorFinalizer, mirrorKeys, recordKeys } from '../../src/reconciler/record.ts';
import type {
  Action,
  Candidate,
  Decision,
  Facts,
  MirrorObservation,
  Situation,
} from '../../src/reconciler/situation.ts';
import { conditions, type JobBuilder, job, managementUid, ourController, workerUid } from './builders.ts';

const facts: Facts = {
  controllerName: ourController,
  originCluster: managementUid,
  isNamespaceEnabled: true,
  candidates: [candidate('worker-1', workerUid), candidate('worker-2', 'cluster-worker-2')],
  maxLiveMirrors: 50,
  isLeading: true,
  observedAt: Date.parse('2026-01-01T12:00:00Z'),
  workerAheadMs: undefined,
  retainMs: 600_000,
  othersAssignMs: 60_000,
  statusPauseMs: 0,
  refusal: undefined,
  strayOn: undefined,
  wasRefused: () => false,
  judge: () => [],
};

function candidate(name: string, uid: string | undefined, more: Partial<Candidate> = {}): Candidate {
  return { name, uid, blocked: undefined, liveMirrors: 0, ...more };
}

interface Case {
  readonly job?: JobBuilder;
  readonly mirror?: JobBuilder | Exclude<MirrorObservation, { kind: 'present' }>;
  readonly facts?: Partial<Facts>;
  readonly departed?: Situation['departed'];
}

function decisionOf({ job: origin, mirror = { kind: 'not-looked' }, facts: more = {}, departed }: Case): Decision {
  return decide({
    management: origin === undefined ? { kind: 'absent' } : { kind: 'present', job: origin.build() },
    mirror: 'kind' in mirror ? mirror : { kind: 'present', job: mirror.build() },
    facts: { ...facts, ...more },
    departed,
  });
}

/** What is to be done, in a word: an action's kind, or the reason of a wait. */
function check(situation: Case, expected: Action['kind'] | Reason): Decision {
  const decision = decisionOf(situation);
  expect(decision.kind === 'wait' ? decision.reason : decision.kind).toBe(expected);
  return decision;
}

const absent = { kind: 'absent' } as const;
const finished = { startTime: '2026-01-01T10:00:00Z', completionTime: '2026-01-01T10:00:30Z', succeeded: 1 };
const complete = { ...finished, conditions: conditions('SuccessCriteriaMet', 'Complete') };
const failed = { startTime: '2026-01-01T10:00:00Z', failed: 1, conditions: conditions('FailureTarget', 'Failed') };

function assigned(more: Readonly<Record<string, string>> = {}): JobBuilder {
  return job()
    .annotations({
      [recordKeys.version]: '1',
      [recordKeys.workerUid]: workerUid,
      [recordKeys.workerName]: 'worker-1',
      [recordKeys.attempt]: '1',
      [recordKeys.mirrorName]: 'a',
      ...more,
    })
    .finalizers(mirrorFinalizer);
}
function recorded(more: Readonly<Record<string, string>> = {}): JobBuilder {
  return assigned({ [recordKeys.mirrorUid]: 'mirror', ...more });
}
function released(more: Readonly<Record<string, string>> = {}): JobBuilder {
  return recorded(more).finalizers();
}

/** The mirror as our own build makes it and a server returns it. */
function created(origin: Job = job().build()): JobBuilder {
  const body = buildMirror(origin, { attempt: 1, mirrorName: 'a' }, managementUid);
  const metadata = body['metadata'] as { labels: Record<string, string>; annotations: Record<string, string> };
  return job().uid('mirror').managedBy(undefined).suspended().labels(metadata.labels).annotations(metadata.annotations);
}
function started(): JobBuilder {
  return created()
    .suspended(false)
    .annotations({ [mirrorKeys.appliedGeneration]: '1' });
}

describe('a Job that is not ours to touch', () => {
  test('of another controller', () => void check({ job: job().managedBy('kueue.x-k8s.io/multikueue') }, 'NotOurs'));
  test('of nobody', () => void check({ job: job().managedBy(undefined) }, 'NotOurs'));
  test('in another namespace', () =>
    void check({ job: job(), facts: { isNamespaceEnabled: false } }, 'NamespaceNotEnabled'));
  test('of another controller, although it carries our record', () => {
    check({ job: recorded().managedBy('example.com/other').deleting(), mirror: absent }, 'NotOurs');
  });
  test('that a newer version looks after', () =>
    void check({ job: recorded({ [recordKeys.version]: '2' }) }, 'RecordNewer'));
  test.each([
    ['lost its worker', recorded({ [recordKeys.workerUid]: '' })],
    ['lost its record, not its finalizer', job().finalizers(mirrorFinalizer)],
    ['has an attempt that is no number', recorded({ [recordKeys.attempt]: 'x' })],
    ['has a version that is no number', recorded({ [recordKeys.version]: 'x' })],
  ])('whose record %s', (_name, origin) => void check({ job: origin, mirror: absent }, 'RecordCorrupt'));
  test('whose record was spoiled says how to delete it all the same', () => {
    const spoiled = recorded({ [recordKeys.workerUid]: '' });
    expect(check({ job: spoiled.deleting() }, 'RecordCorrupt')).toMatchObject({
      message: expect.stringMatching(
        /^missing: .*worker-uid\. .*kubectl patch job a .*'\{"metadata":\{"finalizers":\[\]\}\}'/,
      ),
    });
    check({ job: spoiled.finalizers() }, 'RecordCorrupt');
  });
  test('while another leads', () =>
    void check({ job: recorded(), mirror: absent, facts: { isLeading: false } }, 'NotLeading'));
  test('on a worker that nobody here knows', () => {
    const unknown = { isLeading: false, candidates: [candidate('other', 'x')] };
    expect(check({ job: recorded(), facts: unknown }, 'WorkerNotConfigured')).toMatchObject({
      message: `The worker is "worker-1", cluster ${workerUid}.`,
    });
    expect(check({ job: recorded().deleting(), facts: unknown }, 'WorkerNotConfigured')).toMatchObject({
      message: expect.stringContaining('kubectl patch job a '),
    });
  });
  test('on a worker that has not told yet who it is', () => {
    const silent = (name: string, reason: Reason): Candidate =>
      candidate(name, undefined, { blocked: { reason, message: 'why' } });
    const candidates = [silent('other', 'Unreachable'), silent('worker-1', 'LoginExpired')];
    const facts = { isLeading: false, candidates };
    expect(check({ job: recorded(), facts }, 'LoginExpired')).toMatchObject({ message: 'worker-1: why' });
    check({ job: recorded(), facts: { ...facts, candidates: candidates.slice(0, 1) } }, 'Unreachable');
  });
});

describe('a Job without a worker', () => {
  test('gets the first that takes it', () => {
    expect(check({ job: job() }, 'assign')).toMatchObject({ workerUid, workerName: 'worker-1', attempt: 1 });
  });
  test('gets none if it ran before its record was taken off', () => {
    check({ job: job().status({ startTime: '2026-01-01T10:00:00Z', ready: 0 }) }, 'RecordCorrupt');
    check({ job: job().suspended().status({ ready: 0, terminating: 0 }) }, 'RecordCorrupt');
    check({ job: job().status({ conditions: conditions('Suspended') }) }, 'assign');
  });
  test('gets the one that it names', () => {
    const origin = job().annotations({ [recordKeys.requestedWorker]: 'worker-2' });
    expect(check({ job: origin }, 'assign')).toMatchObject({ workerName: 'worker-2' });
  });
  test('gets none that it does not know', () => {
    check({ job: job().annotations({ [recordKeys.requestedWorker]: 'x' }) }, 'UnknownWorker');
  });
  test('passes over one that does not answer', () => {
    const blocked = { reason: 'Unreachable', message: 'no route' } as const;
    const candidates = [candidate('worker-1', workerUid, { blocked }), candidate('worker-2', 'two')];
    expect(check({ job: job(), facts: { candidates } }, 'assign')).toMatchObject({ workerName: 'worker-2' });
  });
  test('is left to whoever leads for the preferred one', () => {
    const blocked = { reason: 'NotLeading', message: '' } as const;
    const candidates = [candidate('worker-1', workerUid, { blocked }), candidate('worker-2', 'two')];
    check({ job: job(), facts: { candidates } }, 'NotLeading');
  });
  test('waits for room', () => {
    check({ job: job(), facts: { maxLiveMirrors: 0 } }, 'QueuedLocally');
  });
  test('says of each why none takes it', () => {
    const blocked = { reason: 'Forbidden', message: 'cannot create jobs' } as const;
    const candidates = [candidate('worker-1', undefined), candidate('worker-2', 'two', { blocked })];
    expect(check({ job: job(), facts: { candidates } }, 'NoWorkerAccepts')).toMatchObject({
      message: 'worker-1: not reached yet; worker-2: cannot create jobs',
    });
  });
  test('is not sent to the management cluster itself', () => {
    const blocked = { reason: 'SameCluster', message: 'itself' } as const;
    check({ job: job(), facts: { candidates: [candidate('w', 'x', { blocked })] } }, 'SameCluster');
  });
  test('waits for any to be configured', () => void check({ job: job(), facts: { candidates: [] } }, 'NoWorker'));
  test.each<[string, JobBuilder, Action['kind'] | Reason]>([
    ['deleting', job().deleting(), 'Deleting'],
    ['finished', job().status(complete), 'Finished'],
    ['with a verdict of somebody else', job().status({ conditions: conditions('FailureTarget') }), 'FateDecided'],
    ['with a selector of its own', job().spec({ manualSelector: true }), 'ManualSelectorUnsupported'],
    ['suspended', job().suspended(), 'write-status'],
    [
      'suspended and said so',
      job()
        .suspended()
        .status({ conditions: [suspended('True')] }),
      'Suspended',
    ],
  ])('is not dispatched when %s', (_name, origin, expected) => void check({ job: origin }, expected));
});

function suspended(status: string) {
  return {
    type: 'Suspended',
    status,
    reason: 'JobSuspended',
    message: 'Job suspended',
    lastTransitionTime: '2026-01-01T10:00:00Z',
  };
}

describe('an assigned Job without a mirror on record', () => {
  test('gets its mirror made once the worker said there is none', () =>
    void check({ job: assigned(), mirror: absent }, 'create-mirror'));
  test('gets it made right after the assignment', () =>
    void check({ job: assigned(), mirror: { kind: 'not-made' } }, 'create-mirror'));
  test('waits while the worker does not answer', () => {
    const mirror = { kind: 'unknown', reason: 'Unreachable', message: 'no route', afterMs: 5000 } as const;
    expect(check({ job: assigned(), mirror }, 'Unreachable')).toMatchObject({ afterMs: 5000 });
  });
  test('gets none while it is suspended', () =>
    void check({ job: assigned().suspended(), mirror: absent }, 'write-status'));
  test('records a mirror that an earlier life made', () => {
    expect(check({ job: assigned(), mirror: created() }, 'record-mirror')).toMatchObject({ mirrorUid: 'mirror' });
  });
  test('waits for a mirror that is being deleted', () =>
    void check({ job: assigned(), mirror: created().deleting() }, 'MirrorDeleting'));
  test('notes that nobody would run the mirror, then deletes it, then makes no other', () => {
    const mirror = created().managedBy('example.com/other');
    expect(check({ job: assigned(), mirror }, 'note-reason')).toMatchObject({ reason: 'MirrorNotRunnable' });
    const noted = assigned({ [recordKeys.phaseReason]: 'MirrorNotRunnable' });
    check({ job: noted, mirror }, 'delete-mirror');
    check({ job: noted, mirror: absent }, 'MirrorNotRunnable');
  });
  const refusal = { reason: 'QuotaExceeded', message: 'exceeded quota', afterMs: 30_000 } as const;
  test('goes to the next worker when its own refuses', () => {
    const decision = check({ job: assigned(), mirror: absent, facts: { refusal } }, 'assign');
    expect(decision).toMatchObject({
      workerName: 'worker-2',
      attempt: 2,
      givenUp: { attempt: 1, worker: 'worker-1', workerUid, reason: 'QuotaExceeded' },
    });
  });
  test('goes to the next worker when the name is taken', () => {
    const foreign = job().uid('foreign').managedBy(undefined);
    expect(check({ job: assigned(), mirror: foreign }, 'assign')).toMatchObject({
      givenUp: { reason: 'NameConflict' },
    });
  });
  test.each<[string, JobBuilder]>([
    ['asked for this worker', assigned({ [recordKeys.requestedWorker]: 'worker-1' })],
    ['was refused by the others before', assigned({ [recordKeys.attemptLog]: refusedBy('cluster-worker-2') })],
  ])('stays and waits if it %s', (_name, origin) => {
    check({ job: origin, mirror: absent, facts: { refusal } }, 'QuotaExceeded');
    check({ job: origin, mirror: job().uid('foreign').managedBy(undefined) }, 'NameConflict');
  });
  test('never adopts the mirror of another Job', () => {
    check({ job: assigned(), mirror: created(job().uid('other').build()) }, 'StaleMirror');
  });
  test('never adopts a mirror of another cluster', () => {
    const other = created().labels({ [mirrorKeys.originCluster]: 'another' });
    check({ job: assigned({ [recordKeys.requestedWorker]: 'worker-1' }), mirror: other }, 'NameConflict');
  });
  test('never adopts a mirror of another attempt', () => {
    check({ job: assigned(), mirror: created().labels({ [mirrorKeys.attempt]: '2' }) }, 'StaleMirror');
  });
});

function refusedBy(uid: string): string {
  return JSON.stringify([{ attempt: 1, worker: 'w', workerUid: uid, reason: 'QuotaExceeded' }]);
}

describe('a Job with its mirror on record', () => {
  test('has it started', () => {
    expect(check({ job: recorded(), mirror: created() }, 'adjust-mirror')).toMatchObject({
      changes: { suspend: false },
    });
  });
  test('has none started whose template is not the Job’s any more', () => {
    const mirror = created().annotations({ [mirrorKeys.specHash]: 'another' });
    check({ job: recorded(), mirror }, 'TemplateEdited');
  });
  test('is not resumed on it either: it may be edited while it is suspended', () => {
    const edited = started()
      .suspended()
      .annotations({ [mirrorKeys.specHash]: 'another' });
    check({ job: recorded().meta({ generation: 2 }), mirror: edited }, 'TemplateEdited');
    check({ job: recorded().suspended().meta({ generation: 2 }), mirror: edited }, 'write-status');
  });
  test('is in step', () => void check({ job: recorded(), mirror: started() }, 'Mirrored'));
  test('is never run again once the worker says that the mirror is gone', () => {
    check({ job: recorded(), mirror: absent }, 'MirrorDeleted');
    check({ job: recorded(), mirror: started().uid('another') }, 'MirrorDeleted');
    check({ job: recorded().status({ active: 2 }), mirror: absent }, 'write-status');
  });
  test('keeps what was seen while the worker does not answer', () => {
    const mirror = { kind: 'unknown', reason: 'LoginExpired', message: '', afterMs: 1 } as const;
    check({ job: recorded().status({ active: 2 }), mirror }, 'LoginExpired');
  });
  test('reads a mirror that lost our labels, and changes nothing on it', () => {
    const bare = started().meta({ labels: {} });
    check({ job: recorded().suspended().generation(2), mirror: bare }, 'write-status');
    check({ job: recorded(), mirror: bare }, 'MirrorDisowned');
    check({ job: recorded().deleting(), mirror: bare }, 'release');
  });
  test('copies first and changes the mirror then', () => {
    const mirror = started().status({ startTime: '2026-01-01T10:00:00Z', active: 1 });
    check({ job: recorded().spec({ parallelism: 3 }).generation(2), mirror }, 'write-status');
  });
  test('holds a quick second write back, but not the change of the mirror', () => {
    const mirror = started().status({ startTime: '2026-01-01T10:00:00Z', active: 1 });
    expect(check({ job: recorded(), mirror, facts: { statusPauseMs: 400 } }, 'Mirrored')).toMatchObject({
      afterMs: 400,
    });
    const scaled = recorded().spec({ parallelism: 3 }).generation(2);
    check({ job: scaled, mirror, facts: { statusPauseMs: 400 } }, 'adjust-mirror');
    check({ job: scaled, mirror, facts: { judge: () => ['no'] } }, 'adjust-mirror');
  });
  test('writes an end at once', () => {
    check({ job: recorded(), mirror: started().status(complete), facts: { statusPauseMs: 400 } }, 'write-status');
  });
  test('says what the management cluster refuses', () => {
    const mirror = started().status(complete);
    expect(check({ job: recorded(), mirror, facts: { judge: () => ['status: no'] } }, 'StatusRefused')).toMatchObject({
      message: 'status: no',
    });
    check({ job: recorded(), mirror, facts: { wasRefused: () => true } }, 'StatusRefused');
  });
  test('changes nothing on a mirror whose end is decided', () => {
    const mirror = started().status({ startTime: '2026-01-01T10:00:00Z', conditions: conditions('FailureTarget') });
    const local = recorded()
      .generation(2)
      .suspended()
      .status({ conditions: [suspended('True')] });
    check({ job: local, mirror }, 'Suspended');
  });
  test('is shown held by its worker', () => {
    const held = started()
      .suspended()
      .status({ conditions: [suspended('True')] });
    check({ job: recorded().status({ conditions: [suspended('True')] }), mirror: held }, 'HeldByWorker');
  });
});

describe('a finished Job', () => {
  test('is released before its mirror goes', () => {
    expect(check({ job: recorded().status(complete), mirror: started().status(complete) }, 'release')).toMatchObject({
      phase: 'Finished',
    });
  });
  test('keeps its mirror for a while', () => {
    expect(check({ job: released().status(complete), mirror: started().status(complete) }, 'Finished')).toMatchObject({
      afterMs: 600_000,
    });
  });
  test('then has it deleted', () => {
    check(
      { job: released().status(complete), mirror: started().status(complete), facts: { retainMs: 0 } },
      'delete-mirror',
    );
  });
  test('is done once the worker says that it is gone', () => {
    expect(check({ job: released().status(complete), mirror: absent }, 'release')).toMatchObject({ phase: 'Done' });
    check({ job: released({ [recordKeys.phaseReason]: 'Done' }).status(complete) }, 'Done');
  });
  test('whose mirror ended otherwise is nobody’s to tidy up', () => {
    check({ job: recorded().status(complete), mirror: started().status(failed) }, 'FateConflict');
    check({ job: recorded().status(complete), mirror: started() }, 'FateConflict');
  });
  test('whose mirror was never started has it deleted', () => {
    check({ job: recorded().status(failed), mirror: created() }, 'delete-mirror');
  });
});

describe('a Job that is being deleted', () => {
  const going = recorded().deleting();
  test('has its mirror deleted first', () => void check({ job: going, mirror: started() }, 'delete-mirror'));
  test('waits for the mirror’s pods', () => void check({ job: going, mirror: started().deleting() }, 'MirrorDeleting'));
  test('is released once there is none', () => void check({ job: going, mirror: absent }, 'release'));
  test('is released if something else stands there', () => {
    check({ job: going, mirror: started().uid('another') }, 'release');
    check({ job: assigned().deleting(), mirror: job().uid('foreign').managedBy(undefined) }, 'release');
  });
  test('still gets the result that its mirror has', () => {
    check({ job: going, mirror: started().status(complete) }, 'write-status');
    check({ job: going, mirror: started().status(complete), facts: { judge: () => ['no'] } }, 'delete-mirror');
  });
  test('tells how to give a mirror up that can not be reached', () => {
    const mirror = { kind: 'unknown', reason: 'Unreachable', message: 'No route.', afterMs: 1000 } as const;
    const decision = check({ job: recorded().finalizers('x/y', mirrorFinalizer).deleting(), mirror }, 'Unreachable');
    expect(decision).toMatchObject({
      message:
        'No route. To delete the Job all the same and leave the mirror: kubectl patch job a -n default --type merge -p \'{"metadata":{"finalizers":["x/y"]}}\'',
    });
  });
  test('leaves its mirror running if it asked for that', () => {
    const detached = recorded({ [recordKeys.onDelete]: 'detach' }).deleting();
    check({ job: detached, mirror: started() }, 'detach-mirror');
    check({ job: detached, mirror: started().labels({ [mirrorKeys.detached]: 'true' }) }, 'release');
    check({ job: detached, mirror: created() }, 'delete-mirror');
  });
  test('without our finalizer is left alone', () => void check({ job: released().deleting() }, 'Deleting'));
});

describe('a Job that is gone', () => {
  const record = {
    workerUid,
    workerName: 'worker-1',
    attempt: 1,
    mirrorName: 'a',
    mirrorUid: 'mirror',
    phaseReason: undefined,
    refusedBy: [],
    hasFinalizer: false,
  };
  const departed = { uid: 'uid-of-a', record, isDetached: false };
  test('that nobody knew leaves nothing to do', () => void check({}, 'JobGone'));
  test('has its mirror deleted', () => void check({ mirror: started(), departed }, 'delete-mirror'));
  test('has it deleted before its successor of the same name is looked at', () => {
    check({ job: job().uid('successor'), mirror: started(), departed }, 'delete-mirror');
  });
  test('leaves what is not its mirror', () => {
    check({ mirror: started().uid('another'), departed }, 'JobGone');
    check({ mirror: created(job().uid('other').build()), departed }, 'JobGone');
    check({ mirror: absent, departed }, 'JobGone');
  });
  test('is not for certain where another management cluster answers', () => {
    const management = { kind: 'unknown', reason: 'ClusterReplaced', message: '', afterMs: 1 } as const;
    const decision = decide({ management, departed, mirror: { kind: 'present', job: started().build() }, facts });
    expect(decision).toMatchObject({ kind: 'wait', reason: 'ClusterReplaced' });
  });
  test('leaves a mirror that was to be left', () => {
    check({ mirror: started(), departed: { ...departed, isDetached: true } }, 'JobGone');
    check({ mirror: started().labels({ [mirrorKeys.detached]: 'true' }), departed }, 'JobGone');
  });
  test('waits for a worker that does not answer, and for a leader', () => {
    const mirror = { kind: 'unknown', reason: 'Unreachable', message: '', afterMs: 7 } as const;
    check({ mirror, departed }, 'Unreachable');
    check({ mirror: started(), departed, facts: { isLeading: false } }, 'NotLeading');
  });
});
