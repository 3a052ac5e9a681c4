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

/**
 * Makes a page of a list of what stands around its items and of these. Items of typed lists carry no apiVersion and
 * kind; they are filled in.
 */
export function asList<T extends KubeObject | Job>(
  facts: RequestFacts,
  list: JsonObject,
  items: readonly JsonObject[],
): KubeList<T> {
  const metadata = isJsonObject(list['metadata']) ? list['metadata'] : {};
  const kind = typeof list['kind'] === 'string' ? list['kind'].replace(/List$/, '') : '';
  // A list that is empty may be written as null.
  const hasItems = Array.isArray(list['items']) || list['items'] === undefined || list['items'] === null;
  if (!hasItems || kind === '' || typeof metadata['resourceVersion'] !== 'string') {
    throw badAnswer(facts, 'The answer is not a list of the Kubernetes API.');
  }
  const { apiVersion } = list;
  const continueToken = metadata['continue'];
  return {
    items: items.map((item) => asObject<T>(facts, item['kind'] === undefined ? { apiVersion, kind, ...item } : item)),
    resourceVersion: metadata['resourceVersion'],
    ...(typeof continueToken === 'string' && continueToken !== '' ? { continueToken } : {}),
  };
}
