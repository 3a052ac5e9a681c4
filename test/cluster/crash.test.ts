import { describe, expect, inject, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { tokens } from './controlPlane.ts';
import { type Fate, layTap, type Tap, type Write } from './tap.ts';
import { openWorld, ours, type Program, partOf, trueConditions, until, type World } from './world.ts';

/**
 * A reconciler that is killed at any moment of a Job's life, and another that comes after it. The moments are its own
 * writes: each is lost once on the way to the server, and once its answer is lost on the way back.
 */
const mostWrites = 16;

interface Moment {
  readonly number: number;
  readonly fate: Fate;
}

const moments: readonly Moment[] = Array.from({ length: mostWrites }, (_, index) => index + 1).flatMap((number) =>
  (['lose-request', 'lose-answer'] as const).map((fate) => ({ number, fate })),
);

describe('killed half-way', () => {
  test('whatever the moment, the Job runs once and its end arrives', async () => {
    const outcomes = await Promise.all(moments.map(liveThrough));
    for (const { moment, write, ...outcome } of outcomes) {
      expect.soft(outcome, `killed at write ${moment.number} (${moment.fate}): ${write}`).toEqual({
        conditions: { SuccessCriteriaMet: 'CompletionsReached', Complete: 'CompletionsReached' },
        succeeded: 1,
        startedMirrors: 1,
        pods: 1,
      });
    }
    const killed = outcomes.filter(({ write }) => write !== '');
    // Fewer would mean that the line didn't see what it is there for; all, that the last moments were never tried.
    expect(killed.length).toBeGreaterThan(10);
    expect(killed.length, 'there are more moments than are tried').toBeLessThan(moments.length);
  });
});

interface Outcome {
  readonly moment: Moment;
  /** The write at which the first reconciler was killed; empty if it came to its end before. */
  readonly write: string;
  readonly conditions: Readonly<Record<string, string>>;
  readonly succeeded: unknown;
  /** Mirrors that were ever not suspended. */
  readonly startedMirrors: number;
  readonly pods: number;
}

async function liveThrough(moment: Moment): Promise<Outcome> {
  const world = await openWorld(`crash-${moment.number}-${moment.fate}`);
  const watching = new AbortController();
  const witness = watchWorker(world, watching.signal);
  const taps: Tap[] = [];
  try {
    const killed = await runUntilKilled(world, moment, taps);
    const second = world.reconcile();
    const job = await until(`the Job is finished and released. The second says: ${second.stderr()}`, async () => {
      const seen = await world.job('once');
      const isReleased = partOf(seen, 'metadata')['finalizers'] === undefined;
      return isReleased && 'Complete' in trueConditions(seen) ? seen : undefined;
    });
    await until('no mirror is left', async () => ((await world.mirrors()).length === 0 ? true : undefined));
    return {
      moment,
      write: killed,
      conditions: trueConditions(job),
      succeeded: partOf(job, 'status')['succeeded'],
      startedMirrors: witness.startedMirrors.size,
      pods: witness.pods.size,
    };
  } finally {
    watching.abort();
    await witness.ended;
    await world.close();
    await Promise.all(taps.map((tap) => tap.close()));
  }
}

/** Creates the Job under a first reconciler; returns the write at which that was killed. */
async function runUntilKilled(world: World, { number, fate }: Moment, taps: Tap[]): Promise<string> {
  let first: Program | undefined;
  let writes = 0;
  let last = '';
  const fateOf = ({ method, path }: Write): Fate => {
    writes += 1;
    if (writes !== number) return 'pass';
    last = `${method} ${path}`;
    return fate;
  };
  const kill = (): void => first?.kill();
  const contexts = [];
  for (const name of ['management', 'worker'] as const) {
    const tap = await layTap(inject(name), fateOf, kill);
    taps.push(tap);
    contexts.push({ name, server: tap.url, token: tokens.admin });
  }
  first = world.reconcile({ kubeconfig: await world.kubeconfig(contexts) });
  await world.createJob('once', { managedBy: ours }, { 'sandbox.delegated-jobs.dev/duration': '1s' });
  await until('the first reconciler is killed, or has nothing left to do', async () => {
    if (last !== '') return true;
    const job = await world.job('once');
    const isReleased = partOf(job, 'metadata')['finalizers'] === undefined;
    return isReleased && 'Complete' in trueConditions(job) && (await world.mirrors()).length === 0 ? true : undefined;
  });
  first.kill();
  await first.ended;
  return last;
}

/** Notes every mirror that runs and every pod that comes into being on the worker, however short. */
function watchWorker(
  world: World,
  signal: AbortSignal,
): { readonly startedMirrors: Set<string>; readonly pods: Set<string>; readonly ended: Promise<unknown> } {
  const startedMirrors = new Set<string>();
  const pods = new Set<string>();
  const uidOf = (object: JsonObject): string => String(partOf(object, 'metadata')['uid']);
  const ended = Promise.all([
    world.worker.watch(
      `/apis/batch/v1/namespaces/${world.namespace}/jobs`,
      ({ object }) => {
        if (partOf(object, 'spec')['suspend'] !== true) startedMirrors.add(uidOf(object));
      },
      signal,
    ),
    world.worker.watch(`/api/v1/namespaces/${world.namespace}/pods`, ({ object }) => pods.add(uidOf(object)), signal),
  ]);
  return { startedMirrors, pods, ended };
}
