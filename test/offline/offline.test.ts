import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { ScratchFolder } from '../kube/scratchFolder.ts';

/** What judges manifests runs without a network, and doesn't as much as ask for one. */

/** Programs are started from their sources, which takes a while on a machine that has other work. */
vi.setConfig({ testTimeout: 180_000 });

const root = fileURLToPath(new URL('../../', import.meta.url));
const manifests = 'test/fixtures/manifest';

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Ways out that were tried. */
  readonly tried: readonly string[];
}

async function runProgram(args: readonly string[], isDenied = true): Promise<Run> {
  using folder = new ScratchFolder();
  const log = folder.write('denied.json', '[]');
  const denial = isDenied ? ['--import', './test/offline/denyNetwork.ts'] : [];
  const env = { ...process.env, DENIED_LOG: log, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' };
  const child = spawn(process.execPath, [...denial, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr, tried: JSON.parse(folder.read('denied.json')) };
}

describe('a way out is noticed, such as', () => {
  test.each([
    ['fetch', 'fetch("http://127.0.0.1:1")', 'globalThis.fetch'],
    ['http', 'import("node:http").then(({ get }) => get("http://127.0.0.1:1"))', 'http.get'],
    ['a socket', 'import("node:net").then(({ Socket }) => new Socket().connect(1))', 'net.Socket.connect'],
    ['TLS', 'import("node:tls").then(({ connect }) => connect(1))', 'tls.connect'],
    ['a name', 'import("node:dns").then(({ promises }) => promises.lookup("localhost"))', 'dns.promises.lookup'],
    ['another program', 'import("node:child_process").then(({ spawn }) => spawn("curl"))', 'child_process.spawn'],
    ['a thread', 'import("node:worker_threads").then(({ Worker }) => new Worker("x"))', 'worker_threads.Worker'],
  ])('%s', async (_, program, name) => {
    const { code, tried } = await runProgram(['--input-type=module', '-e', program]);
    expect([code, tried]).toEqual([1, [name]]);
  });
});

test('lint says the same without a network, and tries no way out', async () => {
  const args = ['src/cli.ts', 'lint', '--format', 'json', manifests];
  const [denied, allowed] = await Promise.all([runProgram(args), runProgram(args, false)]);
  expect(denied).toMatchObject({ code: 1, stderr: '', tried: [] });
  expect(JSON.parse(denied.stdout)).toEqual(JSON.parse(allowed.stdout));
  expect(denied.stdout.length).toBeGreaterThan(10_000);
});

test('whoever writes manifests is helped without a network, and no way out is tried', async () => {
  const { code, stdout, stderr, tried } = await runProgram(['test/offline/authoring.ts', manifests]);
  expect([code, stderr, tried]).toEqual([0, '', []]);
  const counts: Readonly<Record<string, number>> = JSON.parse(stdout);
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(0);
});
