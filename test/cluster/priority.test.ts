import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { createManifestSession } from '../../src/manifest/index.ts';
import { type Api, apiOf } from './api.ts';
import { tokens } from './controlPlane.ts';
import { listOf, partOf, until } from './world.ts';

/** Which priorities a real kube-apiserver refuses pods for, and what the linter says of a Job with such pods. */

const namespace = 'priority';
let api: Api;

beforeAll(async () => {
  api = apiOf({ ...inject('management'), token: tokens.admin });
  const { status } = await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  expect(status).toBe(201);
});

afterAll(() => api.close());

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/app:1' }] };

function jobOf(fields: JsonObject): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'prioritized', namespace },
    spec: { template: { spec: { ...podSpec, ...fields } } },
  };
}

const rows: readonly JsonObject[] = [
  {},
  { priority: 0, preemptionPolicy: 'PreemptLowerPriority' },
  { priority: 5 },
  { priority: -5 },
  { preemptionPolicy: 'Never' },
  { priority: 5, priorityClassName: '' },
  { priority: 2000001000, priorityClassName: 'system-node-critical' },
  { priority: 2000000000, priorityClassName: 'system-cluster-critical' },
  { priority: 0, priorityClassName: 'system-node-critical' },
  { preemptionPolicy: 'Never', priorityClassName: 'system-cluster-critical' },
];

test.each(rows.map((fields) => ({ name: JSON.stringify(fields), fields })))('$name', async ({ fields }) => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' }, spec: { ...podSpec, ...fields } };
  const { status } = await api.request('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, pod);
  const { findings } = createManifestSession().check(JSON.stringify(jobOf(fields)), { version: '1.35' });
  expect(findings.map(({ code }) => code)).toEqual(status === 403 ? ['priority-without-class'] : []);
  expect([201, 403]).toContain(status);
});

test('a Job with such pods is taken, and stays without one', async () => {
  const { status } = await api.request('POST', `/apis/batch/v1/namespaces/${namespace}/jobs`, jobOf({ priority: 5 }));
  expect(status).toBe(201);
  const messages = async (): Promise<readonly string[]> => {
    const { body } = await api.request('GET', `/api/v1/namespaces/${namespace}/events`);
    return listOf(body['items'])
      .filter((event) => event['reason'] === 'FailedCreate' && partOf(event, 'involvedObject')['kind'] === 'Job')
      .map((event) => String(event['message']));
  };
  const [first] = await until('a pod is refused', async () => {
    const found = await messages();
    return found.length > 0 ? found : undefined;
  });
  expect(first).toContain('the integer value of priority (5) must not be provided in pod spec');
  const { body } = await api.request('GET', `/api/v1/namespaces/${namespace}/pods`);
  expect(body['items']).toEqual([]);
});
