import { type Clock, isJsonObject, type JsonObject, sleep } from '../base/index.ts';
import { type KubeApi, KubeError } from '../kube/index.ts';
import type { LiveKey } from './liveObjects.ts';
import { resourceOf } from './rehearse.ts';

const pollMs = 500;
const waitMs = 60_000;

/**
 * Deletes exactly the object with that UID, pods included, and creates `body` under its name. What the server would
 * refuse to create costs nothing: that is asked first. False: a finalizer holds the old object, and nothing was created.
 */
export async function recreate(
  api: KubeApi,
  key: LiveKey & { readonly uid: string },
  body: JsonObject,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const type = resourceOf(key);
  const options = { fieldManager: 'delegated-jobs', fieldValidation: 'Strict' } as const;
  // The name is still taken, so the rehearsal goes by another.
  const { metadata } = body;
  const { name: _taken, ...rest } = isJsonObject(metadata) ? metadata : {};
  const rehearsed = { ...body, metadata: { ...rest, generateName: 'rehearsal-' } };
  await api.create(type, key.namespace, rehearsed, { ...options, dryRun: true }, signal);
  const { namespace, name, uid } = key;
  await api.delete(type, { namespace, name }, { uid, propagationPolicy: 'Background' }, signal);
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollMs) {
    try {
      await api.create(type, namespace, body, options, signal);
      return true;
    } catch (error) {
      if (!(error instanceof KubeError) || error.kind !== 'already-exists') throw error;
      await sleep(clock, pollMs, signal);
    }
  }
  return false;
}
