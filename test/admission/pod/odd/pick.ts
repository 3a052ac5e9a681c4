import type { Draw } from '../../../conformance/fuzz/draw.ts';
import type { Json, JsonMap } from '../../../conformance/fuzz/json.ts';

/** A value that may be absent. */
export type Odd = Json | undefined;
/** Makes an odd value of a field; the draw decides which. */
export type Maker = (draw: Draw) => Odd;
/** What may stand in the fields of an object: values to pick from, or a maker. */
export type OddFields = Readonly<Record<string, readonly Odd[] | Maker>>;

/** An object whose fields are picked; absent values are left out. */
export function oddObject(fields: OddFields, draw: Draw): JsonMap {
  const object: JsonMap = {};
  for (const [field, values] of Object.entries(fields)) {
    const value = oddValue(values, draw);
    if (value !== undefined) object[field] = value;
  }
  return object;
}

/** One of the values, or what the maker makes. */
export function oddValue(values: readonly Odd[] | Maker, draw: Draw): Odd {
  return typeof values === 'function' ? values(draw) : draw.pick(values);
}

/** Objects in a list, as many as one of the lengths says. */
export function oddList(lengths: readonly number[], fields: OddFields): Maker {
  return (draw) => Array.from({ length: draw.pick(lengths) }, () => oddObject(fields, draw));
}

/** The object, or nothing, as often as `absent` and `present` say. */
export function maybe(fields: OddFields, absent = 1, present = 1): Maker {
  return (draw) => (draw.below(absent + present) < absent ? undefined : oddObject(fields, draw));
}

/** The values, with absence as frequent as each of them. */
export function orAbsent(values: readonly Odd[], times = 1): readonly Odd[] {
  return [...Array.from({ length: times }, () => undefined), ...values];
}
