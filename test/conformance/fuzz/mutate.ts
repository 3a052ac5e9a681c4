import type { Draw } from './draw.ts';
import { isMap, type Json, type JsonMap } from './json.ts';
import { sampleOf } from './samples.ts';
import type { Shape, Steps, Target } from './shape.ts';
import { entryFor, illTyped, itemFor, valueFor } from './values.ts';

/** Types of which one member alone may be set, with those members that don't count; `undefined`: all count. */
const unions: Readonly<Record<string, readonly string[]>> = {
  Volume: ['name'],
  VolumeProjection: [],
  EnvVarSource: [],
  LifecycleHandler: [],
  WorkloadPodGroupSchedulingPolicy: [],
  WorkloadPodGroupDisruptionMode: [],
  PodFailurePolicyRule: ['action'],
  EnvFromSource: ['prefix'],
  Probe: [
    'initialDelaySeconds',
    'periodSeconds',
    'timeoutSeconds',
    'failureThreshold',
    'successThreshold',
    'terminationGracePeriodSeconds',
  ],
};

/** Changes `root` at one place of its schema: sets, removes, repeats, mistypes. */
export function mutate(root: JsonMap, shape: Shape, target: Target, draw: Draw): void {
  const parentSteps = target.steps.slice(0, -1);
  const last = target.steps.at(-1) ?? '';
  const parent = reach(root, shape, parentSteps, draw);
  if (parent === undefined) return;
  if (isMap(parent.value)) changeMember(parent.value, parent.shape, last, parent.field, target.shape, draw);
  else if (Array.isArray(parent.value)) changeItem(parent.value, parent.owner, parent.field, target.shape, draw);
}

/** Targets that have a parent in common with `target`: where two changes may matter to each other. */
export function neighboursOf(target: Target, targets: readonly Target[]): readonly Target[] {
  const prefix = target.steps.slice(0, Math.max(1, target.steps.length - 2));
  return targets.filter((other) => prefix.every((step, index) => other.steps[index] === step));
}

interface Place {
  readonly value: Json;
  readonly shape: Shape;
  /** Name of the type that has the field, and the field, from which one came to this value. */
  readonly owner: string;
  readonly field: string;
}

/** Walks down, making what isn't there. Undefined where something of another type stands in the way. */
function reach(root: JsonMap, shape: Shape, steps: Steps, draw: Draw): Place | undefined {
  let place: Place = { value: root, shape, owner: '', field: '' };
  for (const step of steps) {
    const next = stepDown(place, step, draw);
    if (next === undefined) return undefined;
    place = next;
  }
  return place;
}

function stepDown({ value, shape, owner, field }: Place, step: string, draw: Draw): Place | undefined {
  if (shape.kind === 'object' && isMap(value)) {
    const inner = shape.fields.get(step);
    if (inner === undefined) return undefined;
    const found = value[step];
    if (found !== undefined && found !== null) return { value: found, shape: inner, owner: shape.name, field: step };
    makeRoom(value, shape.name, step, draw);
    const made = emptyOf(inner, draw);
    value[step] = made;
    return { value: made, shape: inner, owner: shape.name, field: step };
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    if (value.length === 0 || draw.chance(0.3)) value.push(emptyOf(shape.item, draw));
    const index = draw.chance(0.5) ? value.length - 1 : draw.below(value.length);
    const item = value[index];
    return item === undefined ? undefined : { value: item, shape: shape.item, owner, field };
  }
  if (shape.kind === 'map' && isMap(value)) {
    const key = Object.keys(value).at(-1);
    const item = key === undefined ? undefined : value[key];
    return item === undefined ? undefined : { value: item, shape: shape.value, owner, field };
  }
  return undefined;
}

function emptyOf(shape: Shape, draw: Draw): Json {
  if (shape.kind === 'object') return sampleOf(shape.name, draw);
  if (shape.kind === 'list') return [emptyOf(shape.item, draw)];
  if (shape.kind === 'map') return {};
  return valueFor(shape, '', '', draw);
}

/** A second member of a union hides whatever is wrong inside the first, so the others go, mostly. */
function makeRoom(value: JsonMap, typeName: string, member: string, draw: Draw): void {
  const companions = unions[typeName];
  if (companions === undefined || companions.includes(member) || draw.chance(0.15)) return;
  for (const key of Object.keys(value)) if (!companions.includes(key)) delete value[key];
}

function changeMember(
  parent: JsonMap,
  parentShape: Shape,
  step: string,
  field: string,
  shape: Shape,
  draw: Draw,
): void {
  if (parentShape.kind === 'map') {
    const [key, value] = entryFor(shape, field, draw);
    if (draw.chance(0.12)) delete parent[Object.keys(parent).at(0) ?? ''];
    else parent[key] = draw.chance(0.02) ? illTyped(shape, draw) : value;
    return;
  }
  if (parentShape.kind !== 'object') return;
  const roll = draw.below(100);
  if (roll < 1) parent[draw.pick([`${step}s`, step.toUpperCase(), 'unknown', 'restart_policy'])] = 1;
  else if (roll < 11 && step in parent) delete parent[step];
  else if (roll < 13) parent[step] = illTyped(shape, draw);
  else if (roll < 16) parent[step] = null;
  else if (roll < 27 && Array.isArray(parent[step])) changeList(parent[step], draw);
  else {
    makeRoom(parent, parentShape.name, step, draw);
    parent[step] = valueFor(shape, parentShape.name, step, draw);
  }
}

function changeList(list: Json[], draw: Draw): void {
  if (list.length === 0) return;
  const index = draw.below(list.length);
  const item = list[index];
  if (item === undefined) return;
  if (draw.chance(0.4)) list.push(structuredClone(item));
  else if (draw.chance(0.5)) list.splice(index, 1);
  else list.reverse();
}

function changeItem(list: Json[], owner: string, field: string, shape: Shape, draw: Draw): void {
  const roll = draw.below(100);
  const item = roll < 1 ? null : roll < 3 ? illTyped(shape, draw) : itemFor(shape, owner, field, draw);
  if (list.length > 0 && draw.chance(0.5)) list[draw.below(list.length)] = item;
  else list.push(item);
}
