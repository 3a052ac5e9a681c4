import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { ControlPlanePrograms } from '../../scripts/cluster/binaries.ts';
import { end } from '../../scripts/host/process.ts';
import { describeError, sleep, systemClock } from '../../src/base/index.ts';
import { type Api, apiOf } from './api.ts';

/** Users that every control plane knows, by bearer token. The first may do everything, the second nothing. */
export const tokens = { admin: 'token-of-the-admin', guest: 'token-of-the-guest' } as const;

/** A running cluster without nodes: etcd, kube-apiserver and the controllers that Jobs need. */
export interface ControlPlane {
  readonly name: string;
  /** `https://127.0.0.1:PORT` */
  readonly server: string;
  /** PEM: the server's own certificate, which is its own authority. */
  readonly authority: string;
  /** As the administrator. */
  readonly api: Api;
  /** Ends all processes and removes all files; safe to call twice. */
  stop(): Promise<void>;
}

const readyWithinMs = 60_000;
const pollMs = 100;
const startTries = 3;
const endingSignals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Starts a control plane with all its files below `folder`. */
export async function startControlPlane(
  name: string,
  folder: string,
  programs: ControlPlanePrograms,
): Promise<ControlPlane> {
  for (let tries = 1; ; tries += 1) {
    const processes = new Processes(folder);
    try {
      return await start(name, folder, programs, processes);
    } catch (error) {
      await processes.end();
      await rm(folder, { recursive: true, force: true });
      // A port that was free a moment ago may be somebody else's by now.
      if (tries === startTries) throw error;
      console.error(`${name} is started once more: ${describeError(error)}`);
    }
  }
}

async function start(
  name: string,
  folder: string,
  programs: ControlPlanePrograms,
  processes: Processes,
): Promise<ControlPlane> {
  await mkdir(folder, { recursive: true });
  await writeCredentials(folder);
  const [clientPort = 0, peerPort = 0, securePort = 0] = await freePorts(3);
  const etcd = `http://127.0.0.1:${clientPort}`;
  const server = `https://127.0.0.1:${securePort}`;
  processes.start('etcd', programs.etcd, etcdArguments(folder, etcd, `http://127.0.0.1:${peerPort}`));
  processes.start('kube-apiserver', programs.apiServer, apiServerArguments(folder, etcd, securePort));

  const authority = await processes.until('the certificate', () => readFile(join(folder, 'apiserver.crt'), 'utf8'));
  const api = apiOf({ server, authority, token: tokens.admin });
  await processes.until('kube-apiserver', async () => {
    if ((await api.request('GET', '/readyz')).status !== 200) throw new Error('not ready');
    if ((await api.request('GET', '/api/v1/namespaces/default')).status !== 200) throw new Error('no namespace');
  });

  const kubeconfig = join(folder, 'controllers.kubeconfig');
  await writeFile(kubeconfig, kubeconfigText([{ name, server, authority, token: tokens.admin }]));
  processes.start('kube-controller-manager', programs.controllerManager, controllerArguments(kubeconfig));

  return {
    name,
    server,
    authority,
    api,
    async stop() {
      api.close();
      await processes.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ports of loopback that were free a moment ago, all different. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  const ports: number[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (typeof address === 'object' && address !== null) ports.push(address.port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** One context of a kubeconfig; cluster, user and context bear the same name. */
export interface KubeconfigContext {
  readonly name: string;
  readonly server: string;
  /** Absent for a server that speaks plain HTTP. */
  readonly authority?: string;
  readonly token: string;
}

/** A kubeconfig file with these contexts, the first being the current one. JSON is YAML. */
export function kubeconfigText(contexts: readonly KubeconfigContext[]): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': contexts[0]?.name ?? '',
    clusters: contexts.map(({ name, server, authority }) => ({
      name,
      cluster: {
        server,
        ...(authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
      },
    })),
    users: contexts.map(({ name, token }) => ({ name, user: { token } })),
    contexts: contexts.map(({ name }) => ({ name, context: { cluster: name, user: name, namespace: 'default' } })),
  });
}

async function writeCredentials(folder: string): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await writeFile(join(folder, 'accounts.key'), privateKey, { mode: 0o600 });
  await writeFile(join(folder, 'accounts.pub'), publicKey);
  const users = [`${tokens.admin},admin,1,system:masters`, `${tokens.guest},guest,2`];
  await writeFile(join(folder, 'tokens.csv'), `${users.join('\n')}\n`, { mode: 0o600 });
}

function etcdArguments(folder: string, clientUrl: string, peerUrl: string): readonly string[] {
  return [
    '--name=default',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

function apiServerArguments(folder: string, etcd: string, port: number): readonly string[] {
  return [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'accounts.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'accounts.key')}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
    // Nobody hands out tokens to pods here, and pods never start.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

const controllers: readonly string[] = [
  'job-controller',
  'cronjob-controller',
  'ttl-after-finished-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
];

function controllerArguments(kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    `--controllers=${controllers.join(',')}`,
  ];
}

/** The processes of one control plane, and what they said. */
class Processes {
  readonly #folder: string;
  readonly #children: { readonly name: string; readonly child: ChildProcess }[] = [];
  readonly #onExit = (): void => {
    for (const { child } of this.#children) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  };
  /** A signal that isn't handled ends a process without any `exit` event. */
  readonly #onSignal = (): void => process.exit(1);

  constructor(folder: string) {
    this.#folder = folder;
    process.on('exit', this.#onExit);
    for (const signal of endingSignals) process.on(signal, this.#onSignal);
  }

  start(name: string, program: string, args: readonly string[]): void {
    const log = openSync(this.#logFile(name), 'a');
    this.#children.push({ name, child: spawn(program, args, { stdio: ['ignore', log, log] }) });
  }

  /** Repeats `attempt` until it succeeds; rejects at once when a process has ended. */
  async until<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    const deadlineMs = systemClock.monotonicMs() + readyWithinMs;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const dead = this.#children.find(({ child }) => child.exitCode !== null);
        if (dead !== undefined) throw new Error(`${dead.name} ended:\n${this.#lastWords(dead.name)}`);
        if (systemClock.monotonicMs() > deadlineMs) throw new Error(`${what} isn't there yet`, { cause: error });
      }
      await sleep(systemClock, pollMs, new AbortController().signal);
    }
  }

  async end(): Promise<void> {
    // The store goes last: the others complain at length when it is gone.
    for (const { child } of this.#children.reverse()) await end(child);
    process.off('exit', this.#onExit);
    for (const signal of endingSignals) process.off(signal, this.#onSignal);
  }

  #logFile(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #lastWords(name: string): string {
    return readFileSync(this.#logFile(name), 'utf8').split('\n').slice(-15).join('\n');
  }
}
