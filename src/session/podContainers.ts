import { isJsonObject, textAt, valueAt } from '../base/index.ts';

/** The container that a pod's author wants to be shown first. Source: kubectl, well-known annotations. */
const defaultContainer = 'kubectl.kubernetes.io/default-container';

/** Names of a pod's containers whose logs can be read: its default first, then the others, init containers last. */
export function podContainers(pod: unknown): string[] {
  const names = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => {
    const found = valueAt(pod, ['spec', list]);
    return Array.isArray(found) ? found.filter(isJsonObject).flatMap((one) => textAt(one, ['name']) ?? []) : [];
  });
  const first = textAt(pod, ['metadata', 'annotations', defaultContainer]);
  return first !== undefined && names.includes(first) ? [...new Set([first, ...names])] : names;
}
