import { isAbort } from '../base/index.ts';
import { type KubeApi, KubeError, type KubeObject, namespaces } from '../kube/index.ts';
import type { Reason } from './reasons.ts';

/** Why a namespace on a cluster can't be worked in, found out before anything is created there (J1). */
export interface PreflightProblem {
  readonly reason: Extract<Reason, 'Forbidden' | 'NamespaceMissing'>;
  /** For where the cluster is named already: `the login cannot create jobs in x`, `there is no namespace x`. */
  readonly what: string;
  /** With the cluster's context. */
  readonly message: string;
}

interface Right {
  readonly verbs: readonly string[];
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
}

/** What a worker's login must be allowed in the namespace. */
export const workerRights: readonly Right[] = [
  { verbs: ['create', 'get', 'list', 'watch', 'patch', 'delete'], group: 'batch', resource: 'jobs' },
];

/** What the management cluster's login must be allowed in the namespace. */
export const managementRights: readonly Right[] = [
  { verbs: ['get', 'list', 'watch', 'patch'], group: 'batch', resource: 'jobs' },
  { verbs: ['patch'], group: 'batch', resource: 'jobs', subresource: 'status' },
  { verbs: ['get', 'create', 'update'], group: 'coordination.k8s.io', resource: 'leases' },
];

/**
 * Asks the cluster what the login may do; empty if nothing stands in the way. Rejects with `KubeError` where the cluster
 * can't be asked.
 */
export async function preflight(
  api: KubeApi,
  namespace: string,
  rights: readonly Right[],
  signal: AbortSignal,
): Promise<readonly PreflightProblem[]> {
  const problems: PreflightProblem[] = [];
  const missing = await namespaceProblem(api, namespace, signal);
  if (missing !== undefined) problems.push(missing);
  for (const { verbs, ...attributes } of rights) {
    const refused = new Map<string, string[]>();
    for (const verb of verbs) {
      const { allowed, reason } = await api.canI({ verb, namespace, ...attributes }, signal);
      if (allowed) continue;
      const why = reason === undefined ? '' : `: ${reason}`;
      refused.set(why, [...(refused.get(why) ?? []), verb]);
    }
    const resource = [attributes.resource, attributes.subresource].filter((part) => part !== undefined).join('/');
    for (const [why, refusedVerbs] of refused) {
      const what = `cannot ${refusedVerbs.join(', ')} ${resource} in ${namespace}`;
      problems.push({
        reason: 'Forbidden',
        what: `the login ${what}${why}`,
        message: `${what} on ${api.contextName}${why}`,
      });
    }
  }
  return problems;
}

/** Only a clear "there is none" counts: many logins may not read namespaces at all. */
async function namespaceProblem(
  api: KubeApi,
  namespace: string,
  signal: AbortSignal,
): Promise<PreflightProblem | undefined> {
  try {
    await api.get<KubeObject>(namespaces, { name: namespace }, signal);
    return undefined;
  } catch (error) {
    if (isAbort(error, signal)) throw error;
    if (!(error instanceof KubeError)) throw error;
    if (error.kind === 'not-found' || error.kind === 'namespace-missing') {
      const what = `there is no namespace ${namespace}`;
      return { reason: 'NamespaceMissing', what, message: `${what} on ${api.contextName}` };
    }
    if (error.kind === 'forbidden') return undefined;
    throw error;
  }
}
