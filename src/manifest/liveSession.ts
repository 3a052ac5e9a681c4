import { isJsonObject, type JsonObject } from '../base/index.ts';
import type { Finding } from './finding.ts';
import { type LiveMode, requestAgainst } from './live.ts';
import type { ManifestCheck, ManifestObject } from './manifestCheck.ts';
import { createManifestSession } from './session.ts';
import type { ManifestSettings, SessionOptions } from './settings.ts';
import { unlistedVersionCode } from './unlistedVersion.ts';
import { nameOf } from './yaml/nodes.ts';

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

/** What stands in the way of sending a text as changes. */
export interface LiveCheck {
  /** In the order of the text. */
  readonly findings: readonly LiveFinding[];
  /** Present while documents wait because of `isTimeUp`: call again with the same. What was said of them before stays. */
  readonly isIncomplete?: true;
}

/** Checks one text that changes against objects that change. */
export interface LiveSession {
  /**
   * What stands in the way of sending the text as changes of stored objects, beyond what `check` says of it already.
   * Documents that are as before, of objects that are as before, are not judged again. Pieces of objects are passed
   * over: what completes them is not known. Never throws.
   */
  check(text: string, check: ManifestCheck, findStored: FindStored, settings: LiveSettings): LiveCheck;
}

export function createLiveSession(options: Pick<SessionOptions, 'onRuleFailure'> = {}): LiveSession {
  let find: FindStored = () => undefined;
  let mode: LiveSettings['mode'] = 'apply';
  const session = createManifestSession({
    ...options,
    requestFor(object, _kind, isPiece) {
      const old = isPiece ? undefined : find(object);
      return old && requestAgainst(old, object, mode);
    },
  });
  return {
    check(text, check, findStored, settings) {
      const concerned = new Map<number, readonly ManifestObject[]>();
      /** By what a document is judged: which stored objects it would change, in which state, and how it is sent. */
      const beside = new Map<number, string>();
      for (const { index, objects } of check.documents) {
        const states: string[] = [];
        const stored = objects.filter(({ value }) => {
          const old = findStored(value);
          if (old !== undefined) states.push(stateOf(old));
          return old !== undefined;
        });
        if (stored.length === 0) continue;
        concerned.set(index, stored);
        beside.set(index, JSON.stringify([settings.mode, ...states]));
      }
      find = findStored;
      mode = settings.mode;
      const { findings, isIncomplete } = session.check(text, settings, beside);
      return {
        findings: newFindings(findings, check, concerned, findStored),
        ...(isIncomplete && { isIncomplete }),
      };
    },
  };
}

/** Which object it is, and in which state. */
function stateOf(stored: JsonObject): string {
  const { name, namespace } = nameOf(stored);
  const metadata = isJsonObject(stored['metadata']) ? stored['metadata'] : {};
  return JSON.stringify([stored['kind'], namespace, name, metadata['uid'], metadata['resourceVersion']]);
}

/** What is said of the text itself, and of another part of it where the rest is passed over. */
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
