import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, systemClock } from '../../src/base/index.ts';
import { type Job, jobs, type KubeClient, type Kubeconfig, loadKubeconfig, unlimited } from '../../src/kube/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { recreate } from '../../src/session/index.ts';
import { fastClock } from '../kube/fakeCluster.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';

const never = new AbortController().signal;
const namespace = 'default';

let sandbox: Sandbox;
let kubeconfig: Kubeconfig;
let api: KubeClient;

beforeAll(async () => {
  sandbox = await startSandbox({ workers: 0, kubelet: false });
  using folder = new ScratchFolder();
  const paths = [folder.write('config', sandbox.kubeconfig)];
  ({ value: kubeconfig } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock: systemClock }));
  api = kubeconfig.open('management', { limiter: unlimited, requestTimeoutMs: 5_000 });
});

afterAll(async () => {
  api.dispose();
  kubeconfig.dispose();
  await sandbox.stop();
});

const bodyOf = (name: string, image: string, metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, ...metadata },
  spec: {
    suspend: true,
    ...spec,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
  },
});

async function stored(name: string): Promise<Job> {
  return await api.get<Job>(jobs, { namespace, name }, never);
}

/** The one door: what became of the Job of that name. */
async function attempt(name: string, body: JsonObject, uid?: string) {
  const before = await stored(name);
  const key = { kind: 'Job', namespace, name, uid: uid ?? before.metadata.uid } as const;
  // An hour passes in seconds: whatever waits comes to its end.
  const outcome = await recreate(api, key, body, fastClock(600, systemClock.now()), never).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  const after = await stored(name);
  return { outcome, isNew: after.metadata.uid !== before.metadata.uid, after };
}

describe('an object is created anew', () => {
  test('in place of the one that was there', async () => {
    await api.create(jobs, namespace, bodyOf('plain', 'r/x:1'), {}, never);
    const { outcome, isNew, after } = await attempt('plain', bodyOf('plain', 'r/x:2'));
    expect({ outcome, isNew }).toEqual({ outcome: true, isNew: true });
    expect(JSON.stringify(after.spec.template)).toContain('r/x:2');
  });

  test('but not if the server would refuse it', async () => {
    await api.create(jobs, namespace, bodyOf('refused', 'r/x:1'), {}, never);
    const { outcome, isNew } = await attempt('refused', bodyOf('refused', 'r/x:2', {}, { parallelism: -1 }));
    expect(outcome).toMatch(/spec\.parallelism/);
    expect(isNew).toBe(false);
  });

  test('but not in place of another than was meant', async () => {
    await api.create(jobs, namespace, bodyOf('other', 'r/x:1'), {}, never);
    const { outcome, isNew } = await attempt('other', bodyOf('other', 'r/x:2'), '00000000-0000-4000-8000-000000000000');
    expect(outcome).not.toBe(true);
    expect(isNew).toBe(false);
  });

  test('but not while a finalizer holds the old one', async () => {
    await api.create(jobs, namespace, bodyOf('held', 'r/x:1', { finalizers: ['example.com/held'] }), {}, never);
    const { outcome, isNew, after } = await attempt('held', bodyOf('held', 'r/x:2'));
    expect({ outcome, isNew }).toEqual({ outcome: false, isNew: false });
    expect(after.metadata.deletionTimestamp).toBeDefined();
  });
});
