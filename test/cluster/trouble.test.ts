import { describe, expect, inject, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { mergePatch } from './api.ts';
import { type KubeconfigContext, tokens } from './controlPlane.ts';
import { type Cut, layLine } from './line.ts';
import { layTap } from './tap.ts';
import {
  createNamespace,
  listOf,
  openWorld,
  ours,
  partOf,
  trueConditions,
  until,
  type World,
  type WorldOptions,
} from './world.ts';

/**
 * What a real worker may have against a Job, and what becomes of the Job once that is over. A sandbox can only repeat
 * the words of such refusals; here they are the server's own.
 */
describe.concurrent('a worker that refuses', () => {
  test('a quota holds the Job back until there is room', async () => {
    await inWorld('quota', {}, async (world) => {
      const quotas = `/api/v1/namespaces/${world.namespace}/resourcequotas`;
      const hard = { 'count/jobs.batch': '0' };
      await world.worker.request('POST', quotas, { metadata: { name: 'full' }, spec: { hard } });
      // The controller that counts isn't running; its word is given for it.
      const status = { hard, used: { 'count/jobs.batch': '0' } };
      await world.worker.request('PATCH', `${quotas}/full/status`, { status }, mergePatch);
      world.reconcile();
      await world.createJob('big', { managedBy: ours });
      await reasonIs(world, 'big', /exceeded quota: full/);
      await world.worker.request('DELETE', `${quotas}/full`);
      expect(await ended(world, 'big')).toHaveProperty('Complete');
    });
  });

  test('a namespace that is missing there is waited for', async () => {
    await inWorld('homeless', { workerNamespace: null }, async (world) => {
      world.reconcile();
      await world.createJob('early', { managedBy: ours });
      await reasonIs(world, 'early', /namespace.*homeless|NamespaceMissing/i);
      await createNamespace(world.worker, world.namespace);
      expect(await ended(world, 'early')).toHaveProperty('Complete');
    });
  });

  test('a Job of somebody else under that name is left alone', async () => {
    await inWorld('taken', {}, async (world) => {
      const jobs = `/apis/batch/v1/namespaces/${world.namespace}/jobs`;
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] } };
      const theirs = { metadata: { name: 'same' }, spec: { managedBy: 'example.com/nobody', suspend: true, template } };
      const { body } = await world.worker.request('POST', jobs, { apiVersion: 'batch/v1', kind: 'Job', ...theirs });
      world.reconcile();
      await world.createJob('same', { managedBy: ours });
      await reasonIs(world, 'same', /NameConflict/);
      expect((await world.worker.request('GET', `${jobs}/same`)).body).toEqual(body);
    });
  });

  test('pods that a policy forbids are told of', async () => {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await inWorld('strict', { workerNamespace: { labels } }, async (world) => {
      world.reconcile();
      await world.createJob('loose', { managedBy: ours });
      await reasonIs(world, 'loose', /violates PodSecurity/);
      expect(await world.mirrors()).toHaveLength(1);
    });
  });

  test('a login that may not read who the worker is says so, and works with the identity by hand', async () => {
    await inWorld('unknown', {}, async (world) => {
      await allowJobs(world, 'guest');
      const management = { name: 'management', ...inject('management'), token: tokens.admin };
      const worker = { name: 'worker', ...inject('worker'), token: tokens.guest };
      const kubeconfig = await world.kubeconfig([management, worker]);
      const refused = world.reconcile({ kubeconfig });
      await world.createJob('whose', { managedBy: ours });
      const words =
        /User "guest" cannot get resource "namespaces".*"kube-system".*--cluster-id worker=UID.*"worker" in the setting delegatedJobs\.clusterIds/;
      const lines = ['cluster worker: ', 'job unknown/whose: NoWorkerAccepts worker: '];
      await until('cluster and Job say what was refused and what helps', () => {
        const told = refused.stderr().split('\n');
        return lines.every((start) => told.some((line) => line.startsWith(start) && words.test(line))) || undefined;
      });
      await refused.stop();
      const { body } = await world.worker.request('GET', '/api/v1/namespaces/kube-system');
      world.reconcile({ kubeconfig, args: ['--cluster-id', `worker=${partOf(body, 'metadata')['uid']}`] });
      expect(await ended(world, 'whose')).toHaveProperty('Complete');
    });
  });
});

describe.concurrent('a worker that gets out of reach while a Job runs', () => {
  test.each<[Cut, RegExp]>([
    ['refused', /Unreachable:? Nothing answers at its address/],
    ['reset', /Unreachable:? The connection broke/],
    ['vanish', /Unreachable:? The cluster did not answer in time/],
    ['stranger', /CertificateUntrusted:? The server's certificate is not trusted/],
  ])('%s', async (how, words) => {
    const line = await layLine(inject('worker').server, inject('management').server);
    try {
      const worker = { ...inject('worker'), server: line.url };
      await outOfReach(`cut-${how}`, worker, words, (isCut) => line.cut(isCut ? how : undefined));
    } finally {
      await line.close();
    }
  });

  test.each<[number, RegExp]>([
    [401, /LoginExpired:? The cluster does not accept the login/],
    [503, /Unreachable:? The API server failed/],
  ])('answers with %i', async (status, words) => {
    const tap = await layTap(
      inject('worker'),
      () => 'pass',
      () => undefined,
    );
    try {
      await outOfReach(`answers-${status}`, { server: tap.url }, words, (isCut) =>
        tap.refuse(isCut ? status : undefined),
      );
    } finally {
      await tap.close();
    }
  });
});

/**
 * A Job runs, its worker gets out of reach, the mirror ends meanwhile, and the worker is back. All along the Job shows
 * what was last known, cluster and Job say what is wrong, and the mirror runs once.
 */
async function outOfReach(
  name: string,
  address: Omit<KubeconfigContext, 'name' | 'token'>,
  words: RegExp,
  cut: (isCut: boolean) => Promise<void> | void,
): Promise<void> {
  await inWorld(name, {}, async (world) => {
    const management = { name: 'management', ...inject('management'), token: tokens.admin };
    const worker = { name: 'worker', ...address, token: tokens.admin };
    const program = world.reconcile({ kubeconfig: await world.kubeconfig([management, worker]) });
    const last = (about: string): string => {
      const lines = program.stderr().split('\n');
      return lines.findLast((one) => one.startsWith(`${about}: `))?.slice(about.length + 2) ?? '';
    };
    await world.createJob('steady', { managedBy: ours }, { 'sandbox.delegated-jobs.dev/duration': '4s' });
    await until('it runs', async () =>
      partOf(await world.job('steady'), 'status')['active'] === 1 ? true : undefined,
    );
    const [before] = await world.mirrors();
    await cut(true);
    await until('the cluster tells', () => words.test(last('cluster worker')) || undefined);
    await until('the Job tells', () => words.test(last(`job ${name}/steady`)) || undefined);
    await until('the mirror has ended there', async () => {
      const [mirror] = await world.mirrors();
      return 'Complete' in trueConditions(mirror) ? true : undefined;
    });
    const shown = await reasonIs(world, 'steady', new RegExp(words.source.replace(':?', ':')));
    expect(trueConditions(shown)).toEqual({});
    expect(partOf(shown, 'status')['active']).toBe(1);
    await cut(false);
    await until('the cluster is back', () => last('cluster worker') === 'reachable' || undefined);
    expect(await ended(world, 'steady')).toHaveProperty('Complete');
    const { body } = await world.worker.request('GET', `/api/v1/namespaces/${world.namespace}/pods`);
    const owners = listOf(body['items']).flatMap((pod) => listOf(partOf(pod, 'metadata')['ownerReferences']));
    // None is left if the mirror went already, and none is another's.
    for (const { uid } of owners) expect(uid).toBe(partOf(before, 'metadata')['uid']);
  });
}

async function inWorld(name: string, options: WorldOptions, live: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld(name, options);
  try {
    await live(world);
  } finally {
    await world.close();
  }
}

/** Lets a user do with the Jobs of the world's namespace on the worker what a mirror needs, and nothing else. */
async function allowJobs({ worker, namespace }: World, user: string): Promise<void> {
  const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const verbs = ['create', 'get', 'list', 'watch', 'patch', 'delete'];
  const role = { metadata: { name: 'mirrors' }, rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs }] };
  const apiGroup = 'rbac.authorization.k8s.io';
  const binding = {
    metadata: { name: 'mirrors' },
    roleRef: { apiGroup, kind: 'Role', name: 'mirrors' },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  };
  for (const [plural, body] of Object.entries({ roles: role, rolebindings: binding })) {
    const { status } = await worker.request('POST', `${roles}/${plural}`, body);
    expect(status, `${plural} are made`).toBe(201);
  }
}

/** Waits until the Job itself says why nothing runs: as its reason or in the reason's message. */
function reasonIs(world: World, name: string, expected: RegExp): Promise<JsonObject> {
  let seen = '';
  return until(`the reason matches ${expected}`, async () => {
    const job = await world.job(name);
    const annotations = partOf(partOf(job, 'metadata'), 'annotations');
    const reason = annotations['delegated-jobs.dev/phase-reason'];
    const message = annotations['delegated-jobs.dev/phase-message'];
    seen = `${String(reason)}: ${String(message)}`;
    return expected.test(seen) && isJsonObject(job) ? job : undefined;
  }).catch((error: unknown) => {
    throw new Error(`The Job says: ${seen}`, { cause: error });
  });
}

function ended(world: World, name: string): Promise<Readonly<Record<string, string>>> {
  return until(`${name} has ended`, async () => {
    const conditions = trueConditions(await world.job(name));
    return 'Complete' in conditions || 'Failed' in conditions ? conditions : undefined;
  });
}
