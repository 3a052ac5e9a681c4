import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { isJsonObject, type JsonObject, sleep, systemClock } from '../../src/base/index.ts';
import { type Api, apiOf } from './api.ts';
import { type KubeconfigContext, kubeconfigText, tokens } from './controlPlane.ts';

/** The controller name whose Jobs are ours. */
export const ours = 'delegated-jobs.dev/reconciler';

/** A program of ours under test, running. */
export interface Program {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Asks it to end, as Ctrl+C does, and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut would. */
  kill(): void;
  /** Stops it as closing a laptop's lid does, and goes on. */
  freeze(): void;
  thaw(): void;
  /** Resolves with the exit code when it has ended. */
  readonly ended: Promise<number | null>;
}

/** Both clusters as one test sees them: its own namespace in each, its own kubeconfig, its own processes. */
export interface World {
  readonly namespace: string;
  readonly management: Api;
  readonly worker: Api;
  /** Runs our command line with this world's kubeconfig, or another. */
  run(args: readonly string[], options?: { readonly kubeconfig?: string; readonly stdin?: string }): Program;
  /** The reconciler for this world's namespace. */
  reconcile(options?: { readonly kubeconfig?: string; readonly args?: readonly string[] }): Program;
  /** Writes a kubeconfig with these contexts and returns its path. */
  kubeconfig(contexts: readonly KubeconfigContext[]): Promise<string>;
  createJob(name: string, spec: JsonObject, podAnnotations?: Readonly<Record<string, string>>): Promise<JsonObject>;
  job(name: string): Promise<JsonObject | undefined>;
  /** All Jobs of the worker in this world's namespace. */
  mirrors(): Promise<readonly JsonObject[]>;
  /** Ends all processes; the namespaces are left to the clusters' end. */
  close(): Promise<void>;
}

const cli = new URL('../../dist/cli.cjs', import.meta.url).pathname;
const pollMs = 100;
const patienceMs = 90_000;

export interface WorldOptions {
  /** Metadata of the worker's namespace; null for none. */
  readonly workerNamespace?: JsonObject | null;
}

/** Makes a world with a new namespace in both clusters. */
export async function openWorld(namespace: string, { workerNamespace = {} }: WorldOptions = {}): Promise<World> {
  const [management, worker] = [inject('management'), inject('worker')].map((address) => ({
    ...address,
    api: apiOf({ ...address, token: tokens.admin }),
  }));
  if (management === undefined || worker === undefined) throw new Error('No clusters.');
  const folder = await mkdtemp(join(tmpdir(), 'delegated-jobs-world-'));
  const programs: Program[] = [];
  await createNamespace(management.api, namespace);
  if (workerNamespace !== null) await createNamespace(worker.api, namespace, workerNamespace);

  const kubeconfig = async (contexts: readonly KubeconfigContext[]): Promise<string> => {
    const path = join(folder, `kubeconfig-${systemClock.monotonicMs()}`);
    await writeFile(path, kubeconfigText(contexts), { mode: 0o600 });
    return path;
  };
  const usual = await kubeconfig([
    { name: 'management', ...inject('management'), token: tokens.admin },
    { name: 'worker', ...inject('worker'), token: tokens.admin },
  ]);
  const run: World['run'] = (args, options = {}) => {
    const child = spawn(process.execPath, [cli, ...args, '--kubeconfig', options.kubeconfig ?? usual]);
    child.stdin.end(options.stdin ?? '');
    const program = programOf(child);
    programs.push(program);
    return program;
  };
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;

  return {
    namespace,
    management: management.api,
    worker: worker.api,
    kubeconfig,
    run,
    reconcile: ({ args = [], ...options } = {}) => {
      const clusters = ['--management', 'management', '--worker', 'worker=worker'];
      return run(['reconcile', ...clusters, '-n', namespace, '--retain-finished', '1s', ...args], options);
    },
    async createJob(name, spec, podAnnotations = {}) {
      const template = {
        metadata: { annotations: podAnnotations },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/app:1' }] },
      };
      const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...spec } };
      const { status, body } = await management.api.request('POST', jobs, job);
      expect(status, `the Job is accepted: ${JSON.stringify(body)}`).toBe(201);
      return body;
    },
    async job(name) {
      const { status, body } = await management.api.request('GET', `${jobs}/${name}`);
      return status === 200 ? body : undefined;
    },
    async mirrors() {
      const { body } = await worker.api.request('GET', jobs);
      return listOf(body['items']);
    },
    async close() {
      for (const program of programs) program.kill();
      await Promise.all(programs.map(({ ended }) => ended));
      management.api.close();
      worker.api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function createNamespace(api: Api, name: string, metadata: JsonObject = {}): Promise<void> {
  const { status } = await api.request('POST', '/api/v1/namespaces', { metadata: { ...metadata, name } });
  expect(status, `the namespace ${name} is new`).toBe(201);
}

function programOf(child: ChildProcess): Program {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    kill: () => void child.kill('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/**
 * Looks again and again until `probe` gives something; rejects with what was seen last when that takes too long.
 * Real controllers are waited for here, and nothing but looking tells when they are done.
 */
export async function until<T>(what: string, probe: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadlineMs = systemClock.monotonicMs() + patienceMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (systemClock.monotonicMs() > deadlineMs) throw new Error(`In vain waited until ${what}.`);
    await sleep(systemClock, pollMs, new AbortController().signal);
  }
}

export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function partOf(object: JsonObject | undefined, key: string): JsonObject {
  const part = object?.[key];
  return isJsonObject(part) ? part : {};
}

/** The conditions that are True, by type, with their reasons. */
export function trueConditions(job: JsonObject | undefined): Readonly<Record<string, string>> {
  const conditions = listOf(partOf(job, 'status')['conditions']).filter(({ status }) => status === 'True');
  return Object.fromEntries(conditions.map(({ type, reason }) => [String(type), String(reason)]));
}
