import type { Pieces } from '../../base/index.ts';
import {
  cutDocuments,
  lineBreakOf,
  type ManifestNode,
  nodeAt,
  readInPieces,
  type Span,
  stringAt,
} from '../../manifest/index.ts';
import type { Layout } from './layout.ts';

/** Where in an object somebody is typing. */
export interface Cursor {
  /** 'key': a field's name; 'value': what stands behind its colon or behind a dash. */
  readonly role: 'key' | 'value';
  /** Keys and indexes from the object's root to what is typed; for a key, to the map that gets it. */
  readonly path: readonly (string | number)[];
  /** What is there already and is replaced, as offsets in the whole text; with its quotes, if it is a key in quotes. */
  readonly word: Span;
  /** The part of the word in front of the cursor. */
  readonly typed: string;
  /** The object, with a placeholder in the place of the word. */
  readonly root: ManifestNode;
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  /** Whether a colon follows the word already. */
  readonly hasColon: boolean;
  /** Whether what stands below becomes the value of the key. */
  readonly hasValue: boolean;
  /** Whether the word stands in quotes that stay. */
  readonly isQuoted: boolean;
  readonly layout: Layout;
}

const placeholder = 'cursor-placeholder';

/** Whether a key is the one that stands for the word in `Cursor.root`. */
export function isPlaceholder(key: string): boolean {
  return key.startsWith(placeholder);
}

const wordBefore = /[A-Za-z0-9_./-]*$/;
const wordAfter = /^[A-Za-z0-9_./-]*/;

/** The document at an offset, as far as it is text. */
interface Surroundings {
  readonly text: string;
  /** Where the document begins in the whole text. */
  readonly base: number;
  /** Offsets in the document's text, as all below. */
  readonly start: number;
  readonly end: number;
  readonly at: number;
  /** What stands in front of the word on its line. */
  readonly lead: string;
}

/**
 * Finds out what is being typed, in text that is mostly unfinished: puts a placeholder there and looks where it ends up.
 * Undefined within comments, and where the text can't be read even so. `'empty'` for a document that has nothing yet.
 */
export function* cursorAt(text: string, offset: number): Pieces<Cursor | 'empty' | undefined> {
  const place = surroundings(text, offset);
  if (place === undefined) return undefined;
  const head = place.text.slice(0, place.start);
  const rest = place.text.slice(place.end);
  if (`${head}${rest}`.replaceAll(/#[^\n]*/g, '').trim() === '') return 'empty';
  const hasColon = /^["']?[ \t]*:/.test(rest);
  const isKey = !hasColon && !isValuePosition(head, place.lead);
  const tries = [isKey ? withKey(head, rest, place) : `${head}${placeholder}${rest}`];
  // A list whose items stand as deep as the new line: there the dash is still to come.
  if (place.lead.trim() === '' && !hasColon) tries.push(`${head}- ${placeholder}${rest}`);
  for (const [index, tried] of tries.entries()) {
    const { root, problems } = yield* readInPieces(tried);
    const found = root === undefined ? undefined : findPlaceholder(root, []);
    if (root === undefined || found === undefined || !isLevel(root, found, place, tried)) continue;
    // The reader makes the best of faults, and may misplace the rest: only those that were there before are borne.
    if (isFaulty(problems) && !isFaulty((yield* readInPieces(head + rest)).problems)) continue;
    const isItem = index > 0;
    const path = isItem ? found.path.slice(0, -1) : found.path;
    return cursorIn(root, { ...found, path, role: isItem ? 'key' : found.role, hasColon }, place);
  }
  return undefined;
}

function isFaulty(problems: readonly { readonly code: string }[]): boolean {
  return problems.some(({ code }) => code === 'yaml-syntax');
}

/** The text with a key in the place of the word: with the colon, and the comma, that are still to come. */
function withKey(head: string, rest: string, { lead, text }: Surroundings): string {
  const closing = /^["']/.exec(rest)?.[0];
  const isQuoted = closing !== undefined && lead.endsWith(closing);
  const behind = isQuoted ? rest.slice(1) : rest;
  const isFlow = /^\s*\{/.test(text) || /[{,][ \t]*["']?$/.test(lead);
  const comma = isFlow && entryFollows.test(behind) ? ', ' : '';
  return `${head}${placeholder}${isQuoted ? closing : ''}: ${comma}${behind}`;
}

/** In braces: another entry, from which a comma must part what is typed. */
const entryFollows = /^\s*["'A-Za-z]/;

/**
 * Whether a new key stands below the others of its map. A reader that makes the best of a faulty text may have put it
 * into one that it can't belong to.
 */
function isLevel(root: ManifestNode, { role, path }: Found, { start }: Surroundings, text: string): boolean {
  const holder = nodeAt(root, path);
  if (role !== 'key' || holder?.kind !== 'map' || holder.isFlow) return true;
  const other = holder.entries.find(({ key }) => !isPlaceholder(key));
  const columnOf = (offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);
  const quote = /["']/.test(text[start - 1] ?? '') ? 1 : 0;
  return other === undefined || columnOf(other.keySpan.start) === columnOf(start) - quote;
}

function surroundings(text: string, offset: number): Surroundings | undefined {
  const slice = cutDocuments(text).findLast(({ span }) => span.start <= offset && offset <= span.end);
  const documentText = slice?.text ?? text;
  const base = slice?.span.start ?? 0;
  const at = offset - base;
  const lineStart = Math.max(documentText.lastIndexOf('\n', at - 1), documentText.lastIndexOf('\r', at - 1)) + 1;
  const line = documentText.slice(lineStart, at);
  const isOutside = /^\s*$/.test(documentText.slice(0, at)) && /^\s*\{/.test(documentText.slice(at));
  const isSeparator = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).startsWith('---');
  if (isOutside || isSeparator || /(?:^|\s)#/.test(line)) return undefined;
  // A dash that opens an item is no part of the word behind it.
  const before = /^[ \t-]*-$/.test(line) ? '' : (wordBefore.exec(line)?.[0] ?? '');
  const after = wordAfter.exec(documentText.slice(at))?.[0] ?? '';
  const start = at - before.length;
  return { text: documentText, base, start, end: at + after.length, at, lead: documentText.slice(lineStart, start) };
}

/** Behind `key: `, and within brackets; the tree then says which. */
function isValuePosition(head: string, lead: string): boolean {
  if (/[[:][ \t]*["']?$/.test(lead)) return !/^[ \t]*["']?$/.test(lead);
  return /,[ \t]*["']?$/.test(lead) && innermostBracket(head) !== '{';
}

/** The brace or bracket around the end of a text that nothing has closed yet; those in quotes count too, as a guess. */
function innermostBracket(head: string): string | undefined {
  let depth = 0;
  for (let index = head.length - 1; index >= 0; index--) {
    const char = head[index] ?? '';
    if (char === '}' || char === ']') depth++;
    else if ((char === '{' || char === '[') && --depth < 0) return char;
  }
  return undefined;
}

type Found = Pick<Cursor, 'role' | 'path' | 'hasValue'>;

function findPlaceholder(node: ManifestNode, path: Cursor['path']): Found | undefined {
  if (node.kind === 'scalar') {
    return typeof node.value === 'string' && isPlaceholder(node.value)
      ? { role: 'value', path, hasValue: false }
      : undefined;
  }
  if (node.kind === 'sequence') {
    for (const [index, item] of node.items.entries()) {
      const found = findPlaceholder(item, [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const { key, value } of node.entries) {
    if (isPlaceholder(key)) return { role: 'key', path, hasValue: value.kind !== 'scalar' };
    const found = findPlaceholder(value, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function cursorIn(documentRoot: ManifestNode, found: Found & Pick<Cursor, 'hasColon'>, place: Surroundings): Cursor {
  const { role } = found;
  const isItem = stringAt(documentRoot, ['kind'])?.endsWith('List') === true && typeof found.path[1] === 'number';
  const root = (isItem ? nodeAt(documentRoot, found.path.slice(0, 2)) : undefined) ?? documentRoot;
  const path = isItem ? found.path.slice(2) : found.path;
  const quote = /["']$/.exec(place.lead)?.[0];
  // The quotes of a key belong to what is replaced; those of a value may hold more than the word.
  const ownsQuote = quote !== undefined && role === 'key';
  const start = ownsQuote ? place.start - 1 : place.start;
  const end = ownsQuote && place.text[place.end] === quote ? place.end + 1 : place.end;
  return {
    ...found,
    path,
    root,
    word: { start: start + place.base, end: end + place.base },
    typed: place.text.slice(start, place.at),
    apiVersion: stringAt(root, ['apiVersion']),
    kind: stringAt(root, ['kind']),
    isQuoted: quote !== undefined && !ownsQuote,
    layout: layoutAt(nodeAt(root, path), place, { start, end }),
  };
}

function layoutAt(holder: ManifestNode | undefined, { text, lead }: Surroundings, word: Span): Layout {
  const isJson = /^\s*\{/.test(text);
  const isFlow = holder !== undefined && holder.kind !== 'scalar' && holder.isFlow;
  const lineStart = text.lastIndexOf('\n', word.start - 1) + 1;
  const column = word.start - lineStart;
  return {
    style: isJson ? 'json' : isFlow || /[[{,][ \t]*["']?$/.test(lead) ? 'flow' : 'block',
    column: isJson ? (/^[ \t]*/.exec(text.slice(lineStart))?.[0].length ?? 0) : column,
    indent: nearestIndent(text.slice(0, lineStart)) ?? nearestIndent(text) ?? 2,
    dash: /^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text) ? 'flush' : 'indented',
    lineBreak: lineBreakOf(text),
    isOneLine: isJson && !text.trim().includes('\n'),
    needsComma: (isJson || isFlow) && entryFollows.test(text.slice(word.end)),
  };
}

const opening = /^( *)(?:- +)*[^\s#-].*:[ \t]*(?:#.*)?\r?$/;

/** By how much the nearest map above is indented below its key; undefined where there is none. */
function nearestIndent(above: string): number | undefined {
  const lines = above.split('\n');
  for (let index = lines.length - 2; index >= 0; index--) {
    const key = opening.exec(lines[index] ?? '')?.[1];
    const inside = /^( *)[^\s#-]/.exec(lines[index + 1] ?? '')?.[1];
    const isItem = (lines[index] ?? '').trimStart().startsWith('-');
    if (key !== undefined && inside !== undefined && !isItem && inside.length > key.length) {
      return Math.min(8, inside.length - key.length);
    }
  }
  return undefined;
}
