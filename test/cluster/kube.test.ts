import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type JsonObject, nullLog, systemClock, systemRandom } from '../../src/base/index.ts';
import {
  clusterIdentity,
  createKubeApi,
  type Job,
  jobs,
  type KubeClient,
  KubeError,
  type KubeErrorKind,
  namespaces,
  type ObjectKey,
  pods,
  type ResourceType,
  startReflector,
} from '../../src/kube/index.ts';
import { FieldDescriptions } from '../../src/session/index.ts';
import { fixedCredentials } from '../kube/fixedCredentials.ts';
import { tokens } from './controlPlane.ts';

/** The client of the product against a real kube-apiserver: what it makes of real answers. */
const never = new AbortController().signal;
const quotas: ResourceType = { group: '', version: 'v1', plural: 'resourcequotas' };
const space = `kube-${process.pid}`;
const full = `${space}-full`;
const strict = `${space}-strict`;
const going = `${space}-going`;

let api: KubeClient;
let guest: KubeClient;
let stranger: KubeClient;

function open(token: string): KubeClient {
  const { server, authority } = inject('management');
  const credentials = fixedCredentials({ token, tls: { ca: authority } });
  return createKubeApi({ contextName: 'real', server, credentials }, { clock: systemClock });
}

function namespace(name: string, labels: JsonObject = {}, finalizers: readonly string[] = []): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, finalizers } };
}

function job(name: string, spec: JsonObject = {}): JsonObject {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] } };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { managedBy: 'example.com/nobody', template, ...spec },
  };
}

beforeAll(async () => {
  api = open(tokens.admin);
  guest = open(tokens.guest);
  stranger = open('no-such-token');
  await api.create(namespaces, undefined, namespace(space), {}, never);
  await api.create(namespaces, undefined, namespace(full), {}, never);
  await api.create(
    quotas,
    full,
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none' },
      spec: { hard: { 'count/jobs.batch': '0' } },
    },
    {},
    never,
  );
  // No controller counts here; the admission plugin takes the status for the count.
  const body = { status: { hard: { 'count/jobs.batch': '0' }, used: { 'count/jobs.batch': '0' } } };
  const counted = { type: 'application/merge-patch+json' as const, body, subresource: 'status' as const };
  await api.patch(quotas, { namespace: full, name: 'none' }, counted, {}, never);
  const restricted = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  await api.create(namespaces, undefined, namespace(strict, restricted), {}, never);
  const { object } = await api.create(namespaces, undefined, namespace(going, {}, ['example.com/stays']), {}, never);
  await api.delete(namespaces, { name: going }, { uid: object.metadata.uid, propagationPolicy: 'Background' }, never);
  await api.create(jobs, space, job('there'), {}, never);
});

afterAll(async () => {
  for (const name of [space, full, strict]) {
    const { metadata } = await api.get(namespaces, { name }, never);
    await api.delete(namespaces, { name }, { uid: metadata.uid, propagationPolicy: 'Background' }, never);
  }
  const patch = { type: 'application/merge-patch+json' as const, body: { metadata: { finalizers: [] } } };
  await api.patch(namespaces, { name: going }, patch, {}, never);
  for (const client of [api, guest, stranger]) client.dispose();
});

async function kindOf(work: Promise<unknown>): Promise<KubeErrorKind | 'none' | 'other'> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return error instanceof KubeError ? error.kind : 'other';
  }
}

const there: ObjectKey = { namespace: space, name: 'there' };

describe('a real refusal is told from the others', () => {
  const rows: readonly (readonly [string, () => Promise<unknown>, KubeErrorKind])[] = [
    ['unknown token', () => stranger.get(jobs, there, never), 'unauthorized'],
    ['RBAC', () => guest.list(jobs, { namespace: space }, never), 'forbidden'],
    [
      'RBAC on a watch',
      () => guest.watch(jobs, { namespace: space, resourceVersion: '', timeoutSeconds: 5 }, () => undefined, never),
      'forbidden',
    ],
    ['no such object', () => api.get(jobs, { namespace: space, name: 'nothing' }, never), 'not-found'],
    ['no such namespace', () => api.create(jobs, `${space}-none`, job('a'), {}, never), 'namespace-missing'],
    ['a namespace that is going', () => api.create(jobs, going, job('a'), {}, never), 'namespace-missing'],
    [
      'no such group',
      () => api.list({ group: 'example.com', version: 'v1', plural: 'things' }, {}, never),
      'not-served',
    ],
    [
      'no such resource in the group',
      () => api.get({ group: 'batch', version: 'v1', plural: 'things' }, there, never),
      'not-served',
    ],
    ['the name is taken', () => api.create(jobs, space, job('there'), {}, never), 'already-exists'],
    [
      'an old version',
      () => api.replace(jobs, there, { ...job('there'), metadata: { name: 'there', resourceVersion: '1' } }, {}, never),
      'conflict',
    ],
    [
      'another UID',
      () => api.delete(jobs, there, { uid: 'another', propagationPolicy: 'Background' }, never),
      'conflict',
    ],
    ['an invalid Job', () => api.create(jobs, space, job('bad', { backoffLimit: -1 }), {}, never), 'invalid'],
    [
      'an unknown field',
      () => api.create(jobs, space, job('bad', { nonsense: 1 }), { fieldValidation: 'Strict' }, never),
      'bad-request',
    ],
    ['a wrong type', () => api.create(jobs, space, job('bad', { parallelism: 'x' }), {}, never), 'bad-request'],
    ['a quota', () => api.create(jobs, full, job('a'), {}, never), 'quota-exceeded'],
    [
      'Pod Security',
      () =>
        api.create(
          pods,
          strict,
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'x' }] } },
          {},
          never,
        ),
      'admission-denied',
    ],
    [
      'a continue token that is none',
      () => api.list(jobs, { namespace: space, continueToken: 'nonsense' }, never),
      'bad-request',
    ],
    [
      'the log of a pod that does not exist',
      () => api.podLog({ namespace: space, name: 'none' }, {}, never),
      'not-found',
    ],
  ];
  test.each(rows)('%s', async (_name, act, kind) => expect(await kindOf(act())).toBe(kind));
});

test('versions, identity and rights', async () => {
  expect(await api.serverVersion(never)).toMatchObject({ minor: expect.stringMatching(/^1\.\d+$/) });
  expect(await api.servedVersions('batch', never)).toEqual(['v1']);
  expect(await api.servedVersions('kueue.x-k8s.io', never)).toEqual([]);
  expect(await clusterIdentity(api, never)).toMatch(/^[0-9a-f-]{36}$/);
  const attributes = { verb: 'list', group: 'batch', resource: 'jobs', namespace: space };
  expect([(await api.canI(attributes, never)).allowed, (await guest.canI(attributes, never)).allowed]).toEqual([
    true,
    false,
  ]);
  expect(Math.abs(api.clockOffsetMs ?? Infinity)).toBeLessThan(5_000);
});

test('what the cluster itself says of fields', async () => {
  const problems: unknown[] = [];
  const onProblem = (_apiVersion: string, error: unknown): void => void problems.push(error);
  const read = (apiVersion: string, signal: AbortSignal) => api.openApi(apiVersion, signal);
  const descriptions = new FieldDescriptions({ read, clock: systemClock, onProblem });
  const said = (apiVersion: string, kind: string, path: string) =>
    descriptions.describe({ apiVersion, kind, path: path.split('.') });
  // A server that has just started takes its time with its first document.
  const first = () => said('batch/v1', 'Job', 'spec.backoffLimit');
  await expect.poll(first, { timeout: 60_000 }).toMatch(/retries/);
  await expect.poll(() => said('v1', 'Pod', 'spec.containers.image'), { timeout: 60_000 }).toMatch(/image/i);
  const containers = 'spec.jobTemplate.spec.template.spec.containers';
  expect(await said('batch/v1', 'CronJob', `${containers}.env.valueFrom.secretKeyRef.key`)).toMatch(/secret/i);
  expect(await said('batch/v1', 'Job', 'spec.nothing')).toBeUndefined();
  await expect.poll(() => said('example.com/v1', 'Thing', 'spec'), { timeout: 60_000 }).toBeUndefined();
  expect(problems).toEqual([]);
  descriptions.dispose();
});

test('whether there is an object', async () => {
  const configMaps: ResourceType = { group: '', version: 'v1', plural: 'configmaps' };
  const classes: ResourceType = { group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses' };
  const unknown: ResourceType = { group: 'example.com', version: 'v1', plural: 'things' };
  await api.create(configMaps, space, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there' } }, {}, never);
  expect(await api.has(configMaps, { namespace: space, name: 'there' }, never)).toBe(true);
  expect(await api.has(configMaps, { namespace: space, name: 'gone' }, never)).toBe(false);
  expect(await api.has(configMaps, { namespace: `${space}-gone`, name: 'gone' }, never)).toBe(false);
  expect(await api.has(classes, { name: 'gone' }, never)).toBe(false);
  expect(await kindOf(api.has(unknown, { name: 'gone' }, never))).toBe('not-served');
  expect(await kindOf(guest.has(configMaps, { namespace: space, name: 'there' }, never))).toBe('forbidden');
});

test('a warning comes back with the object, and a dry run leaves nothing', async () => {
  const { warnings } = await api.create(jobs, strict, job('warned'), { dryRun: true }, never);
  expect(warnings).toEqual([expect.stringMatching(/would violate PodSecurity "restricted:latest"/)]);
  expect(await kindOf(api.get(jobs, { namespace: strict, name: 'warned' }, never))).toBe('not-found');
});

test('pages of a list hold together, and a reflector follows', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `paged-${String(index).padStart(2, '0')}`);
  await Promise.all(names.map((name) => api.create(jobs, space, job(name), {}, never)));
  const seen: string[] = [];
  let continueToken: string | undefined;
  do {
    const page = await api.list<Job>(
      jobs,
      { namespace: space, limit: 5, ...(continueToken === undefined ? {} : { continueToken }) },
      never,
    );
    seen.push(...page.items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
    ({ continueToken } = page);
  } while (continueToken !== undefined);
  expect(seen).toEqual([...names, 'there'].map((name) => `Job ${name}`));

  const reflector = startReflector<Job, string>({
    api,
    type: jobs,
    scope: { namespace: space },
    keep: ({ metadata }) => metadata.name,
    clock: systemClock,
    random: systemRandom,
    log: nullLog,
  });
  await expect.poll(() => reflector.state.kind, { timeout: 20_000 }).toBe('watching');
  const { metadata } = await api.get(jobs, { namespace: space, name: 'paged-00' }, never);
  await api.delete(
    jobs,
    { namespace: space, name: 'paged-00' },
    { uid: metadata.uid, propagationPolicy: 'Background' },
    never,
  );
  await api.create(jobs, space, job('late'), {}, never);
  await expect
    .poll(() => [...reflector.values()].sort(), { timeout: 20_000 })
    .toEqual(['late', ...names.slice(1), 'there']);
  reflector.dispose();
});
