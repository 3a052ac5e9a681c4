import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job, KubeObject } from '../../src/kube/index.ts';
import { Outline, type OutlineModel } from '../../src/model/index.ts';
import { type FedEvent, HandFedModel } from './replayedClusters.ts';

/** One object's life as a watch shows it, on one cluster. Order inside a life is kept; lives interleave at will. */
interface Life {
  readonly cluster: string;
  readonly events: readonly FedEvent[];
}

const names = ['a', 'b', 'c'];
const managers = ['delegated-jobs.dev/reconciler', 'kueue.x-k8s.io/multikueue', 'example.com/other', undefined];

function versioned(object: KubeObject | Job, version: number): KubeObject | Job {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } } as KubeObject | Job;
}

function lifeOf(cluster: string, uid: string, states: readonly (KubeObject | Job)[], isDeleted: boolean): Life {
  const events = states.map((object, index): FedEvent => {
    const named = { ...object, metadata: { ...object.metadata, uid } } as KubeObject | Job;
    return { type: index === 0 ? 'ADDED' : 'MODIFIED', object: versioned(named, index + 1) };
  });
  const last = events.at(-1);
  return {
    cluster,
    events: isDeleted && last !== undefined ? [...events, { type: 'DELETED', object: last.object }] : events,
  };
}

const base = { namespace: 'default', uid: '', resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };

const jobState = (
  name: string,
  managedBy: string | undefined,
  labels: Record<string, string>,
  annotations: Record<string, string>,
) =>
  fc
    .record({
      suspend: fc.boolean(),
      active: fc.constantFrom(0, 1),
      end: fc.constantFrom(undefined, undefined, 'Complete', 'SuccessCriteriaMet'),
    })
    .map(
      ({ suspend, active, end }): Job => ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { ...base, name, labels, annotations },
        spec: { suspend, template: {}, ...(managedBy === undefined ? {} : { managedBy }) },
        status: {
          active,
          ...(active === 0 ? {} : { startTime: '2026-01-01T00:00:10Z' }),
          ...(end === undefined
            ? {}
            : { conditions: [{ type: end, status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' }] }),
        },
      }),
    );

const managementLife = (name: string): fc.Arbitrary<Life> =>
  fc
    .record({
      managedBy: fc.constantFrom(...managers),
      worker: fc.constantFrom('w1', 'w2', undefined),
      isDeleted: fc.boolean(),
    })
    .chain(({ managedBy, worker, isDeleted }) => {
      const record: Record<string, string> =
        worker === undefined
          ? {}
          : {
              'delegated-jobs.dev/worker-uid': `${worker}-uid`,
              'delegated-jobs.dev/mirror-name': name,
              'delegated-jobs.dev/mirror-uid': `${worker}-${name}`,
            };
      return fc
        .array(jobState(name, managedBy, { 'kueue.x-k8s.io/queue-name': 'q' }, record), { minLength: 1, maxLength: 3 })
        .map((states) => lifeOf('', `m-${name}`, states, isDeleted));
    });

const mirrorLife = (worker: string, name: string): fc.Arbitrary<Life> =>
  fc.record({ isOurs: fc.boolean(), isDeleted: fc.boolean() }).chain(({ isOurs, isDeleted }) => {
    const labels: Record<string, string> = isOurs
      ? { 'delegated-jobs.dev/origin-uid': `m-${name}`, 'delegated-jobs.dev/origin-cluster': 'm-uid' }
      : { 'kueue.x-k8s.io/multikueue-origin': 'multikueue' };
    return fc
      .array(jobState(name, undefined, labels, {}), { minLength: 1, maxLength: 3 })
      .map((states) => lifeOf(worker, `${worker}-${name}`, states, isDeleted));
  });

const podLife = (worker: string, name: string): fc.Arbitrary<Life> =>
  fc
    .record({
      phases: fc.array(fc.constantFrom('Pending', 'Running', 'Failed'), { minLength: 1, maxLength: 3 }),
      isDeleted: fc.boolean(),
    })
    .map(({ phases, isDeleted }) => {
      const states = phases.map(
        (phase): KubeObject => ({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            ...base,
            name: `${name}-pod`,
            ownerReferences: [
              { apiVersion: 'batch/v1', kind: 'Job', name, uid: `${worker}-${name}`, controller: true },
            ],
          },
          status: { phase },
        }),
      );
      return lifeOf(worker, `pod-${worker}-${name}`, states, isDeleted);
    });

const workloadLife = (cluster: string, name: string): fc.Arbitrary<Life> =>
  fc.record({ chosen: fc.constantFrom('w1', undefined), isDeleted: fc.boolean() }).map(({ chosen, isDeleted }) => {
    const state: KubeObject = {
      apiVersion: 'kueue.x-k8s.io/v1beta2',
      kind: 'Workload',
      metadata: { ...base, name: `job-${name}-wl`, labels: { 'kueue.x-k8s.io/job-uid': `m-${name}` } },
      ...(chosen === undefined
        ? {}
        : { status: { clusterName: chosen, conditions: [{ type: 'QuotaReserved', status: 'True' }] } }),
    };
    return lifeOf(cluster, `wl-${cluster}-${name}`, [state], isDeleted);
  });

const world: fc.Arbitrary<Life[]> = fc
  .tuple(
    ...names.flatMap((name) => [
      managementLife(name),
      ...['w1', 'w2'].flatMap((worker) => [
        mirrorLife(worker, name),
        podLife(worker, name),
        workloadLife(worker, name),
      ]),
      workloadLife('', name),
    ]),
  )
  .chain((lives) => fc.subarray(lives));

/** Rows as they stand, whole. */
function rowsOf({ model }: HandFedModel): Map<string, string> {
  return new Map([...model.entries()].map(({ id }) => [id, JSON.stringify(model.row(id))] as const).sort());
}

function newModel(): HandFedModel {
  const fed = new HandFedModel(['w1', 'w2']);
  fed.now = Date.parse('2026-01-02T00:00:00Z');
  return fed;
}

/** Feeds all lives, each next event from the life that `draws` points to. */
function feedInterleaved(
  fed: HandFedModel,
  lives: readonly Life[],
  draws: readonly number[],
  onEvent: (feed: () => void) => void,
): void {
  const rest = lives.map(({ cluster, events }) => ({ cluster, events: [...events] }));
  for (let step = 0; ; step++) {
    const open = rest.filter(({ events }) => events.length > 0);
    const next = open[(draws[step % draws.length] ?? 0) % Math.max(open.length, 1)];
    const event = next?.events.shift();
    if (next === undefined || event === undefined) return;
    onEvent(() => fed.feed(next.cluster, event));
  }
}

const draws = fc.array(fc.nat(100), { minLength: 1, maxLength: 40 });

test('the rows do not depend on the order in which clusters are heard', () => {
  fc.assert(
    fc.property(world, draws, draws, (lives, first, second) => {
      const [a, b] = [newModel(), newModel()];
      feedInterleaved(a, lives, first, (feed) => feed());
      feedInterleaved(b, lives, second, (feed) => feed());
      expect(rowsOf(a)).toEqual(rowsOf(b));
    }),
    { numRuns: 300 },
  );
});

test('each event names all rows that it changes', () => {
  fc.assert(
    fc.property(world, draws, (lives, order) => {
      const fed = newModel();
      let before = rowsOf(fed);
      feedInterleaved(fed, lives, order, (feed) => {
        feed();
        const after = rowsOf(fed);
        const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
          (id) => before.get(id) !== after.get(id),
        );
        expect([...fed.touched]).toEqual(expect.arrayContaining(changed));
        before = after;
      });
    }),
    { numRuns: 200 },
  );
});

test('an outline that follows the events equals one that is drawn afresh', () => {
  fc.assert(
    fc.property(world, draws, fc.nat(3), (lives, order, limit) => {
      const fed = newModel();
      const model: OutlineModel = {
        clusters: [{ name: '', contextName: 'm', status: { contact: 'connected' } }],
        entries: () => fed.model.entries(),
        entry: (id) => fed.model.entry(id),
        row: (id) => fed.model.row(id),
      };
      const options = { limit: limit + 1, showLocalJobs: true };
      const following = new Outline(model, options);
      feedInterleaved(fed, lives, order, (feed) => {
        feed();
        following.invalidate({ rows: fed.touched, isEverything: false });
        expect(following.roots()).toEqual(new Outline(model, options).roots());
      });
    }),
    { numRuns: 100 },
  );
});
