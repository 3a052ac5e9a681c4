import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { checkWorkers } from '../../src/reconciler/index.ts';
import { ManualClock } from '../sandbox/manualClock.ts';
import { FakeCluster, type Gate } from './fakeCluster.ts';

const never = new AbortController().signal;
const configMaps = { group: '', version: 'v1', plural: 'configmaps' };
const namespaces = { group: '', version: 'v1', plural: 'namespaces' };

/** A worker with the namespace `n` and, in it, a ConfigMap called `there`. */
async function worker(name: string, gate?: Gate) {
  const cluster = new FakeCluster(name, () => 0);
  const api = cluster.client('user');
  await api.create(namespaces, undefined, { metadata: { name: 'n' } }, {}, never);
  await api.create(configMaps, 'n', { metadata: { name: 'there' } }, {}, never);
  return { name, api: cluster.client('user', gate) };
}

function job(pod: JsonObject): JsonObject {
  return { apiVersion: 'batch/v1', kind: 'Job', spec: { template: { spec: pod } } };
}

const mounting = (name: string): JsonObject => ({ volumes: [{ name: 'v', configMap: { name } }] });

/** The door: what is said of one worker before a Job with this pod goes to a namespace of it. */
async function said(pod: JsonObject, { namespace = 'n', gate }: { namespace?: string; gate?: Gate } = {}) {
  const clock = new ManualClock();
  const found = await checkWorkers([await worker('w', gate)], job(pod), namespace, clock, never);
  expect(clock.pending).toBe(0);
  return found;
}

describe('before a Job is sent off', () => {
  test.each<[string, JsonObject, ...string[]]>([
    ['what is there', mounting('there')],
    [
      'what is missing',
      mounting('gone'),
      "Worker w lacks ConfigMap 'gone' (namespace n): pods that need it don't start there.",
    ],
    [
      'what is missing of the cluster itself',
      { priorityClassName: 'p', runtimeClassName: 'r' },
      "Worker w lacks PriorityClass 'p' and RuntimeClass 'r' (namespace n): pods that need them don't start there.",
    ],
  ])('%s is looked for on the worker', async (_, pod, ...expected) => {
    expect(await said(pod)).toEqual(expected);
  });

  test('a namespace that the worker lacks is told, and nothing else', async () => {
    expect(await said(mounting('there'), { namespace: 'm' })).toEqual(['Worker w: there is no namespace m.']);
  });

  test.each<['forbidden' | 'not-served']>([['forbidden'], ['not-served']])(
    'nothing is said of what is %s',
    async (fate) => {
      const gate: Gate = async (request) => (request.includes('HEAD') ? fate : 'carried-out');
      expect(await said(mounting('gone'), { gate })).toEqual([]);
    },
  );

  test('a worker that does not answer is told, with why', async () => {
    const gate: Gate = async () => 'unreachable';
    expect(await said(mounting('gone'), { gate })).toEqual([expect.stringMatching(/^Worker w could not be asked: ./)]);
  });

  test('nobody waits for a worker that says nothing, and the others are told of', async () => {
    const clock = new ManualClock();
    const silent: Gate = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    const workers = [await worker('silent', silent), await worker('w')];
    const asked = checkWorkers(workers, job(mounting('gone')), 'n', clock, never);
    // The other one has answered when nothing more is under way.
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(5000);
    expect(await asked).toEqual([
      'Worker silent could not be asked: no answer within 5 s.',
      expect.stringContaining("Worker w lacks ConfigMap 'gone'"),
    ]);
  });

  test('what is true of several workers is said once, in the order of the workers', async () => {
    const reads: Gate = async (request) => (request.includes('HEAD') ? 'forbidden' : 'carried-out');
    const workers = [await worker('a'), await worker('b', reads), await worker('c'), await worker('d')];
    expect(await checkWorkers(workers, job(mounting('gone')), 'n', new ManualClock(), never)).toEqual([
      "Workers a, c and d lack ConfigMap 'gone' (namespace n): pods that need it don't start there.",
    ]);
    expect(await checkWorkers(workers.slice(0, 2), job({}), 'm', new ManualClock(), never)).toEqual([
      'Workers a and b: there is no namespace m.',
    ]);
  });

  test('whoever gives up waits no longer', async () => {
    const stop = new AbortController();
    const gate: Gate = async () => {
      stop.abort(new DOMException('Cancelled.', 'AbortError'));
      return 'unreachable';
    };
    const asked = checkWorkers([await worker('w', gate)], job({}), 'n', new ManualClock(), stop.signal);
    await expect(asked).rejects.toThrow();
  });
});
