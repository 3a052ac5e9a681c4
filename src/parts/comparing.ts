import type { AdmissionRequest } from '../admission/index.ts';
import { nearestMinor, newestMinor } from '../admission/index.ts';
import { beginStretch, type Clock, type JsonObject, systemClock } from '../base/index.ts';
import {
  type AnswerLine,
  asAuthored,
  type ChosenSettings,
  compareAnswers,
  createLiveSession as createSession,
  type Finding,
  type FindStored,
  type LiveCheck,
  type ManifestCheck,
  type ManifestObject,
  manifestSettings,
  placeAnswer,
  reportOf,
  requestAgainst,
  rewriteObject,
  type ServerAnswer,
  toYaml,
} from '../manifest/index.ts';

/** What lays manifests beside a cluster, a bundle of its own: loaded when a window is first connected. */

/** How a file meets what is stored. */
export type WriteMode = 'apply' | 'replace';

/** For how long a text is compared in one go: the first of these stretches stands behind one of looking at it. */
const stretchMs = 4;

/** Says of one text that changes what would be refused if it were sent over what is stored. */
export function createLiveSession(clock: Pick<Clock, 'monotonicMs'> = systemClock): {
  check(
    text: string,
    check: ManifestCheck,
    findStored: FindStored,
    settings: ChosenSettings,
    mode: WriteMode,
  ): LiveCheck;
} {
  const session = createSession();
  return {
    check(text, check, findStored, settings, mode) {
      const isTimeUp = beginStretch(stretchMs, clock);
      return session.check(text, check, findStored, { ...manifestSettings(settings), mode, isTimeUp });
    },
  };
}

/** The file's text with one object as it is stored. */
export function textWithLive(text: string, object: ManifestObject, live: JsonObject, settings: ChosenSettings): string {
  return rewriteObject(text, object, asAuthored(live, object.value, manifestSettings(settings).version));
}

/** The write that sending the object comes to; in a namespace, for the server judges it there. */
export function writeOf(
  object: ManifestObject,
  namespace: string,
  live: JsonObject | undefined,
  mode: WriteMode,
): AdmissionRequest & { readonly object: JsonObject } {
  const { metadata } = object.value;
  const placed = { ...object.value, metadata: { ...(typeof metadata === 'object' ? metadata : {}), namespace } };
  if (live === undefined) return { operation: 'create', object: placed };
  const request = requestAgainst(live, placed, mode);
  return { ...request, object: isObject(request.object) ? request.object : placed };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** A server's answer beside ours: its lines, and a report where the two differ. */
export interface AnswerBeside {
  readonly lines: readonly AnswerLine[];
  /** One line each; empty where the two agree, or can't be compared. */
  readonly differences: readonly string[];
  /** Markdown. */
  readonly report: string;
}

export function besideAnswer(
  text: string,
  object: ManifestObject,
  findings: readonly Finding[],
  request: AdmissionRequest,
  answer: ServerAnswer & { readonly serverMinor: string },
  extensionVersion: string,
): AnswerBeside {
  const version = nearestMinor(answer.serverMinor) ?? newestMinor;
  const { verdict, disagreement } = compareAnswers(request, answer, version);
  return {
    lines: placeAnswer(text, object, answer, findings),
    differences: [
      ...(disagreement?.onlyServer.map((one) => `only the cluster says: ${one}`) ?? []),
      ...(disagreement?.onlyOurs.map((one) => `only this extension says: ${one}`) ?? []),
    ],
    report: reportOf({ object, answer, verdict, disagreement, version, extensionVersion }, toYaml),
  };
}
