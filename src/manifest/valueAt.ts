import { isJsonObject, type JsonValue } from '../base/index.ts';

/** What stands under a path of keys; undefined where nothing does. */
export function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const step of path) found = isJsonObject(found) ? found[step] : undefined;
  return found;
}

/** The text that stands under a path of keys, undefined for anything else and for an empty one. */
export function textAt(value: JsonValue | undefined, path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
