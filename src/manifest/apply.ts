import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/index.ts';

/**
 * What `kubectl apply` makes of a stored object: a three-way merge of what was applied last, what the file says now and
 * what is stored. Without a record of the last time, nothing is deleted.
 */

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Lists that are merged item by item, and the field that tells their items apart; all other lists are replaced as a
 * whole. Source: Kubernetes, patchMergeKey of the types of batch/v1 and core/v1.
 */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  ports: 'containerPort',
  volumes: 'name',
  imagePullSecrets: 'name',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
  schedulingGates: 'name',
  ownerReferences: 'uid',
};

/** Items of these lists keep only what the file names: another source replaces the one that was there. */
const retainKeys: ReadonlySet<string> = new Set(['volumes', 'resourceClaims']);

/** The object that `kubectl apply` of `wanted` would leave where `live` is stored. */
export function applied(live: JsonObject, wanted: JsonObject): JsonObject {
  return mergeObjects(live, lastApplied(live), wanted);
}

function lastApplied(live: JsonObject): JsonObject {
  const metadata = live['metadata'];
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const text = isJsonObject(annotations) ? annotations[lastAppliedAnnotation] : undefined;
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    // kubectl would stop here; for a verdict, an unreadable record is no record.
    return {};
  }
}

function mergeObjects(live: JsonObject, before: JsonObject, wanted: JsonObject): JsonObject {
  const result: Record<string, JsonValue | undefined> = { ...live };
  for (const key of Object.keys(before)) if (!Object.hasOwn(wanted, key)) delete result[key];
  for (const [key, value] of Object.entries(wanted)) {
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else result[key] = mergeValues(key, live[key], before[key], value);
  }
  return result;
}

function mergeValues(
  key: string,
  live: JsonValue | undefined,
  before: JsonValue | undefined,
  wanted: JsonValue,
): JsonValue {
  if (isJsonObject(live) && isJsonObject(wanted)) {
    return mergeObjects(live, isJsonObject(before) ? before : {}, wanted);
  }
  const mergeKey = Object.hasOwn(mergeKeys, key) ? mergeKeys[key] : undefined;
  if (mergeKey !== undefined && isArray(live) && isArray(wanted)) {
    return mergeLists(live, isArray(before) ? before : [], wanted, mergeKey, retainKeys.has(key));
  }
  return withoutNulls(wanted);
}

/** In the order of the file; what only the server has follows. */
function mergeLists(
  live: JsonArray,
  before: JsonArray,
  wanted: JsonArray,
  key: string,
  isRetaining: boolean,
): JsonArray {
  const find = (list: JsonArray, id: JsonValue | undefined): JsonObject | undefined =>
    list.find((item): item is JsonObject => isJsonObject(item) && id !== undefined && item[key] === id);
  const merged = wanted.map((item) => {
    const stored = isJsonObject(item) ? find(live, item[key]) : undefined;
    if (!isJsonObject(item) || stored === undefined) return withoutNulls(item);
    const result = mergeObjects(stored, find(before, item[key]) ?? {}, item);
    if (!isRetaining) return result;
    return Object.fromEntries(Object.entries(result).filter(([name]) => Object.hasOwn(item, name)));
  });
  const kept = live.filter((item) => isJsonObject(item) && !find(wanted, item[key]) && !find(before, item[key]));
  return [...merged, ...kept];
}

/** In a patch a null deletes; where there is nothing to delete it leaves no trace. */
function withoutNulls(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutNulls(member ?? null)]));
}

function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}
