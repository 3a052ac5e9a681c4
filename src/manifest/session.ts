import {
  type AdmissionRequest,
  type FieldError,
  judge,
  type KubernetesMinor,
  ruleCatalogue,
} from '../admission/index.ts';
import { isJsonObject, type JsonObject } from '../base/index.ts';
import { cutDocuments, type DocumentSlice } from './documents.ts';
import { fixesFor } from './engineFixes.ts';
import type { DocumentFinding, Finding, Fix } from './finding.ts';
import { kindOf, mayHoldWorkload, type WorkloadKind } from './kinds.ts';
import { placeOf } from './locate.ts';
import { entryOf, type ManifestNode, type MapNode, nameOf, plainValueOf, stringAt } from './nodes.ts';
import { type ReadingProblem, readYaml } from './readYaml.ts';
import { rules } from './rules/index.ts';
import { isEncrypted, isPartial, isTemplate } from './scope.ts';
import { LineIndex, type Span, type TextRange } from './text.ts';

/** What decides about a text besides the text itself. */
export interface ManifestSettings {
  readonly version: KubernetesMinor;
  /** The name under which our own reconciler runs here. */
  readonly controllerName?: string;
  /** Further names that may stand in `managedBy`. */
  readonly knownControllers?: readonly string[];
  /** Something says that the text holds pieces of objects: a kustomization lists it among its patches. */
  readonly isPartial?: boolean;
  /** Read documents of other kinds too, only to say whether they can be read. */
  readonly readsOtherKinds?: boolean;
}

/** An object of a kind that we know. */
export interface ManifestObject {
  readonly document: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  /** As kubectl would send it. */
  readonly value: JsonObject;
  readonly range: TextRange;
  /** The value of `kind`, where an editor hangs its lenses. */
  readonly kindRange: TextRange;
}

export interface ManifestDocument {
  readonly index: number;
  readonly range: TextRange;
  readonly objects: readonly ManifestObject[];
  /** 'template', 'encrypted': left alone. 'unreadable': kubectl can't read it, whether or not it is one of ours. */
  readonly state: 'read' | 'template' | 'encrypted' | 'unreadable';
  /** What is wrong with an unreadable document, also where it is none of ours and so has no finding. */
  readonly problem?: { readonly message: string; readonly range: TextRange };
}

export interface ManifestCheck {
  readonly documents: readonly ManifestDocument[];
  /** In the order of the text. */
  readonly findings: readonly Finding[];
}

export interface ManifestSession {
  /** Checks a whole text. Documents whose text is as in the call before are not looked at again. Never throws. */
  check(text: string, settings: ManifestSettings): ManifestCheck;
}

export interface SessionOptions {
  /** Turns an object into the request that it stands for, a creation where it answers undefined. */
  readonly requestFor?: (object: JsonObject, kind: WorkloadKind) => AdmissionRequest | undefined;
  /** Told of a rule that threw: a fault of ours, which silences nobody else. */
  readonly onRuleFailure?: (code: string, error: unknown) => void;
}

/** A reader and judge of one text that changes: keeps what it knows of each document from call to call. */
export function createManifestSession(options: SessionOptions = {}): ManifestSession {
  const sources = new Map(ruleCatalogue().map(({ code, source }) => [code, source]));
  let cache = new Map<string, DocumentResult>();
  return {
    check(text, settings) {
      const settingsKey = JSON.stringify([
        settings.version,
        settings.controllerName,
        settings.knownControllers,
        settings.isPartial,
        settings.readsOtherKinds,
      ]);
      const lines = new LineIndex(text);
      const next = new Map<string, DocumentResult>();
      const documents: ManifestDocument[] = [];
      const findings: Finding[] = [];
      for (const slice of cutDocuments(text)) {
        const key = `${settingsKey}\n${slice.text}`;
        const result = next.get(key) ?? cache.get(key) ?? checkDocument(slice.text, settings, options);
        next.set(key, result);
        documents.push(placeDocument(slice, result, lines));
        findings.push(...strayFindings(slice, result, lines));
        for (const finding of result.findings) {
          const source = finding.source ?? sources.get(finding.code);
          findings.push(placeFinding(source === undefined ? finding : { ...finding, source }, slice, lines));
        }
      }
      cache = next;
      return { documents, findings };
    },
  };
}

interface DocumentResult {
  readonly state: ManifestDocument['state'];
  readonly objects: readonly (Omit<ManifestObject, 'document' | 'range' | 'kindRange'> & {
    readonly span: Span;
    readonly kindSpan: Span;
  })[];
  readonly problem?: ReadingProblem;
  readonly findings: readonly DocumentFinding[];
}

const nothing: DocumentResult = { state: 'read', objects: [], findings: [] };

/** kube-apiserver reads no larger request. Source: k8s.io/apiserver, MaxRequestBodyBytes. */
const maxRequestBytes = 3 * 1024 * 1024;

function checkDocument(text: string, settings: ManifestSettings, options: SessionOptions): DocumentResult {
  if (settings.readsOtherKinds !== true && !mayHoldWorkload(text)) return nothing;
  if (text.length > maxRequestBytes) return tooLarge(text);
  const { root, problems } = readYaml(text);
  const refusal = problems.find((problem) => problem.severity === 'error');
  if (isTemplate(text, root, refusal !== undefined)) return { ...nothing, state: 'template' };
  if (root !== undefined && isEncrypted(root)) return { ...nothing, state: 'encrypted' };
  const objects = root?.kind === 'map' ? objectsIn(root) : [];
  if (refusal !== undefined) {
    const isOurs = objects.length > 0 || saysItIsOurs(text);
    return { state: 'unreadable', objects: [], problem: refusal, findings: isOurs ? [problemFinding(refusal)] : [] };
  }
  const found = objects.flatMap((object) => checkObject(object, text, settings, options));
  const warnings = objects.length === 0 ? [] : problems.map(problemFinding);
  const sorted = [...warnings, ...found].sort((a, b) => a.span.start - b.span.start);
  return {
    state: 'read',
    objects: objects.map(({ node, apiVersion, kind, value }) => ({
      apiVersion,
      kind: kind.kind,
      ...nameOf(value),
      value,
      span: node.span,
      kindSpan: placeOf(node, ['kind'], 'value', text),
    })),
    findings: sorted,
  };
}

function tooLarge(text: string): DocumentResult {
  const start = Math.max(0, text.search(/\S/));
  const message = 'This document is larger than any request that the API server takes (3 MiB): it is not checked.';
  const problem: ReadingProblem = { code: 'yaml-depth', severity: 'error', message, span: { start, end: start + 1 } };
  const finding = { ...problemFinding(problem), code: 'document-too-large' };
  return { state: 'unreadable', objects: [], problem, findings: saysItIsOurs(text) ? [finding] : [] };
}

/** For documents that can't be read: whether their text names one of our kinds. */
function saysItIsOurs(text: string): boolean {
  const kind = /^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?([A-Za-z]+)/m.exec(text)?.[1];
  const apiVersion = /^[ \t]*["']?apiVersion["']?[ \t]*:[ \t]*["']?([a-z0-9./-]+)/m.exec(text)?.[1];
  return kindOf(apiVersion, kind) !== undefined;
}

function problemFinding(problem: ReadingProblem): DocumentFinding {
  const { code, severity, message, span } = problem;
  return { code, severity, message, span, source: 'sigs.k8s.io/yaml, as kubectl reads' };
}

interface FoundObject {
  readonly node: MapNode;
  readonly apiVersion: string;
  readonly kind: WorkloadKind;
  readonly value: JsonObject;
}

/** The document's object, or the items of a List of any kind, as kubectl takes it apart. */
function objectsIn(root: MapNode): readonly FoundObject[] {
  const apiVersion = stringAt(root, ['apiVersion']);
  const kindName = stringAt(root, ['kind']);
  const items = entryOf(root, 'items')?.value;
  if (kindName?.endsWith('List') && items?.kind === 'sequence') {
    return items.items.flatMap((item) => {
      if (item.kind !== 'map') return [];
      // Items of a typed list may leave out what the list says for them.
      const inherited = kindName === 'List' ? undefined : { apiVersion, kind: kindName.slice(0, -'List'.length) };
      return foundObject(
        item,
        stringAt(item, ['apiVersion']) ?? inherited?.apiVersion,
        stringAt(item, ['kind']) ?? inherited?.kind,
      );
    });
  }
  return foundObject(root, apiVersion, kindName);
}

function foundObject(node: MapNode, apiVersion: string | undefined, kindName: string | undefined): FoundObject[] {
  const kind = kindOf(apiVersion, kindName);
  if (kind === undefined || apiVersion === undefined) return [];
  const value = plainValueOf(node);
  return isJsonObject(value) ? [{ node, apiVersion, kind, value: { ...value, apiVersion, kind: kind.kind } }] : [];
}

function checkObject(
  { node, apiVersion, kind, value }: FoundObject,
  text: string,
  settings: ManifestSettings,
  options: SessionOptions,
): DocumentFinding[] {
  const { controllerName, knownControllers = [] } = settings;
  const controllers = new Set([...(controllerName === undefined ? [] : [controllerName]), ...knownControllers]);
  const request = options.requestFor?.(value, kind);
  const isPiece = settings.isPartial === true || (kind.podTemplate !== undefined && isPartial(node, kind.podTemplate));
  // What a piece lacks, the stored object has.
  const isJudgedAsPiece = isPiece && request === undefined;
  const findings: DocumentFinding[] = [];
  const guarded = (code: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      options.onRuleFailure?.(code, error);
    }
  };
  if (kind.podTemplate !== undefined) {
    const { errors, warnings } = judge(request ?? { operation: 'create', object: value }, {
      version: settings.version,
      // A server stops at what it can't decode; somebody who is typing wants to know the rest as well.
      isBeyondDecoding: true,
      ...(options.onRuleFailure === undefined ? {} : { onRuleFailure: options.onRuleFailure }),
    });
    for (const error of withoutRepeats(errors)) {
      if (!isJudgedAsPiece || standsInText(node, error))
        findings.push(engineFinding(error, node, kind, text, controllers));
    }
    if (!isJudgedAsPiece) for (const warning of warnings) findings.push(headerFinding(warning, node, text));
  }
  for (const rule of rules) {
    guarded(rule.code, () => {
      const subject = {
        root: node,
        value,
        apiVersion,
        kind,
        text,
        isPartial: isPiece,
        controllers,
        ...(request?.old === undefined ? {} : { old: request.old }),
      };
      for (const breach of rule.check(subject)) {
        const { code, severity, source } = rule;
        findings.push({ code, severity, source, ...(rule.url === undefined ? {} : { url: rule.url }), ...breach });
      }
    });
  }
  return findings;
}

/** On an update the server asks the rules of the spec twice, and so may say a thing twice. */
function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ field, type, message }) => {
    const key = JSON.stringify([field, type, message]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Whether an error is about something that is written, not about something that is left out. */
function standsInText(root: ManifestNode, error: FieldError): boolean {
  if (error.type === 'Required') return false;
  let node: ManifestNode | undefined = root;
  for (const step of error.at) {
    if (typeof step === 'number') node = node?.kind === 'sequence' ? node.items[step] : undefined;
    else node = entryOf(node, step)?.value;
  }
  return node !== undefined;
}

function engineFinding(
  error: FieldError,
  root: ManifestNode,
  kind: WorkloadKind,
  text: string,
  controllers: ReadonlySet<string>,
): DocumentFinding {
  return {
    span: placeOf(root, error.at, error.type === 'Unknown' ? 'key' : 'value', text),
    severity: 'error',
    code: error.rule,
    message: error.message,
    field: error.field,
    type: error.type,
    fixes: fixesFor({ error, root, kind, text, controllers }),
  };
}

/** A `Warning` header of the API server. Its text begins with the path that it is about. */
function headerFinding(message: string, root: ManifestNode, text: string): DocumentFinding {
  const field = /^([A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*|\[[^\]]*\])*): /.exec(message)?.[1];
  const path = [...(field ?? '').matchAll(/\[(\d+)\]|\[([^\]]*)\]|([A-Za-z][A-Za-z0-9]*)/g)].map(
    ([, index, key, name]) => (index === undefined ? (key ?? name ?? '') : Number(index)),
  );
  return {
    span: placeOf(root, path, 'value', text),
    severity: 'warning',
    code: 'api-server-warning',
    message: field === undefined ? message : message.slice(field.length + 2),
    ...(field === undefined ? {} : { field }),
    source: 'H1–H6',
  };
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
  if (slice.strayContent === undefined || (result.objects.length === 0 && !saysItIsOurs(slice.text))) return [];
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
  const { span, fixes = [], ...rest } = finding;
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
