import { describe, expect, test } from 'vitest';
import { type KubeClient, KubeError } from '../../src/kube/index.ts';
import { ClusterQueues, type QueuesByNamespace, readQueues } from '../../src/session/index.ts';
import { ManualClock } from '../sandbox/manualClock.ts';

const never = new AbortController().signal;

/** LocalQueues, as `name: clusterQueue`, by their namespace. */
type Queues = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Kueue's other objects, by the plural of their kind, as name and spec. */
type Others = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** A cluster with these queues; what isn't said of it is forbidden. */
function clusterWith(versions: readonly string[], queues: Queues, others: Others = {}, continueToken = '') {
  const asked: string[] = [];
  const api: Pick<KubeClient, 'servedVersions' | 'list'> = {
    servedVersions: async () => versions,
    list: async ({ version, plural }, { namespace }) => {
      asked.push([version, plural, ...(namespace === undefined ? [] : [namespace])].join(' '));
      const local = Object.entries(queues[namespace ?? ''] ?? {}).map(([name, clusterQueue]) => [
        name,
        { clusterQueue },
      ]);
      const known = namespace === undefined ? Object.hasOwn(others, plural) : Object.hasOwn(queues, namespace);
      if (!known) throw new KubeError('no', { kind: 'forbidden', contextName: 'hub', request: 'GET' });
      const objects = namespace === undefined ? Object.entries(others[plural] ?? {}) : local;
      const items: never[] = JSON.parse(JSON.stringify(objects.map(([name, spec]) => ({ metadata: { name }, spec }))));
      return { items, resourceVersion: '1', ...(continueToken !== '' && { continueToken }) };
    },
  };
  return { api, asked };
}

const checks = {
  sent: { controllerName: 'kueue.x-k8s.io/multikueue' },
  provisioned: { controllerName: 'kueue.x-k8s.io/provisioning-request' },
};
const withChecks = (...names: readonly string[]): object => ({
  admissionChecksStrategy: { admissionChecks: names.map((name) => ({ name })) },
});

describe('the queues of a cluster', () => {
  test('are those of the namespaces that can be read', async () => {
    const { api, asked } = clusterWith(['v1beta2', 'v1beta1'], { a: { x: 'all', y: 'all' }, c: {} });
    expect(await readQueues(api, ['a', 'b', 'c'], never)).toEqual({ a: [{ name: 'x' }, { name: 'y' }], c: [] });
    expect(asked.slice(0, 3)).toEqual(['v1beta2 localqueues a', 'v1beta2 localqueues b', 'v1beta2 localqueues c']);
  });

  test('are not known where there is no Kueue', async () => {
    const { api, asked } = clusterWith([], { a: { x: 'all' } });
    expect(await readQueues(api, ['a'], never)).toEqual({});
    expect(asked).toEqual([]);
  });

  test('are not known from a list that goes on', async () => {
    const { api } = clusterWith(['v1beta1'], { a: { x: 'all' } }, {}, 'next');
    expect(await readQueues(api, ['a'], never)).toEqual({});
  });

  test('lead nowhere that anybody would have to ask for, where there are none', async () => {
    const { api, asked } = clusterWith(['v1beta2'], { a: {} }, { clusterqueues: {}, admissionchecks: {} });
    expect(await readQueues(api, ['a'], never)).toEqual({ a: [] });
    expect(asked).toEqual(['v1beta2 localqueues a']);
  });

  test.each<[string, object, boolean | undefined]>([
    ['the check of MultiKueue', withChecks('sent'), true],
    ['it among others', withChecks('provisioned', 'sent'), true],
    ['another check', withChecks('provisioned'), false],
    ['none', {}, false],
    ['a check that is not there', withChecks('later'), undefined],
    ['the check of MultiKueue, as v1beta1 had it', { admissionChecks: ['sent'] }, true],
    ['another check, as v1beta1 had it', { admissionChecks: ['provisioned'] }, false],
  ])('lead to MultiKueue or not: %s', async (_, spec, leadsToMultiKueue) => {
    const { api } = clusterWith(
      ['v1beta2'],
      { a: { x: 'all' } },
      { clusterqueues: { all: spec }, admissionchecks: checks },
    );
    const expected = { name: 'x', ...(leadsToMultiKueue !== undefined && { leadsToMultiKueue }) };
    expect(await readQueues(api, ['a'], never)).toEqual({ a: [expected] });
  });

  test.each<[string, Others]>([
    ['the ClusterQueues', { admissionchecks: checks }],
    ['the admission checks', { clusterqueues: { all: withChecks('sent') } }],
    ['a ClusterQueue that is not there', { clusterqueues: { other: withChecks('sent') }, admissionchecks: checks }],
  ])('lead where nobody knows without a look at %s', async (_, others) => {
    const { api } = clusterWith(['v1beta2'], { a: { x: 'all' } }, others);
    expect(await readQueues(api, ['a'], never)).toEqual({ a: [{ name: 'x' }] });
  });
});

describe('while the window is connected', () => {
  const answers: (QueuesByNamespace | Error)[] = [];
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };

  test('a queue that was made is soon known, and one that can no longer be asked for is not', async () => {
    const clock = new ManualClock();
    const problems: unknown[] = [];
    let told = 0;
    const [one, two] = [[{ name: 'x' }], [{ name: 'x', leadsToMultiKueue: true }]];
    answers.push({ a: one }, { a: one }, { a: two }, new Error('gone'));
    const queues = new ClusterQueues({
      read: async () => {
        const answer = answers.shift() ?? {};
        if (answer instanceof Error) throw answer;
        return answer;
      },
      clock,
      onProblem: (error) => void problems.push(error),
      onError: (error) => {
        throw error;
      },
    });
    queues.onDidChange(() => void told++);
    const seen: unknown[] = [];
    const leads: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      await settle();
      seen.push([told, queues.queues]);
      leads.push(queues.leadsToMultiKueue('a', 'x'));
      clock.advance(30_000);
    }
    expect(seen).toEqual([
      [1, { a: one }],
      [1, { a: one }],
      [2, { a: two }],
      [3, {}],
    ]);
    expect(leads).toEqual([undefined, undefined, true, undefined]);
    expect(queues.leadsToMultiKueue('constructor', 'x')).toBeUndefined();
    expect(problems).toHaveLength(1);
    queues.dispose();
    expect(clock.pending).toBe(0);
  });
});
