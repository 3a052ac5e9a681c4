import { describe, expect, inject, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { tokens } from './controlPlane.ts';
import { type Fate, layTap, type Tap, type Write } from './tap.ts';
import { openWorld, ours, type Program, partOf, trueConditions, until, type World } from './world.ts';

/**
 * A reconciler that goes at any moment of a Job's life, and another that comes after it. The moments are its own writes.
 */
const mostWrites = 12;

/**
 * How it goes: it dies and its write is lost on the way; it dies and the write's answer is lost; or it sleeps until
 * another has done all the work, and then its write arrives after all.
 */
const ways = ['lose-request', 'lose-answer', 'sleep'] as const;
type Way = (typeof ways)[number];

describe('another goes on where one stopped', () => {
  test.concurrent.for(ways)(
    'at any of its writes (%s), the Job runs once and its end arrives',
    async (way, { expect }) => {
      const numbers = Array.from({ length: mostWrites }, (_, index) => index + 1);
      const outcomes = await Promise.all(numbers.map((number) => liveThrough(number, way)));
      for (const { number, write, ...outcome } of outcomes) {
        expect.soft(outcome, `stopped at write ${number}: ${write}`).toEqual({
          conditions: { SuccessCriteriaMet: 'CompletionsReached', Complete: 'CompletionsReached' },
          succeeded: 1,
          startedMirrors: 1,
          pods: 1,
        });
      }
      const stopped = outcomes.filter(({ write }) => write !== '');
      // Fewer would mean that the line didn't see what it is there for; all, that the last moments were never tried.
      expect(stopped.length).toBeGreaterThan(5);
      expect(stopped.length, 'there are more moments than are tried').toBeLessThan(mostWrites);
    },
  );
});

/** By then a woken reconciler has asked for its lease and for the Jobs of both clusters. */
const requestsOfALook = 6;

interface Outcome {
  readonly number: number;
  /** The write at which the first reconciler was stopped; empty if it came to its end before. */
  readonly write: string;
  readonly conditions: Readonly<Record<string, string>>;
  readonly succeeded: unknown;
  /** Mirrors that were ever not suspended. */
  readonly startedMirrors: number;
  readonly pods: number;
}

async function liveThrough(number: number, way: Way): Promise<Outcome> {
  const world = await openWorld(`stop-${number}-${way}`);
  const watching = new AbortController();
  const witness = watchWorker(world, watching.signal);
  const taps: Tap[] = [];
  try {
    const first = await runUntilStopped(world, number, way, taps);
    const second = world.reconcile();
    await until(`the Job is finished and released. The second says: ${second.stderr()}`, () => released(world));
    await first.wakeUp();
    const job = await until('the Job is as it was', () => released(world));
    return {
      number,
      write: first.write,
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

async function released(world: World): Promise<JsonObject | undefined> {
  const job = await world.job('once');
  if (partOf(job, 'metadata')['finalizers'] !== undefined || !('Complete' in trueConditions(job))) return undefined;
  const running = (await world.mirrors()).filter((mirror) => partOf(mirror, 'spec')['suspend'] !== true);
  return running.length === 0 ? job : undefined;
}

interface Stopped {
  readonly write: string;
  /** Lets a sleeper go on, its write first, and waits until it has seen that others did its work. */
  wakeUp(): Promise<void>;
}

/** Creates the Job under a first reconciler that is stopped at the write with this number. */
async function runUntilStopped(world: World, number: number, way: Way, taps: Tap[]): Promise<Stopped> {
  let first: Program | undefined;
  let writes = 0;
  let last = '';
  let isOver = false;
  const { promise: isMorning, resolve: dawn } = Promise.withResolvers<Fate>();
  const fateOf = ({ method, path }: Write): Fate | Promise<Fate> => {
    writes += 1;
    // What comes late of one that had nothing left to do mustn't put it to sleep when nobody wakes it any more.
    if (writes !== number || isOver) return 'pass';
    last = `${method} ${path}`;
    if (way !== 'sleep') return way;
    first?.freeze();
    return isMorning;
  };
  const contexts = [];
  for (const name of ['management', 'worker'] as const) {
    const tap = await layTap(inject(name), fateOf, () => first?.kill());
    taps.push(tap);
    contexts.push({ name, server: tap.url, token: tokens.admin });
  }
  first = world.reconcile({ kubeconfig: await world.kubeconfig(contexts) });
  await world.createJob('once', { managedBy: ours }, { 'sandbox.delegated-jobs.dev/duration': '1s' });
  await until('the first reconciler is stopped, or has nothing left to do', async () =>
    last === '' ? released(world) : true,
  );
  if (way !== 'sleep') {
    first.kill();
    await first.ended;
  }
  return {
    write: last,
    async wakeUp() {
      if (way !== 'sleep') return;
      const requests = (): number => taps.reduce((sum, tap) => sum + tap.requests(), 0);
      const before = requests();
      isOver = true;
      dawn('pass');
      first.thaw();
      await until(`it has looked around, stopped at "${last}". It says: ${first.stderr()}`, () =>
        requests() >= before + requestsOfALook ? true : undefined,
      );
      const end = await first.stop();
      expect(end, 'it ends in good order').toBe(0);
    },
  };
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
