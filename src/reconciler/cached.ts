import type { Job, Reflector } from '../kube/index.ts';

/**
 * A Job from a watch that is up to date as far as anybody can tell: it is watching, and not behind `since`, the newest
 * version that this process has seen itself. Others may have seen newer ones: nothing is proven by it.
 *
 * Source: Kubernetes API concepts, resource versions: those of one resource type can be compared as numbers.
 */
export function freshEnough(
  reflector: Reflector<Job>,
  namespace: string,
  name: string,
  since: string | undefined,
): Job | undefined {
  if (reflector.state.kind !== 'watching') return undefined;
  const job = reflector.find(namespace, name);
  if (job === undefined) return undefined;
  return since === undefined || Number(job.metadata.resourceVersion) >= Number(since) ? job : undefined;
}
