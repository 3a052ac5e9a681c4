import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { KubeError } from '../../src/kube/index.ts';
import { type DispatchRequest, dispatchJob, prepareDispatch } from '../../src/reconciler/dispatch.ts';
import { recordKeys } from '../../src/reconciler/record.ts';
import { manifest, ourController, podTemplate } from './builders.ts';
import { FakeCluster, type Fate } from './fakeCluster.ts';

const never = new AbortController().signal;

function plain(spec: JsonObject = {}): JsonObject {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: { template: podTemplate(), ...spec } };
}

/** The door: what is sent, or the reason why nothing is. */
function prepare(request: DispatchRequest): string | JsonObject {
  const prepared = prepareDispatch(request, ourController, '1.35');
  return prepared.kind === 'refused' ? prepared.message : prepared.body;
}

describe('a Job on its way', () => {
  test('is delegated to us if it says nothing', () => {
    expect(prepare({ object: plain() })).toMatchObject({
      metadata: { name: 'a', namespace: 'default' },
      spec: { managedBy: ourController, template: podTemplate() },
    });
  });
  test('goes to its own namespace, else to the one that is given', () => {
    expect(prepare({ object: manifest('a'), namespace: 'x' })).toMatchObject({ metadata: { namespace: 'default' } });
    expect(prepare({ object: plain(), namespace: 'x' })).toMatchObject({ metadata: { namespace: 'x' } });
  });
  test('carries the wish for a worker', () => {
    const object = manifest('a', {}, { annotations: { k: 'v' } });
    expect(prepare({ object, worker: 'w' })).toMatchObject({
      metadata: { annotations: { k: 'v', [recordKeys.requestedWorker]: 'w' } },
    });
  });
  test('of another controller is refused, unless somebody said yes', () => {
    const object = plain({ managedBy: 'kueue.x-k8s.io/multikueue' });
    expect(prepare({ object })).toContain('spec.managedBy is "kueue.x-k8s.io/multikueue"');
    expect(prepare({ object, allowOtherController: true })).toMatchObject({
      spec: { managedBy: 'kueue.x-k8s.io/multikueue' },
    });
  });
  test('with a selector of its own is refused', () => {
    expect(prepare({ object: plain({ manualSelector: true }) })).toContain('manualSelector');
  });
  test('that the API server would refuse is refused with its words', () => {
    expect(prepare({ object: plain({ completions: -1 }) })).toMatch(
      /spec\.completions: must be greater than or equal to 0/,
    );
  });
  test('that is none is refused', () => {
    expect(prepare({ object: { apiVersion: 'v1', kind: 'Pod' } })).toBe(
      'Only Jobs of batch/v1 can be dispatched; this is Pod of v1.',
    );
  });
});

describe('dispatch', () => {
  function dispatch(request: Partial<DispatchRequest>, fate: Fate = 'carried-out', workers?: readonly string[]) {
    const cluster = new FakeCluster('management', () => 0);
    const management = cluster.client('user', async () => fate);
    const context = { management, controllerName: ourController, ...(workers === undefined ? {} : { workers }) };
    return { cluster, outcome: dispatchJob({ object: plain(), ...request }, context, never) };
  }

  test('creates the Job', async () => {
    const { cluster, outcome } = dispatch({});
    expect(await outcome).toMatchObject({ kind: 'created', job: { metadata: { name: 'a' } } });
    expect(cluster.job('default', 'a')).toBeDefined();
  });
  test('that is only tried creates nothing', async () => {
    const { cluster, outcome } = dispatch({ dryRun: true });
    expect(await outcome).toMatchObject({ kind: 'checked' });
    expect(cluster.commits).toEqual([]);
  });
  test('to a worker that there is not is refused', async () => {
    expect(await dispatch({ worker: 'x' }, 'carried-out', ['a', 'b']).outcome).toEqual({
      kind: 'refused',
      message: 'There is no worker "x" (there is: a, b).',
    });
  });
  test.each<Fate>(['already-exists', 'quota-exceeded', 'admission-denied', 'namespace-missing', 'forbidden'])(
    'that the cluster answers with %s is refused with a remedy',
    async (fate) => {
      expect(await dispatch({}, fate).outcome).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('Injected'),
      });
    },
  );
  test('to a cluster that can not be reached rejects', async () => {
    await expect(dispatch({}, 'unauthorized').outcome).rejects.toBeInstanceOf(KubeError);
  });
  test('to a cluster that drops managedBy creates nothing', async () => {
    const cluster = new FakeCluster('management', () => 0);
    const client = cluster.client('user');
    const create: typeof client.create = async (type, namespace, body, options, signal) => {
      const { managedBy: _dropped, ...spec } = body['spec'] as JsonObject;
      return client.create(type, namespace, { ...body, spec }, options, signal);
    };
    const outcome = await dispatchJob(
      { object: plain() },
      { management: { ...client, create }, controllerName: ourController },
      never,
    );
    expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining('drops spec.managedBy') });
    expect(cluster.commits).toEqual([]);
  });
});
