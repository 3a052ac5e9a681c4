import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type JsonObject, nullLog, systemClock, systemRandom } from '../../src/base/index.ts';
import {
  clusterIdentity,
  jobs,
  type KubeClient,
  type Kubeconfig,
  loadKubeconfig,
  unlimited,
} from '../../src/kube/index.ts';
import { type Contact, type LiveModel, Outline, openModel } from '../../src/model/index.ts';
import { type Sandbox, type SandboxCluster, startSandbox } from '../../src/sandbox/index.ts';
import { fastClock } from '../kube/fakeCluster.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';

const ours = 'delegated-jobs.dev/reconciler';
const never = new AbortController().signal;

let sandbox: Sandbox;
let kubeconfig: Kubeconfig;
let management: KubeClient;
let worker: KubeClient;
let model: LiveModel;
let identity: string;
const clients: KubeClient[] = [];

beforeEach(async () => {
  // Pods stay as they are made: what a test sees does not depend on how fast it looks.
  sandbox = await startSandbox({ workers: 1, kubelet: false });
  using folder = new ScratchFolder();
  const paths = [folder.write('config', sandbox.kubeconfig)];
  ({ value: kubeconfig } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock: systemClock }));
  management = openClient('management');
  worker = openClient('worker-1');
  identity = await clusterIdentity(management, never);
});

afterEach(async () => {
  model?.dispose();
  for (const client of clients.splice(0)) client.dispose();
  kubeconfig.dispose();
  await sandbox.stop();
});

function openClient(context: string): KubeClient {
  const client = kubeconfig.open(context, { limiter: unlimited, requestTimeoutMs: 5_000 });
  clients.push(client);
  return client;
}

/** @param factor - how many times faster the model's own clock runs */
function open(factor = 1, namespaces: readonly string[] = []): void {
  model = openModel({
    management: openClient('management'),
    workers: [{ name: 'w', api: openClient('worker-1') }],
    namespaces,
    controllerName: ours,
    clock: factor === 1 ? systemClock : fastClock(factor, systemClock.now()),
    random: systemRandom,
    log: nullLog,
  });
}

function cluster(context: string): SandboxCluster {
  const found = sandbox.clusters.find((one) => one.context === context);
  if (found === undefined) throw new Error(`There is no cluster ${context}.`);
  return found;
}

function manifest(name: string, more: { managedBy?: string; labels?: JsonObject } = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default', labels: more.labels ?? {} },
    spec: {
      ...(more.managedBy === undefined ? {} : { managedBy: more.managedBy }),
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] } },
    },
  };
}

/** A Job of ours on the management cluster and its mirror on the worker, as the reconciler makes them. */
async function delegate(name: string): Promise<{ uid: string; mirrorUid: string }> {
  const { object } = await management.create(jobs, 'default', manifest(name, { managedBy: ours }), {}, never);
  const labels = {
    'delegated-jobs.dev/origin-uid': object.metadata.uid,
    'delegated-jobs.dev/origin-cluster': identity,
  };
  const { object: mirror } = await worker.create(jobs, 'default', manifest(name, { labels }), {}, never);
  return { uid: object.metadata.uid, mirrorUid: mirror.metadata.uid };
}

/** `name phase worker` of each row, sorted. */
function rows(): string[] {
  return [...model.entries()]
    .flatMap(({ id }) => model.row(id) ?? [])
    .map(({ job, phase, worker: where, isStale }) => `${job.name} ${phase} ${where ?? '-'}${isStale ? ' stale' : ''}`)
    .sort();
}

async function expectRows(expected: readonly string[]): Promise<void> {
  await expect.poll(rows, { timeout: 20_000 }).toEqual(expected);
}

async function expectContact(name: string, contact: Contact): Promise<void> {
  await expect
    .poll(() => model.clusters.find((one) => one.name === name)?.status.contact, { timeout: 20_000 })
    .toBe(contact);
}

describe('a live model', () => {
  test('follows Jobs, mirrors and pods without being asked', async () => {
    open();
    await expect.poll(() => model.isSettled).toBe(true);
    expect(rows()).toEqual([]);
    const { uid, mirrorUid } = await delegate('a');
    await expectRows(['a Running w']);
    const outline = new Outline(model);
    await expect
      .poll(() => {
        outline.invalidate({ rows: new Set(), isEverything: true });
        return outline.roots()[0]?.children[0]?.children.map(({ kind, description }) => `${kind} ${description}`);
      })
      .toEqual(['pod Pending']);
    await management.delete(jobs, { namespace: 'default', name: 'a' }, { uid, propagationPolicy: 'Background' }, never);
    await expectRows(['a Orphan w']);
    await worker.delete(
      jobs,
      { namespace: 'default', name: 'a' },
      { uid: mirrorUid, propagationPolicy: 'Background' },
      never,
    );
    await expectRows([]);
  });

  test('names the rows that changed, a few times a second at most', async () => {
    open();
    await expect.poll(() => model.isSettled).toBe(true);
    const named = new Set<string>();
    model.onChange(({ rows: changed }) => {
      for (const id of changed) named.add(id);
    });
    const uids = await Promise.all(['a', 'b', 'c'].map(async (name) => (await delegate(name)).uid));
    await expectRows(['a Running w', 'b Running w', 'c Running w']);
    await expect.poll(() => uids.every((uid) => named.has(`job:${uid}`))).toBe(true);
  });

  test('sees only the namespaces that it was given', async () => {
    open(1, ['kube-system', 'other']);
    await delegate('a');
    await expect.poll(() => model.isSettled).toBe(true);
    expect(rows()).toEqual([]);
  });

  test('leaves no watch behind', async () => {
    open();
    await expect.poll(() => cluster('worker-1').openWatches()).toBeGreaterThan(0);
    model.dispose();
    for (const client of clients) client.dispose();
    await expect.poll(() => sandbox.clusters.map((one) => one.openWatches())).toEqual([0, 0]);
  });
});

describe('a fault of the worker', () => {
  beforeEach(async () => {
    await delegate('a');
  });

  test('expired login: said so, not called lost, and over once somebody retries', async () => {
    open();
    await expectRows(['a Running w']);
    const { faults } = cluster('worker-1');
    const refusal = faults.add({ fault: { kind: 'answer', status: 401, reason: 'Unauthorized' } });
    faults.cutWatches();
    await expectContact('w', 'auth-needed');
    expect(rows()).toEqual(['a Running w stale']);
    refusal.dispose();
    model.retry('w');
    await expectContact('w', 'connected');
    await expectRows(['a Running w']);
  });

  test('a namespace that the login may not read says nothing against the rows of another', async () => {
    const { faults } = cluster('management');
    const refusal = faults.add({
      match: { namespace: 'payroll' },
      fault: {
        ...{ kind: 'answer', status: 403, reason: 'Forbidden' },
        message:
          'jobs.batch is forbidden: User "dev" cannot list resource "jobs" in API group "batch" in the namespace "payroll"',
      },
    });
    open(1, ['default', 'payroll']);
    await expectContact('', 'forbidden');
    await expectRows(['a Running w']);
    refusal.dispose();
    model.retry('');
    await expectContact('', 'connected');
  });

  test('black hole: stale, then unreachable and the worker lost, then back', async () => {
    open(20);
    await expectRows(['a Running w']);
    const { faults } = cluster('worker-1');
    const hole = faults.add({ fault: { kind: 'reset' } });
    faults.cutWatches();
    await expectContact('w', 'unreachable');
    expect(rows()).toEqual(['a WorkerLost w stale']);
    hole.dispose();
    await expectRows(['a Running w']);
  });

  const passing: readonly (readonly [string, (one: SandboxCluster) => void])[] = [
    ['watches cut', ({ faults }) => faults.cutWatches()],
    ['versions expired', ({ faults }) => faults.expireWatches()],
    [
      'watches cut, and the next requests refused with a pause',
      ({ faults }) => {
        faults.add({
          match: { resource: 'jobs', verb: 'watch' },
          fault: { kind: 'answer', status: 429, retryAfterSeconds: 1 },
          times: 2,
        });
        faults.cutWatches();
      },
    ],
    [
      'watches cut, and garbage for an answer',
      ({ faults }) => {
        faults.add({ match: { verb: 'watch' }, fault: { kind: 'garbage' }, times: 2 });
        faults.cutWatches();
      },
    ],
    [
      'versions expired, and continue tokens too',
      ({ faults }) => {
        faults.expireWatches();
        faults.expireContinues();
      },
    ],
  ];
  test.each(passing)('%s: the rows are right again by themselves', async (_name, break_) => {
    open(20);
    await expectRows(['a Running w']);
    for (const one of sandbox.clusters) break_(one);
    await delegate('b');
    await expectRows(['a Running w', 'b Running w']);
    await expectContact('', 'connected');
    await expectContact('w', 'connected');
  });

  test('no right to read: said so, while the management cluster is shown', async () => {
    const one = cluster('worker-1');
    one.setRules(one.token, []);
    open();
    await expectContact('w', 'forbidden');
    await expect.poll(() => model.isSettled).toBe(true);
    expect(rows()).toEqual(['a WaitingForWorker -']);
    expect(model.clusters[1]?.status.remedy).toMatch(/Ask an administrator/);
  });

  test('no right to watch: polled, and said so', async () => {
    const one = cluster('worker-1');
    one.setRules(one.token, [{ verbs: ['get', 'list'], apiGroups: ['*'], resources: ['*'] }]);
    open(50);
    await expectRows(['a Running w']);
    await expect
      .poll(() => model.clusters[1]?.status)
      .toMatchObject({ contact: 'connected', what: expect.stringMatching(/list but not watch/) });
    await expect.poll(rows).toEqual(['a Running w']);
  });
});
