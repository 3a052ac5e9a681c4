import { isJsonObject, type JsonObject, textAt, valueAt } from '../base/index.ts';

/**
 * What the pods of a Job ask for beyond running their containers, in words: an identity, a node, or something of the
 * node's own. Whoever sends a Job off should see that first. Pure; takes any object, empty where it asks for nothing.
 */
export function podGrantsOf(job: JsonObject): string[] {
  const pod = valueAt(job, ['spec', 'template', 'spec']);
  const account = textAt(pod, ['serviceAccountName']) ?? textAt(pod, ['serviceAccount']);
  const node = textAt(pod, ['nodeName']);
  const containers = [...objectsAt(pod, 'containers'), ...objectsAt(pod, 'initContainers')];
  const securities = [pod, ...containers].map((one) => valueAt(one, ['securityContext']));
  const capabilities = securities.flatMap((one) => textsAt(one, ['capabilities', 'add']));
  const grants = [
    ...(account === undefined ? [] : [`service account ${account}`]),
    ...(node === undefined ? [] : [`node ${node}`]),
    ...['hostNetwork', 'hostPID', 'hostIPC'].filter((flag) => valueAt(pod, [flag]) === true),
    ...objectsAt(pod, 'volumes').flatMap((volume) => {
      if (volume['hostPath'] === undefined) return [];
      return [`the path ${textAt(volume, ['hostPath', 'path']) ?? '?'} of its node (hostPath)`];
    }),
    ...(securities.some((one) => valueAt(one, ['privileged']) === true) ? ['a privileged container'] : []),
    ...(securities.some((one) => valueAt(one, ['windowsOptions', 'hostProcess']) === true)
      ? ['a process of its Windows node (hostProcess)']
      : []),
    ...(capabilities.length > 0 ? [`the capabilities ${[...new Set(capabilities)].join(', ')}`] : []),
  ];
  // Each stays on its line: what a manifest says must not pass for a sentence of the question that quotes it.
  return grants.map((grant) => grant.replaceAll(/\s+/g, ' '));
}

function objectsAt(value: unknown, key: string): JsonObject[] {
  const found = valueAt(value, [key]);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

function textsAt(value: unknown, path: readonly string[]): string[] {
  const found: unknown = valueAt(value, path);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}
