import { describe, expect, test } from 'vitest';
import { type JsonObject, nullLog } from '../../src/base/index.ts';
import { events, type KubeApi } from '../../src/kube/index.ts';
import { type JobMemory, newJobMemory } from '../../src/reconciler/jobMemory.ts';
import { isTrue } from '../../src/reconciler/jobState.ts';
import type { PassResult, ReconcileDeps } from '../../src/reconciler/ports.ts';
import { reconcileJob } from '../../src/reconciler/reconcileJob.ts';
import { mirrorKeys, recordKeys } from '../../src/reconciler/record.ts';
import { statusJudgeFor } from '../../src/reconciler/statusJudge.ts';
import { manualClock } from '../kube/manualClock.ts';
import { conditions, manifest, ourController } from './builders.ts';
import { FakeCluster, type Fate, type StoredObject } from './fakeCluster.ts';

const key = { namespace: 'default', name: 'a' };

/** One reconciler, a management cluster and two workers; passes one after the other. */
class Bench {
  readonly clock = manualClock();
  readonly management = new FakeCluster('management', () => this.clock.now());
  readonly workers = ['worker-1', 'worker-2'].map((name) => new FakeCluster(name, () => this.clock.now()));
  readonly requests: string[] = [];
  /** What becomes of requests that match; carried out where nothing matches. */
  faults: (readonly [RegExp, Fate])[] = [];
  /** Aborts when leadership ends; none while somebody else leads. */
  term: AbortController | undefined = new AbortController();
  /** UIDs of the workers that this process leads for. */
  led = new Set(this.workers.map(({ uid }) => uid));
  memory: JobMemory = newJobMemory();
  /** UIDs of clusters behind whose addresses others answer now. */
  readonly replaced = new Set<string>();
  onRequest: (request: string) => void = () => {};
  readonly #stop = new AbortController();

  get job(): StoredObject | undefined {
    return this.management.job('default', 'a');
  }
  get worker(): FakeCluster {
    const [first] = this.workers;
    if (first === undefined) throw new Error('There is a worker.');
    return first;
  }
  get reason(): string | undefined {
    return this.job?.metadata.annotations?.[recordKeys.phaseReason];
  }
  /** Writes to Jobs by this reconciler. */
  get writes(): number {
    const all = [this.management, ...this.workers].flatMap(({ commits }) => commits);
    return all.filter(({ client, plural }) => client === 'us' && plural === 'jobs').length;
  }

  async pass(): Promise<PassResult> {
    return reconcileJob(key, this.memory, this.#deps(), this.#stop.signal);
  }

  /** Passes as they ask for it, until so much time has gone by. */
  async during(ms: number): Promise<PassResult> {
    let left = ms;
    for (;;) {
      const result = await this.pass();
      const afterMs = Math.max(1, Math.min(left, result.afterMs ?? 60_000));
      this.clock.advance(afterMs);
      left -= afterMs;
      if (left <= 0) return result;
    }
  }

  create(spec: JsonObject = {}, metadata: JsonObject = {}): void {
    this.management.add('user', manifest('a', spec, metadata));
  }

  #client(cluster: FakeCluster): KubeApi {
    return cluster.client('us', async (request) => {
      this.requests.push(request);
      this.onRequest(request);
      return this.faults.find(([pattern]) => pattern.test(request))?.[1] ?? 'carried-out';
    });
  }

  #deps(): ReconcileDeps {
    const clients = new Map(this.workers.map((worker) => [worker.uid, this.#client(worker)]));
    return {
      management: this.#client(this.management),
      originCluster: this.management.uid,
      controllerName: ourController,
      retainFinishedMs: 600_000,
      maxLiveMirrors: 50,
      clock: this.clock,
      random: () => 0.5,
      log: nullLog,
      judge: statusJudgeFor('1.35'),
      isNamespaceEnabled: () => true,
      leadership: (_namespace, uid) => (this.led.has(uid) ? this.term?.signal : undefined),
      candidates: () =>
        this.workers.map(({ name, uid }) => {
          const leads = this.term !== undefined && this.led.has(uid);
          const blocked = leads ? undefined : ({ reason: 'NotLeading', message: '' } as const);
          return { name, uid, blocked, liveMirrors: 0 };
        }),
      worker: (uid) => {
        const api = clients.get(uid);
        return api && { name: api.contextName, api, trouble: undefined, aheadMs: undefined };
      },
      isStillItself: async (uid) => !this.replaced.has(uid ?? this.management.uid),
      cached: () => undefined,
      cachedMirror: () => undefined,
      mirroredOn: ({ namespace, name }, uid) =>
        this.workers.find((worker) => worker.job(namespace, name)?.metadata.labels?.[mirrorKeys.originUid] === uid)
          ?.name,
      onAction: () => {},
    };
  }
}

const running = { startTime: '2026-01-01T10:00:00Z', active: 1, ready: 1 };
const complete = {
  startTime: '2026-01-01T10:00:00Z',
  completionTime: '2026-01-01T10:00:30Z',
  succeeded: 1,
  conditions: conditions('SuccessCriteriaMet', 'Complete'),
};

describe('a pass', () => {
  test('takes a new Job all the way to a running mirror', async () => {
    const bench = new Bench();
    bench.create();
    expect(await bench.pass()).toMatchObject({ reason: 'Mirrored' });
    expect(bench.worker.job('default', 'a')?.spec).toMatchObject({ suspend: false });
    expect(bench.requests.filter((request) => request.includes('worker-1'))).toEqual([
      'worker-1: POST jobs',
      'worker-1: PATCH jobs/a/',
    ]);
  });
  test('over a pair in step writes nothing, however often and whenever', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.worker.editStatus('controller', 'default', 'a', running);
    await bench.pass();
    const { writes } = bench;
    for (let i = 0; i < 100; i++) {
      bench.clock.advance(7_001);
      await bench.pass();
    }
    expect(bench.writes).toBe(writes);
  });
  test('over a suspended Job writes nothing twice', async () => {
    const bench = new Bench();
    bench.create({ suspend: true });
    await bench.during(600_000);
    expect(bench.writes).toBe(1);
    expect(isTrue(bench.job?.status, 'Suspended')).toBe(true);
    expect(bench.requests.filter((request) => request.includes('worker'))).toEqual([]);
  });
  test('holds quick changes of the status together', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    let writes = 0;
    for (let i = 0; i < 50; i++) {
      bench.worker.editStatus('controller', 'default', 'a', { ...running, failed: i });
      await bench.pass();
      bench.clock.advance(100);
      writes = bench.management.commits.filter(({ verb }) => verb === 'status').length;
    }
    expect(writes).toBeLessThanOrEqual(6);
    expect(writes).toBeGreaterThanOrEqual(4);
  });
  test('without leadership only reads', async () => {
    const bench = new Bench();
    bench.term = undefined;
    bench.create({ suspend: true });
    await bench.during(300_000);
    expect(bench.writes).toBe(0);
  });
  test('does not run a Job again whose record was taken off before any status was copied', async () => {
    const bench = new Bench();
    const ours = Object.values(recordKeys);
    bench.create();
    await bench.pass();
    const annotations = Object.fromEntries(ours.map((key) => [key, null]));
    bench.management.edit('user', 'default', 'a', { metadata: { annotations, finalizers: [] } });
    bench.memory = newJobMemory();
    bench.led = new Set([bench.workers[1]?.uid ?? '']);
    expect(await bench.during(600_000)).toMatchObject({
      reason: 'RecordCorrupt',
      message: 'The record is missing, although the Job has a mirror on worker-1',
    });
    expect(bench.workers.map((worker) => worker.job('default', 'a') !== undefined)).toEqual([true, false]);
  });
  test('leaves a new Job to those who lead for the first worker, and takes it when they do not', async () => {
    const bench = new Bench();
    const [first, second] = bench.workers;
    bench.led = new Set([second?.uid ?? '']);
    bench.create();
    expect(await bench.during(59_000)).toMatchObject({ reason: 'NotLeading' });
    expect(bench.writes).toBe(0);
    expect(await bench.during(2_000)).toMatchObject({ reason: 'Mirrored' });
    expect(second?.job('default', 'a')).toBeDefined();
    expect(first?.job('default', 'a')).toBeUndefined();
  });
  test('gives them the same time for the next Job of that name, and for one that was suspended', async () => {
    const bench = new Bench();
    bench.led = new Set([bench.workers[1]?.uid ?? '']);
    bench.create();
    await bench.during(59_000);
    bench.management.remove('user', 'jobs', 'default', 'a');
    await bench.pass();
    bench.create({ suspend: true });
    await bench.during(600_000);
    bench.management.edit('user', 'default', 'a', { spec: { suspend: false } });
    await bench.during(59_000);
    expect(bench.workers.map((worker) => worker.job('default', 'a'))).toEqual([undefined, undefined]);
    expect(await bench.during(2_000)).toMatchObject({ reason: 'Mirrored' });
  });
  test('sends nothing more once leadership has ended', async () => {
    const bench = new Bench();
    bench.create();
    bench.onRequest = (request) => {
      if (!request.includes('POST jobs')) return;
      bench.term?.abort(new DOMException('lost', 'AbortError'));
      bench.term = undefined;
    };
    expect(await bench.pass()).toMatchObject({ reason: 'NotLeading' });
    expect(bench.requests.at(-1)).toBe('worker-1: POST jobs');
  });
});

describe('deletion', () => {
  const requestsOnMirror = (bench: Bench): string[] => bench.requests.filter((request) => request.startsWith('worker'));

  test('copies the result first, and looks once more before it deletes', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.worker.editStatus('controller', 'default', 'a', complete);
    bench.management.remove('user', 'jobs', 'default', 'a');
    bench.requests.length = 0;
    await bench.pass();
    expect(bench.requests.filter((request) => !request.includes('events'))).toEqual([
      'management: GET jobs/a',
      'worker-1: GET jobs/a',
      'management: PATCH jobs/a/status',
      'worker-1: GET jobs/a',
      'worker-1: DELETE jobs/a',
      'worker-1: GET jobs/a',
      'management: PATCH jobs/a/',
    ]);
    expect(bench.job).toBeUndefined();
  });
  test('of a finished Job and its creation anew ends with the new one’s mirror', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.worker.editStatus('controller', 'default', 'a', complete);
    await bench.pass();
    const first = bench.worker.job('default', 'a')?.metadata.uid;
    bench.management.remove('user', 'jobs', 'default', 'a');
    bench.create();
    expect(await bench.during(5_000)).toMatchObject({ reason: 'Mirrored' });
    const second = bench.worker.job('default', 'a');
    expect(second?.metadata.uid).not.toBe(first);
    expect(second?.metadata.labels).toMatchObject({ 'delegated-jobs.dev/origin-uid': bench.job?.metadata.uid });
  });
  test('is not forgotten when another process was quicker with the new Job', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.worker.editStatus('controller', 'default', 'a', complete);
    await bench.pass();
    const annotations = bench.job?.metadata.annotations ?? {};
    bench.management.remove('user', 'jobs', 'default', 'a');
    const { [recordKeys.mirrorUid]: _old, ...assigned } = annotations;
    bench.create({}, { annotations: assigned });
    await bench.during(5_000);
    expect(bench.worker.job('default', 'a')?.metadata.labels).toMatchObject({
      'delegated-jobs.dev/origin-uid': bench.job?.metadata.uid,
    });
  });
  test('of a mirror is asked for once while its pods end', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.worker.edit('user', 'default', 'a', { metadata: { finalizers: ['foregroundDeletion'] } });
    bench.management.remove('user', 'jobs', 'default', 'a');
    await bench.during(20_000);
    expect(requestsOnMirror(bench).filter((request) => request.includes('DELETE'))).toHaveLength(1);
    expect(bench.job).toBeDefined();
    bench.worker.edit('controller', 'default', 'a', { metadata: { finalizers: [] } });
    await bench.during(5_000);
    expect(bench.job).toBeUndefined();
  });
});

describe('a worker that refuses the mirror', () => {
  test('is followed by the next, and not asked again', async () => {
    const bench = new Bench();
    bench.faults = [[/worker-1: POST jobs/, 'quota-exceeded']];
    bench.create();
    expect(await bench.pass()).toMatchObject({ reason: 'Mirrored' });
    expect(bench.job?.metadata.annotations).toMatchObject({
      [recordKeys.workerName]: 'worker-2',
      [recordKeys.attempt]: '2',
    });
    expect(bench.requests.filter((request) => request === 'worker-1: POST jobs')).toHaveLength(1);
  });
  test('is waited for where there is no other, with its words on the Job', async () => {
    const bench = new Bench();
    bench.faults = [[/POST jobs/, 'quota-exceeded']];
    bench.create();
    expect(await bench.pass()).toMatchObject({ reason: 'QuotaExceeded' });
    expect(bench.reason).toBe('QuotaExceeded');
    await bench.during(600_000);
    expect(bench.requests.filter((request) => request.includes('POST jobs')).length).toBeLessThan(12);
    bench.faults = [];
    await bench.during(600_000);
    expect(bench.reason).not.toBe('QuotaExceeded');
    expect(bench.workers.flatMap((worker) => worker.job('default', 'a') ?? [])).toHaveLength(1);
  });
  test('is waited for if the Job asks for it', async () => {
    const bench = new Bench();
    bench.faults = [[/worker-1: POST jobs/, 'admission-denied']];
    bench.create({}, { annotations: { [recordKeys.requestedWorker]: 'worker-1' } });
    expect(await bench.pass()).toMatchObject({ reason: 'AdmissionDenied' });
    expect(bench.job?.metadata.annotations).toMatchObject({ [recordKeys.attempt]: '1' });
  });
});

describe('what somebody should know', () => {
  test('stands on the Job after a minute, if it passes by itself; and goes when it does', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.faults = [[/worker-1: GET/, 'timeout']];
    await bench.during(50_000);
    expect(bench.reason).toBe('MirrorCreated');
    await bench.during(50_000);
    expect(bench.reason).toBe('Unreachable');
    const { writes } = bench;
    await bench.during(3_600_000);
    expect(bench.writes).toBe(writes);
    bench.faults = [];
    await bench.pass();
    expect(bench.reason).toBe('Mirrored');
    expect(bench.job?.metadata.annotations?.[recordKeys.phaseMessage]).toBeUndefined();
  });
  test('is not said over and over against a process that sees it otherwise', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.faults = [[/worker-1: GET/, 'timeout']];
    await bench.during(70_000);
    expect(bench.reason).toBe('Unreachable');
    bench.management.edit('another', 'default', 'a', {
      metadata: { annotations: { [recordKeys.phaseReason]: 'Mirrored' } },
    });
    await bench.during(300_000);
    expect(bench.reason).toBe('Mirrored');
    await bench.during(600_000);
    expect(bench.reason).toBe('Unreachable');
  });
  test('is said in one Event, by however many processes', async () => {
    const bench = new Bench();
    bench.faults = [[/POST jobs/, 'quota-exceeded']];
    bench.create({}, { annotations: { [recordKeys.requestedWorker]: 'worker-1' } });
    await bench.during(30_000);
    bench.memory = newJobMemory();
    await bench.during(30_000);
    const said = bench.management
      .objects(events.plural)
      .filter((event) => Object.values(event).includes('QuotaExceeded'));
    expect(said).toHaveLength(1);
  });
  test('is why a started mirror has no pods', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.worker.editStatus('controller', 'default', 'a', { startTime: '2026-01-01T10:00:00Z', ready: 0 });
    await bench.pass();
    const uid = bench.worker.job('default', 'a')?.metadata.uid ?? '';
    const event = {
      reason: 'FailedCreate',
      message: 'exceeded quota: pods',
      lastTimestamp: 'x',
      involvedObject: { uid },
    };
    const body = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'default' }, ...event };
    await bench.worker.client('controller').create(events, 'default', body, {}, new AbortController().signal);
    await bench.during(9_000);
    expect(bench.reason).toBe('MirrorCreated');
    await bench.during(5_000);
    expect(bench.reason).toBe('PodsRefused');
    expect(bench.job?.metadata.annotations?.[recordKeys.phaseMessage]).toBe('exceeded quota: pods');
    bench.worker.editStatus('controller', 'default', 'a', running);
    await bench.pass();
    expect(bench.reason).toBe('Mirrored');
  });
  test('is that a worker makes mirrors that nobody runs, and no second one is made', async () => {
    const bench = new Bench();
    bench.create();
    // A webhook's doing, between a creation whose answer was lost and the next look.
    bench.faults = [[/worker-1: POST jobs/, 'lost-after']];
    await bench.pass();
    bench.faults = [];
    bench.worker.remove('webhook', 'jobs', 'default', 'a');
    const labels = {
      'delegated-jobs.dev/origin-cluster': bench.management.uid,
      'delegated-jobs.dev/origin-uid': bench.job?.metadata.uid ?? '',
      'delegated-jobs.dev/attempt': '1',
    };
    bench.worker.add('webhook', manifest('a', { managedBy: 'example.com/other', suspend: true }, { labels }));
    await bench.during(60_000);
    expect(bench.worker.job('default', 'a')).toBeUndefined();
    // A cut in between must not wipe out why no other mirror is made.
    bench.faults = [[/worker-1: GET/, 'timeout']];
    await bench.during(300_000);
    bench.faults = [];
    await bench.during(600_000);
    expect(bench.reason).toBe('MirrorNotRunnable');
    expect(bench.worker.job('default', 'a')).toBeUndefined();
    expect(bench.requests.filter((request) => request === 'worker-1: POST jobs')).toHaveLength(1);
  });
});

describe('another cluster behind the same address', () => {
  async function running(): Promise<Bench> {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    return bench;
  }

  test('as the management cluster: the mirror stays, and goes once the Job is known to be gone', async () => {
    const bench = await running();
    bench.replaced.add(bench.management.uid);
    bench.management.edit('user', 'default', 'a', { metadata: { finalizers: [] } });
    bench.management.remove('user', 'jobs', 'default', 'a');
    expect(await bench.pass()).toMatchObject({ reason: 'ClusterReplaced' });
    // So it does if a Job of that name is there.
    bench.create();
    expect(await bench.pass()).toMatchObject({ reason: 'ClusterReplaced' });
    expect(bench.worker.job('default', 'a')).toBeDefined();
    bench.management.remove('user', 'jobs', 'default', 'a');
    bench.replaced.clear();
    expect(await bench.pass()).toMatchObject({ reason: 'JobGone' });
    expect(bench.worker.job('default', 'a')).toBeUndefined();
  });
  test('as the worker: nothing follows from what it lacks', async () => {
    const bench = await running();
    bench.replaced.add(bench.worker.uid);
    bench.worker.remove('user', 'jobs', 'default', 'a');
    expect(await bench.pass()).toMatchObject({ reason: 'ClusterReplaced' });
    expect(bench.reason).toBe('ClusterReplaced');
    bench.management.remove('user', 'jobs', 'default', 'a');
    expect(await bench.pass()).toMatchObject({ reason: 'ClusterReplaced' });
    expect(bench.job).toBeDefined();
    // Nor from a Job of that name that stands there.
    bench.worker.add('user', manifest('a', { managedBy: undefined }));
    expect(await bench.pass()).toMatchObject({ reason: 'ClusterReplaced' });
    expect(bench.job).toBeDefined();
    bench.replaced.clear();
    await bench.pass();
    expect(bench.job).toBeUndefined();
  });
});

describe('a process that leads no more', () => {
  test('writes nothing, although it led when it began to ask why there are no pods', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    const { uid } = bench.worker.job('default', 'a')?.metadata ?? {};
    const event = { reason: 'FailedCreate', message: 'no', lastTimestamp: 'x', involvedObject: { uid: uid ?? '' } };
    const body = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'default' }, ...event };
    await bench.worker.client('controller').create(events, 'default', body, {}, new AbortController().signal);
    await bench.pass();
    bench.clock.advance(11_000);
    const { writes } = bench;
    bench.onRequest = (request) => {
      if (request === 'worker-1: LIST events') bench.term = undefined;
    };
    expect(await bench.pass()).toMatchObject({ reason: 'PodsRefused' });
    expect(bench.term).toBeUndefined();
    expect(bench.writes).toBe(writes);
  });
});

describe('a process that leads for another worker', () => {
  test('says that the record was spoiled, whatever it remembers of it', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.led.delete(bench.worker.uid);
    await bench.pass();
    bench.management.edit('user', 'default', 'a', { metadata: { annotations: { [recordKeys.attempt]: null } } });
    expect(await bench.pass()).toMatchObject({ reason: 'RecordCorrupt', afterMs: undefined });
    expect(bench.reason).toBe('RecordCorrupt');
  });
});

describe('a status that the management cluster refuses', () => {
  test('is tried again only after ten minutes, or when it is another', async () => {
    const bench = new Bench();
    bench.create();
    await bench.pass();
    bench.worker.editStatus('controller', 'default', 'a', complete);
    bench.faults = [[/management: PATCH jobs\/a\/status/, 'invalid']];
    await bench.during(590_000);
    const tries = () => bench.requests.filter((request) => request.endsWith('jobs/a/status')).length;
    expect(tries()).toBe(1);
    expect(bench.reason).toBe('StatusRefused');
    await bench.during(60_000);
    expect(tries()).toBe(2);
    bench.faults = [];
    await bench.during(660_000);
    expect(isTrue(bench.job?.status, 'Complete')).toBe(true);
  });
});
