import { describe, expect, test } from 'vitest';
import type { Job } from '../../src/kube/index.ts';
import { isFinished, isTrue } from '../../src/reconciler/jobState.ts';
import { mirrorFinalizer, mirrorKeys } from '../../src/reconciler/record.ts';
import type { StoredObject } from './fakeCluster.ts';
import { World, type WorldOptions } from './world.ts';

/** Runs one schedule: steps of the adversary's choice, then peace; and says whether the end is one of the allowed ones. */
async function runSchedule(options: WorldOptions, steps: number): Promise<void> {
  const world = new World(options);
  try {
    for (let step = 0; step < steps; step++) await world.step();
    await world.settle();
    checkEnd(world);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const tail = world.trace.slice(-120).join('\n');
    throw new Error(`Seed ${options.seed} (stale reads: ${options.hasStaleReads}).\n${tail}\n${message}`);
  }
}

/** I7: once faults stop, everything is done, released, or waits for a person with a reason. */
function checkEnd(world: World): void {
  const { origin, mirrors } = world;
  const reasons = world.results().map((result) => result?.reason ?? 'none');
  for (const mirror of mirrors) {
    const originUid = mirror.metadata.labels?.[mirrorKeys.originUid];
    if (originUid === undefined || originUid === origin?.metadata.uid) continue;
    if (world.isMeddledWith || mirror.metadata.labels?.[mirrorKeys.detached] === 'true') continue;
    // What may be left without a record anywhere never ran, or had ended; garbage collection finds it by its labels.
    expect(mirror.spec?.['suspend'] === true || isOver(mirror), 'a running mirror without a Job').toBe(true);
  }
  if (origin === undefined) return;
  // A person's turn, deleted or not: the worker is out of reach for good, or the record was lost.
  if (reasons.every((reason) => reason === 'WorkerNotConfigured' || reason === 'RecordCorrupt')) return;
  expect(origin.metadata.deletionTimestamp, 'a deletion that never ends').toBeUndefined();
  if (isOver(origin)) {
    expect(origin.metadata.finalizers ?? [], 'a finished Job is released').not.toContain(mirrorFinalizer);
    return;
  }
  const ends = ['Suspended', 'MirrorDeleted', 'NameConflict', 'StaleMirror'];
  const meddled = ['HeldByWorker', 'MirrorDisowned', 'TemplateEdited', 'FateDecided'];
  for (const reason of reasons) expect([...ends, ...meddled]).toContain(reason);
  const isItsMirror = (mirror: StoredObject): boolean =>
    mirror.metadata.labels?.[mirrorKeys.originUid] === origin.metadata.uid;
  if (reasons[0] === 'MirrorDeleted') expect(origin.status?.['active'] ?? 0).toBe(0);
  if (reasons[0] === 'Suspended') {
    expect(isTrue(origin.status, 'Suspended')).toBe(true);
    for (const mirror of mirrors.filter(isItsMirror)) expect(mirror.spec?.['suspend']).toBe(true);
  }
}

function isOver(object: unknown): boolean {
  return isFinished(object as Job);
}

/** Of each sort. A failure names its seed; `RECONCILER_SEED` starts there. */
const schedules = Number(process.env['RECONCILER_SCHEDULES'] ?? 1500);
const firstSeed = Number(process.env['RECONCILER_SEED'] ?? 1);

describe('two reconcilers, a user, a worker and an adversary', () => {
  test.each([
    ['live reads', false],
    ['reads that are behind', true],
  ])(
    'keep the invariants, with %s',
    async (_name, hasStaleReads) => {
      for (let seed = firstSeed; seed < firstSeed + schedules; seed++) {
        await runSchedule({ seed, hasStaleReads }, 60);
      }
    },
    600_000,
  );
});
