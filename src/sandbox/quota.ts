import { isJsonObject } from '../base/index.ts';
import { asPod, type StoredObject } from './objects.ts';
import { definitions, type ResourceDefinition } from './resources.ts';
import { type ApiError, forbidden } from './status.ts';
import type { ObjectStore } from './store.ts';

/** The refusal of a new object that would exceed a ResourceQuota of its namespace, if any. Only counts are limited. */
export function quotaRefusal(
  store: ObjectStore,
  type: ResourceDefinition,
  namespace: string,
  name: string,
): ApiError | undefined {
  for (const quota of store.list(definitions.resourceQuotas, namespace)) {
    const exceeded = Object.entries(hardLimits(quota)).flatMap(([resource, limit]) => {
      if (!counts(resource, type)) return [];
      const used = store.list(type, namespace).filter((object) => !isFinishedPod(type, object)).length;
      return used + 1 > limit ? [{ resource, used, limit }] : [];
    });
    if (exceeded.length === 0) continue;
    const list = (value: (entry: (typeof exceeded)[number]) => number): string =>
      exceeded.map((entry) => `${entry.resource}=${value(entry)}`).join(',');
    return forbidden(
      type,
      name,
      `exceeded quota: ${quota.metadata.name}, requested: ${list(() => 1)}, used: ${list(({ used }) => used)}, limited: ${list(({ limit }) => limit)}`,
    );
  }
  return undefined;
}

/** Limits of amounts (`requests.cpu`) need a scheduler that knows them; the sandbox leaves them alone. */
function hardLimits(quota: StoredObject): Readonly<Record<string, number>> {
  const spec = isJsonObject(quota['spec']) ? quota['spec'] : {};
  const hard = isJsonObject(spec['hard']) ? spec['hard'] : {};
  const entries = Object.entries(hard).map(([resource, limit]) => [resource, Number(limit)] as const);
  return Object.fromEntries(entries.filter(([, limit]) => Number.isInteger(limit)));
}

/** `pods`, or `count/jobs.batch` for any type. */
function counts(resource: string, type: ResourceDefinition): boolean {
  return resource === `count/${type.qualifiedName}` || (resource === 'pods' && type === definitions.pods);
}

/** A pod that has ended uses nothing up. */
function isFinishedPod(type: ResourceDefinition, object: StoredObject): boolean {
  if (type !== definitions.pods) return false;
  const phase = asPod(object).status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}
