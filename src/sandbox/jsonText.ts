import type { StoredObject } from './objects.ts';

const texts = new WeakMap<object, string>();

/**
 * The JSON text of a stored object. Objects never change, so it is made once and shared by lists and all watchers.
 * The cache is no state of its own: it lives and dies with the objects.
 */
export function jsonText(object: object): string {
  let text = texts.get(object);
  if (text === undefined) {
    text = JSON.stringify(object);
    texts.set(object, text);
  }
  return text;
}

const itemTexts = new WeakMap<object, string>();

/** The text of an object within a list: there the real server writes neither kind nor version. */
export function itemText(object: StoredObject): string {
  let text = itemTexts.get(object);
  if (text === undefined) {
    const { kind: _kind, apiVersion: _version, ...rest } = object;
    text = JSON.stringify(rest);
    itemTexts.set(object, text);
  }
  return text;
}
