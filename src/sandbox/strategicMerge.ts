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
  if (mergedPrimitives.has(key)) return [...before, ...value.filter((item) => !before.includes(item))];
  const mergeKey = mergeKeys[key];
  return mergeKey === undefined ? value : mergeKeyed(before, value, mergeKey, order);
}

function mergeKeyed(before: JsonArray, patch: JsonArray, mergeKey: string, order: JsonValue | undefined): JsonArray {
  // A `$patch: replace` item empties the list first; it carries nothing else.
  const isReplaced = patch.some(
    (item) => isJsonObject(item) && item['$patch'] === 'replace' && item[mergeKey] === undefined,
  );
  const result: JsonValue[] = isReplaced ? [] : [...before];
  for (const item of patch) {
    if (!isJsonObject(item)) throw badRequest(`an item of the patched list is not an object`);
    const key = item[mergeKey];
    if (key === undefined) {
      if (item['$patch'] === 'replace') continue;
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
  return Array.isArray(order) ? ordered(result, order, mergeKey) : result;
}

/** Items in the order that the patch gives; those that it doesn't name keep their place among themselves, at the end. */
function ordered(items: readonly JsonValue[], order: JsonArray, mergeKey: string): JsonArray {
  const rank = (item: JsonValue): number => {
    const key = isJsonObject(item) ? item[mergeKey] : undefined;
    const found = order.findIndex((entry) => isJsonObject(entry) && equalJson(entry[mergeKey], key));
    return found < 0 ? order.length : found;
  };
  return [...items].sort((a, b) => rank(a) - rank(b));
}

function withoutItems(current: JsonValue | undefined, removed: JsonValue): JsonArray | undefined {
  if (!Array.isArray(current)) return undefined;
  const gone: JsonArray = Array.isArray(removed) ? removed : [];
  return current.filter((item) => !gone.includes(item));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}
