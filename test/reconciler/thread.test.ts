import { describe, expect, test } from 'vitest';
import { nullLog, systemClock, systemRandom } from '../../src/base/index.ts';
import { readMessageFromThread, readMessageToThread, type ThreadTarget } from '../../src/reconciler/messages.ts';
import type { ReconcilerState } from '../../src/reconciler/state.ts';
import { startReconcilerThread, type ThreadPort } from '../../src/reconciler/thread.ts';
import { ThreadHost } from '../../src/reconciler/threadHost.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { manualClock } from '../kube/manualClock.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';

const target: ThreadTarget = {
  kubeconfig: '',
  homeDir: '/',
  management: 'management',
  workers: [{ name: 'w', context: 'worker-1' }],
  namespaces: ['default'],
  controllerName: 'delegated-jobs.dev/reconciler',
  clusterIds: {},
  identity: 'me',
};
const cluster = { name: 'management', contextName: 'management', health: { kind: 'unknown' } } as const;
const state: ReconcilerState = {
  management: cluster,
  workers: [],
  leases: [],
  counts: { progress: 0, waiting: 0, attention: 0 },
  waiting: [],
  orphans: 0,
};

describe('messages', () => {
  test.each<[unknown, boolean]>([
    [{ kind: 'stop' }, true],
    [{ kind: 'retry' }, true],
    [{ kind: 'retry', cluster: 'w' }, true],
    [{ kind: 'start', target }, true],
    [{ kind: 'start', target: { ...target, workers: [{ name: 'w' }] } }, false],
    [{ kind: 'start', target: { ...target, namespaces: 'default' } }, false],
    [{ kind: 'start', target: { ...target, identity: undefined } }, false],
    [{ kind: 'start', target: { ...target, clusterIds: { 'worker-1': 'some-uid' } } }, true],
    [{ kind: 'start', target: { ...target, clusterIds: { 'worker-1': 7 } } }, false],
    [{ kind: 'start' }, false],
    [{ kind: 'other' }, false],
    ['stop', false],
    [null, false],
  ])('to the thread: %j', (message, isOne) => {
    expect(readMessageToThread(structuredClone(message))).toEqual(isOne ? message : undefined);
  });
  const action = { action: 'assign', namespace: 'n', job: 'j', uid: 'u', worker: 'w', detail: {} };
  test.each<[unknown, boolean]>([
    [{ kind: 'state', state }, true],
    [{ kind: 'state', state: { ...state, leases: undefined } }, false],
    [{ kind: 'action', action }, true],
    [{ kind: 'action', action: {} }, false],
    [{ kind: 'log', level: 'info', message: 'm', fields: {} }, true],
    [{ kind: 'log', level: 'loud', message: 'm', fields: {} }, false],
    [{ kind: 'login', command: 'c', text: 't' }, true],
    [{ kind: 'login', command: 'c' }, false],
    [{ kind: 'failed', reason: 'r' }, true],
    [{ kind: 'failed' }, false],
    [{ kind: 'stopped' }, true],
    [{}, false],
    [7, false],
  ])('from the thread: %j', (message, isOne) => {
    expect(readMessageFromThread(structuredClone(message))).toEqual(isOne ? message : undefined);
  });
});

/** A thread that does what the test says. */
class FakeThread implements ThreadPort {
  readonly posted: unknown[] = [];
  isTerminated = false;
  tell: (message: unknown) => void = () => {};
  exit: (reason: string) => void = () => {};
  post(message: unknown): void {
    this.posted.push(message);
  }
  onMessage(listener: (message: unknown) => void) {
    this.tell = listener;
    const dispose = (): void => {
      this.tell = () => {};
    };
    return { dispose };
  }
  onExit(listener: (reason: string) => void) {
    this.exit = listener;
    const dispose = (): void => {
      this.exit = () => {};
    };
    return { dispose };
  }
  async terminate(): Promise<void> {
    this.isTerminated = true;
  }
}

describe('the thread as its parent sees it', () => {
  async function started() {
    const port = new FakeThread();
    const clock = manualClock();
    const said: string[] = [];
    const onLoginMessage = (command: string, text: string): void => void said.push(`${command}: ${text}`);
    const starting = startReconcilerThread(target, { spawn: () => port, clock, log: nullLog, onLoginMessage });
    port.tell({ kind: 'state', state });
    return { port, clock, said, thread: await starting };
  }

  test('passes on what its login programs say', async () => {
    const { port, said } = await started();
    port.tell({ kind: 'login', command: 'kubelogin', text: 'Open https://login.example' });
    expect(said).toEqual(['kubelogin: Open https://login.example']);
  });

  test('is there once it has told its state', async () => {
    const { port, thread } = await started();
    expect(port.posted).toEqual([{ kind: 'start', target }]);
    expect(thread.report).toEqual(state);
    const seen: number[] = [];
    thread.onReport(({ orphans }) => seen.push(orphans));
    port.tell({ kind: 'state', state: { ...state, orphans: 3 } });
    port.tell({ kind: 'nonsense' });
    expect(seen).toEqual([3]);
    thread.retry('w');
    expect(port.posted.at(-1)).toEqual({ kind: 'retry', cluster: 'w' });
  });
  test('that fails at once rejects with its reason', async () => {
    const port = new FakeThread();
    const deps = { spawn: () => port, clock: manualClock(), log: nullLog, onLoginMessage() {} };
    const starting = startReconcilerThread(target, deps);
    port.tell({ kind: 'failed', reason: 'no such context' });
    await expect(starting).rejects.toThrow('no such context');
    expect(port.isTerminated).toBe(true);
  });
  test('that goes by itself says why', async () => {
    const { port, thread } = await started();
    port.exit('exit code 1');
    expect(await thread.ended).toBe('exit code 1');
  });
  test('is stopped in good order', async () => {
    const { port, thread, clock } = await started();
    const stopping = thread.stop();
    expect(port.posted.at(-1)).toEqual({ kind: 'stop' });
    expect(port.isTerminated).toBe(false);
    port.tell({ kind: 'stopped' });
    await stopping;
    expect(port.isTerminated).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });
  test('is ended without its consent when it does not answer', async () => {
    const { port, thread, clock } = await started();
    const stopping = thread.stop();
    clock.advance(3_000);
    await stopping;
    expect(port.isTerminated).toBe(true);
  });
});

describe('the thread itself', () => {
  test('reads the kubeconfig, works, and stops', async () => {
    const sandbox = await startSandbox({ workers: 1, kubelet: false });
    using folder = new ScratchFolder();
    const kubeconfig = folder.write('config', sandbox.kubeconfig);
    const told: string[] = [];
    let onTold = (): void => {};
    let last: ReconcilerState | undefined;
    const host = new ThreadHost({
      post: (message) => {
        told.push(message.kind);
        if (message.kind === 'state') last = message.state;
        onTold();
      },
      env: {},
      clock: systemClock,
      random: systemRandom,
    });
    // The context's identity is given by hand, and the reconciler knows the cluster by the name of the settings.
    await host.receive({ kind: 'start', target: { ...target, kubeconfig, clusterIds: { 'worker-1': 'by-hand' } } });
    await new Promise<void>((resolve) => {
      onTold = () => {
        if (last?.leases[0]?.lease.kind === 'leading') resolve();
      };
      onTold();
    });
    expect(last?.workers).toMatchObject([{ name: 'w', uid: 'by-hand' }]);
    await host.receive({ kind: 'stop' });
    expect(told.at(-1)).toBe('stopped');
    await sandbox.stop();
  });
  test('passes on what a login program says, and runs it again when a person asks', async () => {
    using folder = new ScratchFolder();
    // Without a login that could be of use, so that every run is by itself.
    const script = `console.error('Open https://login.example'); process.exit(1)`;
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', script] };
    const names = ['management', 'worker-1'];
    const config = {
      clusters: names.map((name) => ({ name, cluster: { server: 'http://127.0.0.1:9' } })),
      users: [{ name: 'me', user: { exec: { ...exec, interactiveMode: 'Never' } } }],
      contexts: names.map((name) => ({ name, context: { cluster: name, user: 'me' } })),
    };
    const said: string[] = [];
    let health = 'unknown';
    const saidTimes = (count: number) => expect.poll(() => said.length, { timeout: 20_000 }).toBe(count);
    const host = new ThreadHost({
      post: (message) => {
        if (message.kind === 'login') said.push(message.text);
        if (message.kind === 'state') health = message.state.management.health.kind;
      },
      env: {},
      clock: systemClock,
      random: systemRandom,
    });
    const kubeconfig = folder.write('config', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }));
    await host.receive({ kind: 'start', target: { ...target, kubeconfig } });
    await saidTimes(1);
    expect(said[0]).toContain('Open https://login.example');
    // It has ended, too: to ask before that would ask for nothing new.
    await expect.poll(() => health, { timeout: 20_000 }).toBe('trouble');
    await host.receive({ kind: 'retry', cluster: 'elsewhere' });
    await host.receive({ kind: 'retry', cluster: 'w' });
    await saidTimes(2);
    await host.receive({ kind: 'stop' });
  });
  test('reads the kubeconfig that a relative KUBECONFIG names at home, as the question did', async () => {
    using folder = new ScratchFolder();
    folder.write('clusters.yaml', 'apiVersion: v1\nkind: Config\n');
    const told: unknown[] = [];
    const host = new ThreadHost({
      post: (message) => told.push(message),
      env: { KUBECONFIG: 'clusters.yaml' },
      clock: systemClock,
      random: systemRandom,
    });
    await host.receive({ kind: 'start', target: { ...target, homeDir: folder.path } });
    // It was found: only the context is missing in it.
    expect(told.at(-1)).toMatchObject({ kind: 'failed', reason: expect.stringContaining(target.management) });
    expect(told.at(-1)).toMatchObject({ reason: expect.stringContaining(folder.path) });
    await host.receive({ kind: 'stop' });
  });
  test('says what it can not use', async () => {
    const told: unknown[] = [];
    const host = new ThreadHost({
      post: (message) => told.push(message),
      env: {},
      clock: systemClock,
      random: systemRandom,
    });
    await host.receive({ kind: 'start', target: { ...target, kubeconfig: '/nowhere/config' } });
    expect(told.at(-1)).toMatchObject({ kind: 'failed', reason: expect.stringContaining('kubeconfig') });
    await host.receive({ kind: 'nonsense' });
    expect(told.at(-1)).toMatchObject({ kind: 'log', level: 'warn' });
  });
});
