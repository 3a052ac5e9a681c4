import type { ListScope, ObjectKey, ResourceType, WriteOptions } from './types.ts';

/** Path of a collection, or of all namespaces' objects where `namespace` is absent. */
export function collectionPath(type: ResourceType, namespace: string | undefined): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${scope}/${type.plural}`;
}

/** Path of one object or of one of its subresources. */
export function objectPath(type: ResourceType, key: ObjectKey, subresource?: string): string {
  const path = `${collectionPath(type, key.namespace)}/${encodeURIComponent(key.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `?a=1&b=2` from what is not undefined; empty if nothing is left. */
export function queryString(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The selectors of a list or watch as query parameters. */
export function scopeParameters(scope: ListScope): Record<string, string | undefined> {
  return { labelSelector: scope.labelSelector, fieldSelector: scope.fieldSelector };
}

/** The options of a write as query parameters. */
export function writeParameters(options: WriteOptions): Record<string, string | undefined> {
  return {
    dryRun: options.dryRun ? 'All' : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
}
