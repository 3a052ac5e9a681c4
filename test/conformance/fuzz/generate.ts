import { baseCronJobs, baseJobs, baseJobsForPods, baseStatuses } from './bases.ts';
import type { Draw } from './draw.ts';
import type { JsonMap } from './json.ts';
import { mutate, neighboursOf } from './mutate.ts';
import type { Oracle, OracleRequest } from './oracle.ts';
import { type Shape, type Target, targetsOf } from './shape.ts';

/** What a run looks at: the template of the pods, the rest of the Job, its status, or CronJobs. */
export const areas = ['pod', 'job', 'status', 'cronjob'] as const;
export type Area = (typeof areas)[number];

export interface Shapes {
  readonly job: Shape;
  readonly cronJob: Shape;
}

/** Makes the case with this number; equal draws make equal cases. */
export type Generator = (id: string, draw: Draw) => OracleRequest;

/** Most fields are the template's, so the areas are weighed rather than the fields. */
const areaWeights: readonly Area[] = [
  'pod',
  'pod',
  'pod',
  'pod',
  'pod',
  'job',
  'job',
  'job',
  'status',
  'status',
  'cronjob',
];

/**
 * A generator of writes: one to three changes, anywhere in the schema, on a valid object. The stored objects that
 * updates need are asked from the oracle, so that they are what a server of that version really stores.
 */
export async function makeGenerator(shapes: Shapes, oracle: Oracle, only: readonly Area[]): Promise<Generator> {
  const jobTargets = targetsOf(shapes.job).filter(isInteresting);
  const cronTargets = targetsOf(shapes.cronJob).filter(isInteresting);
  const targets: Readonly<Record<Area, readonly Target[]>> = {
    pod: jobTargets.filter(({ steps }) => startsWith(steps, ['spec', 'template'])),
    job: jobTargets.filter(({ steps }) => steps[0] !== 'status' && !startsWith(steps, ['spec', 'template', 'spec'])),
    status: jobTargets.filter(({ steps }) => steps[0] === 'status'),
    cronjob: cronTargets.filter(({ steps }) => !startsWith(steps, ['spec', 'jobTemplate', 'spec', 'template', 'spec'])),
  };
  const jobs = baseJobs();
  const cronJobs = baseCronJobs();
  const podJobs = [...baseJobsForPods(), ...jobs.slice(0, 2)];
  const stored = {
    jobs: await storedForms(oracle, jobs),
    podJobs: await storedForms(oracle, podJobs),
    cronJobs: await storedForms(oracle, cronJobs),
  };
  const statuses = baseStatuses();

  return (id, draw) => {
    const area = draw.pick(only.length > 0 ? areaWeights.filter((each) => only.includes(each)) : areaWeights);
    const choice = targets[area];
    if (area === 'status') {
      const old = withStatus(draw.pick(stored.jobs), draw.pick(statuses));
      const object = {
        ...structuredClone(old),
        status: structuredClone(draw.pick([...statuses, old['status'] ?? {}])),
      };
      if (draw.chance(0.8)) changeSome(object, shapes.job, choice, draw);
      return { id, operation: 'status-update', object, old };
    }
    const shape = area === 'cronjob' ? shapes.cronJob : shapes.job;
    const fresh = { pod: podJobs, job: jobs, cronjob: cronJobs }[area];
    const storedOnes = { pod: stored.podJobs, job: stored.jobs, cronjob: stored.cronJobs }[area];
    if (draw.chance(area === 'pod' ? 0.8 : 0.5)) {
      const object = structuredClone(draw.pick(fresh));
      changeSome(object, shape, choice, draw);
      return { id, operation: 'create', object };
    }
    const isCronStatus = area === 'cronjob' && draw.chance(0.15);
    const old =
      area === 'cronjob'
        ? structuredClone(draw.pick(storedOnes))
        : withStatus(draw.pick(storedOnes), draw.pick(statuses));
    // What is stored may be older than the rules: some updates only carry along what is wrong already.
    // Its own metadata is the server's, though.
    if (draw.chance(0.2)) {
      const { metadata = {} } = old;
      const kept = structuredClone(metadata);
      changeSome(old, shape, choice, draw);
      old['metadata'] = kept;
    }
    const object = structuredClone(old);
    changeSome(object, shape, choice, draw);
    return { id, operation: isCronStatus ? 'status-update' : 'update', object, old };
  };
}

function changeSome(object: JsonMap, shape: Shape, targets: readonly Target[], draw: Draw): void {
  const count = draw.pick([1, 1, 1, 1, 2, 2, 3, 3, 6]);
  let last: Target | undefined;
  for (let change = 0; change < count; change += 1) {
    const near = last !== undefined && draw.chance(0.5) ? neighboursOf(last, targets) : targets;
    last = draw.pick(near);
    mutate(object, shape, last, draw);
  }
}

/** Other kinds aren't judged here. */
function isInteresting({ steps }: Target): boolean {
  return steps[0] !== 'apiVersion' && steps[0] !== 'kind';
}

function startsWith(steps: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((step, index) => steps[index] === step);
}

function withStatus(job: JsonMap, status: JsonMap): JsonMap {
  return { ...structuredClone(job), status: structuredClone(status) };
}

async function storedForms(oracle: Oracle, objects: readonly JsonMap[]): Promise<readonly JsonMap[]> {
  const answers = await oracle.ask(
    objects.map((object, index) => ({ id: String(index), operation: 'create', object })),
  );
  return answers.map(({ stored, message }) => {
    if (stored === undefined) throw new Error(`A base is refused: ${message}`);
    const metadata = { ...(stored['metadata'] as JsonMap), resourceVersion: '41' };
    return { ...stored, metadata };
  });
}
