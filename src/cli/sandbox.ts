import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type KubernetesMinor, kubernetesMinors } from '../admission/index.ts';
import { describeError } from '../base/index.ts';
import { parseDuration, type Sandbox, startSandbox } from '../sandbox/index.ts';
import { type CommandIo, logTo, orUsageError, UsageError, untilAborted } from './io.ts';

const help = `Usage: delegated-jobs sandbox [OPTION]…

Runs a management cluster and its workers in memory until it is stopped by a signal: real
Kubernetes APIs on loopback, whose pods only pretend. Nothing outlives it.

  --workers N            worker clusters; default 2
  --port N               port of the management cluster, the workers have the next ones;
                         default 0, any that are free
  --kubeconfig-out FILE  where the kubeconfig goes; default a new file in a temporary folder.
                         It is written last, so that its existence means ready, and removed
                         at the end
  --kubernetes VERSION   what the clusters pretend to be (${kubernetesMinors.join(', ')}); default 1.35
  --pod-duration TIME    how long a pod runs that says nothing of its own; default 2s
  --help                 this text

Contexts: management, worker-1, worker-2, … Annotations on a Job's pod template decide what
becomes of its pods:
  sandbox.delegated-jobs.dev/duration      how long they run: 500ms, 30s, 1m
  sandbox.delegated-jobs.dev/exit-code     what they exit with
  sandbox.delegated-jobs.dev/fail-indexes  completion indexes whose pods fail: 0,3
  sandbox.delegated-jobs.dev/fail-times    so many pods fail first: 2
`;

interface SandboxArguments {
  readonly workers: number;
  readonly port: number;
  readonly version: KubernetesMinor;
  readonly podDurationMs: number;
  readonly kubeconfigOut?: string;
}

/** The first line of every kubeconfig that is written here, by which a later run knows that it may replace it. */
const marker = '# Written by delegated-jobs sandbox; gone when it stops.';

/** `delegated-jobs sandbox`: see `help`. */
export async function runSandbox(args: readonly string[], io: CommandIo): Promise<number> {
  const options = readOptions(args, io);
  if (options === 'help') {
    await io.stdout(help);
    return 0;
  }
  if (options.kubeconfigOut !== undefined) {
    await run(options, options.kubeconfigOut, io);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'delegated-jobs-sandbox-'));
  try {
    await run(options, join(folder, 'kubeconfig'), io);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return 0;
}

async function run(options: SandboxArguments, path: string, io: CommandIo): Promise<void> {
  await removeStale(path);
  const sandbox = await start(options, io);
  try {
    await io.stdout(announcement(sandbox, path));
    await writeKubeconfig(path, sandbox.kubeconfig);
    await untilAborted(io.signal);
  } finally {
    await rm(path, { force: true });
    await sandbox.stop();
  }
}

function readOptions(args: readonly string[], io: CommandIo): SandboxArguments | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const version = kubernetesMinors.find((minor) => minor === (values.kubernetes ?? '1.35'));
  if (version === undefined) {
    throw new UsageError(
      `--kubernetes ${values.kubernetes}: the minors that it can be are ${kubernetesMinors.join(', ')}.`,
    );
  }
  const podDurationMs = parseDuration(values['pod-duration'] ?? '2s');
  if (podDurationMs === undefined) {
    throw new UsageError(`--pod-duration ${values['pod-duration']}: give a time such as 500ms, 2s or 1m.`);
  }
  const out = values['kubeconfig-out'];
  return {
    workers: wholeNumber('--workers', values.workers ?? '2', 100),
    port: wholeNumber('--port', values.port ?? '0', 65_535),
    version,
    podDurationMs,
    ...(out === undefined ? {} : { kubeconfigOut: resolve(io.cwd, out) }),
  };
}

function parse(args: readonly string[]) {
  return orUsageError('sandbox', () =>
    parseArgs({
      args: [...args],
      options: {
        workers: { type: 'string' },
        port: { type: 'string' },
        'kubeconfig-out': { type: 'string' },
        kubernetes: { type: 'string' },
        'pod-duration': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
}

function wholeNumber(option: string, text: string, limit: number): number {
  const value = Number(text);
  if (/^\d+$/u.test(text) && value <= limit) return value;
  throw new UsageError(`${option} ${text}: give a whole number from 0 to ${limit}.`);
}

async function start(options: SandboxArguments, io: CommandIo): Promise<Sandbox> {
  const { workers, port, version, podDurationMs } = options;
  try {
    const { clock, random } = io;
    // Only what a person should see: a sandbox that works has nothing to say.
    const log = logTo(io, { info: false });
    return await startSandbox({ workers, port, version, clock, random, log, kubelet: { podDurationMs } });
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) {
      throw new UsageError(
        `--port ${port}: ${error.message}. It takes the ports ${port} to ${port + workers}; choose others, or 0 for any that are free.`,
      );
    }
    throw error;
  }
}

function announcement({ clusters }: Sandbox, path: string): string {
  const width = Math.max(...clusters.map(({ context }) => context.length));
  const rows = clusters.map(({ context, url }) => `  ${context.padEnd(width)}  ${url}`);
  return `${rows.join('\n')}\n\nexport KUBECONFIG=${path}\n`;
}

/** A kubeconfig left by a run that was killed would say "ready" too early. One that isn't ours stays. */
async function removeStale(path: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw new UsageError(`--kubeconfig-out ${path}: ${describeError(error)}.`);
  }
  if (!text.startsWith(marker)) {
    throw new UsageError(
      `--kubeconfig-out ${path}: the file exists and isn't a sandbox's. Name another, or remove it.`,
    );
  }
  await rm(path);
}

/** Appears whole, under its name, and readable to its owner alone: it holds tokens. */
async function writeKubeconfig(path: string, text: string): Promise<void> {
  const draft = `${path}.tmp-${process.pid}`;
  try {
    await writeFile(draft, `${marker}\n${text}`, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new UsageError(`--kubeconfig-out ${path}: ${describeError(error)}.`);
  }
}
