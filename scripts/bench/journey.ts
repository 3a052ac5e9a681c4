import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLog, systemClock, systemRandom } from '../../src/base/index.ts';
import { type Job, jobs, type KubeClient, loadKubeconfig, startReflector } from '../../src/kube/index.ts';
import { openModel } from '../../src/model/index.ts';
import { startReconciler } from '../../src/reconciler/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type Figure, figure } from './measure.ts';

/**
 * How long news takes, measured over real HTTPS against the sandbox, all in one process: Job created → mirror created,
 * mirror's status → the Job's, and change in a cluster → row of the tree. Jobs come one by one, 40 of them.
 */
const jobCount = 40;
const controllerName = 'delegated-jobs.dev/reconciler';

export async function benchJourney(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-bench-'));
  const sandbox = await startSandbox({ workers: 1, kubelet: { podDurationMs: 300 } });
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, sandbox.kubeconfig);
  const common = { clock: systemClock, random: systemRandom, log: nullLog };
  const { value: kubeconfig } = await loadKubeconfig({
    paths: [path],
    env: {},
    homeDir: homedir(),
    cwd: folder,
    clock: systemClock,
  });
  const open = (context: string): KubeClient => kubeconfig.open(context);
  const observer = { management: open('management'), worker: open('worker-1') };
  const actor = { management: open('management'), worker: open('worker-1') };
  const watcher = { management: open('management'), worker: open('worker-1') };
  const seen = new Moments();
  const watch = (api: KubeClient) =>
    startReflector<Job, Job>({ api, type: jobs, scope: { namespace: 'default' }, keep: (job) => job, ...common });
  const onManagement = watch(observer.management);
  const onWorker = watch(observer.worker);
  onManagement.onChange((changes) => {
    for (const { uid } of changes) note(seen, 'management', onManagement.get(uid));
  });
  onWorker.onChange((changes) => {
    for (const { uid } of changes) note(seen, 'worker', onWorker.get(uid));
  });
  const model = openModel({
    management: watcher.management,
    workers: [{ name: 'w', api: watcher.worker }],
    namespaces: ['default'],
    controllerName,
    ...common,
  });
  const rowSeen = new Map<string, number>();
  model.onChange(({ rows }) => {
    for (const id of rows) {
      const row = model.row(id);
      if (row !== undefined && !rowSeen.has(row.job.name)) rowSeen.set(row.job.name, performance.now());
    }
  });
  const reconciler = startReconciler({
    management: actor.management,
    workers: new Map([['w', actor.worker]]),
    settings: { controllerName, namespaces: ['default'] },
    identity: 'bench',
    ...common,
  });
  try {
    await until(() => reconciler.state.leases.some(({ lease }) => lease.kind === 'leading'));
    const created = new Map<string, number>();
    const stop = new AbortController();
    for (let index = 0; index < jobCount; index++) {
      const name = `job-${index}`;
      await observer.management.create<Job>(jobs, 'default', manifest(name), {}, stop.signal);
      created.set(name, performance.now());
      await until(() => seen.has('management complete', name));
    }
    const names = [...created.keys()];
    const between = (from: (name: string) => number | undefined, to: (name: string) => number | undefined): number[] =>
      names.flatMap((name) => {
        const start = from(name);
        const end = to(name);
        return start === undefined || end === undefined ? [] : [Math.max(0, end - start)];
      });
    const at = (event: string) => (name: string) => seen.at(event, name);
    const createdAt = (name: string) => created.get(name);
    return [
      figure('Job created → mirror created', 'ms', between(createdAt, at('worker there')), '< 300 ms, p95'),
      figure(
        'mirror active → Job active',
        'ms',
        between(at('worker active'), at('management active')),
        '< 300 ms, p95',
      ),
      figure(
        'mirror complete → Job complete',
        'ms',
        between(at('worker complete'), at('management complete')),
        '< 300 ms, p95',
      ),
      figure(
        'Job created → row in the tree',
        'ms',
        between(createdAt, (name) => rowSeen.get(name)),
        '< 1000 ms, p95',
      ),
    ];
  } finally {
    await reconciler.stop();
    model.dispose();
    onManagement.dispose();
    onWorker.dispose();
    for (const { management, worker } of [observer, actor, watcher]) {
      management.dispose();
      worker.dispose();
    }
    kubeconfig.dispose();
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** When something was first seen of a Job. */
class Moments {
  readonly #times = new Map<string, number>();

  note(event: string, name: string): void {
    const key = `${event} ${name}`;
    if (!this.#times.has(key)) this.#times.set(key, performance.now());
  }

  has(event: string, name: string): boolean {
    return this.#times.has(`${event} ${name}`);
  }

  at(event: string, name: string): number | undefined {
    return this.#times.get(`${event} ${name}`);
  }
}

function note(seen: Moments, cluster: string, job: Job | undefined): void {
  if (job === undefined) return;
  const { name } = job.metadata;
  seen.note(`${cluster} there`, name);
  if ((job.status?.active ?? 0) > 0) seen.note(`${cluster} active`, name);
  if (job.status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True'))
    seen.note(`${cluster} complete`, name);
}

function manifest(name: string) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      managedBy: controllerName,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 6000) throw new Error('Waited a minute in vain.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
