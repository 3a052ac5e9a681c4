import { isJsonObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import type { Span } from './text.ts';

/**
 * A document with the place of everything in it. Spans are offsets into the document's own text, so that a tree stays
 * valid while the lines above it change. An alias is the very node that its anchor names: a directed graph, not a tree.
 */
export type ManifestNode = MapNode | SequenceNode | ScalarNode;

export interface MapNode {
  readonly kind: 'map';
  /** A block begins with its first key and ends with its last value. */
  readonly span: Span;
  /** In the order of the text; keys that a merge (`<<`) brings stand where the merge does. No key stands twice. */
  readonly entries: readonly MapEntry[];
  /** Written in braces. */
  readonly isFlow: boolean;
}

export interface MapEntry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: ManifestNode;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly span: Span;
  readonly items: readonly ManifestNode[];
  /** Written in brackets. */
  readonly isFlow: boolean;
}

export type ScalarStyle = 'plain' | 'single-quoted' | 'double-quoted' | 'block';

export interface ScalarNode {
  readonly kind: 'scalar';
  /** Without the tag and the anchor. Empty, and directly behind the key, where nothing is written: `key:`. */
  readonly span: Span;
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
}

/** The entry of a key, if the node is a map that has it. */
export function entryOf(node: ManifestNode | undefined, key: string): MapEntry | undefined {
  return node?.kind === 'map' ? node.entries.find((entry) => entry.key === key) : undefined;
}

/** The node under a path of keys and indexes. */
export function nodeAt(root: ManifestNode | undefined, path: readonly (string | number)[]): ManifestNode | undefined {
  let node = root;
  for (const step of path) {
    if (typeof step === 'number') node = node?.kind === 'sequence' ? node.items[step] : undefined;
    else node = entryOf(node, step)?.value;
  }
  return node;
}

/** The node under a path; undefined for a null as well, which the server drops. */
export function filledAt(root: ManifestNode | undefined, path: readonly (string | number)[]): ManifestNode | undefined {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' && node.value === null ? undefined : node;
}

/** The string that stands under a path, undefined for anything else. */
export function stringAt(root: ManifestNode | undefined, path: readonly (string | number)[]): string | undefined {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/** The number at a path; undefined where something else stands, or nothing. */
export function numberAt(root: ManifestNode | undefined, path: readonly (string | number)[]): number | undefined {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}

/** The items of the list at a path; none where something else stands, or nothing. */
export function itemsAt(root: ManifestNode, path: readonly (string | number)[]): readonly ManifestNode[] {
  const list = nodeAt(root, path);
  return list?.kind === 'sequence' ? list.items : [];
}

/**
 * The plain value of a node. What aliases share is shared in the value too: many names for one object, so the value
 * is as small as the text. Nothing may change it.
 */
export function plainValueOf(node: ManifestNode): JsonValue {
  return convert(node, new Map());
}

function convert(node: ManifestNode, known: Map<ManifestNode, JsonValue>): JsonValue {
  if (node.kind === 'scalar') return node.value;
  const seen = known.get(node);
  if (seen !== undefined) return seen;
  const value = node.kind === 'sequence' ? node.items.map((item) => convert(item, known)) : objectOf(node, known);
  known.set(node, value);
  return value;
}

function objectOf(node: MapNode, known: Map<ManifestNode, JsonValue>): JsonObject {
  const object: Record<string, JsonValue> = {};
  for (const { key, value } of node.entries) {
    const plain = convert(value, known);
    if (key !== '__proto__') object[key] = plain;
    // Defined, not assigned, which costs many times as much: this must become a key like any other.
    else Object.defineProperty(object, key, { value: plain, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** The name and namespace of an object, as far as it says them. */
export function nameOf(object: JsonObject): { readonly name?: string; readonly namespace?: string } {
  const metadata = object['metadata'];
  if (!isJsonObject(metadata)) return {};
  const { name, namespace } = metadata;
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof namespace === 'string' && { namespace }),
  };
}
