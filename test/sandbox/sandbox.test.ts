import { afterEach, describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/base/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { Client } from './client.ts';
import { ManualClock } from './manualClock.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };

describe('startSandbox', () => {
  const running: Sandbox[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((sandbox) => sandbox.stop()));
  });

  async function start(
    options: SandboxOptions = {},
  ): Promise<{ clock: ManualClock; sandbox: Sandbox; client: Client }> {
    const clock = new ManualClock();
    const sandbox = await startSandbox({ workers: 1, clock, ...options });
    running.push(sandbox);
    const [management] = sandbox.clusters;
    if (management === undefined) throw new Error('there is no cluster');
    return { clock, sandbox, client: new Client({ ...management, ca: sandbox.caCertificate }) };
  }

  it('is a trusted HTTPS API for each context of its kubeconfig', async () => {
    const { sandbox, client } = await start();
    expect(sandbox.clusters.map(({ context }) => context)).toEqual(['management', 'worker-1']);
    for (const { context, url } of sandbox.clusters)
      expect(sandbox.kubeconfig).toContain(`name: "${context}"\n    cluster:\n      server: "${url}"`);
    expect(await client.get('/version')).toMatchObject({ status: 200, body: { major: '1', minor: '35' } });
    expect(await client.send('GET', '/api/v1/namespaces', undefined, { token: 'nobody' })).toMatchObject({
      status: 401,
    });
    client.close();
  });

  it('runs a Job to its end as soon as its clock moves', async () => {
    const { clock, client } = await start();
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const created = await client.send('POST', jobs, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'hello' },
      spec: { template },
    });
    expect(created).toMatchObject({ status: 201, body: { metadata: { name: 'hello', generation: 1 } } });
    clock.advance(10_000);
    const done = await client.get(`${jobs}/hello`);
    expect(isJsonObject(done.body) && done.body['status']).toMatchObject({
      succeeded: 1,
      conditions: [{ type: 'SuccessCriteriaMet' }, { type: 'Complete' }],
    });
    client.close();
  });

  it('leaves no timer and no socket behind', async () => {
    const { clock, sandbox, client } = await start();
    await client.send('POST', '/apis/batch/v1/namespaces/default/jobs', {
      metadata: { name: 'hello' },
      spec: { template },
    });
    const watch = client.stream('/api/v1/pods?watch=true&allowWatchBookmarks=true', () => undefined);
    expect(await watch.opened).toBe(200);
    await sandbox.stop();
    expect(clock.pending).toBe(0);
    await expect(watch.done).rejects.toThrow();
    await expect(client.get('/readyz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    client.close();
  });

  it('stops what it has started when a port is taken', async () => {
    const { clock, sandbox } = await start();
    const port = Number(new URL(sandbox.clusters[0]?.url ?? '').port);
    const before = clock.pending;
    await expect(startSandbox({ workers: 0, port, clock })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(clock.pending).toBe(before);
  });
});
