import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type JsonObject, systemClock } from '../../src/base/index.ts';
import { runStatus } from '../../src/cli/status.ts';
import {
  clusterIdentity,
  type Job,
  jobs,
  type KubeClient,
  type Kubeconfig,
  loadKubeconfig,
  unlimited,
} from '../../src/kube/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';
import { type Ran, runCommand } from './runCommand.ts';

const never = new AbortController().signal;
const folder = new ScratchFolder();
let sandbox: Sandbox;
let kubeconfig: Kubeconfig;
let management: KubeClient;
let worker: KubeClient;
/** UIDs of the Job and the mirror that are there from the start. */
let uid: string;
let mirrorUid: string;

function manifest(name: string, managedBy: string | undefined, labels: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default', labels },
    spec: {
      ...(managedBy === undefined ? {} : { managedBy }),
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] } },
    },
  };
}

beforeAll(async () => {
  sandbox = await startSandbox({ workers: 2, kubelet: false });
  const paths = [folder.write('config', sandbox.kubeconfig)];
  ({ value: kubeconfig } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock: systemClock }));
  management = kubeconfig.open('management', { limiter: unlimited });
  worker = kubeconfig.open('worker-1', { limiter: unlimited });
  const created = await management.create(
    jobs,
    'default',
    manifest('hello', 'delegated-jobs.dev/reconciler'),
    {},
    never,
  );
  uid = created.object.metadata.uid;
  const labels = {
    'delegated-jobs.dev/origin-uid': uid,
    'delegated-jobs.dev/origin-cluster': await clusterIdentity(management, never),
  };
  const mirror = await worker.create(jobs, 'default', manifest('hello', undefined, labels), {}, never);
  mirrorUid = mirror.object.metadata.uid;
  // The row is to be looked at once the worker's controller has started the mirror.
  await vi.waitFor(async () => {
    const { status } = await worker.get<Job>(jobs, { namespace: 'default', name: 'hello' }, never);
    expect(status?.active).toBe(1);
  }, 20_000);
});

afterAll(async () => {
  management.dispose();
  worker.dispose();
  kubeconfig.dispose();
  await sandbox.stop();
  folder[Symbol.dispose]();
});

/** Runs the command; `whileRunning` sees its output grow and returns when it shall be stopped. */
function run(args: string, whileRunning?: (output: () => string) => Promise<void>): Promise<Ran> {
  const env = { KUBECONFIG: join(folder.path, 'config') };
  return runCommand(runStatus, args.split(' '), {
    cwd: folder.path,
    env,
    ...(whileRunning === undefined ? {} : { whileRunning }),
  });
}

function parseLines(text: string): Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('status', () => {
  test('joins a Job to its mirror, as JSON', async () => {
    const { code, stdout, stderr } = await run('--management management --worker w=worker-1 -o json');
    expect({ code, stderr, rows: parseLines(stdout) }).toEqual({
      code: 0,
      stderr: '',
      rows: [
        {
          cluster: 'management',
          namespace: 'default',
          name: 'hello',
          uid,
          managedBy: 'delegated-jobs.dev/reconciler',
          phase: 'Running',
          reason: '',
          reasonCode: '',
          level: 'fine',
          remedy: '',
          worker: 'w',
          mirror: {
            name: 'hello',
            uid: mirrorUid,
            phase: 'Running',
            worker: 'w',
            pods: [expect.objectContaining({ phase: 'Pending' })],
          },
          active: 1,
          succeeded: 0,
          failed: 0,
          completions: 1,
          suspended: false,
          queue: null,
          since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          stale: false,
        },
      ],
    });
  });

  test('as a table', async () => {
    const { stdout } = await run('--management management --worker w=worker-1');
    expect(stdout).toMatch(
      /^NAMESPACE {2}NAME {3}PHASE {4}WORKER {2}PROGRESS +REASON\ndefault {4}hello {2}Running {2}w {7}0\/1 done, 1 active {2}-\n$/,
    );
  });

  test('without the worker the Job waits for one', async () => {
    const { stdout } = await run('--management management -o json');
    expect(parseLines(stdout)).toMatchObject([
      { phase: 'WaitingForWorker', worker: null, mirror: null, reason: expect.stringMatching(/./) },
    ]);
  });

  test('of a namespace without Jobs', async () => {
    expect(await run('--management management -n kube-system')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No Jobs found.',
    });
  });

  test('goes on with what changes, and tells what was removed', async () => {
    const { code, stdout } = await run(
      '--management management --worker w=worker-1 -o json --watch',
      async (output) => {
        await expect.poll(() => parseLines(output()).length).toBe(1);
        const { object } = await management.create(jobs, 'default', manifest('second', 'example.com/other'), {}, never);
        await expect.poll(() => parseLines(output()).length).toBe(2);
        const key = { namespace: 'default', name: 'second' };
        await management.delete(jobs, key, { uid: object.metadata.uid, propagationPolicy: 'Background' }, never);
        await expect.poll(() => parseLines(output()).length).toBe(3);
      },
    );
    expect(code).toBe(0);
    expect(parseLines(stdout).slice(1)).toMatchObject([
      { name: 'second', managedBy: 'example.com/other', phase: 'Queued' },
      { removed: { cluster: 'management', namespace: 'default', name: 'second' } },
    ]);
  });

  test('of a worker that is out of reach: the rest is shown, the worker named', async () => {
    const [, , second] = sandbox.clusters;
    const fault = second?.faults.add({ fault: { kind: 'reset' } });
    const { code, stdout, stderr } = await run(
      '--management management --worker w=worker-1 --worker gone=worker-2 -o json',
    );
    fault?.dispose();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^delegated-jobs status: worker gone: The connection broke.*cluster worker-2/);
    expect(parseLines(stdout)).toMatchObject([{ name: 'hello', phase: 'Running', stale: false }]);
  });

  test('of a management cluster that is out of reach is an error', async () => {
    const fault = sandbox.clusters[0]?.faults.add({ fault: { kind: 'reset' } });
    const { code, stdout, stderr } = await run('--management management');
    fault?.dispose();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/cluster management/);
  });
});

describe('bad usage', () => {
  const rows: readonly (readonly [string, RegExp])[] = [
    ['-o json', /--management is missing/],
    ['--management nope', /There is no context "nope" in .*config\. There are: management, worker-1, worker-2/],
    ['--management management --worker w=nope', /There is no context "nope"/],
    ['--management management --worker a=worker-1 --worker a=worker-2', /two workers have the same name/],
    ['--management management --worker =x', /give NAME=CONTEXT/],
    ['--management management -o yaml', /give table or json/],
    ['--management management --nonsense', /nonsense.*--help/s],
    ['--management management --kubeconfig missing', /missing: There is no such kubeconfig file/],
  ];
  test.each(rows)('%s', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('--help', async () => {
    expect(await run('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: delegated-jobs status/),
    });
  });
});
