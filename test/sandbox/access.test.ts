import { describe, expect, it } from 'vitest';
import type { AccessRule } from '../../src/sandbox/index.ts';
import { jobBody, jobsPath, mapsPath, serve } from './served.ts';

const viewer: AccessRule = {
  verbs: ['get', 'list', 'watch'],
  apiGroups: ['batch'],
  resources: ['jobs'],
  namespaces: ['default'],
};

describe('a user', () => {
  async function check(rules: readonly AccessRule[], method: string, path: string, status: number): Promise<void> {
    await using served = await serve();
    await served.client.send('POST', jobsPath, jobBody('a', { suspend: true }));
    const client = served.clientOf(served.cluster.addUser('someone', rules));
    const body = method === 'GET' || method === 'DELETE' ? undefined : jobBody('b');
    expect((await client.send(method, path, body)).status).toBe(status);
  }

  const status: AccessRule = { verbs: ['update'], apiGroups: ['batch'], resources: ['jobs/status'] };
  const everywhere: AccessRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

  it.each<[string, readonly AccessRule[], string, string, number]>([
    ['lists where he may', [viewer], 'GET', jobsPath, 200],
    ['gets what he may', [viewer], 'GET', `${jobsPath}/a`, 200],
    ['lists no other namespace', [viewer], 'GET', jobsPath.replace('default', 'kube-system'), 403],
    ['lists no whole cluster', [viewer], 'GET', '/apis/batch/v1/jobs', 403],
    ['lists no other resource', [viewer], 'GET', mapsPath, 403],
    ['creates nothing', [viewer], 'POST', jobsPath, 403],
    ['deletes nothing', [viewer], 'DELETE', `${jobsPath}/a`, 403],
    ['who may write a status writes no spec', [status], 'PUT', `${jobsPath}/a`, 403],
    ['who may all deletes', [everywhere], 'DELETE', `${jobsPath}/a?propagationPolicy=Background`, 200],
    ['without rules sees the version all the same', [], 'GET', '/version', 200],
    ['who cannot write a URL is told that there is nothing', [everywhere], 'GET', `${jobsPath}/%E0%A4%A`, 404],
  ])('%s', (_, rules, method, path, expected) => check(rules, method, path, expected));

  it('may ask what he may do', async () => {
    await using served = await serve();
    const client = served.clientOf(served.cluster.addUser('someone', [viewer]));
    const ask = async (verb: string, resource: string): Promise<unknown> => {
      const resourceAttributes = { verb, resource, group: 'batch', namespace: 'default' };
      const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      return (await client.send('POST', reviews, { spec: { resourceAttributes } })).body;
    };
    expect(await ask('list', 'jobs')).toMatchObject({ status: { allowed: true } });
    expect(await ask('create', 'jobs')).toMatchObject({ status: { allowed: false } });
  });

  it('is told his rights', async () => {
    await using served = await serve();
    const client = served.clientOf(served.cluster.addUser('someone', [viewer]));
    const rules = await client.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      spec: { namespace: 'default' },
    });
    expect(rules.body).toMatchObject({ status: { resourceRules: [{ verbs: viewer.verbs, resources: ['jobs'] }, {}] } });
    const self = await client.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
    expect(self.body).toMatchObject({ status: { userInfo: { username: 'someone' } } });
  });

  it('whose token has expired is not known any more', async () => {
    await using served = await serve();
    const token = served.cluster.addUser('someone', [viewer]);
    const client = served.clientOf(token);
    expect((await client.get(jobsPath)).status).toBe(200);
    served.cluster.revoke(token);
    expect(await client.get(jobsPath)).toMatchObject({ status: 401, body: { reason: 'Unauthorized' } });
  });

  it('gets and loses rights while he is signed in', async () => {
    await using served = await serve();
    const token = served.cluster.addUser('someone', []);
    const client = served.clientOf(token);
    expect((await client.get(jobsPath)).status).toBe(403);
    served.cluster.setRules(token, [viewer]);
    expect((await client.get(jobsPath)).status).toBe(200);
  });
});

describe('a quota', () => {
  it('refuses one Job too many', async () => {
    await using served = await serve();
    const quota = { metadata: { name: 'small' }, spec: { hard: { 'count/jobs.batch': '1' } } };
    await served.client.send('POST', '/api/v1/namespaces/default/resourcequotas', quota);
    expect(await served.client.send('POST', jobsPath, jobBody('a'))).toMatchObject({ status: 201 });
    expect(await served.client.send('POST', jobsPath, jobBody('b'))).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message:
          'jobs.batch "b" is forbidden: exceeded quota: small, requested: count/jobs.batch=1, used: count/jobs.batch=1, limited: count/jobs.batch=1',
      },
    });
  });
});
