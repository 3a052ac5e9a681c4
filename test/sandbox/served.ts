import { type Sandbox, type SandboxCluster, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { Client } from './client.ts';
import { ManualClock } from './manualClock.ts';
import { failingLog } from './rig.ts';

/** One cluster that is really served over HTTPS, by a clock that the test moves. */
export interface Served extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly sandbox: Sandbox;
  readonly cluster: SandboxCluster;
  readonly client: Client;
  /** A client of another user of the cluster. */
  clientOf(token: string): Client;
}

export async function serve(options: SandboxOptions = {}): Promise<Served> {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ workers: 0, clock, log: failingLog, ...options });
  const [cluster] = sandbox.clusters;
  if (cluster === undefined) throw new Error('There is no cluster.');
  const clients: Client[] = [];
  const clientOf = (token: string): Client => {
    const client = new Client({ url: cluster.url, token, ca: sandbox.caCertificate });
    clients.push(client);
    return client;
  };
  return {
    clock,
    sandbox,
    cluster,
    client: clientOf(cluster.token),
    clientOf,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      await sandbox.stop();
    },
  };
}

export const jobsPath = '/apis/batch/v1/namespaces/default/jobs';
export const podsPath = '/api/v1/namespaces/default/pods';
export const mapsPath = '/api/v1/namespaces/default/configmaps';

export function jobBody(name: string, spec: object = {}): object {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...spec } };
}

/** Resolves once `isSo` holds, looking again whenever the loop comes round; for what arrives over a socket. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise<void>((resolve) => setImmediate(resolve));
}
