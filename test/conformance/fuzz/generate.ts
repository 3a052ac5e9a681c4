import { baseCronJobs, baseJobs, baseJobsForPods, baseStatuses, baseWorkloads } from './bases.ts';
import type { Draw } from './draw.ts';
import { isMap, type JsonMap } from './json.ts';
import { mutate, neighboursOf } from './mutate.ts';
import type { Oracle, OracleRequest } from './oracle.ts';
import { jobScenes, overlaid, podScenes } from './scenes.ts';
import { type Shape, type Steps, type Target, targetsIn, targetsOf } from './shape.ts';
import { makeStrange } from './strange.ts';

/**
 * What a run looks at: the template of the pods, the rest of the Job, its status, CronJobs, or what stands beside Jobs:
 * Pods, Deployments and StatefulSets.
 */
export const areas = ['pod', 'job', 'status', 'cronjob', 'workload'] as const;
export type Area = (typeof areas)[number];
type JobArea = Exclude<Area, 'workload'>;

export interface Shapes {
  readonly job: Shape;
  readonly cronJob: Shape;
  readonly pod: Shape;
  readonly deployment: Shape;
  readonly statefulSet: Shape;
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
  'workload',
  'workload',
  'workload',
];

/** Which places of the schema belong to an area. */
const belongs: Readonly<Record<JobArea, (steps: Steps) => boolean>> = {
  pod: (steps) => startsWith(steps, ['spec', 'template']),
  job: (steps) => steps[0] !== 'status' && !startsWith(steps, ['spec', 'template', 'spec']),
  status: (steps) => steps[0] === 'status',
  cronjob: (steps) => !startsWith(steps, ['spec', 'jobTemplate', 'spec', 'template', 'spec']),
};

/**
 * A generator of writes: a few changes, anywhere in the schema, on a valid object. The stored objects that updates need
 * are asked from the oracle, so that they are what a server of that version really stores. Where some places of the
 * schema, their steps joined by dots, are in focus, most cases change one of them.
 */
export async function makeGenerator(
  shapes: Shapes,
  oracle: Oracle,
  only: readonly Area[],
  focus: ReadonlySet<string> = new Set(),
): Promise<Generator> {
  const jobTargets = targetsOf(shapes.job).filter(isInteresting);
  const cronTargets = targetsOf(shapes.cronJob).filter(isInteresting);
  const inFocus = (all: readonly Target[]): readonly Target[] => all.filter(({ steps }) => focus.has(steps.join('.')));
  const targets: Readonly<Record<JobArea, readonly Target[]>> = {
    pod: jobTargets.filter(({ steps }) => belongs.pod(steps)),
    job: jobTargets.filter(({ steps }) => belongs.job(steps)),
    status: jobTargets.filter(({ steps }) => belongs.status(steps)),
    cronjob: cronTargets.filter(({ steps }) => belongs.cronjob(steps)),
  };
  const focused = {
    pod: inFocus(targets.pod),
    job: inFocus(targets.job),
    status: inFocus(targets.status),
    cronjob: inFocus(targets.cronjob),
    everywhere: inFocus(cronTargets),
  };
  const jobs = baseJobs();
  const fresh = { pod: [...baseJobsForPods(), ...jobs.slice(0, 2)], job: jobs, status: jobs, cronjob: baseCronJobs() };
  const stored = {
    pod: await storedForms(oracle, fresh.pod),
    job: await storedForms(oracle, fresh.job),
    status: await storedForms(oracle, fresh.status),
    cronjob: await storedForms(oracle, fresh.cronjob),
  };
  const statuses = baseStatuses();
  const workloads = workloadGenerator(shapes, focus);
  const weighed = only.length > 0 ? areaWeights.filter((each) => only.includes(each)) : areaWeights;

  return (id, draw) => {
    const area = draw.pick(weighed);
    if (area === 'workload') return { id, operation: 'create', object: workloads(draw) };
    const shape = area === 'cronjob' ? shapes.cronJob : shapes.job;
    // The template inside a CronJob is the same one, but at another place.
    const isEverywhere = area === 'cronjob' && draw.chance(0.3);
    const place: Place = isEverywhere
      ? { shape, targets: cronTargets, belongs: () => true, focused: focused.everywhere }
      : { shape, targets: targets[area], belongs: belongs[area], focused: focused[area] };
    if (area === 'status') {
      const old = { ...structuredClone(draw.pick(stored.status)), status: structuredClone(draw.pick(statuses)) };
      const object = { ...structuredClone(old), status: structuredClone(draw.pick([...statuses, old.status])) };
      // Terminal states are what statuses are about; some old ones have them in part only.
      if (draw.chance(0.2)) changeSome(old, place, draw);
      if (draw.chance(0.8)) changeSome(object, place, draw);
      if (draw.chance(strangeness)) makeStrange(object, draw);
      return { id, operation: 'status-update', object, old };
    }
    if (draw.chance(area === 'pod' ? 0.8 : 0.5)) {
      const object = inScene(structuredClone(draw.pick(fresh[area])), area, draw);
      if (!draw.chance(strangeness)) changeSome(object, place, draw);
      else makeStrange(object, draw);
      return { id, operation: 'create', object };
    }
    const isCronStatus = area === 'cronjob' && draw.chance(0.15);
    const base = inScene(structuredClone(draw.pick(stored[area])), area, draw);
    const old = area === 'cronjob' ? base : { ...base, status: structuredClone(draw.pick(statuses)) };
    // What is stored may be older than the rules: some updates only carry along what is wrong already. Its own metadata
    // is the server's, though.
    if (draw.chance(0.2)) {
      const { metadata = {} } = old;
      const kept = structuredClone(metadata);
      changeSome(old, place, draw);
      old['metadata'] = kept;
    }
    const object = draw.chance(0.85) ? structuredClone(old) : inScene(structuredClone(old), area, draw);
    if (!draw.chance(strangeness)) changeSome(object, place, draw);
    else makeStrange(object, draw);
    return { id, operation: isCronStatus ? 'status-update' : 'update', object, old };
  };
}

/** Makes objects that stand beside Jobs. A server is asked to create them; what it says to changes isn't judged here. */
function workloadGenerator(shapes: Shapes, focus: ReadonlySet<string>): (draw: Draw) => JsonMap {
  const kinds = [
    ['Pod', shapes.pod, []],
    ['Deployment', shapes.deployment, ['spec', 'template']],
    ['StatefulSet', shapes.statefulSet, ['spec', 'template']],
  ] as const;
  const places = kinds.map(([kind, shape, templateSteps]) => {
    const targets = targetsOf(shape).filter(isInteresting);
    const focused = targets.filter(({ steps }) => focus.has(steps.join('.')));
    const isBeside = (steps: Steps): boolean => !startsWith(steps, [...templateSteps, 'spec']);
    const everywhere: Place = { shape, targets, belongs: () => true, focused };
    // Most fields are the pod's.
    const beside = { ...everywhere, targets: targets.filter(({ steps }) => isBeside(steps)), belongs: isBeside };
    return { kind, bases: baseWorkloads(kind), everywhere, beside: kind === 'Pod' ? everywhere : beside };
  });
  return (draw) => {
    const { kind, bases, everywhere, beside } = draw.pick(places);
    const base = structuredClone(draw.pick(bases));
    const scene = draw.chance(0.4) ? draw.pick(podScenes) : {};
    const object = overlaid(base, kind === 'Pod' ? scene : { spec: { template: scene } });
    if (draw.chance(strangeness)) makeStrange(object, draw);
    else changeSome(object, draw.chance(0.4) ? everywhere : beside, draw);
    return asForTheStrategy(object);
  };
}

/** The object as it is when no order and no admission plugin can make a difference any more. */
function asForTheStrategy(object: JsonMap): JsonMap {
  const { kind, metadata, spec } = object;
  if (!isMap(spec)) return object;
  // A plugin names the service account of a pod before its strategy is asked.
  if (kind === 'Pod') spec['serviceAccountName'] ||= 'robot';
  // A kubelet alone makes mirrors of its static pods.
  const annotations = isMap(metadata) ? metadata['annotations'] : undefined;
  if (isMap(annotations)) delete annotations['kubernetes.io/config.mirror'];
  // Of several claims the server makes volumes in the order of a Go map, which has none.
  const claims = spec['volumeClaimTemplates'];
  if (kind === 'StatefulSet' && Array.isArray(claims)) claims.splice(1);
  return object;
}

/** The share of objects of which something strange is made instead of a change that its schema suggests. */
const strangeness = 0.15;

/** Where changes may be made. */
interface Place {
  readonly shape: Shape;
  readonly targets: readonly Target[];
  readonly belongs: (steps: Steps) => boolean;
  readonly focused: readonly Target[];
}

function changeSome(object: JsonMap, { shape, targets, belongs: isWithin, focused }: Place, draw: Draw): void {
  const count = draw.pick([1, 1, 1, 1, 2, 2, 3, 3, 6]);
  let last = focused.length > 0 && draw.chance(0.8) ? draw.pick(focused) : undefined;
  if (last !== undefined) mutate(object, shape, last, draw);
  for (let change = last === undefined ? 0 : 1; change < count; change += 1) {
    const there = draw.chance(0.35)
      ? targetsIn(shape, object).filter((target) => isWithin(target.steps) && isInteresting(target))
      : [];
    const near = last !== undefined && draw.chance(0.5) ? neighboursOf(last, targets) : targets;
    last = draw.pick(there.length > 0 ? there : near);
    mutate(object, shape, last, draw);
  }
}

/** Half of the objects are set into a scene of fields that depend on each other. */
function inScene(object: JsonMap, area: JobArea, draw: Draw): JsonMap {
  if (!draw.chance(0.5)) return object;
  const spec = draw.chance(area === 'pod' ? 0.9 : 0.3) ? { template: draw.pick(podScenes) } : draw.pick(jobScenes);
  return overlaid(object, { spec: area === 'cronjob' ? { jobTemplate: { spec } } : spec });
}

/** Other kinds aren't judged here. */
function isInteresting({ steps }: Target): boolean {
  return steps[0] !== 'apiVersion' && steps[0] !== 'kind';
}

function startsWith(steps: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((step, index) => steps[index] === step);
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
