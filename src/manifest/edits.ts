import { entryOf, type ManifestNode, type MapEntry, type MapNode, nodeAt, type ScalarNode } from './yaml/nodes.ts';
import { readScalar } from './yaml/scalars.ts';
import { lineBreakOf, type TextEdit } from './yaml/text.ts';

/**
 * Edits that change one thing of a document and leave comments, quotes, indentation and line breaks alone. Each answers
 * undefined where the text is written in a way that it can't edit safely; then there is simply no fix.
 */

/** Writes another string in the place of a scalar, in the quotes that it has. */
export function replaceScalar(node: ScalarNode, value: string): TextEdit | undefined {
  if (node.style === 'block') return undefined;
  return { ...node.span, newText: node.style === 'plain' ? scalarText(value) : quoted(value, node.style) };
}

/** Puts a plain scalar into double quotes, so that it is the string that it looks like. */
export function quoteScalar(node: ScalarNode, text: string): TextEdit | undefined {
  if (node.style !== 'plain') return undefined;
  const source = text.slice(node.span.start, node.span.end);
  return /^[^"\\\r\n]+$/.test(source) ? { ...node.span, newText: `"${source}"` } : undefined;
}

/** A string as YAML: plain where every reader takes it for that string, else in double quotes. */
export function scalarText(value: string): string {
  const reading = readScalar(value, false, undefined);
  const isPlain =
    'value' in reading && reading.value === value && /^[A-Za-z0-9](?:[A-Za-z0-9_./@-]|:(?=[A-Za-z0-9]))*$/.test(value);
  return isPlain ? value : quoted(value, 'double-quoted');
}

function quoted(value: string, style: 'single-quoted' | 'double-quoted'): string {
  return style === 'single-quoted' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

/** Gives an entry another key, in the quotes that it has. */
export function renameKey(entry: MapEntry, key: string, text: string): TextEdit {
  const quote = text[entry.keySpan.start];
  const newText = quote === '"' || quote === "'" ? `${quote}${key}${quote}` : key;
  return { ...entry.keySpan, newText };
}

/**
 * Adds `path: value` below `root`, with whatever maps are missing on the way. `value` is one line of YAML, valid in
 * block and in flow. Items of lists on the way must exist.
 */
export function insertAt(
  root: ManifestNode,
  path: readonly (string | number)[],
  value: string,
  text: string,
): TextEdit | undefined {
  const place = placeFor(root, path);
  if (place === undefined) return undefined;
  const { holder, emptyEntry, missing } = place;
  return emptyEntry === undefined
    ? insertEntry(holder, missing, value, text)
    : fillEntry(holder, emptyEntry, missing, value, text);
}

/** Where a new path begins: the map that gets an entry, or the entry of it that is there but holds nothing. */
export interface Place {
  readonly holder: MapNode;
  readonly emptyEntry?: MapEntry;
  readonly missing: readonly string[];
}

export function placeFor(root: ManifestNode, path: readonly (string | number)[]): Place | undefined {
  for (let length = path.length - 1; length >= 0; length--) {
    const holder = nodeAt(root, path.slice(0, length));
    if (holder === undefined) continue;
    const missing = path.slice(length).filter((step) => typeof step === 'string');
    if (missing.length !== path.length - length) return undefined;
    if (holder.kind === 'map') return { holder, missing };
    const parent = nodeAt(root, path.slice(0, length - 1));
    const key = path[length - 1];
    const emptyEntry = typeof key === 'string' ? entryOf(parent, key) : undefined;
    const isEmpty = holder.kind === 'scalar' && holder.value === null;
    return isEmpty && parent?.kind === 'map' && emptyEntry !== undefined
      ? { holder: parent, emptyEntry, missing }
      : undefined;
  }
  return undefined;
}

function insertEntry(map: MapNode, path: readonly string[], value: string, text: string): TextEdit | undefined {
  if (map.isFlow) {
    const isJson = text[map.span.start] === '{' && /^\s*"/.test(text.slice(map.span.start + 1, map.span.end));
    const close = map.span.end - 1;
    if (text[close] !== '}') return undefined;
    const body = text.slice(map.span.start + 1, close);
    // What is added behind a comment would be part of it.
    if (!isJson && body.includes('#')) return undefined;
    const at = map.span.start + 1 + body.trimEnd().length;
    const isFirst = map.entries.length === 0;
    const lead = isFirst || /,\s*$/.test(body) ? '' : ',';
    // JSON over several lines gets a line of its own, indented like the first.
    const multiLine = /^(\r?\n[ \t]*)\S/.exec(body)?.[1];
    const gap = multiLine ?? (isFirst ? '' : ' ');
    return { start: at, end: at, newText: `${lead}${gap}${flowText(path, value, isJson)}` };
  }
  // Not those that a merge or an alias brings from elsewhere.
  const own = map.entries.filter(({ keySpan }) => keySpan.start >= map.span.start && keySpan.end <= map.span.end);
  const first = own[0];
  const last = own.at(-1);
  const indent = first === undefined ? undefined : columnText(first.keySpan.start, text);
  if (last === undefined || indent === undefined) return undefined;
  return blockEdit(endOfEntry(last, text), indent, path, value, text);
}

/** `labels:` with nothing behind it. */
function fillEntry(
  parent: MapNode,
  entry: MapEntry,
  path: readonly string[],
  value: string,
  text: string,
): TextEdit | undefined {
  const colon = /^[ \t]*:/.exec(text.slice(entry.keySpan.end));
  if (colon === null) return undefined;
  const end = entry.keySpan.end + colon[0].length;
  // A written null (`~`, `null`) would stand in the way.
  if (entry.value.span.end > entry.value.span.start) {
    return parent.isFlow ? { ...entry.value.span, newText: `{${flowText(path, value, false)}}` } : undefined;
  }
  if (parent.isFlow) return { start: end, end, newText: ` {${flowText(path, value, false)}}` };
  const indent = columnText(entry.keySpan.start, text);
  if (indent === undefined) return undefined;
  const at = end + text.slice(end).search(/[\r\n]|$/);
  return blockEdit(at, `${indent}  `, path, value, text);
}

function blockEdit(at: number, indent: string, path: readonly string[], value: string, text: string): TextEdit {
  const lineBreak = lineBreakOf(text);
  const lines = path.map((key, level) => {
    const isLast = level === path.length - 1;
    return `${indent}${'  '.repeat(level)}${scalarText(key)}:${isLast ? ` ${value}` : ''}`;
  });
  return { start: at, end: at, newText: lines.map((line) => lineBreak + line).join('') };
}

function flowText(path: readonly string[], value: string, isJson: boolean): string {
  const [key = '', ...rest] = path;
  const keyText = isJson ? JSON.stringify(key) : scalarText(key);
  const plain = isJson && !/^(?:-?\d+|true|false|"[\s\S]*"|\{[\s\S]*\})$/.test(value) ? JSON.stringify(value) : value;
  return `${keyText}: ${rest.length === 0 ? plain : `{${flowText(rest, value, isJson)}}`}`;
}

/**
 * The blanks with which a line must begin for its key to stand in this column; undefined where something other than
 * blanks and the dashes of lists stands in front of it.
 */
export function columnText(offset: number, text: string): string | undefined {
  const before = text.slice(lineStartOf(offset, text), offset);
  return /^(?: |- )*$/.test(before) ? ' '.repeat(before.length) : undefined;
}

/** The end of the last line that belongs to a block entry, before its line break. */
export function endOfEntry(entry: MapEntry, text: string): number {
  const { span } = entry.value;
  // An alias's value stands elsewhere.
  if (span.start < entry.keySpan.end) return entry.keySpan.end + text.slice(entry.keySpan.end).search(/[\r\n]|$/);
  const isBlockScalar = entry.value.kind === 'scalar' && entry.value.style === 'block';
  const contentEnd = isBlockScalar
    ? span.start + text.slice(span.start, span.end).replace(/[\r\n]+$/, '').length
    : span.start + text.slice(span.start, span.end).trimEnd().length;
  const end = Math.max(contentEnd, entry.keySpan.end);
  return end + text.slice(end).search(/[\r\n]|$/);
}

/** The start of the line that an offset stands in. */
export function lineStartOf(offset: number, text: string): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--;
  return start;
}

/** The end of the line that an offset stands in, before its line break. */
export function lineEndOf(offset: number, text: string): number {
  return offset + text.slice(offset).search(/[\r\n]|$/);
}
