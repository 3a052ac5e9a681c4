import { type AdmissionRequest, admit, type KubernetesMinor } from '../admission/index.ts';
import { isJsonObject, type JsonObject } from '../base/index.ts';
import { applied } from './apply.ts';
import { cutDocuments } from './documents.ts';
import type { Finding } from './finding.ts';
import { nameOf } from './nodes.ts';
import { createManifestSession, type ManifestCheck, type ManifestObject } from './session.ts';
import type { ManifestSettings, SessionOptions } from './settings.ts';

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
  const identity = {
    uid: '00000000-0000-4000-8000-000000000000',
    creationTimestamp: '2000-01-01T00:00:00Z',
    nameSuffix: 'xxxxx',
  };
  const { stored } = admit({ operation: 'create', object }, { version, identity });
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

/** What only the stored object brings up, and which one that is. */
export interface LiveFinding extends Finding {
  readonly stored: StoredName;
}

export interface StoredName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The stored object that an object of a text would change; undefined where there is none, or none is known. */
export type FindStored = (object: JsonObject) => JsonObject | undefined;

/**
 * What stands in the way of sending a checked text as changes of stored objects, beyond what `check` says of it already.
 * Pieces of objects are passed over: what completes them is not known. Never throws.
 */
export function checkAgainstLive(
  text: string,
  check: ManifestCheck,
  findStored: FindStored,
  settings: ManifestSettings & { readonly mode: Exclude<LiveMode, 'status'> },
  options: Pick<SessionOptions, 'onRuleFailure'> = {},
): readonly LiveFinding[] {
  const concerned = new Map<number, readonly ManifestObject[]>();
  for (const { index, objects } of check.documents) {
    const stored = objects.filter(({ value }) => findStored(value) !== undefined);
    if (stored.length > 0) concerned.set(index, stored);
  }
  if (concerned.size === 0) return [];
  const session = createManifestSession({
    ...options,
    requestFor(object, _kind, isPiece) {
      const old = isPiece ? undefined : findStored(object);
      return old && requestAgainst(old, object, settings.mode);
    },
  });
  const known = new Set(check.findings.map(keyOf));
  const found = session.check(withoutOthers(text, concerned), settings).findings;
  return found.flatMap((finding) => {
    if (known.has(keyOf(finding)) || finding.code === 'unused-suppression') return [];
    const object = concerned
      .get(finding.document)
      ?.find(
        ({ range }) => range.start.offset <= finding.range.start.offset && finding.range.end.offset <= range.end.offset,
      );
    const stored = object && storedName(findStored(object.value));
    if (object === undefined || stored === undefined) return [];
    return [{ ...finding, stored }];
  });
}

/** The text with every other document blotted out, so that each place stays where it is and only those are judged. */
function withoutOthers(text: string, concerned: ReadonlyMap<number, unknown>): string {
  let result = '';
  let position = 0;
  for (const { index, text: document, span } of cutDocuments(text)) {
    result += text.slice(position, span.start) + (concerned.has(index) ? document : blotted(document));
    position = span.end;
  }
  return result + text.slice(position);
}

/** As long, with the same lines, and still a document: of a row of JSON objects an object, else a word. */
function blotted(document: string): string {
  if (document.startsWith('{') && document.endsWith('}')) {
    return `{${document.slice(1, -1).replace(/[^\r\n]/g, ' ')}}`;
  }
  return document.replace(/[^\r\n]/g, 'x');
}

function keyOf({ document, code, field, message, range }: Finding): string {
  return JSON.stringify([document, code, field, message, range.start.offset, range.end.offset]);
}

function storedName(object: JsonObject | undefined): StoredName | undefined {
  if (object === undefined) return undefined;
  const { name, namespace = '' } = nameOf(object);
  const metadata = object['metadata'];
  const uid = isJsonObject(metadata) ? metadata['uid'] : undefined;
  if (name === undefined || typeof uid !== 'string') return undefined;
  return { kind: String(object['kind']), namespace, name, uid };
}
