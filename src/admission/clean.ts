import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/index.ts';
import type { FieldSegments } from './verdict.ts';

/**
 * From JSON to what decoding into typed structs leaves of it: nulls are absent, and so is whatever has the wrong type;
 * half a character that stands alone (`"\ud800"`) is U+FFFD. After this, rules may trust types. Shares all that it
 * doesn't change.
 */

/** Maps with free keys, where Go's decoder keeps a null: what it makes of one. */
const zerosInMaps: ReadonlyMap<string, JsonValue> = new Map([
  ...['annotations', 'labels', 'matchLabels', 'nodeSelector', 'options', 'userAnnotations', 'volumeAttributes'].map(
    (name) => [name, ''] as const,
  ),
  ...['limits', 'overhead', 'requests'].map((name) => [name, '0'] as const),
]);

/** Lists whose items are texts; those of the others are structs, save the lists of numbers below. */
const textLists: ReadonlySet<string> = new Set([
  'accessModes',
  'add',
  'args',
  'bindMountOptions',
  'command',
  'drop',
  'failed',
  'finalizers',
  'hostnames',
  'matchLabelKeys',
  'mismatchLabelKeys',
  'monitors',
  'nameservers',
  'namespaces',
  'portals',
  'searches',
  'succeeded',
  'targetWWNs',
  'values',
  'wwids',
]);

/** Structs whose `values` are numbers. */
const numberOwners: ReadonlySet<string> = new Set(['exitCodes', 'onExitCodes']);

/** The places to drop, as a tree by segment. */
type Drops = Map<string | number, Drops | true>;

/** `value` without nulls and without what sits at one of `faults`. */
export function cleaned(value: JsonObject, faults: readonly FieldSegments[]): JsonObject {
  return cleanObject(value, treeOf(faults), '');
}

function treeOf(faults: readonly FieldSegments[]): Drops | undefined {
  if (faults.length === 0) return undefined;
  const root: Drops = new Map();
  for (const fault of faults) {
    let node = root;
    for (const [index, segment] of fault.entries()) {
      const next = node.get(segment);
      // What holds the fault is dropped as a whole already.
      if (next === true) break;
      if (index === fault.length - 1) {
        node.set(segment, true);
      } else if (next !== undefined) {
        node = next;
      } else {
        const made: Drops = new Map();
        node.set(segment, made);
        node = made;
      }
    }
  }
  return root;
}

function cleanObject(value: JsonObject, drops: Drops | undefined, name: string): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined;
  const hasFreeKeys = zerosInMaps.has(name);
  for (const key in value) {
    const before = value[key];
    const drop = drops?.get(key);
    const after = drop === true ? undefined : cleanMember(before, key, drop, name);
    const isKept = !hasFreeKeys || key.isWellFormed();
    if (after === before && isKept) continue;
    copy ??= { ...value };
    if (after === undefined || !isKept) delete copy[key];
    if (after !== undefined) copy[isKept ? key : key.toWellFormed()] = after;
  }
  return copy ?? value;
}

function cleanMember(
  value: JsonValue | undefined,
  key: string,
  drops: Drops | undefined,
  owner: string,
): JsonValue | undefined {
  if (value === null) return zerosInMaps.get(owner);
  if (typeof value === 'string') return value.toWellFormed();
  // Any JSON of any depth stands here, and the server keeps it as it came.
  if (key === 'fieldsV1') return value;
  if (Array.isArray(value)) return cleanArray(value, drops, zeroIn(key, owner));
  return isJsonObject(value) ? cleanObject(value, drops, key) : value;
}

function cleanArray(value: JsonArray, drops: Drops | undefined, zero: JsonValue): JsonArray {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const before = value[index] ?? null;
    const after = cleanItem(before, drops?.get(index), zero);
    if (after === before) continue;
    copy ??= [...value];
    // A faulty item keeps its place, so that the paths of the others stay true.
    copy[index] = after;
  }
  return copy ?? value;
}

function cleanItem(value: JsonValue, drop: Drops | true | undefined, zero: JsonValue): JsonValue {
  if (value === null || drop === true) return zero;
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return cleanArray(value, drop, zero);
  return isJsonObject(value) ? cleanObject(value, drop, '') : value;
}

/** What Go's decoder makes of a null in a list of this name. */
function zeroIn(name: string, owner: string): JsonValue {
  if (name === 'supplementalGroups' || (name === 'values' && numberOwners.has(owner))) return 0;
  return textLists.has(name) ? '' : {};
}
