import { type AdmissionRequest, admit, assumedIdentity, type KubernetesMinor } from '../admission/index.ts';
import { isJsonObject, type JsonObject } from '../base/index.ts';
import { applied } from './apply.ts';
import { nameOf } from './yaml/nodes.ts';

/** Texts against what is stored: what the API server would say if they were sent as changes. */

/** How a text meets what is stored: as `kubectl apply`, as a PUT, or as a PUT to `/status`. */
export type LiveMode = 'apply' | 'replace' | 'status';

/** The write by which an object of a text meets its stored counterpart. */
export function requestAgainst(old: JsonObject, object: JsonObject, mode: LiveMode): AdmissionRequest {
  if (mode === 'status') return { operation: 'status-update', object, old };
  return { operation: 'update', object: mode === 'replace' ? object : applied(old, object), old };
}

/** A manifest that no server has seen yet is completed as it would be: with a UID, a selector, the generated labels. */
export function asStored(object: JsonObject, version: KubernetesMinor): JsonObject {
  const metadata = object['metadata'];
  if (isJsonObject(metadata) && typeof metadata['uid'] === 'string') return object;
  const { stored } = admit({ operation: 'create', object }, { version, identity: assumedIdentity });
  if (stored === undefined) return object;
  return object['status'] === undefined ? stored : { ...stored, status: object['status'] };
}

/** The stored object of the same kind and name; the only one of its kind whatever its name. */
export function counterpart(object: JsonObject, stored: readonly JsonObject[]): JsonObject | undefined {
  const ofKind = stored.filter((other) => other['kind'] === object['kind'] && groupOf(other) === groupOf(object));
  const { name, namespace } = nameOf(object);
  const sameName = ofKind.filter((other) => nameOf(other).name === name);
  return (
    sameName.find((other) => nameOf(other).namespace === namespace) ??
    sameName[0] ??
    (ofKind.length === 1 ? ofKind[0] : undefined)
  );
}

function groupOf(object: JsonObject): string {
  return String(object['apiVersion']).split('/')[0] ?? '';
}
