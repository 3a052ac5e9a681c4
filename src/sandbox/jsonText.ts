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
