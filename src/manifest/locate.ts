import type { FieldSegments } from '../admission/index.ts';
import { entryOf, type ManifestNode, type MapEntry } from './yaml/nodes.ts';
import type { Span } from './yaml/text.ts';

/**
 * The span to mark for a place in an object. 'value' marks what is written there, or its key where that would cover
 * several lines; 'key' marks the key. Of a path that leads nowhere, the place where the missing key belongs: the key of
 * the map that should hold it.
 */
export function placeOf(root: ManifestNode, path: FieldSegments, mark: 'key' | 'value', text: string): Span {
  let node = root;
  let entry: MapEntry | undefined;
  for (const step of path) {
    if (typeof step === 'number') {
      const item = node.kind === 'sequence' ? node.items[step] : undefined;
      if (item === undefined) return holderSpan(node, entry, text);
      node = item;
      entry = undefined;
    } else {
      const next = entryOf(node, step);
      if (next === undefined) return holderSpan(node, entry, text);
      entry = next;
      node = next.value;
    }
  }
  if (entry !== undefined && (mark === 'key' || isEmpty(node.span))) return entry.keySpan;
  return spansLines(node, text) ? holderSpan(node, entry, text) : trimmed(node.span, text);
}

/** Marks a map or list in short: by the key that it stands under, else by what identifies it. */
function holderSpan(node: ManifestNode, entry: MapEntry | undefined, text: string): Span {
  if (entry !== undefined) return entry.keySpan;
  const name = entryOf(node, 'kind') ?? entryOf(node, 'name') ?? (node.kind === 'map' ? node.entries[0] : undefined);
  if (name === undefined) return firstLineOf(node.span, text);
  const whole = { start: name.keySpan.start, end: trimmed(name.value.span, text).end };
  const isOneLine = whole.end > name.keySpan.end && !/[\r\n]/.test(text.slice(whole.start, whole.end));
  return isOneLine ? whole : name.keySpan;
}

function isEmpty(span: Span): boolean {
  return span.end <= span.start;
}

function spansLines(node: ManifestNode, text: string): boolean {
  const { start, end } = trimmed(node.span, text);
  return /[\r\n]/.test(text.slice(start, end));
}

/** Without the blanks and line breaks at the end, which belong to block scalars and block collections. */
function trimmed(span: Span, text: string): Span {
  const length = text.slice(span.start, span.end).trimEnd().length;
  return { start: span.start, end: span.start + length };
}

function firstLineOf(span: Span, text: string): Span {
  const { start, end } = trimmed(span, text);
  const lineEnd = text.slice(start, end).search(/[\r\n]|$/);
  return { start, end: start + lineEnd };
}

/** A path for people, as the server prints it for custom resources: keys of maps behind a dot, as if they were fields. */
export function pathText(path: FieldSegments): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}
