import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { createManifestSession } from '../../src/manifest/index.ts';
import { valid, withValue } from './samples.ts';

/** What Kueue's own webhooks say to a change of the queue label. Source: Kueue 0.17, asked itself. */

type Queue = 'q1' | 'q2' | '-';
type Suspended = 'running' | 'suspended';
type Move = readonly [from: Queue, to: Queue, before: Suspended, after: Suspended];

const moves: readonly Move[] = (['q1', '-'] as const).flatMap((from) =>
  (['q1', 'q2', '-'] as const).flatMap((to) =>
    (['running', 'suspended'] as const).flatMap((before) =>
      (['running', 'suspended'] as const).map((after): Move => [from, to, before, after]),
    ),
  ),
);

const suspendOf: Readonly<Record<string, string>> = {
  'Job batch/v1': 'spec.suspend',
  JobSet: 'spec.suspend',
  PyTorchJob: 'spec.runPolicy.suspend',
  'MPIJob kubeflow.org/v2beta1': 'spec.runPolicy.suspend',
  AppWrapper: 'spec.suspend',
  RayJob: 'spec.suspend',
  RayCluster: 'spec.suspend',
  RayService: 'spec.rayClusterConfig.suspend',
};

test.each(Object.keys(suspendOf))('of a %s', (kind) => {
  const object = (queue: Queue, state: Suspended): JsonObject =>
    withValue(inQueue(kind, queue), suspendOf[kind] ?? '', state === 'suspended');
  const refused = moves.filter(([from, to, before, after]) => isTold(object(from, before), object(to, after)));
  const isRay = kind.startsWith('Ray');
  expect(refused).toEqual(
    moves.filter(([from, to, , after]) => from !== to && after === 'running' && !(isRay && to === '-')),
  );
});

test.each<[kind: string, ready: number, refused: readonly string[]]>([
  ['LeaderWorkerSet', 0, ['q1 q2', 'q1 -', '- q1', '- q2']],
  ['StatefulSet', 0, ['q1 -']],
  ['StatefulSet', 1, ['q1 q2', 'q1 -', '- q1', '- q2']],
  ['Deployment', 0, ['q1 -']],
  ['Deployment', 1, ['q1 q2', 'q1 -', '- q1', '- q2']],
])('of a %s with %i ready pods', (kind, readyReplicas, refused) => {
  const old = (queue: Queue): JsonObject => ({ ...inQueue(kind, queue), status: { readyReplicas } });
  const pairs = moves.filter(([, , before, after]) => before === 'running' && after === 'running');
  const told = pairs.filter(([from, to]) => isTold(old(from), inQueue(kind, to)));
  expect(told.map(([from, to]) => `${from} ${to}`)).toEqual(refused);
});

test('of a kind that Kueue does not know, nobody refuses any', () => {
  const [old, object] = (['q1', 'q2'] as const).map((queue) => inQueue('MPIJob kubeflow.org/v1', queue));
  expect(isTold(old ?? {}, object ?? {})).toBe(false);
});

function inQueue(kind: string, queue: Queue): JsonObject {
  const labels = queue === '-' ? {} : { 'kueue.x-k8s.io/queue-name': queue };
  return withValue(withValue(valid(kind), 'metadata.labels', labels), 'metadata.name', 'moved');
}

function isTold(old: JsonObject, object: JsonObject): boolean {
  const session = createManifestSession({ requestFor: () => ({ operation: 'update', object, old }) });
  const { findings } = session.check(JSON.stringify(object), { version: '1.35' });
  return findings.some(({ code }) => code === 'queue-label-changed');
}
