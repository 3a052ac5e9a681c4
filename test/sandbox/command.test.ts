import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { type CommandIo, UsageError } from '../../src/cli/io.ts';
import { runSandbox } from '../../src/cli/sandbox.ts';
import { Client } from './client.ts';
import { seededRandom } from './rig.ts';
import { until } from './served.ts';

describe('delegated-jobs sandbox', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** The command with its output, running until `stop` is called. */
  function start(...args: readonly string[]) {
    const stop = new AbortController();
    const written: string[] = [];
    const io: CommandIo = {
      stdout: async (text) => {
        written.push(text);
      },
      stderr: (line) => written.push(`${line}\n`),
      stdin: (async function* () {})(),
      env: {},
      cwd: folder,
      homeDir: folder,
      signal: stop.signal,
      clock: systemClock,
      random: seededRandom(),
    };
    const exit = runSandbox(args, io);
    return { exit, text: () => written.join(''), stop: () => stop.abort() };
  }

  it('writes the kubeconfig when all is ready, and takes it back at the end', async () => {
    const path = join(folder, 'kubeconfig');
    const { exit, stop, text } = start('--workers', '1', '--kubeconfig-out', 'kubeconfig');
    await until(() => existsSync(path));
    const config = await readFile(path, 'utf8');
    expect([...config.matchAll(/^ {2}- name: "(.+)"$/gmu)].map(([, name]) => name).slice(0, 2)).toEqual([
      'management',
      'worker-1',
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const field = (name: string): string => new RegExp(`${name}: "?([^"\\n]+)`, 'u').exec(config)?.[1] ?? '';
    const ca = Buffer.from(field('certificate-authority-data'), 'base64').toString();
    const client = new Client({ url: field('server'), token: field('token'), ca });
    expect(await client.get('/readyz')).toMatchObject({ status: 200, text: 'ok' });
    client.close();
    expect(text()).toContain(`export KUBECONFIG=${path}`);
    stop();
    expect(await exit).toBe(0);
    expect(await readdir(folder)).toEqual([]);
  });

  it('says where the kubeconfig is if nobody says where it shall be', async () => {
    const { exit, stop, text } = start('--workers', '0');
    const path = (): string => /KUBECONFIG=(.+)/u.exec(text())?.[1] ?? '';
    await until(() => path() !== '' && existsSync(path()));
    stop();
    expect(await exit).toBe(0);
    expect(existsSync(path())).toBe(false);
  });

  it('replaces the kubeconfig of a run that was killed', async () => {
    const path = join(folder, 'kubeconfig');
    await writeFile(path, '# Written by delegated-jobs sandbox; gone when it stops.\nold');
    const { exit, stop } = start('--workers', '0', '--kubeconfig-out', path);
    let text = 'old';
    while (text.endsWith('old')) text = await readFile(path, 'utf8').catch(() => 'old');
    expect(text).toContain('current-context');
    stop();
    await exit;
  });

  it('never replaces another file', async () => {
    const path = join(folder, 'precious');
    await writeFile(path, 'precious');
    await expect(start('--kubeconfig-out', path).exit).rejects.toThrow(
      /precious: the file exists and isn't a sandbox's/u,
    );
    expect(await readFile(path, 'utf8')).toBe('precious');
  });

  it('names the port that is taken', async () => {
    const path = join(folder, 'a');
    const first = start('--workers', '0', '--kubeconfig-out', path);
    await until(() => existsSync(path));
    const port = /https:\/\/127\.0\.0\.1:(\d+)/u.exec(await readFile(path, 'utf8'))?.[1] ?? '';
    await expect(start('--port', port, '--kubeconfig-out', join(folder, 'b')).exit).rejects.toThrow(
      new RegExp(`--port ${port}: .*EADDRINUSE`, 'u'),
    );
    first.stop();
    await first.exit;
    expect(await readdir(folder)).toEqual([]);
  });

  it('prints its help', async () => {
    const { exit, text } = start('--help');
    expect(await exit).toBe(0);
    expect(text()).toContain('sandbox.delegated-jobs.dev/fail-indexes');
  });

  it.each([
    [['--workers', 'many'], /--workers many/u],
    [['--workers', '-1'], /--workers/u],
    [['--port', '99999'], /--port 99999/u],
    [['--kubernetes', '1.20'], /--kubernetes 1.20: the minors that it can be/u],
    [['--pod-duration', 'soon'], /--pod-duration soon/u],
    [['--wrong'], /--wrong/u],
    [['extra'], /extra/u],
  ])('refuses %j and says why', async (args, message) => {
    await expect(start(...args).exit).rejects.toThrow(message);
    await expect(start(...args).exit).rejects.toBeInstanceOf(UsageError);
  });
});
