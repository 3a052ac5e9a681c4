import { type CatalogueEntry, ruleCatalogue } from '../admission/index.ts';
import { once } from '../base/index.ts';
import { checkDocument, type DocumentResult, waiting } from './checkDocument.ts';
import { cutDocuments, type DocumentSlice } from './documents.ts';
import type { DocumentFinding, Finding, Fix } from './finding.ts';
import type { ManifestCheck, ManifestDocument } from './manifestCheck.ts';
import { pagesByCode } from './pages.ts';
import type { ManifestSettings, SessionOptions } from './settings.ts';
import { LineIndex, type Span, type TextRange } from './text.ts';
import { unlistedVersionCode } from './unlistedVersion.ts';

export interface ManifestSession {
  /** Checks a whole text. Documents whose text is as in the call before are not looked at again. Never throws. */
  check(text: string, settings: ManifestSettings): ManifestCheck;
}

interface KnownDocument {
  readonly text: string;
  /** By which it was judged. */
  readonly settings: string;
  readonly result: DocumentResult;
}

interface BegunDocument {
  readonly text: string;
  readonly settings: string;
  readonly steps: Generator<void, DocumentResult>;
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

/** A reader and judge of one text that changes: keeps what it knows of each document from call to call. */
export function createManifestSession(options: SessionOptions = {}): ManifestSession {
  const facts = once(() => new Map(ruleCatalogue().map((entry) => [entry.code, entry])));
  const pages = once(pagesByCode);
  /** What was found the last time, in the order of the text; undefined for what waited. */
  let before: readonly (KnownDocument | undefined)[] = [];
  /** The document in whose middle the time was up. */
  let begun: BegunDocument | undefined;
  return {
    check(text, settings) {
      const settingsKey = JSON.stringify([
        settings.version,
        settings.unlistedVersion,
        settings.controllerName,
        settings.knownControllers,
        settings.isPartial,
        settings.readsOtherKinds,
        settings.clusterQueues,
      ]);
      const slices = cutDocuments(text);
      const formerly = knowledgeOf(before, slices.length);
      const lines = new LineIndex(text);
      const next: (KnownDocument | undefined)[] = [];
      const fresh = new Map<string, DocumentResult>();
      let isTimeUp = false;
      let isIncomplete = false;
      const documents: ManifestDocument[] = [];
      const findings: Finding[] = [];
      for (const slice of slices) {
        const former = formerly(slice);
        let result = former?.settings === settingsKey ? former.result : fresh.get(slice.text);
        if (result === undefined && !isTimeUp) {
          if (begun?.text !== slice.text || begun.settings !== settingsKey) {
            const text = slices.length > 1 ? copyOf(slice.text) : slice.text;
            begun = { text, settings: settingsKey, steps: checkDocument(text, settings, options) };
          }
          do {
            const step = begun.steps.next();
            isTimeUp = settings.isTimeUp?.() === true;
            if (step.done === true) result = step.value;
          } while (result === undefined && !isTimeUp);
          if (result !== undefined) {
            fresh.set(slice.text, result);
            begun = undefined;
          }
        }
        if (result === undefined) {
          isIncomplete = true;
          // Judged by other settings, what was said stays until its turn comes: to take it back would flicker.
          next.push(former && { ...former, text: slice.text });
          result = former?.result ?? waiting;
        } else next.push({ text: slice.text, settings: settingsKey, result });
        documents.push(placeDocument(slice, result, lines));
        findings.push(...strayFindings(slice, result, lines));
        for (const finding of result.findings) {
          // What is true of all objects alike is said at the first.
          if (finding.code === unlistedVersionCode && findings.some(({ code }) => code === unlistedVersionCode))
            continue;
          findings.push(placeFinding(withFacts(finding, facts()), slice, lines));
        }
      }
      before = next;
      const ignored = new Set(settings.ignoredRules);
      const wanted = findings.filter(({ code }) => !ignored.has(code));
      return {
        documents,
        findings: wanted.map((finding) => ({ ...finding, url: pages()(finding.code) })),
        ...(isIncomplete && { isIncomplete }),
      };
    },
  };
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
