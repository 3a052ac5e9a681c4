import { isJsonObject, type JsonValue } from '../../base/index.ts';
import { type CrdNode, crdField, crdNode } from './table.ts';

/**
 * A value as the server judges it: without the nulls that stand for nothing, and with defaults where there was nothing
 * (or null). Source: Kubernetes 1.35, apiextensions-apiserver, structural defaulting.
 */
export function completed(value: JsonValue, node: CrdNode): JsonValue {
  if (Array.isArray(value)) {
    const item = node.i === undefined ? undefined : crdNode(node.i);
    return item === undefined ? value : value.map((each) => completed(each ?? item.d ?? null, item));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member = null]): [string, JsonValue][] => {
    const field = crdField(node, key);
    if (field === undefined) return [[key, member]];
    const filled = member ?? field.d;
    return filled === undefined ? [] : [[key, completed(filled, field)]];
  });
  for (const [key, index] of Object.entries(node.p ?? {})) {
    const field = crdNode(index);
    if (field.d !== undefined && !Object.hasOwn(value, key)) entries.push([key, completed(field.d, field)]);
  }
  return Object.fromEntries(entries);
}

/** Equality of two values, whatever the order of their keys. */
export function isEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isJsonObject(a)) return a === b;
  if (!isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}
