import { expect, test } from 'vitest';
import { listOf, openWorld, ours, partOf, trueConditions, until } from './world.ts';

/**
 * Jobs that have ended before anybody looked: the case in which a mirror's end is easily missed for good.
 */
test('of forty Jobs that end at once, every end arrives, and each ran once', async () => {
  const count = 40;
  const world = await openWorld('many');
  const watching = new AbortController();
  const pods = new Map<string, string>();
  const watch = world.worker.watch(
    `/api/v1/namespaces/${world.namespace}/pods`,
    ({ object }) => {
      const [owner] = listOf(partOf(object, 'metadata')['ownerReferences']);
      pods.set(String(partOf(object, 'metadata')['uid']), String(owner?.['name']));
    },
    watching.signal,
  );
  try {
    const names = Array.from({ length: count }, (_, index) => `quick-${index}`);
    await Promise.all(
      names.map((name) => world.createJob(name, { managedBy: ours }, { 'sandbox.delegated-jobs.dev/duration': '0ms' })),
    );
    world.reconcile();
    const { body } = await until('all are complete', async () => {
      const answer = await world.management.request('GET', `/apis/batch/v1/namespaces/${world.namespace}/jobs`);
      const complete = listOf(answer.body['items']).filter((job) => 'Complete' in trueConditions(job));
      return complete.length === count ? answer : undefined;
    });
    for (const job of listOf(body['items'])) expect(partOf(job, 'status')).toMatchObject({ succeeded: 1 });
    expect([...pods.values()].sort()).toEqual([...names].sort());
  } finally {
    watching.abort();
    await watch;
    await world.close();
  }
});
