import { isJsonObject, type JsonObject } from '../base/index.ts';
import { cutDocuments } from './documents.ts';
import type { Finding } from './finding.ts';
import { type LiveMode, requestAgainst } from './live.ts';
import type { ManifestCheck, ManifestObject } from './manifestCheck.ts';
import { nameOf } from './nodes.ts';
import { createManifestSession, type ManifestSession } from './session.ts';
import type { ManifestSettings, SessionOptions } from './settings.ts';
import { unlistedVersionCode } from './unlistedVersion.ts';

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

export interface LiveSettings extends ManifestSettings {
  readonly mode: Exclude<LiveMode, 'status'>;
}

/** Checks one text that changes against objects that change. */
export interface LiveSession {
  /**
   * What stands in the way of sending the text as changes of stored objects, beyond what `check` says of it already.
   * Documents that are as before, of objects that are as before, are not judged again. Pieces of objects are passed
   * over: what completes them is not known. Never throws.
   */
  check(text: string, check: ManifestCheck, findStored: FindStored, settings: LiveSettings): readonly LiveFinding[];
}

export function createLiveSession(options: Pick<SessionOptions, 'onRuleFailure'> = {}): LiveSession {
  let find: FindStored = () => undefined;
  let mode: LiveSettings['mode'] = 'apply';
  const newSession = (): ManifestSession =>
    createManifestSession({
      ...options,
      requestFor(object, _kind, isPiece) {
        const old = isPiece ? undefined : find(object);
        return old && requestAgainst(old, object, mode);
      },
    });
  let session: ManifestSession | undefined;
  /** States of the stored objects by which the session judged, by the objects' names. */
  let versions = new Map<string, string>();
  return {
    check(text, check, findStored, settings) {
      const concerned = new Map<number, readonly ManifestObject[]>();
      const states = new Map<string, string>();
      for (const { index, objects } of check.documents) {
        const stored = objects.filter(({ value }) => {
          const old = findStored(value);
          if (old !== undefined) states.set(...stateOf(old));
          return old !== undefined;
        });
        if (stored.length > 0) concerned.set(index, stored);
      }
      if (concerned.size === 0) return [];
      const isOther = [...states].some(([name, state]) => versions.has(name) && versions.get(name) !== state);
      if (session === undefined || isOther || mode !== settings.mode) session = newSession();
      find = findStored;
      mode = settings.mode;
      versions = states;
      const found = session.check(withoutOthers(text, concerned), settings).findings;
      return newFindings(found, check, concerned, findStored);
    },
  };
}

/** Which object it is, and in which state. */
function stateOf(stored: JsonObject): [name: string, state: string] {
  const { name = '', namespace = '' } = nameOf(stored);
  const metadata = isJsonObject(stored['metadata']) ? stored['metadata'] : {};
  return [
    JSON.stringify([stored['kind'], namespace, name]),
    JSON.stringify([metadata['uid'], metadata['resourceVersion']]),
  ];
}

/** What is said of the text itself, and of another part of it where the rest is blotted out. */
const aboutText: ReadonlySet<string> = new Set(['unused-suppression', unlistedVersionCode]);

function newFindings(
  found: readonly Finding[],
  check: ManifestCheck,
  concerned: ReadonlyMap<number, readonly ManifestObject[]>,
  findStored: FindStored,
): readonly LiveFinding[] {
  const known = new Set(check.findings.map(keyOf));
  return found.flatMap((finding) => {
    if (known.has(keyOf(finding)) || aboutText.has(finding.code)) return [];
    const object = concerned
      .get(finding.document)
      ?.find(
        ({ range }) => range.start.offset <= finding.range.start.offset && finding.range.end.offset <= range.end.offset,
      );
    const stored = object && storedName(findStored(object.value));
    return stored === undefined ? [] : [{ ...finding, stored }];
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
