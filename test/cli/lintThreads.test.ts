import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { FileChecker } from '../../src/cli/lint/checkFile.ts';
import type { LintTarget } from '../../src/cli/lint/files.ts';
import { checkInOrder, filesPerThread, type LintThreads } from '../../src/cli/lint/inOrder.ts';
import { type RunResult, run } from './lintRun.ts';

function job(name: string, specLine: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec:
  ${specLine}
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: r/x:1}]}}
`;
}

/** Of each sort some, spread over two folders; more than one thread is started for. */
function manyFiles(): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = {
    'm/b/kustomization.yaml': 'patches: [{path: job-0005.yaml}, {path: job-0015.yaml}]\n',
  };
  for (let index = 0; index < 2.02 * filesPerThread; index++) {
    const name = `${index % 2 === 0 ? 'm/a' : 'm/b'}/job-${`${index}`.padStart(4, '0')}.yaml`;
    files[name] = manyFile(index);
  }
  return files;
}

function manyFile(index: number): string | Uint8Array {
  const name = `job-${index}`;
  switch (index % 10) {
    case 1:
      return job(name, 'parallelism: -1');
    case 3:
      return job(name, 'managedBy: kueue.x-k8s.io/multikeue');
    case 5:
      return job(name, `parallelism: "${index}"`);
    case 7:
      return `${job(name, 'parallelism: 1')}  broken: [\n`;
    case 8:
      return Buffer.from(job(name, 'parallelism: 1'), 'utf16le');
    default:
      return job(name, 'parallelism: 1');
  }
}

/** What a thread runs, bundled as the command line is: reading the sources takes each thread far longer. */
let threadCode = '';

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { parentPort, workerData } from 'node:worker_threads';
        import { runLintThread } from './src/cli/lint/thread.ts';
        runLintThread(workerData, parentPort);`,
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  threadCode = outputFiles[0]?.text ?? '';
});

/** Threads as the command line has them, and those that were started. */
function realThreads(code = threadCode) {
  const started: Worker[] = [];
  const start = (task: unknown): Worker => {
    const worker = new Worker(code, { workerData: task, eval: true });
    started.push(worker);
    return worker;
  };
  return { started, threads: { atMost: 3, start } };
}

const stored = job('job-11', 'managedBy: example.com/a');

/** Many files, also by other names than their own, and what comes of them with some threads. */
async function runMany(
  args: readonly string[],
  threads?: ReturnType<typeof realThreads>['threads'],
): Promise<RunResult> {
  return await run('lint', {
    args,
    files: { ...manyFiles(), 'old.yaml': stored },
    stdin: [job('typed', 'parallelism: -2')],
    prepare: async (folder) => {
      await symlink(join(folder, 'm/a/gone.yaml'), join(folder, 'm/a/dangling.yaml'));
      await symlink(join(folder, 'm/b/job-0003.yaml'), join(folder, 'm/a/alias.yaml'));
      await symlink(join(folder, 'm/a'), join(folder, 'm/b/folder.yaml'));
    },
    ...(threads !== undefined && { threads }),
  });
}

describe('with threads, lint says and does what it does without', () => {
  test.each([
    ['text', ['m']],
    ['json', ['--format', 'json', 'm']],
    ['sarif', ['--format', 'sarif', 'm']],
    ['several names, standard input among them', ['m/b', '-', 'm/a/job-0001.yaml', 'nowhere', 'm']],
    ['--fix, of files that have two names', ['--fix', 'm', 'm/a']],
    ['--live', ['--live', 'old.yaml', 'm']],
    ['a rule that is ignored', ['--ignore', 'parallelism-negative', '--kubernetes', '1.35', 'm']],
  ])('%s', async (_, args) => {
    const { started, threads } = realThreads();
    const alone = await runMany(args);
    const together = await runMany(args, threads);
    expect(together).toEqual(alone);
    expect(started.length).toBeGreaterThan(1);
  });

  test('threads that fail', async () => {
    const { started, threads } = realThreads(`throw new Error('no thread today')`);
    expect(await runMany(['m'], threads)).toEqual(await runMany(['m']));
    expect(started.length).toBeGreaterThan(1);
  });

  test('threads that end in the middle', async () => {
    const code = `require('node:worker_threads').parentPort.on('message', () => process.exit(1));`;
    const { threads } = realThreads(code);
    expect(await runMany(['m'], threads)).toEqual(await runMany(['m']));
  });
});

test('few files start no thread', async () => {
  const { started, threads } = realThreads();
  const { code } = await run('lint', { args: ['a.yaml'], files: { 'a.yaml': job('a', 'parallelism: 1') }, threads });
  expect([code, started.length]).toEqual([0, 0]);
});

test('a signal ends it, threads and all, with a code of its own', async () => {
  const stop = new AbortController();
  const { started, threads } = realThreads();
  const start = (task: unknown): Worker => threads.start(task).once('message', () => stop.abort());
  const files = manyFiles();
  const { code } = await run('lint', { args: ['m'], files, threads: { ...threads, start }, signal: stop.signal });
  expect(code).toBe(130);
  expect(started.map(({ threadId }) => threadId)).toEqual(started.map(() => -1));
});

test.each([0, 2])('what is read ahead is bounded, with %i threads', async (atMost) => {
  const all = 20_000;
  let taken = 0;
  async function* targets(): AsyncGenerator<LintTarget> {
    for (; taken < all; taken++) yield { kind: 'text', name: `${taken}`, text: '' };
  }
  const options = { settings: { version: '1.35' }, format: 'text', cwd: '/' } as const;
  const threads: LintThreads = {
    atMost,
    start: () => new Worker(threadCode, { workerData: { kind: 'lint', options }, eval: true }),
  };
  let given = 0;
  let mostAhead = 0;
  const checked = checkInOrder(targets(), new FileChecker(options), threads, new AbortController().signal);
  for await (const batch of checked) {
    mostAhead = Math.max(mostAhead, taken - given);
    given += batch.targets.length;
  }
  expect(given).toBe(all);
  expect(mostAhead).toBeLessThanOrEqual((atMost + 1) * filesPerThread);
});
