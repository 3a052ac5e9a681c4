import { columnText, endOfEntry, insertAt, lineEndOf, lineStartOf, type Place, placeFor, scalarText } from './edits.ts';
import { entryOf, type ManifestNode, type MapEntry, type MapNode, nodeAt, type SequenceNode } from './yaml/nodes.ts';
import { lineBreakOf, type TextEdit } from './yaml/text.ts';

/** Edits that take something away, or elsewhere. Undefined where the text can't be edited safely, as in `edits.ts`. */

/** Takes an entry out of a map, with its line or lines; comments above it stay. */
export function removeEntry(map: MapNode, entry: MapEntry, text: string): TextEdit | undefined {
  // What a merge or an alias brings stands elsewhere in the text.
  const own = map.entries.filter(({ keySpan }) => keySpan.start >= map.span.start && keySpan.end <= map.span.end);
  const index = own.indexOf(entry);
  if (index < 0 || own.length < 2) return undefined;
  if (map.isFlow) {
    const next = own[index + 1];
    if (next !== undefined) return { start: entry.keySpan.start, end: next.keySpan.start, newText: '' };
    const previous = own[index - 1];
    if (previous === undefined) return undefined;
    const from = Math.max(previous.value.span.end, previous.keySpan.end);
    return { start: from, end: Math.max(entry.value.span.end, entry.keySpan.end), newText: '' };
  }
  const end = endOfEntry(entry, text);
  const lineStart = lineStartOf(entry.keySpan.start, text);
  const lead = text.slice(lineStart, entry.keySpan.start);
  const lineBreak = /^(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0] ?? '';
  // The first entry of a list's item shares its line with the dash: the next entry moves up to it.
  if (lead.trim() !== '') {
    const next = own[index + 1];
    return next === undefined || index > 0
      ? undefined
      : { start: entry.keySpan.start, end: next.keySpan.start, newText: '' };
  }
  return { start: lineStart, end: end + lineBreak.length, newText: '' };
}

/** Takes out what stands at a path; with it, the maps that would be left empty, but no top-level field. */
export function removeAt(root: ManifestNode, path: readonly string[], text: string): TextEdit | undefined {
  for (let length = path.length; length > 1; length--) {
    const parent = nodeAt(root, path.slice(0, length - 1));
    const entry = entryOf(parent, path[length - 1] ?? '');
    if (parent?.kind !== 'map' || entry === undefined) return undefined;
    if (parent.entries.length > 1) return removeEntry(parent, entry, text);
  }
  return undefined;
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

function lineBreakBefore(lineStart: number, text: string): number {
  const before = text.slice(Math.max(0, lineStart - 2), lineStart);
  return /(?:\r\n|\n|\r|)$/.exec(before)?.[0].length ?? 0;
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
