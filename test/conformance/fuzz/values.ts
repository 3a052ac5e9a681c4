import type { Draw } from './draw.ts';
import type { Json } from './json.ts';
import { noiseFor, quantityNoise, timeNoise } from './noise.ts';
import { sampleOf } from './samples.ts';
import type { Shape } from './shape.ts';
import { commonTexts, keysFor, mapTextsFor, textsFor } from './texts.ts';

const integers: readonly number[] = [0, 1, 2, 3, 5, 10, 80, 100, 1000, -1, -2, 65_535, 65_536, 100_000, 100_001];
const int32Edges: readonly number[] = [2_147_483_647, -2_147_483_648, 1_000_000];
const int64Edges: readonly number[] = [
  2_147_483_647, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, 315_360_000_000,
];
const integersByField: Readonly<Record<string, readonly number[]>> = {
  values: [0, 1, 2, 42, 255, 256, -1],
  weight: [1, 100, 0, 101, -1],
  port: [1, 80, 65_535, 0, 65_536, -1],
  containerPort: [1, 80, 8080, 65_535, 0, 65_536, -1],
  hostPort: [0, 80, 8080, 65_535, 65_536, -1],
  defaultMode: [0, 0o644, 0o777, 0o1000, -1],
  mode: [0, 0o644, 0o777, 0o1000, 0o2777, -1],
  expirationSeconds: [600, 599, 3600, 4_294_967_296, 4_294_967_297, 0],
  maxExpirationSeconds: [3600, 3599, 7_862_400, 7_862_401, 86_400],
  parallelism: [0, 1, 2, 3, 5, 10, 10_000, 100_000, 100_001, -1],
  completions: [0, 1, 2, 3, 5, 10, 10_000, 100_000, 100_001, -1],
  maxFailedIndexes: [0, 1, 3, 10_000, 10_001, 100_000, 100_001, -1],
  runAsUser: [0, 1000, -1, 2_147_483_647, 2_147_483_648],
  lun: [0, 1, 255, 256, -1],
};
const quantities: readonly Json[] = [
  '1',
  '500m',
  '1Gi',
  '0',
  '-1',
  '1.5',
  '2',
  '1e3',
  '0.1m',
  '100',
  '1Ki',
  '4Mi',
  1,
  1.5,
  -1,
  0,
  1e21,
  1e-7,
  5e-324,
  1.7976931348623157e308,
  123456789012345680000,
];
const noQuantities: readonly Json[] = ['abc', '', '1 Gi', '1GiB', ' 1', '1,5', '--1', true, {}, []];
const times: readonly string[] = [
  '2026-03-01T07:00:00Z',
  '2026-03-01T08:00:00Z',
  '2026-03-01T08:00:30Z',
  '2026-03-01T09:00:00Z',
  '2026-03-01T09:00:00+01:00',
];
const noTimes: readonly Json[] = ['2026-03-01', '', 'now', '2026-03-01T08:00:00', 0, true];
const wrongs: readonly Json[] = ['1', 'x', 1, 0, 1.5, true, false, [], {}, ['x'], [1], { a: 1 }, [null], [{}], [[]]];
const crowds: readonly number[] = [8, 9, 21, 33, 51, 101, 257];
/**
 * Characters of a crowd at most. A crowd of crowds has faults by the hundred thousand, and Kubernetes' own code takes
 * many minutes to list them.
 */
const largestCrowd = 50_000;

/** A value for the place `field` in a value of type `owner`: what fits there, or what stands just beside. */
export function valueFor(shape: Shape, owner: string, field: string, draw: Draw): Json {
  switch (shape.kind) {
    case 'boolean':
      return draw.chance(0.6);
    case 'integer':
      return integerFor(shape.bits, field, draw);
    case 'string':
      return textFor([...shape.enumeration, ...textsFor(owner, field)], field, draw);
    case 'quantity':
      if (draw.chance(0.1)) return quantityNoise(draw);
      return draw.chance(0.96) ? draw.pick(quantities) : draw.pick(noQuantities);
    case 'intOrString':
      return draw.pick([80, 'http', 1, 65_535, 65_536, 0, -1, '80', '', 'HTTP', 'a--b', 'a'.repeat(16), 'x_y', '1-']);
    case 'time':
      if (draw.chance(0.15)) return timeNoise(draw);
      return draw.chance(0.96) ? draw.pick(times) : draw.pick(noTimes);
    case 'any':
      return draw.pick<Json>([{}, { 'f:metadata': {} }, 'x']);
    case 'list':
      return listFor(shape.item, owner, field, draw);
    case 'map':
      return mapFor(shape.value, owner, field, draw);
    case 'object':
      return objectFor(shape, draw);
  }
}

/** A value that doesn't decode at this place, as a rule; now and then it does after all. */
export function illTyped(shape: Shape, draw: Draw): Json {
  if (shape.kind === 'integer' && draw.chance(0.5)) {
    return draw.pick<Json>([1.5, 1e20, 2_147_483_648, -2_147_483_649, '1', 1.0]);
  }
  if (shape.kind === 'quantity') return draw.pick(noQuantities);
  if (shape.kind === 'time') return draw.pick(noTimes);
  return structuredClone(draw.pick(wrongs));
}

/** Another value of a map and its key. */
export function entryFor(value: Shape, field: string, draw: Draw): readonly [string, Json] {
  const key = draw.chance(0.9) ? draw.pick(keysFor(field)) : noiseFor('name', draw);
  return [key, value.kind === 'string' ? textFor(mapTextsFor(field), field, draw) : valueFor(value, '', field, draw)];
}

/** A further item of a list: a sample for objects, else a value. */
export function itemFor(item: Shape, owner: string, field: string, draw: Draw): Json {
  return item.kind === 'object' ? objectFor(item, draw) : valueFor(item, owner, field, draw);
}

function integerFor(bits: 32 | 64, field: string, draw: Draw): Json {
  const known = integersByField[field];
  if (known !== undefined && draw.chance(0.8)) return draw.pick(known);
  if (draw.chance(0.85)) return draw.pick(integers);
  return draw.pick(bits === 32 ? int32Edges : int64Edges);
}

function textFor(known: readonly string[], field: string, draw: Draw): string {
  if (draw.chance(0.08)) return noiseFor(field, draw);
  if (known.length > 0 && draw.chance(0.85)) return draw.pick(known);
  return draw.pick(commonTexts);
}

function listFor(item: Shape, owner: string, field: string, draw: Draw): Json {
  if (draw.chance(0.1)) return [];
  if (draw.chance(0.05)) {
    // Long lists meet their limits; equal items meet the rules against duplicates.
    const one = itemFor(item, owner, field, draw);
    const length = draw.pick(crowds);
    if (length * JSON.stringify(one).length <= largestCrowd) return Array.from({ length }, () => structuredClone(one));
  }
  return Array.from({ length: 1 + draw.below(3) }, () => itemFor(item, owner, field, draw));
}

function mapFor(value: Shape, owner: string, field: string, draw: Draw): Json {
  if (draw.chance(0.1)) return {};
  const entries = Array.from({ length: 1 + draw.below(2) }, () => entryFor(value, field, draw));
  return Object.fromEntries(owner === '' ? [] : entries);
}

function objectFor(shape: Shape & { readonly kind: 'object' }, draw: Draw): Json {
  const made = sampleOf(shape.name, draw);
  if (typeof made !== 'object' || made === null || Array.isArray(made)) return made;
  if (shape.fields.size === 0 || draw.chance(0.6)) return made;
  for (let more = draw.pick([1, 1, 1, 2, 4]); more > 0; more -= 1) {
    const [field, inner] = draw.pick([...shape.fields]);
    // Depth is reached by choosing deep places, not by growing trees here.
    if (inner.kind !== 'object') made[field] = valueFor(inner, shape.name, field, draw);
    else made[field] = sampleOf(inner.name, draw);
  }
  return made;
}
