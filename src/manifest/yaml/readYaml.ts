import { atOnce, type Pieces } from '../../base/index.ts';
import { indentContinuations } from './looseIndent.ts';
import { type Parsed, parseInPieces } from './parseInPieces.ts';
import { readQuickly } from './quickReader.ts';
import type { Span } from './text.ts';
import {
  isNode,
  notReadable,
  type Reading,
  type ReadingProblem,
  readingCodes,
  TreeReader,
  tooDeep,
} from './treeReader.ts';

export { type Reading, type ReadingProblem, readingCodes };

/** Reads one document as kubectl does. Spans in the answer are offsets in `text`. Never throws, whatever the text. */
export function readYaml(text: string): Reading {
  return atOnce(readInPieces(text));
}

/** The same, a piece at a time. */
export function* readInPieces(text: string): Pieces<Reading> {
  return (yield* readQuickly(text)) ?? (yield* readFully(text));
}

/** The same by the full parser, for whatever the text holds. */
export function* readFully(text: string): Pieces<Reading> {
  const conflict = /^(?:<{7}|={7}|>{7})(?:[ \r\n]|$)/m.exec(text);
  if (conflict !== null && /^<{7} /m.test(text)) {
    const span = { start: conflict.index, end: conflict.index + 7 };
    return problemOnly('merge-conflict', 'This file has unresolved merge conflicts: choose one side first.', span);
  }
  const control = forbiddenCharacter.exec(text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    const span = { start: control.index, end: control.index + 1 };
    return problemOnly('yaml-syntax', `Not readable as YAML: the control character U+${code} stands here.`, span);
  }
  // A lone CR ends a line for kubectl, but not for the parser used here.
  const source = text.replace(/\r(?!\n)/g, '\n');
  const strict = yield* parseInPieces(source);
  const isLoose = strict.errors.some((error) => looseCodes.has(error.code));
  const reindented = isLoose ? yield* indentContinuations(source) : undefined;
  const loose = reindented === undefined ? undefined : yield* parseInPieces(reindented.text);
  // Where the text is faulty all the same, the first parse has the better message.
  const isLooseRead = loose !== undefined && loose.errors.length === 0;
  const document = isLooseRead ? loose : strict;
  const offset = isLooseRead && reindented !== undefined ? reindented.originalOffset : (value: number): number => value;
  const problems: ReadingProblem[] = syntaxProblems(document, text);
  const reader = new TreeReader(text, problems, offset);
  const root = isNode(document.contents) ? yield* reader.readRoot(document.contents) : undefined;
  const unique = problems.filter((problem, index) => index === 0 || !sameSpan(problem, problems[index - 1]));
  return root === undefined ? { problems: unique } : { root, problems: unique };
}

// What libyaml's reader refuses anywhere in a text, even in a comment.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const forbiddenCharacter = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/;

/** Errors that insufficient indentation may have caused. */
const looseCodes: ReadonlySet<string> = new Set(['BAD_INDENT', 'MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY']);

function sameSpan(a: ReadingProblem, b: ReadingProblem | undefined): boolean {
  return a.code === b?.code && a.span.start === b.span.start && a.span.end === b.span.end;
}

function problemOnly(code: ReadingProblem['code'], message: string, span: Span): Reading {
  return { problems: [{ code, severity: 'error', message, span }] };
}

function syntaxProblems(document: Parsed, text: string): ReadingProblem[] {
  for (const error of document.errors) {
    if (error.code === 'RESOURCE_EXHAUSTION') {
      return [{ code: 'yaml-depth', severity: 'error', message: tooDeep, span: firstLine(text) }];
    }
    const [start, end] = error.pos;
    // Only the first: what follows is mostly its echo.
    return [
      { code: 'yaml-syntax', severity: 'error', message: notReadable(error.message), span: clip(start, end, text) },
    ];
  }
  const tab = tabAfterIndicator.exec(text);
  if (tab !== null) {
    const start = tab.index + tab[0].length - 1;
    const message = 'Not readable as YAML: a tab stands where blanks must.';
    return [{ code: 'yaml-syntax', severity: 'error', message, span: { start, end: start + 1 } }];
  }
  return [];
}

/** The parser used here lets a tab pass behind `-`; kubectl's doesn't. */
const tabAfterIndicator = /^ *(?:- +)*- *\t/m;

function clip(start: number, end: number, text: string): Span {
  const from = Math.min(start, text.length);
  return { start: from, end: Math.max(from, Math.min(end, text.length)) };
}

function firstLine(text: string): Span {
  const start = text.search(/\S/);
  const from = Math.max(0, start);
  const lineEnd = text.slice(from).search(/[\r\n]|$/);
  return { start: from, end: from + Math.max(0, Math.min(lineEnd, 200)) };
}
