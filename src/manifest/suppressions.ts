import { isAboutChange } from './changes.ts';
import { lineStartOf } from './edits.ts';
import type { DocumentFinding, Fix } from './finding.ts';
import type { ManifestNode } from './yaml/nodes.ts';
import { LineIndex, lineBreakOf, type Span, type TextEdit } from './yaml/text.ts';

/**
 * Comments that silence a finding:
 *
 * ```yaml
 * # delegated-jobs: ignore managed-by-unknown-controller
 * managedBy: example.com/mine
 * managedBy: example.com/mine # delegated-jobs: ignore managed-by-unknown-controller
 * # delegated-jobs: ignore-document delegated-references, delegated-short-ttl
 * ```
 */

const comment = /(^|[ \t])#[ \t]*delegated-jobs:[ \t]*(ignore|ignore-document)[ \t]+([^\r\n]*)/gm;

/** Of one document. Each is compared with each finding and each other: nobody writes more than a few by hand. */
const mostSuppressions = 500;

interface Suppression {
  readonly code: string;
  /** The code in the comment. */
  readonly span: Span;
  /** The whole comment, from its `#`. */
  readonly comment: Span;
  /** The line that it speaks of; undefined for the whole document. */
  readonly line: number | undefined;
}

/** Takes silenced findings away, gives the others a fix that would silence them, and reports comments without effect. */
export function withSuppressions(
  text: string,
  root: ManifestNode | undefined,
  findings: readonly DocumentFinding[],
): readonly DocumentFinding[] {
  if (findings.length === 0 && !text.includes('delegated-jobs:')) return findings;
  const lines = new LineIndex(text);
  const suppressions = readSuppressions(text, root, lines);
  const used = new Set<Suppression>();
  const kept = findings.filter((finding) => {
    const line = lines.position(finding.span.start).line;
    const matching = suppressions.filter(
      (one) => one.code === finding.code && (one.line === undefined || one.line === line),
    );
    for (const one of matching) used.add(one);
    return matching.length === 0;
  });
  const unused = suppressions
    // What is stored may not be known now, or may be changed later: such a comment is never in vain.
    .filter((one) => !used.has(one) && !isAboutChange(one.code))
    .map((one) => unusedFinding(one, suppressions, text));
  return [...kept.map((finding) => withIgnoreFix(finding, text, suppressions, lines)), ...unused];
}

function readSuppressions(text: string, root: ManifestNode | undefined, lines: LineIndex): readonly Suppression[] {
  const found: Suppression[] = [];
  let textSpans: readonly Span[] | undefined;
  for (const match of text.matchAll(comment)) {
    if (found.length >= mostSuppressions) break;
    const [whole, lead = '', verb, codes = ''] = match;
    const start = match.index + lead.length;
    textSpans ??= root === undefined ? [] : spansOfText(root);
    // In a script or a quoted string it is no comment of YAML's.
    if (textSpans.some((span) => span.start < start && start < span.end)) continue;
    const codesStart = match.index + whole.length - codes.length;
    const line = verb === 'ignore' ? lineSpokenOf(start, text, lines) : undefined;
    for (const word of codes.matchAll(/[a-z0-9-]+/g)) {
      const at = codesStart + word.index;
      found.push({
        code: word[0],
        span: { start: at, end: at + word[0].length },
        comment: { start, end: match.index + whole.trimEnd().length },
        line,
      });
    }
  }
  return found;
}

/** Its own line if something else stands there, else the next that isn't a comment. */
function lineSpokenOf(offset: number, text: string, lines: LineIndex): number {
  let { line } = lines.position(offset);
  let start = lines.lineStart(line);
  if (text.slice(start, offset).trim() !== '') return line;
  do {
    line++;
    start = lines.lineStart(line);
  } while (start < text.length && /^[ \t]*#/.test(text.slice(start)));
  return line;
}

function spansOfText(root: ManifestNode): readonly Span[] {
  const spans: Span[] = [];
  const seen = new Set<ManifestNode>();
  const walk = (node: ManifestNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'scalar') {
      if (node.style !== 'plain') spans.push(node.span);
    } else if (node.kind === 'sequence') node.items.forEach(walk);
    else for (const { value } of node.entries) walk(value);
  };
  walk(root);
  return spans;
}

function unusedFinding(one: Suppression, all: readonly Suppression[], text: string): DocumentFinding {
  const isAlone = all.filter((other) => other.comment.start === one.comment.start).length === 1;
  const edit: TextEdit = isAlone ? removalOfComment(one.comment, text) : removalOfCode(one.span, text);
  return {
    span: one.span,
    severity: 'information',
    code: 'unused-suppression',
    message: `Nothing is found here under the name '${one.code}': the comment has no effect.`,
    source: 'delegated-jobs',
    fixes: [{ title: isAlone ? 'Remove the comment' : `Remove '${one.code}'`, edits: [edit], isPreferred: false }],
  };
}

/** With its line, if it has one of its own. */
function removalOfComment({ start, end }: Span, text: string): TextEdit {
  const line = text.slice(lineStartOf(start, text), start);
  const isOwnLine = line.trim() === '';
  const blanks = /[ \t]*$/.exec(line)?.[0].length ?? 0;
  const lineBreak = isOwnLine ? (/^(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  return { start: start - blanks, end: end + lineBreak, newText: '' };
}

function removalOfCode({ start, end }: Span, text: string): TextEdit {
  const after = /^[ \t]*,?[ \t]*(?=[a-z0-9])/.exec(text.slice(end))?.[0].length ?? 0;
  if (after > 0) return { start, end: end + after, newText: '' };
  const before = /[ \t]*,?[ \t]*$/.exec(text.slice(lineStartOf(start, text), start))?.[0].length ?? 0;
  return { start: start - before, end, newText: '' };
}

/** What kubectl can't read can't be silenced, and JSON has no comments. */
function withIgnoreFix(
  finding: DocumentFinding,
  text: string,
  suppressions: readonly Suppression[],
  lines: LineIndex,
): DocumentFinding {
  if (/^(?:yaml-|merge-conflict|document-)/.test(finding.code) || /^\s*\{/.test(text)) return finding;
  const { line } = lines.position(finding.span.start);
  const there = suppressions.findLast((one) => one.line === line);
  const edit: TextEdit =
    there === undefined
      ? newComment(lines.lineStart(line), finding.code, text)
      : { start: there.span.end, end: there.span.end, newText: `, ${finding.code}` };
  const fix: Fix = {
    title: `Ignore ${finding.code} on this line`,
    edits: [edit],
    isPreferred: false,
    isSuppression: true,
  };
  return { ...finding, fixes: [...(finding.fixes ?? []), fix] };
}

function newComment(lineStart: number, code: string, text: string): TextEdit {
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  const newText = `${indent}# delegated-jobs: ignore ${code}${lineBreakOf(text)}`;
  return { start: lineStart, end: lineStart, newText };
}
