import { type CatalogueEntry, ruleCatalogue } from '../admission/index.ts';
import { once, type Pieces } from '../base/index.ts';
import { checkDocument, type DocumentResult, waiting } from './checkDocument.ts';
import type { DocumentFinding, Finding, Fix } from './finding.ts';
import type { ManifestCheck, ManifestDocument } from './manifestCheck.ts';
import { pagesByCode } from './pages.ts';
import type { ManifestSettings, SessionOptions } from './settings.ts';
import { unlistedVersionCode } from './unlistedVersion.ts';
import { cutDocuments, type DocumentSlice } from './yaml/documents.ts';
import { LineIndex, type Span, type TextRange } from './yaml/text.ts';

export interface ManifestSession {
  /**
   * Checks a whole text. Documents whose text is as in the call before are not looked at again. Never throws. `beside`: what
   * else decides about a document, as a word, by the document's number; those that are missing there are passed over. Without
   * it all are looked at.
   */
  check(text: string, settings: ManifestSettings, beside?: ReadonlyMap<number, string>): ManifestCheck;
}

interface KnownDocument {
  readonly text: string;
  /** By which it was judged, with what decided beside them. */
  readonly settings: string;
  readonly result: DocumentResult;
}

interface BegunDocument {
  readonly text: string;
  readonly settings: string;
  readonly steps: Pieces<DocumentResult>;
}

/** What a session remembers of a document in whose middle the time was up. */
interface Interrupted {
  begun: BegunDocument | undefined;
}

/** Tells what is known of a document whose text is as it was before. */
function knowledgeOf(
  before: readonly (KnownDocument | undefined)[],
  count: number,
): (slice: DocumentSlice) => KnownDocument | undefined {
  // As many as before: somebody types in one of them, and the others stand where they stood. A look at each place costs
  // much less than a map of long texts.
  if (before.length === count) {
    return ({ index, text }) => (before[index]?.text === text ? before[index] : undefined);
  }
  const byText = once(() => new Map(before.flatMap((known) => (known === undefined ? [] : [[known.text, known]]))));
  return ({ text }) => (before.length === 0 ? undefined : byText().get(text));
}

/**
 * A text of its own. A piece that is cut out of a text keeps all of it in memory, and what is known of a document lives on
 * while the others change: each would hold the file as it was when it was last typed in.
 */
function copyOf(piece: string): string {
  const copy: string = JSON.parse(JSON.stringify(piece));
  return copy;
}

/** A walk through all documents of a text. */
interface Pass {
  readonly text: string;
  /** With all that decides beside them. */
  readonly settings: string;
  readonly slices: readonly DocumentSlice[];
  /** What is known of each by now, be it by former settings; undefined for what waits. */
  readonly known: (KnownDocument | undefined)[];
  readonly steps: Pieces<void>;
  isDone: boolean;
}

/** Of every session: there may be one for each of thousands of files. */
const facts = once(() => new Map(ruleCatalogue().map((entry) => [entry.code, entry])));
const pages = once(pagesByCode);

/** A reader and judge of one text that changes: keeps what it knows of each document from call to call. */
export function createManifestSession(options: SessionOptions = {}): ManifestSession {
  let pass: Pass | undefined;
  const interrupted: Interrupted = { begun: undefined };

  function newPass(text: string, key: string, settings: ManifestSettings, beside: Beside): Pass {
    const slices = cutDocuments(text);
    const formerly = knowledgeOf(pass?.known ?? [], slices.length);
    const known = slices.map((slice) => {
      const former = formerly(slice);
      return former && { ...former, text: slice.text };
    });
    return {
      text,
      settings: key,
      slices,
      known,
      steps: walk(slices, known, settings, beside, interrupted, options),
      isDone: false,
    };
  }

  /** Tells what is known of a text, everything at its place. */
  function place({ text, slices }: Pass, known: Pass['known'], { ignoredRules }: ManifestSettings): Told {
    const lines = new LineIndex(text);
    const ignored = new Set(ignoredRules);
    const documents: ManifestDocument[] = [];
    const findings: Finding[] = [];
    let isVersionTold = false;
    const tell = (finding: Finding): void => {
      if (!ignored.has(finding.code)) findings.push({ ...finding, url: pages()(finding.code) });
    };
    for (const slice of slices) {
      const result = known[slice.index]?.result ?? waiting;
      documents.push(placeDocument(slice, result, lines));
      strayFindings(slice, result, lines).forEach(tell);
      for (const finding of result.findings) {
        const isAboutVersion = finding.code === unlistedVersionCode;
        // What is true of all objects alike is said at the first.
        if (!isAboutVersion || !isVersionTold) tell(placeFinding(withFacts(finding, facts()), slice, lines));
        isVersionTold ||= isAboutVersion;
      }
    }
    return { documents, findings };
  }

  return {
    check(text, settings, beside) {
      const { isTimeUp = () => false } = settings;
      // From here on it counts.
      isTimeUp();
      const key = JSON.stringify([keyOf(settings), beside && [...beside]]);
      if (pass?.text !== text || pass.settings !== key) pass = newPass(text, key, settings, beside);
      while (!pass.isDone) {
        pass.isDone = pass.steps.next().done === true;
        if (!isTimeUp()) continue;
        // To tell is a piece of work as well: of a long text, what a stretch found is mostly looked at by nobody.
        const current = pass;
        const known = [...pass.known];
        const told = once(() => place(current, known, settings));
        return {
          get documents() {
            return told().documents;
          },
          get findings() {
            return told().findings;
          },
          isIncomplete: true,
        };
      }
      return place(pass, pass.known, settings);
    },
  };
}

/**
 * Judges what isn't known. Judged by other settings, what was said stays until its turn comes: else it would flicker.
 * Not within the session: each generator function that is made there would have V8 keep what it refers to for long, which over
 * thousands of files is tens of megabytes.
 */
function* walk(
  slices: readonly DocumentSlice[],
  known: Pass['known'],
  settings: ManifestSettings,
  beside: Beside,
  interrupted: Interrupted,
  options: SessionOptions,
): Pieces<void> {
  const ofSettings = keyOf(settings);
  /** The last of each text. */
  const fresh = new Map<string, KnownDocument>();
  for (const { index, text } of slices) {
    const more = beside === undefined ? '' : beside.get(index);
    const key = ofSettings + more;
    if (more === undefined || known[index]?.settings === key) continue;
    let judged = fresh.get(text);
    if (judged?.settings !== key) {
      let { begun } = interrupted;
      if (begun?.text !== text || begun.settings !== key) {
        const copy = slices.length > 1 ? copyOf(text) : text;
        begun = { text: copy, settings: key, steps: checkDocument(copy, settings, options) };
        interrupted.begun = begun;
      }
      judged = { text, settings: key, result: yield* begun.steps };
      interrupted.begun = undefined;
      fresh.set(text, judged);
    }
    known[index] = judged;
    yield;
  }
}

type Beside = ReadonlyMap<number, string> | undefined;

type Told = Pick<ManifestCheck, 'documents' | 'findings'>;

/** What of the settings decides about a document. */
function keyOf(settings: ManifestSettings): string {
  return JSON.stringify([
    settings.version,
    settings.unlistedVersion,
    settings.controllerName,
    settings.knownControllers,
    settings.isPartial,
    settings.isResource,
    settings.readsOtherKinds,
    settings.clusterQueues,
  ]);
}

/** What the engine's catalogue knows of a rule: its source, and the rule in plain words in front of the server's. */
function withFacts(finding: DocumentFinding, catalogue: ReadonlyMap<string, CatalogueEntry>): DocumentFinding {
  const entry = catalogue.get(finding.code);
  if (entry === undefined || finding.source !== undefined) return finding;
  const says = finding.change === undefined ? entry.says : `${entry.says} ${finding.change}`;
  return { ...finding, source: entry.source, message: `${says} (API server: ${finding.message})` };
}

function placeDocument(slice: DocumentSlice, result: DocumentResult, lines: LineIndex): ManifestDocument {
  const shift = (span: Span): TextRange =>
    lines.range({ start: span.start + slice.span.start, end: span.end + slice.span.start });
  const { state, problem } = result;
  return {
    index: slice.index,
    range: lines.range(slice.span),
    objects: result.objects.map(({ span, kindSpan, ...object }) => ({
      document: slice.index,
      ...object,
      range: shift(span),
      kindRange: shift(kindSpan),
    })),
    state,
    ...(problem === undefined ? {} : { problem: { message: problem.message, range: shift(problem.span) } }),
  };
}

/** kubectl refuses the whole file for text behind `---`; it is told where one of ours is hit. */
function strayFindings(slice: DocumentSlice, result: DocumentResult, lines: LineIndex): readonly Finding[] {
  if (slice.strayContent === undefined || !result.isOurs) return [];
  return [
    {
      document: slice.index,
      range: lines.range(slice.strayContent),
      severity: 'error',
      code: 'yaml-separator',
      message: "kubectl takes nothing but a comment behind '---' on its line.",
      source: 'k8s.io/apimachinery, util/yaml',
      fixes: [],
    },
  ];
}

function placeFinding(finding: DocumentFinding, slice: DocumentSlice, lines: LineIndex): Finding {
  const { span, fixes = [], change: _told, ...rest } = finding;
  const base = slice.span.start;
  const placed = fixes.map(
    (fix): Fix => ({
      ...fix,
      edits: fix.edits.map((edit) => ({ ...edit, start: edit.start + base, end: edit.end + base })),
    }),
  );
  return {
    document: slice.index,
    range: lines.range({ start: span.start + base, end: span.end + base }),
    ...rest,
    fixes: placed,
  };
}
