import { applyDefaults, type KubernetesMinor } from '../admission/index.ts';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/index.ts';
import { nameOf } from './yaml/nodes.ts';

/** A stored object as the author of its manifest would have written it, to be laid beside that manifest. */

/**
 * The stored object without what only servers and controllers write: status, system metadata, what is generated for its
 * pods, and every default that the manifest leaves to the server.
 */
export function asAuthored(live: JsonObject, written: JsonObject, version: KubernetesMinor): JsonObject {
  const { status: _status, metadata, ...rest } = live;
  const bare = { ...rest, ...(isJsonObject(metadata) && { metadata: authoredMetadata(metadata, written) }) };
  return withoutDefaults(withoutGenerated(bare, live), written, applyDefaults(written, { version }));
}

/** Metadata that the API server sets, and what a person therefore never writes. */
export const serverSetMetadata: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Ours and kubectl's notes. The wish for a certain worker is the author's own. */
const notes = /^(?:delegated-jobs\.dev\/(?!worker$)|kubectl\.kubernetes\.io\/last-applied-configuration$)/;

function authoredMetadata(metadata: JsonObject, written: JsonObject): JsonObject {
  // Where a manifest names none, whoever sends it chooses the namespace.
  const isPlaced = nameOf(written).namespace !== undefined;
  const kept = Object.entries(metadata).flatMap(([key, value]): [string, JsonValue][] => {
    if (value === undefined || serverSetMetadata.has(key) || (key === 'namespace' && !isPlaced)) return [];
    if (key === 'annotations' && isJsonObject(value)) {
      const annotations = Object.entries(value).filter(([name]) => !notes.test(name));
      return annotations.length === 0 ? [] : [[key, Object.fromEntries(annotations)]];
    }
    if (key === 'finalizers' && isArray(value)) {
      const finalizers = value.filter((one) => typeof one !== 'string' || !notes.test(one));
      return finalizers.length === 0 ? [] : [[key, finalizers]];
    }
    return [[key, value]];
  });
  return Object.fromEntries(kept);
}

const generatedLabels: ReadonlySet<string> = new Set([
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
]);

/** A Job without the selector and the labels that the server made for it; with those that its author chose. */
function withoutGenerated(bare: JsonObject, live: JsonObject): JsonObject {
  const spec = bare['spec'];
  if (live['kind'] !== 'Job' || !isJsonObject(spec) || spec['manualSelector'] === true) return bare;
  const { selector: _selector, template, ...rest } = spec;
  const authored = isJsonObject(template) ? { ...rest, template: withAuthoredLabels(template) } : rest;
  // A Job without labels shares those of its template, the generated ones included.
  return { ...withAuthoredLabels(bare), spec: authored };
}

function withAuthoredLabels(object: JsonObject): JsonObject {
  const { metadata, ...rest } = object;
  if (!isJsonObject(metadata)) return object;
  const { labels, ...others } = metadata;
  const kept = Object.entries(isJsonObject(labels) ? labels : {}).filter(([name]) => !generatedLabels.has(name));
  const left = { ...others, ...(kept.length > 0 && { labels: Object.fromEntries(kept) }) };
  return Object.keys(left).length === 0 ? rest : { ...rest, metadata: left };
}

/** Fields whose type has no way to be absent: the server prints them empty. */
const alwaysThere: ReadonlySet<string> = new Set(['metadata', 'resources']);

function withoutDefaults(live: JsonObject, written: JsonObject, full: JsonObject): JsonObject {
  const entries = [...Object.keys(written), ...Object.keys(live)].flatMap((key): [string, JsonValue][] => {
    const value = live[key];
    if (value === undefined || (alwaysThere.has(key) && isEmpty(value) && !isEmpty(written[key]))) return [];
    if (Object.hasOwn(written, key)) return [[key, compare(value, written[key], full[key])]];
    return isDeepEqual(value, full[key]) ? [] : [[key, compare(value, undefined, full[key])]];
  });
  return Object.fromEntries(entries);
}

function compare(live: JsonValue, written: JsonValue | undefined, full: JsonValue | undefined): JsonValue {
  // The same amount in another spelling, the same list in another order: as the author wrote it.
  if (written !== undefined && isDeepEqual(live, full) && !isContainer(live)) return written;
  if (isJsonObject(live)) {
    return withoutDefaults(live, isJsonObject(written) ? written : {}, isJsonObject(full) ? full : {});
  }
  if (!isArray(live)) return live;
  return live.map((item, index) => {
    const counterpart = (list: JsonValue | undefined): JsonValue | undefined =>
      isArray(list) ? itemLike(list, item, index) : undefined;
    return compare(item, counterpart(written), counterpart(full));
  });
}

function itemLike(list: JsonArray, item: JsonValue, index: number): JsonValue | undefined {
  const name = isJsonObject(item) ? item['name'] : undefined;
  if (typeof name !== 'string') return list[index];
  return list.find((other) => isJsonObject(other) && other['name'] === name);
}

function isEmpty(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function isContainer(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function isArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

function isDeepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a) && isArray(b)) return a.length === b.length && a.every((item, index) => isDeepEqual(item, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isDeepEqual(a[key], b[key]));
}
