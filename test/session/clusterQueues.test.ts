import { describe, expect, test } from 'vitest';
import { type KubeClient, KubeError } from '../../src/kube/index.ts';
import { ClusterQueues, type QueuesByNamespace, readQueues } from '../../src/session/index.ts';
import { ManualClock } from '../sandbox/manualClock.ts';

const never = new AbortController().signal;

/** A cluster with these queues; a namespace without any said is forbidden. */
function clusterWith(versions: readonly string[], queues: QueuesByNamespace, continueToken = '') {
  const asked: string[] = [];
  const api: Pick<KubeClient, 'servedVersions' | 'list'> = {
    servedVersions: async () => versions,
    list: async ({ version, plural }, { namespace = '' }) => {
      asked.push(`${version} ${plural} ${namespace}`);
      const names = queues[namespace];
      if (names === undefined) throw new KubeError('no', { kind: 'forbidden', contextName: 'hub', request: 'GET' });
      const items: never[] = JSON.parse(JSON.stringify(names.map((name) => ({ metadata: { name } }))));
      return { items, resourceVersion: '1', ...(continueToken !== '' && { continueToken }) };
    },
  };
  return { api, asked };
}

describe('the queues of a cluster', () => {
  test('are those of the namespaces that can be read', async () => {
    const { api, asked } = clusterWith(['v1beta2', 'v1beta1'], { a: ['x', 'y'], c: [] });
    expect(await readQueues(api, ['a', 'b', 'c'], never)).toEqual({ a: ['x', 'y'], c: [] });
    expect(asked).toEqual(['v1beta2 localqueues a', 'v1beta2 localqueues b', 'v1beta2 localqueues c']);
  });

  test('are not known where there is no Kueue', async () => {
    const { api, asked } = clusterWith([], { a: ['x'] });
    expect(await readQueues(api, ['a'], never)).toEqual({});
    expect(asked).toEqual([]);
  });

  test('are not known from a list that goes on', async () => {
    const { api } = clusterWith(['v1beta1'], { a: ['x'] }, 'next');
    expect(await readQueues(api, ['a'], never)).toEqual({});
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
    answers.push({ a: ['x'] }, { a: ['x'] }, { a: ['x', 'y'] }, new Error('gone'));
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
    for (let round = 0; round < 4; round++) {
      await settle();
      seen.push([told, queues.queues]);
      clock.advance(30_000);
    }
    expect(seen).toEqual([
      [1, { a: ['x'] }],
      [1, { a: ['x'] }],
      [2, { a: ['x', 'y'] }],
      [3, {}],
    ]);
    expect(problems).toHaveLength(1);
    queues.dispose();
    expect(clock.pending).toBe(0);
  });
});
