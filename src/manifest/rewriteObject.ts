import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/index.ts';
import { columnText, endOfEntry, insertAt, replaceScalar, scalarText } from './edits.ts';
import type { ManifestObject } from './manifestCheck.ts';
import { objectsIn } from './objects.ts';
import { removeEntry, removeItem } from './removals.ts';
import { cutDocuments } from './yaml/documents.ts';
import { entryOf, type ManifestNode, type MapNode, type ScalarNode, type SequenceNode } from './yaml/nodes.ts';
import { readYaml } from './yaml/readYaml.ts';
import type { Span, TextEdit } from './yaml/text.ts';
import { toYaml } from './yaml/toYaml.ts';

/** More differences than anybody looks through; also what ends a text that two aliases pull to and fro. */
const mostEdits = 300;

/**
 * The text with one of its objects saying what `value` says. Layout, comments and quotes stay wherever both agree, and
 * so does everything outside the object. Where that is not possible, the object's document is written anew.
 */
export function rewriteObject(text: string, object: ManifestObject, value: JsonObject): string {
  const slice = cutDocuments(text).find(({ index }) => index === object.document);
  if (slice === undefined) return text;
  const place = object.range.start.offset - slice.span.start;
  const rewritten = rewriteDocument(slice.text, place, value) ?? writtenAnew(slice.text, value);
  return text.slice(0, slice.span.start) + rewritten + text.slice(slice.span.end);
}

/** One difference after the other, each in the text that the one before left. */
function rewriteDocument(text: string, place: number, value: JsonObject): string | undefined {
  let current = text;
  for (let round = 0; round < mostEdits; round++) {
    const { root } = readYaml(current);
    const found = root?.kind === 'map' ? [...objectsIn(root)] : [];
    const node = found.find((one) => one.node.span.start === place)?.node;
    if (node === undefined) return undefined;
    const step = firstStep({ root: node, text: current }, node, value, []);
    if (step === 'same') return current;
    if (step === 'impossible') return undefined;
    current = current.slice(0, step.start) + step.newText + current.slice(step.end);
  }
  return undefined;
}

function writtenAnew(text: string, value: JsonObject): string {
  const lead = /^\s*/.exec(text)?.[0] ?? '';
  const body = text.slice(lead.length).startsWith('{') ? JSON.stringify(value, undefined, 2) : toYaml(value).trimEnd();
  return `${lead}${body}${/\s*$/.exec(text)?.[0] ?? ''}`;
}

type Step = TextEdit | 'same' | 'impossible';
type Path = readonly (string | number)[];

interface Scene {
  /** The object; its spans are offsets in `text`. */
  readonly root: MapNode;
  readonly text: string;
}

function firstStep(scene: Scene, node: ManifestNode, value: JsonValue, path: Path): Step {
  if (node.kind === 'map' && isJsonObject(value)) return stepInMap(scene, node, value, path);
  if (node.kind === 'sequence' && isArray(value)) return stepInSequence(scene, node, value, path);
  if (node.kind === 'scalar' && !isContainer(value)) {
    return node.value === value ? 'same' : (rewriteScalar(node, value) ?? 'impossible');
  }
  const isOneLine = node.span.end > node.span.start && !/[\r\n]/.test(textAt(scene, node.span));
  return isOneLine ? { ...node.span, newText: inFlow(value) } : 'impossible';
}

function stepInMap(scene: Scene, map: MapNode, value: JsonObject, path: Path): Step {
  for (const entry of map.entries) {
    const member = value[entry.key];
    if (member === undefined) return removeEntry(map, entry, scene.text) ?? emptied(map, value, scene);
    const step = firstStep(scene, entry.value, member, [...path, entry.key]);
    if (step !== 'same') return step;
  }
  const added = Object.entries(value).find(([key, member]) => member !== undefined && entryOf(map, key) === undefined);
  if (added === undefined) return 'same';
  const [key, member = null] = added;
  return insertAt(scene.root, [...path, key], inFlow(member), scene.text) ?? 'impossible';
}

/** A map loses its last entry: `{}` where it is in braces, else nothing that can be written in its place. */
function emptied(map: MapNode, value: JsonObject, { text }: Scene): Step {
  const isEmpty = Object.values(value).every((member) => member === undefined);
  return map.isFlow && isEmpty && text[map.span.start] === '{' ? { ...map.span, newText: '{}' } : 'impossible';
}

function stepInSequence(scene: Scene, sequence: SequenceNode, values: JsonArray, path: Path): Step {
  const { items } = sequence;
  if (items.length > values.length) {
    const names = new Set(values.map(nameIn));
    const index = items.findIndex((item) => !names.has(nameOfNode(item)));
    return removeItem(sequence, index < 0 ? items.length - 1 : index, scene.text) ?? 'impossible';
  }
  for (const [index, item] of items.entries()) {
    const step = firstStep(scene, item, values[index] ?? null, [...path, index]);
    if (step !== 'same') return step;
  }
  const next = values[items.length];
  return next === undefined ? 'same' : (appended(scene, sequence, next) ?? 'impossible');
}

function appended({ text }: Scene, { items, isFlow, span }: SequenceNode, value: JsonValue): TextEdit | undefined {
  const last = items.at(-1);
  if (last === undefined) return isFlow ? { ...span, newText: `[${inFlow(value)}]` } : undefined;
  if (isFlow) return { start: last.span.end, end: last.span.end, newText: `, ${inFlow(value)}` };
  const indent = columnText(span.start, text);
  if (indent === undefined) return undefined;
  const end = endOfEntry({ key: '', keySpan: { start: span.start, end: span.start }, value: last }, text);
  return { start: end, end, newText: `\n${indent}- ${inFlow(value)}` };
}

function rewriteScalar(node: ScalarNode, value: JsonValue): TextEdit | undefined {
  // Directly behind its key nothing can be put without a blank.
  if (node.span.end <= node.span.start)
    return { ...node.span, start: node.span.end + 1, end: node.span.end + 1, newText: ` ${inFlow(value)}` };
  if (typeof value === 'string') return replaceScalar(node, value);
  return node.style === 'block' ? undefined : { ...node.span, newText: inFlow(value) };
}

/** On one line, good in block and in flow. */
function inFlow(value: JsonValue): string {
  if (typeof value === 'string') return scalarText(value);
  if (isArray(value)) return `[${value.map(inFlow).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${scalarText(key)}: ${inFlow(member ?? null)}`);
  return `{${members.join(', ')}}`;
}

function nameIn(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? value['name'] : value;
}

function nameOfNode(node: ManifestNode): JsonValue | undefined {
  const name = node.kind === 'map' ? entryOf(node, 'name')?.value : node;
  return name?.kind === 'scalar' ? name.value : undefined;
}

function textAt({ text }: Scene, { start, end }: Span): string {
  return text.slice(start, end);
}

function isContainer(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function isArray(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}
