import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/index.ts';
import type { FieldSegments } from './verdict.ts';

/**
 * From JSON to what decoding into typed structs leaves of it: nulls are absent, and so is whatever has the wrong type.
 * After this, rules may trust types. Shares all that it doesn't change.
 */

/** Maps with free keys, where Go's decoder keeps a null as the zero value. */
const freeMaps: ReadonlySet<string> = new Set(['labels', 'annotations', 'nodeSelector', 'matchLabels']);

/** The places to drop, as a tree by segment. */
type Drops = Map<string | number, Drops | true>;

/** `value` without nulls and without what sits at one of `faults`. */
export function cleaned(value: JsonObject, faults: readonly FieldSegments[]): JsonObject {
  return cleanObject(value, treeOf(faults), false);
}

function treeOf(faults: readonly FieldSegments[]): Drops | undefined {
  if (faults.length === 0) return undefined;
  const root: Drops = new Map();
  for (const fault of faults) {
    let node = root;
    fault.forEach((segment, index) => {
      const next = node.get(segment);
      if (index === fault.length - 1) node.set(segment, true);
      else if (next instanceof Map) node = next;
      else if (next === undefined) {
        const made: Drops = new Map();
        node.set(segment, made);
        node = made;
      }
    });
  }
  return root;
}

function cleanObject(value: JsonObject, drops: Drops | undefined, isFreeMap: boolean): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const key in value) {
    const before = value[key];
    const drop = drops?.get(key);
    const after = drop === true ? undefined : cleanMember(before, key, drop, isFreeMap);
    if (after === before) continue;
    copy ??= { ...value };
    if (after === undefined) delete copy[key];
    else copy[key] = after;
  }
  return copy ?? value;
}

function cleanMember(
  value: JsonValue | undefined,
  key: string,
  drops: Drops | undefined,
  isFreeMap: boolean,
): JsonValue | undefined {
  if (value === null) return isFreeMap ? '' : undefined;
  if (Array.isArray(value)) return cleanArray(value, drops);
  if (isJsonObject(value)) return cleanObject(value, drops, freeMaps.has(key));
  return value;
}

function cleanArray(value: JsonArray, drops: Drops | undefined): JsonArray {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const before = value[index];
    if (before === undefined) continue;
    const after = drops?.get(index) === true || before === null ? zeroAmong(value) : cleanItem(before, drops, index);
    if (after === before) continue;
    copy ??= [...value];
    // A faulty item keeps its place, so that the paths of the others stay true.
    copy[index] = after;
  }
  return copy ?? value;
}

function cleanItem(value: JsonValue, drops: Drops | undefined, index: number): JsonValue {
  const drop = drops?.get(index);
  const inner = drop === true ? undefined : drop;
  if (Array.isArray(value)) return cleanArray(value, inner);
  return isJsonObject(value) ? cleanObject(value, inner, false) : value;
}

/** What Go puts in place of a null, judged by its siblings. */
function zeroAmong(siblings: JsonArray): JsonValue {
  if (siblings.some((one) => typeof one === 'string')) return '';
  return siblings.some((one) => typeof one === 'number') ? 0 : {};
}
