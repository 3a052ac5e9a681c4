import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/index.ts';
import { runDispatch } from '../../src/cli/dispatch.ts';
import { runReconcile } from '../../src/cli/reconcile.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { fastClock } from '../kube/fakeCluster.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';
import { type Command, type Ran, runCommand } from './runCommand.ts';

/** `dispatch` and `reconcile` as they are called from outside, on embedded clusters. */

let sandbox: Sandbox;
let folder: ScratchFolder;
beforeAll(async () => {
  sandbox = await startSandbox({ workers: 1, kubelet: { podDurationMs: 50, scheduleMs: 1, startMs: 1, stopMs: 1 } });
  folder = new ScratchFolder();
  folder.write('config', sandbox.kubeconfig);
});
afterAll(async () => {
  folder[Symbol.dispose]();
  await sandbox.stop();
});

interface Options {
  readonly stdin?: string;
  readonly clock?: Clock;
  readonly onStderr?: (line: string, stop: () => void) => void;
  readonly onStdout?: (text: string, stop: () => void) => void;
}

function run(command: Command, args: readonly string[], { stdin = '', ...more }: Options = {}): Promise<Ran> {
  return runCommand(command, args, { cwd: folder.path, stdin: [stdin], ...more });
}

const management = ['--kubeconfig', 'config', '--management', 'management'];

function job(name: string, spec: readonly string[] = []): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
spec:
${spec.map((line) => `  ${line}\n`).join('')}  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: r/x:1
`;
}

describe('dispatch', () => {
  test('creates the Jobs of a file, delegated to us', async () => {
    await writeFile(
      join(folder.path, 'two.yaml'),
      `${job('one')}---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n---\n${job('two')}`,
    );
    const result = await run(runDispatch, [...management, '--worker', 'w', 'two.yaml']);
    expect(result).toEqual({
      code: 0,
      stdout: 'job.batch/one created in namespace default\njob.batch/two created in namespace default\n',
      stderr: 'two.yaml:12: what is no batch/v1 Job is left alone.',
    });
  });
  test('reads standard input, and only tries', async () => {
    const result = await run(runDispatch, [...management, '--dry-run', '-'], { stdin: job('tried') });
    expect(result).toMatchObject({
      code: 0,
      stdout: 'job.batch/tried created (server dry run) in namespace default\n',
    });
    const again = await run(runDispatch, [...management, '--dry-run', '-'], { stdin: job('tried') });
    expect(again.code).toBe(0);
  });
  test('names what the pods refer to and the worker lacks, before the outcome', async () => {
    const pod = [
      'serviceAccountName: builder',
      'priorityClassName: urgent',
      'volumes: [{name: a, configMap: {name: settings}}, {name: b, secret: {secretName: s, optional: true}}]',
    ];
    const stdin = job('needy').replace('restartPolicy', `${pod.join('\n      ')}\n      restartPolicy`);
    const to = (worker: string) => run(runDispatch, [...management, '--dry-run', '--worker', worker, '-'], { stdin });
    expect(await to('w=worker-1')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        "-: Job needy: Worker w lacks ConfigMap 'settings' and ServiceAccount 'builder' (namespace default)",
      ),
    });
    expect((await to('w')).stderr).not.toContain('lacks');
    expect(await to('w=')).toMatchObject({ code: 2, stderr: expect.stringContaining('NAME or NAME=CONTEXT') });
  });
  test('names what the pods ask for, before the outcome', async () => {
    const asking = (name: string, spec: readonly string[] = []): string =>
      job(name, spec).replace('restartPolicy', 'hostNetwork: true\n      restartPolicy');
    expect(await run(runDispatch, [...management, '--dry-run', '-'], { stdin: asking('trusted') })).toMatchObject({
      code: 0,
      stderr: '-: the pods of Job trusted ask for: hostNetwork.',
    });
    const refused = await run(runDispatch, [...management, '-'], { stdin: asking('refused', ['completions: -1']) });
    expect(refused.stderr).toMatch(
      /^-: the pods of Job refused ask for: hostNetwork\.\n-: Job refused was not created/,
    );
  });
  test.each<[string, readonly string[], string]>([
    ['that the API server would refuse', ['completions: -1'], 'spec.completions'],
    ['of another controller', ['managedBy: example.com/other'], 'managedBy is "example.com/other"'],
    ['with a selector of its own', ['manualSelector: true', 'selector: {}'], 'manualSelector'],
  ])('refuses a Job %s', async (_name, spec, message) => {
    const result = await run(runDispatch, [...management, '-'], { stdin: job('refused', spec) });
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
  });
  test.each<[string, readonly string[], string, string]>([
    ['no management cluster', ['-'], job('a'), '--management'],
    ['no file', management, '', 'FILE'],
    ['two files', [...management, 'a', 'b'], '', 'FILE'],
    ['a file that is not there', [...management, 'nowhere.yaml'], '', "nowhere.yaml: it can't be read"],
    ['text that can not be read', [...management, '-'], 'kind: Job\nspec: [', '-:2'],
    [
      'a text without Jobs',
      [...management, '-'],
      'kind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n',
      'no batch/v1 Job',
    ],
    ['a context that there is not', ['--kubeconfig', 'config', '--management', 'nowhere', '-'], job('a'), 'nowhere'],
    ['a kubeconfig that there is not', ['--kubeconfig', 'nowhere', '--management', 'm', '-'], job('a'), 'nowhere'],
    ['an option that there is not', [...management, '--nope', '-'], job('a'), '--nope'],
  ])('says what is wrong with %s', async (_name, args, stdin, message) => {
    expect(await run(runDispatch, args, { stdin })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });
  test('has a help', async () => {
    expect(await run(runDispatch, ['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
  });
});

describe('reconcile', () => {
  const usual = [...management, '--worker', 'w=worker-1'];

  test('runs a Job to its end, a JSON line an action, and stops when it is told to', async () => {
    await run(runDispatch, [...management, '-'], { stdin: job('whole') });
    const isEnd = (text: string): boolean => text.includes('"job":"whole"') && text.includes('"isTerminal":true');
    const result = await run(runReconcile, usual, { onStdout: (text, stop) => (isEnd(text) ? stop() : undefined) });
    expect(result.code).toBe(0);
    const lines: { action: string; job: string; worker: string; time: string }[] = result.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const whole = lines.filter((line) => line.job === 'whole');
    expect(whole.slice(0, 4).map(({ action }) => action)).toEqual([
      'assign',
      'create-mirror',
      'record-mirror',
      'adjust-mirror',
    ]);
    expect(whole[0]).toMatchObject({ namespace: 'default', worker: 'w', time: expect.stringMatching(/^2.*Z$/) });
    expect(result.stderr).toContain('default on w: leading');
  });
  test('prints what a login program says, and runs it again after a while, since nobody can ask for it', async () => {
    const command = { command: process.execPath, args: ['-e', `console.error('Open here'); process.exit(1)`] };
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', ...command };
    const names = ['management', 'worker-1'];
    const config = {
      clusters: names.map((name) => ({ name, cluster: { server: 'http://127.0.0.1:9' } })),
      users: [{ name: 'me', user: { exec } }],
      contexts: names.map((name) => ({ name, context: { cluster: name, user: 'me' } })),
    };
    folder.write('exec', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...config }));
    let times = 0;
    const args = ['--kubeconfig', 'exec', '--management', 'management', '--worker', 'w=worker-1'];
    const { code } = await run(runReconcile, args, {
      clock: fastClock(60),
      onStderr: (line, stop) => {
        if (line === `${process.execPath}: Open here` && ++times === 2) stop();
      },
    });
    expect({ code, times }).toEqual({ code: 0, times: 2 });
  });
  test.each<[string, readonly string[], string]>([
    ['no management cluster', ['--worker', 'w=worker-1'], '--management'],
    ['no worker', management, '--worker'],
    ['a worker of an unknown context', [...management, '--worker', 'w'], 'no context "w"'],
    ['a worker without a context', [...management, '--worker', 'w='], 'NAME=CONTEXT'],
    ['two workers of one name', [...usual, '--worker', 'w=management'], 'same name'],
    ['a time that is none', [...usual, '--retain-finished', 'soon'], '--retain-finished soon'],
    ['a number that is none', [...usual, '--max-mirrors', '0'], '--max-mirrors 0'],
    ['an identity that is none', [...usual, '--cluster-id', 'x'], 'NAME=UID'],
    ['a context that there is not', [...management, '--worker', 'w=nowhere'], 'nowhere'],
    ['an option that there is not', [...usual, '--nope'], '--nope'],
    ['an argument too many', [...usual, 'more'], 'more'],
  ])('says what is wrong with %s', async (_name, args, message) => {
    expect(await run(runReconcile, args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
  test('has a help', async () => {
    expect(await run(runReconcile, ['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
  });
});
