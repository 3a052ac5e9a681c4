import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './lintRun.ts';

const job = `apiVersion: batch/v1
kind: Job
metadata: {name: demo}
spec:
  parallelism: -1
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: r/x:1}]}}
`;
const finding = 'a.yaml:5:16: error: spec.parallelism';
const wide = Buffer.from(job, 'utf16le');
const binary = Uint8Array.from({ length: 3000 }, (_, index) => (index * 167 + 211) % 256);

/** Beside each stands a file that is as files should be: it is told of in any case. */
const rows: readonly (readonly [name: string, content: string | Uint8Array, named: string, inFolder: string])[] = [
  ['UTF-16 with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), 'UTF-16 or UTF-32', 'UTF-16 or UTF-32'],
  ['UTF-16, big end first', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]).swap16(), 'UTF-16 or UTF-32', 'UTF-16'],
  ['UTF-16 without a mark', wide, 'UTF-16 or UTF-32', 'UTF-16 or UTF-32'],
  ['Latin-1', Buffer.from(`# \u00e9\n${job}`, 'latin1'), 'not UTF-8. Save it as UTF-8', 'not UTF-8. Save it as UTF-8'],
  ['another encoding of something else', Buffer.from('name: caf\u00e9\n', 'latin1'), 'not UTF-8', ''],
  ['bytes that are no text', binary, 'not UTF-8', ''],
  ['a NUL', job.replace('demo', 'de\0mo'), 'x.yaml:3:20: Not readable as YAML', 'x.yaml:3:20: Not readable as YAML'],
];

test.each(rows)('%s: said when named, and in a folder if it is one of ours', async (_, content, named, inFolder) => {
  const files = { 'x.yaml': content, 'a.yaml': job };
  const one = await run('lint', { args: ['x.yaml', 'a.yaml'], files });
  expect([one.code, one.stderr, one.stdout]).toEqual([
    2,
    expect.stringMatching(/^delegated-jobs lint: x\.yaml/),
    expect.stringContaining(finding),
  ]);
  expect(one.stderr).toContain(named);
  const all = await run('lint', { args: ['.'], files });
  expect([all.code, all.stdout]).toEqual([inFolder === '' ? 1 : 2, expect.stringContaining(finding)]);
  expect(all.stderr).toContain(inFolder);
  if (inFolder === '') expect(all.stderr).toBe('');
});

test.each([
  ['a byte order mark', `\uFEFF${job}`],
  ['CRLF', job.replaceAll('\n', '\r\n')],
])('%s is no obstacle', async (_, text) => {
  const { code, stdout, stderr } = await run('lint', { args: ['.'], files: { 'a.yaml': text } });
  expect([code, stdout, stderr]).toEqual([1, expect.stringContaining(finding), '']);
});

const oddEntries: readonly (readonly [name: string, make: (path: string) => Promise<void>, told: string])[] = [
  ['a link to itself', (path) => symlink(path, path), 'it is a link that leads back to itself. Correct or remove it.'],
  ['a link to nothing', (path) => symlink(`${path}.gone`, path), 'it is a link to a file that is not there.'],
  ['a pipe', async (path) => void execFileSync('mkfifo', [path]), 'it is no file: reading it might never end.'],
  [
    'a manifest of 270 MB',
    async (path) => {
      await writeFile(path, job);
      await truncate(path, 270e6);
    },
    'the file has 270 MB, and at most 256 MiB are read. Split it into several files.',
  ],
  ['a link to a folder', (path) => symlink('.', path), ''],
  ['a folder', async (path) => void (await mkdir(path)), ''],
];

test.each(oddEntries)(
  '%s in a folder: said where it hides a file, and the others are looked at',
  async (_, make, told) => {
    const { code, stdout, stderr } = await run('lint', {
      args: ['.'],
      files: { 'a.yaml': job },
      prepare: (folder) => make(join(folder, 'x.yaml')),
    });
    expect(stdout).toContain(finding);
    expect(code).toBe(told === '' ? 1 : 2);
    expect(stderr).toContain(told === '' ? '' : `delegated-jobs lint: x.yaml: ${told}`);
    expect(stderr === '').toBe(told === '');
  },
);

test('a huge file that is none of ours is passed over', async () => {
  const { code, stderr } = await run('lint', {
    args: ['.'],
    files: { 'data.json': '{"kind": "of magic"}' },
    prepare: (folder) => truncate(join(folder, 'data.json'), 270e6),
  });
  expect([code, stderr]).toEqual([0, '']);
});

test('a pipe that is named is read to its end', async () => {
  const { code, stdout } = await run('lint', {
    args: ['x.yaml'],
    files: { 'a.yaml': job },
    prepare: async (folder) => {
      execFileSync('mkfifo', [join(folder, 'x.yaml')]);
      // Opening it for writing waits for the reader.
      void writeFile(join(folder, 'x.yaml'), job);
    },
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining('x.yaml:5:16: error')]);
});

test('waiting for a pipe that nobody writes to ends with the signal', async () => {
  const stop = new AbortController();
  const running = run('lint', {
    args: ['x.yaml'],
    signal: stop.signal,
    prepare: async (folder) => {
      execFileSync('mkfifo', [join(folder, 'x.yaml')]);
      setTimeout(() => stop.abort(), 0);
    },
  });
  expect((await running).code).toBe(130);
});

test('a fix that cannot be written is said, and the others are fixed', async () => {
  const fixable = job.replace('parallelism: -1', 'managedBy: kueue.x-k8s.io/multikeue');
  const { code, stderr, stdout, files } = await run('lint', {
    args: ['--fix', '/proc/self/environ', 'a.yaml'],
    files: { 'a.yaml': fixable },
  });
  expect([code, files['a.yaml']]).toEqual([2, fixable.replace('multikeue', 'multikueue')]);
  expect([stderr, stdout]).toEqual([expect.stringContaining('a.yaml: fixed'), expect.any(String)]);
});
