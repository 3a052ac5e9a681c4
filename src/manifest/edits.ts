import {
  entryOf,
  type ManifestNode,
  type MapEntry,
  type MapNode,
  nodeAt,
  type ScalarNode,
  type SequenceNode,
} from './nodes.ts';
import { readScalar } from './scalars.ts';
import { lineBreakOf, type TextEdit } from './text.ts';

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
  const isPlain = 'value' in reading && reading.value === value && /^[A-Za-z0-9][A-Za-z0-9_./-]*$/.test(value);
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
interface Place {
  readonly holder: MapNode;
  readonly emptyEntry?: MapEntry;
  readonly missing: readonly string[];
}

function placeFor(root: ManifestNode, path: readonly (string | number)[]): Place | undefined {
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
    const at = map.span.start + 1 + body.trimEnd().length;
    const isFirst = map.entries.length === 0;
    const lead = isFirst || /,\s*$/.test(body) ? '' : ',';
    // JSON over several lines gets a line of its own, indented like the first.
    const multiLine = /^(\r?\n[ \t]*)\S/.exec(body)?.[1];
    const gap = multiLine ?? (isFirst ? '' : ' ');
    return { start: at, end: at, newText: `${lead}${gap}${flowText(path, value, isJson)}` };
  }
  const last = map.entries.findLast(
    (entry) => entry.keySpan.start >= map.span.start && entry.keySpan.end <= map.span.end,
  );
  const first = map.entries[0];
  if (last === undefined || first === undefined) return undefined;
  const indent = columnText(first.keySpan.start, text);
  if (indent === undefined) return undefined;
  const at = endOfEntry(last, text);
  return at === undefined ? undefined : blockEdit(at, indent, path, value, text);
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

/** The blanks with which a line must begin for its key to stand in this column; undefined where tabs are involved. */
function columnText(offset: number, text: string): string | undefined {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(lineStart, offset);
  return before.includes('\t') ? undefined : ' '.repeat(before.length);
}

/** The end of the last line that belongs to a block entry, before its line break. */
function endOfEntry(entry: MapEntry, text: string): number {
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

/** Takes an entry out of a map, with its line or lines; comments above it stay. */
export function removeEntry(map: MapNode, entry: MapEntry, text: string): TextEdit | undefined {
  const index = map.entries.indexOf(entry);
  if (index < 0 || map.entries.length < 2) return undefined;
  if (map.isFlow) {
    const next = map.entries[index + 1];
    if (next !== undefined) return { start: entry.keySpan.start, end: next.keySpan.start, newText: '' };
    const previous = map.entries[index - 1];
    if (previous === undefined) return undefined;
    const from = Math.max(previous.value.span.end, previous.keySpan.end);
    return { start: from, end: Math.max(entry.value.span.end, entry.keySpan.end), newText: '' };
  }
  const end = endOfEntry(entry, text);
  if (end === undefined) return undefined;
  const lineStart =
    Math.max(text.lastIndexOf('\n', entry.keySpan.start), text.lastIndexOf('\r', entry.keySpan.start)) + 1;
  const lead = text.slice(lineStart, entry.keySpan.start);
  const lineBreak = /^(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0] ?? '';
  // The first entry of a list's item shares its line with the dash: the next entry moves up to it.
  if (lead.trim() !== '') {
    const next = map.entries[index + 1];
    return next === undefined || index > 0
      ? undefined
      : { start: entry.keySpan.start, end: next.keySpan.start, newText: '' };
  }
  return { start: lineStart, end: end + lineBreak.length, newText: '' };
}

/** Takes an item out of a list that has others. */
export function removeItem(list: SequenceNode, index: number, text: string): TextEdit | undefined {
  const item = list.items[index];
  if (item === undefined || list.items.length < 2) return undefined;
  const next = list.items[index + 1];
  const previous = list.items[index - 1];
  // An alias stands for something elsewhere in the text.
  if (!isWithin(item, list) || (next && !isWithin(next, list)) || (previous && !isWithin(previous, list)))
    return undefined;
  if (next !== undefined) return { start: item.span.start, end: next.span.start, newText: '' };
  if (previous === undefined) return undefined;
  if (list.isFlow) return { start: previous.span.end, end: item.span.end, newText: '' };
  const lineStart = lineStartOf(item.span.start, text);
  if (!/^ *- *$/.test(text.slice(lineStart, item.span.start))) return undefined;
  const end = item.span.start + text.slice(item.span.start, item.span.end).trimEnd().length;
  return { start: Math.max(0, lineStart - lineBreakBefore(lineStart, text)), end: lineEndOf(end, text), newText: '' };
}

function isWithin(node: ManifestNode, list: SequenceNode): boolean {
  return node.span.start >= list.span.start && node.span.end <= list.span.end;
}

function lineStartOf(offset: number, text: string): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

function lineEndOf(offset: number, text: string): number {
  return offset + text.slice(offset).search(/[\r\n]|$/);
}

function lineBreakBefore(lineStart: number, text: string): number {
  return /(?:\r\n|\n|\r|)$/.exec(text.slice(0, lineStart))?.[0].length ?? 0;
}

/** Takes an entry to another place, with all its lines. The map that it leaves must have other entries. */
export function moveEntry(
  root: ManifestNode,
  parent: MapNode,
  entry: MapEntry,
  target: readonly (string | number)[],
  text: string,
): readonly TextEdit[] | undefined {
  const removal = removeEntry(parent, entry, text);
  const place = placeFor(root, target);
  if (removal === undefined || place === undefined) return undefined;
  const source = text.slice(entry.keySpan.end, endOfEntry(entry, text));
  const value = /^[ \t]*:[ \t]+(\S[^\r\n]*)$/.exec(source)?.[1];
  const insertion = isOneLine(entry, text)
    ? insertAt(root, target, text.slice(entry.value.span.start, entry.value.span.end), text)
    : value === undefined
      ? insertLines(place, entry, source, text)
      : undefined;
  if (insertion === undefined) return undefined;
  // Where the two touch, the result would depend on their order.
  return insertion.start > removal.start && insertion.start < removal.end ? undefined : [insertion, removal];
}

function isOneLine({ keySpan, value }: MapEntry, text: string): boolean {
  const { start, end } = value.span;
  return start >= keySpan.end && end > start && !/[\r\n]/.test(text.slice(keySpan.end, end));
}

/** Block lines move with their own indentation; into braces they can't go. */
function insertLines(
  { holder, emptyEntry, missing }: Place,
  entry: MapEntry,
  source: string,
  text: string,
): TextEdit | undefined {
  const first = holder.entries[0];
  const last = holder.entries.at(-1);
  const ownIndent = columnText(entry.keySpan.start, text);
  const holderIndent = first === undefined ? undefined : columnText((emptyEntry ?? first).keySpan.start, text);
  if (holder.isFlow || last === undefined || ownIndent === undefined || holderIndent === undefined) return undefined;
  const indent = emptyEntry === undefined ? holderIndent : `${holderIndent}  `;
  const lineBreak = lineBreakOf(text);
  const levels = missing.map((key, level) => `${lineBreak}${indent}${'  '.repeat(level)}${scalarText(key)}`);
  const shift = indent.length + 2 * (missing.length - 1) - ownIndent.length;
  const moved = source.replace(/(\r\n|\n|\r)( *)(?=\S)/g, (_, lineEnd: string, blanks: string) => {
    return lineEnd + ' '.repeat(Math.max(0, blanks.length + shift));
  });
  const at = emptyEntry === undefined ? endOfEntry(last, text) : lineEndOf(emptyEntry.keySpan.end, text);
  return { start: at, end: at, newText: `${levels.join(':')}${moved}` };
}
