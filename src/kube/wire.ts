import { isJsonObject, type JsonObject } from '../base/index.ts';
import { badAnswer, type RequestFacts } from './classify.ts';
import type { Job, KubeList, KubeObject } from './types.ts';

/** Parses a JSON object or throws a `bad-answer`. */
export function parseJsonObject(facts: RequestFacts, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const start = text.replace(/\s+/g, ' ').slice(0, 80);
    throw badAnswer(facts, `The answer is not JSON (${error instanceof Error ? error.name : 'error'}): ${start}`);
  }
  if (!isJsonObject(value)) throw badAnswer(facts, 'The answer is not a JSON object.');
  return value;
}

/**
 * Takes a value off the wire for an object of the API. What the program relies on everywhere is checked here, name, UID
 * and resourceVersion; the rest is the server's word.
 */
export function asObject<T extends KubeObject | Job>(facts: RequestFacts, value: unknown): T {
  const metadata = isJsonObject(value) ? value['metadata'] : undefined;
  if (!isJsonObject(metadata) || typeof metadata['name'] !== 'string') {
    throw badAnswer(facts, 'The answer is not an object of the Kubernetes API: it has no metadata.name.');
  }
  if (typeof metadata['uid'] !== 'string' || typeof metadata['resourceVersion'] !== 'string') {
    throw badAnswer(facts, 'The answer is not a stored object: metadata.uid or metadata.resourceVersion is missing.');
  }
  return value as T;
}

/** Takes a value for a page of a list. Items of typed lists carry no apiVersion and kind; they are filled in. */
export function asList<T extends KubeObject | Job>(facts: RequestFacts, value: JsonObject): KubeList<T> {
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {};
  const items = value['items'] ?? [];
  const kind = typeof value['kind'] === 'string' ? value['kind'].replace(/List$/, '') : '';
  if (!Array.isArray(items) || kind === '' || typeof metadata['resourceVersion'] !== 'string') {
    throw badAnswer(facts, 'The answer is not a list of the Kubernetes API.');
  }
  const continueToken = metadata['continue'];
  return {
    items: items.map((item: unknown) => {
      const typed = isJsonObject(item) ? { apiVersion: value['apiVersion'], kind, ...item } : item;
      return asObject<T>(facts, typed);
    }),
    resourceVersion: metadata['resourceVersion'],
    ...(typeof continueToken === 'string' && continueToken !== '' ? { continueToken } : {}),
  };
}
