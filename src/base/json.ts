/** Any JSON value, as it comes off the wire or out of a YAML document. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands under a path of keys (text) and places in lists (numbers); undefined where nothing does. Never throws. */
export function valueAt(value: unknown, path: readonly (string | number)[]): JsonValue | undefined {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    // A list has a length, too, which is no part of the JSON.
    if (Array.isArray(found) !== (typeof step === 'number')) return undefined;
    found = Reflect.get(found, step);
  }
  return isJsonValue(found) ? found : undefined;
}

/** The text that stands under a path, undefined for anything else and for an empty one. */
export function textAt(value: unknown, path: readonly (string | number)[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function isJsonValue(value: unknown): value is JsonValue {
  return value === null || ['string', 'number', 'boolean', 'object'].includes(typeof value);
}
