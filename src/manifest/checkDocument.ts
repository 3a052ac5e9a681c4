import type { Pieces } from '../base/index.ts';
import { checkObject } from './checkObject.ts';
import type { DocumentFinding } from './finding.ts';
import { kindOf, mayHoldWorkload } from './kinds.ts';
import { placeOf } from './locate.ts';
import type { ManifestDocument, ManifestObject } from './manifestCheck.ts';
import { type FoundObject, objectsIn } from './objects.ts';
import { isEncrypted, isTemplate } from './scope.ts';
import { notServedFindings } from './servedKinds.ts';
import type { ManifestSettings, SessionOptions } from './settings.ts';
import { withSuppressions } from './suppressions.ts';
import { unlistedVersionFindings } from './unlistedVersion.ts';
import { nameOf } from './yaml/nodes.ts';
import { type ReadingProblem, readInPieces } from './yaml/readYaml.ts';
import type { Span } from './yaml/text.ts';

/** What is known of one document, whatever stands above it in its file: spans are offsets in its own text. */
export interface DocumentResult {
  readonly state: ManifestDocument['state'];
  /** It holds an object of a kind that we know, or would if it could be read. */
  readonly isOurs: boolean;
  readonly objects: readonly (Omit<ManifestObject, 'document' | 'range' | 'kindRange'> & {
    readonly span: Span;
    readonly kindSpan: Span;
  })[];
  readonly problem?: ReadingProblem;
  readonly findings: readonly DocumentFinding[];
}

const nothing: DocumentResult = { state: 'read', isOurs: false, objects: [], findings: [] };

/** Stands in for a document that is not looked at yet. */
export const waiting: DocumentResult = { ...nothing, state: 'waiting' };

/** kube-apiserver reads no larger request. Source: k8s.io/apiserver, MaxRequestBodyBytes. */
const maxRequestBytes = 3 * 1024 * 1024;

/** Reads one document and says what is wrong with the objects in it, a piece at a time: a List may hold hundreds. */
export function* checkDocument(
  text: string,
  settings: ManifestSettings,
  options: SessionOptions,
): Pieces<DocumentResult> {
  if (settings.readsOtherKinds !== true && !mayHoldWorkload(text)) return nothing;
  if (text.length > maxRequestBytes) return tooLarge(text);
  const { root, problems } = yield* readInPieces(text);
  yield;
  const refusal = problems.find((problem) => problem.severity === 'error');
  if (isTemplate(text, root, refusal !== undefined)) return { ...nothing, state: 'template' };
  if (root !== undefined && isEncrypted(root)) return { ...nothing, state: 'encrypted' };
  const objects: FoundObject[] = [];
  for (const object of root?.kind === 'map' ? objectsIn(root) : []) {
    objects.push(object);
    yield;
  }
  if (refusal !== undefined) {
    const isOurs = objects.length > 0 || saysItIsOurs(text);
    return {
      state: 'unreadable',
      isOurs,
      objects: [],
      problem: refusal,
      findings: isOurs ? [problemFinding(refusal)] : [],
    };
  }
  const found: DocumentFinding[] = [];
  for (const object of objects) found.push(...(yield* checkObject(object, text, settings, options)));
  const warnings = objects.length === 0 ? [] : problems.map(problemFinding);
  warnings.push(...unlistedVersionFindings(objects, text, settings));
  const notServed = root?.kind === 'map' ? notServedFindings(root, text, settings) : [];
  found.push(...notServed);
  const sorted = [...withSuppressions(text, root, [...warnings, ...found])].sort((a, b) => a.span.start - b.span.start);
  return {
    state: 'read',
    isOurs: objects.length > 0 || notServed.length > 0,
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
  const span = { start, end: start + 1 };
  const problem: ReadingProblem = { code: 'document-too-large', severity: 'error', message, span };
  const isOurs = saysItIsOurs(text);
  return { state: 'unreadable', isOurs, objects: [], problem, findings: isOurs ? [problemFinding(problem)] : [] };
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
