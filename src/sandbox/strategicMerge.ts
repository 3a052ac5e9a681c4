import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/index.ts';
import { equalJson } from './objects.ts';
import { badRequest } from './status.ts';

/**
 * Lists that strategic merge patch joins item by item, with the field that tells the items apart; every other list is
 * replaced as a whole. The names are unambiguous among the types that the sandbox stores, so no schema is walked.
 * Source: Kubernetes 1.35, patchMergeKey tags of meta, batch and core v1.
 */
const mergeKeys: Readonly<Record<string, string>> = {
  conditions: 'type',
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  hostIPs: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ownerReferences: 'uid',
  podIPs: 'ip',
  ports: 'containerPort',
  resourceClaims: 'name',
  resourceClaimStatuses: 'name',
  schedulingGates: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

/** Lists of plain values that are joined as sets. */
const mergedPrimitives = new Set(['finalizers']);

const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';

/** Kubernetes' own patch format: as a merge patch, but keyed lists merge, and `$` keys give orders. */
export function strategicMerge(target: JsonObject, patch: JsonObject): JsonObject {
  const directive = patch['$patch'];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw badRequest(`unknown patch directive: ${String(directive)}`);
  const result: Record<string, JsonValue | undefined> = { ...target };
  const retained = patch['$retainKeys'];
  if (Array.isArray(retained)) {
    for (const key of Object.keys(result)) if (!retained.includes(key)) delete result[key];
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch' || key === '$retainKeys' || value === undefined || key.startsWith(orderPrefix)) continue;
    if (key.startsWith(deletePrefix)) {
      const list = key.slice(deletePrefix.length);
      result[list] = withoutItems(result[list], value);
    } else if (value === null) {
      delete result[key];
    } else {
      result[key] = mergeValue(key, result[key], value, patch[`${orderPrefix}${key}`]);
    }
  }
  return result;
}

function mergeValue(
  key: string,
  current: JsonValue | undefined,
  value: JsonValue,
  order: JsonValue | undefined,
): JsonValue {
  if (isJsonObject(value)) return strategicMerge(isJsonObject(current) ? current : {}, value);
  if (!Array.isArray(value)) return value;
  const before: JsonArray = Array.isArray(current) ? current : [];
  const mergeKey = mergeKeys[key];
  const isSet = mergedPrimitives.has(key);
  if (mergeKey === undefined && !isSet) return value;
  const identify: Identify = (item) => (mergeKey === undefined || !isJsonObject(item) ? item : item[mergeKey]);
  const merged = isSet
    ? [...before, ...value.filter((item) => !before.includes(item))]
    : mergeKeyed(before, value, mergeKey ?? '');
  const inPatchOrder = arranged(merged, value, before, identify);
  return Array.isArray(order) ? arranged(inPatchOrder, order, before, identify) : inPatchOrder;
}

function mergeKeyed(before: JsonArray, patch: JsonArray, mergeKey: string): JsonArray {
  // A `$patch: replace` item empties the list first; it carries nothing else.
  const isReplaced = patch.some((item) => isJsonObject(item) && item['$patch'] === 'replace');
  const result: JsonValue[] = isReplaced ? [] : [...before];
  for (const item of patch) {
    if (!isJsonObject(item)) throw badRequest('an item of the patched list is not an object');
    if (item['$patch'] === 'replace') continue;
    const key = item[mergeKey];
    if (key === undefined) {
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`);
    }
    const index = result.findIndex((existing) => isJsonObject(existing) && equalJson(existing[mergeKey], key));
    if (item['$patch'] === 'delete') {
      if (index >= 0) result.splice(index, 1);
    } else if (index < 0) {
      result.push(strategicMerge({}, withoutDirectives(item)));
    } else {
      const existing = result[index];
      result[index] = strategicMerge(isJsonObject(existing) ? existing : {}, item);
    }
  }
  return result;
}

type Identify = (item: JsonValue) => JsonValue | undefined;

/**
 * Items that the patch names, in its order; the others in theirs. Where the two meet, an item that stood before the
 * other on the server stays before it; otherwise the patch's comes first.
 */
function arranged(items: JsonArray, order: JsonArray, before: JsonArray, identify: Identify): JsonArray {
  const rankIn = (list: JsonArray, item: JsonValue): number =>
    list.findIndex((other) => equalJson(identify(other), identify(item)));
  const named = items
    .filter((item) => rankIn(order, item) >= 0)
    .toSorted((a, b) => rankIn(order, a) - rankIn(order, b));
  const others = items.filter((item) => rankIn(order, item) < 0);
  const result: JsonValue[] = [];
  for (const item of named) {
    const rank = rankIn(before, item);
    for (let first = others[0]; first !== undefined; first = others[0]) {
      const otherRank = rankIn(before, first);
      if (rank < 0 || otherRank < 0 || otherRank > rank) break;
      result.push(first);
      others.shift();
    }
    result.push(item);
  }
  return [...result, ...others];
}

function withoutItems(current: JsonValue | undefined, removed: JsonValue): JsonArray | undefined {
  if (!Array.isArray(current)) return undefined;
  const gone: JsonArray = Array.isArray(removed) ? removed : [];
  return current.filter((item) => !gone.includes(item));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}
