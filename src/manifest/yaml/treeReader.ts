import {
  type Alias,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Pieces } from '../../base/index.ts';
import { type AliasFault, Anchors } from './anchors.ts';
import { MapEntries, spansOf } from './mapEntries.ts';
import type { ManifestNode, ScalarNode, ScalarStyle } from './nodes.ts';
import { keyText, readScalar } from './scalars.ts';
import type { Span } from './text.ts';

/** Under which names one hears of what reading a text comes upon. */
export const readingCodes = [
  'yaml-syntax',
  'yaml-value',
  'yaml-aliases',
  'yaml-depth',
  'yaml-separator',
  'merge-conflict',
  'document-too-large',
  'duplicate-key',
] as const;

/** Something that keeps kubectl from reading the document, or that it reads in a way that nobody means. */
export interface ReadingProblem {
  readonly code: (typeof readingCodes)[number];
  /** 'error': kubectl refuses the document. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly span: Span;
}

/** A document with the place of everything in it, and what is wrong with its text. */
export interface Reading {
  /** Absent for an empty document; a partial tree where the text has faults. */
  readonly root?: ManifestNode;
  readonly problems: readonly ReadingProblem[];
}

/** Deeper than any object that a cluster takes; the parser's own stack ends not far beyond. */
const maxDepth = 100;

/** What is said of a document beyond that depth. */
export const tooDeep = 'This is nested more deeply than any Kubernetes object: the document is not checked.';

/** What the parser says of a text, as a sentence. */
export function notReadable(message: string): string {
  return `Not readable as YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
}

/** True for the nodes of the parser's tree. */
export function isNode(value: unknown): value is Node {
  return isAlias(value) || isScalar(value) || isMap(value) || isSeq(value);
}

/** Built in one go: a fraction of a millisecond. */
const nodesOfPiece = 500;

/** Builds our tree from the parser's: resolves scalars, aliases and merges, and counts what aliases would grow to. */
export class TreeReader {
  readonly #text: string;
  readonly #isJson: boolean;
  /** From offsets of the parsed text to those of the given one. */
  readonly #offset: (offset: number) => number;
  readonly #problems: ReadingProblem[];
  readonly #anchors = new Anchors();
  /** Numbers written as floats, which as keys read differently from integers. */
  readonly #floats = new Set<ManifestNode>();
  /** How many nodes are left of this piece. */
  #nodesLeft = nodesOfPiece;

  constructor(text: string, problems: ReadingProblem[], offset: (offset: number) => number) {
    this.#offset = offset;
    this.#text = text;
    this.#isJson = text.startsWith('{');
    this.#problems = problems;
  }

  *readRoot(node: Node): Pieces<ManifestNode> {
    return this.#finite(yield* this.#read(node, 0));
  }

  *#read(node: Node, depth: number): Pieces<ManifestNode> {
    if (isAlias(node)) return this.#readAlias(node);
    if (--this.#nodesLeft < 0) {
      this.#nodesLeft = nodesOfPiece;
      yield;
    }
    const anchor = node.anchor === undefined ? undefined : this.#anchors.open(node.anchor);
    this.#anchors.counted++;
    const result = isScalar(node)
      ? this.#readScalar(node)
      : depth >= maxDepth
        ? this.#tooDeep(node)
        : isMap(node)
          ? yield* this.#readMap(node, depth)
          : isSeq(node)
            ? yield* this.#readSequence(node, depth)
            : this.#empty(node);
    if (anchor !== undefined) this.#anchors.close(anchor, result);
    return result;
  }

  #tooDeep(node: Node): ManifestNode {
    this.#report('yaml-depth', tooDeep, this.#spanOf(node));
    return this.#empty(node);
  }

  #readAlias(node: Alias): ManifestNode {
    const target = this.#anchors.resolve(node.source);
    if (typeof target !== 'string') return target;
    this.#report('yaml-aliases', aliasFaults[target](node.source), this.#spanOf(node));
    return this.#empty(node);
  }

  #readScalar(node: Scalar): ScalarNode {
    const source = node.source ?? '';
    const style = styleOf(node);
    if (style === 'double-quoted') this.#checkEscapes(node);
    const span = style === 'block' ? this.#withoutBlanksBehind(this.#spanOf(node)) : this.#spanOf(node);
    const reading = readScalar(source, style !== 'plain', node.tag);
    if ('refusal' in reading) {
      this.#report('yaml-value', `${reading.refusal}.`, this.#spanOf(node));
      return { kind: 'scalar', span, value: source, style };
    }
    const scalar: ScalarNode = { kind: 'scalar', span, value: reading.value, style };
    if (reading.isFloat === true) this.#floats.add(scalar);
    return scalar;
  }

  #withoutBlanksBehind({ start, end }: Span): Span {
    return { start, end: start + this.#text.slice(start, end).trimEnd().length };
  }

  /** Two escapes of JSON that YAML as kubectl reads it lacks; JSON files are read as JSON and may have them. */
  #checkEscapes(node: Scalar): void {
    if (this.#isJson) return;
    const { start, end } = this.#spanOf(node);
    const refused = /\\(?:\\|\/|u[dD][89a-fA-F])/g;
    for (const match of this.#text.slice(start, end).matchAll(refused)) {
      if (match[0] === '\\\\') continue;
      const span = { start: start + match.index, end: start + match.index + 2 };
      this.#report('yaml-value', `YAML knows no escape '${match[0].slice(0, 2)}' like this.`, span);
    }
  }

  *#readSequence(node: YAMLSeq, depth: number): Pieces<ManifestNode> {
    const items: ManifestNode[] = [];
    for (const item of node.items) {
      // A pair in a sequence is a map of one: `[a: b]`.
      if (isPair(item)) items.push(yield* this.#readPairAsMap(item, depth + 1));
      else items.push(this.#finite(isNode(item) ? yield* this.#read(item, depth + 1) : this.#empty(node)));
    }
    const span =
      node.flow === true
        ? this.#spanOf(node)
        : this.#upTo(
            node,
            items.map((item) => item.span),
          );
    return { kind: 'sequence', span, items, isFlow: node.flow === true };
  }

  *#readPairAsMap(pair: Pair, depth: number): Pieces<ManifestNode> {
    const read = new MapEntries();
    yield* this.#readPair(pair, depth, read);
    const entries = read.all();
    const [first] = entries;
    const span = first === undefined ? noSpan : { start: first.keySpan.start, end: first.value.span.end };
    return { kind: 'map', span, entries, isFlow: true };
  }

  *#readMap(node: YAMLMap, depth: number): Pieces<ManifestNode> {
    const read = new MapEntries();
    for (const pair of node.items) yield* this.#readPair(pair, depth, read);
    const entries = read.all();
    const span = node.flow === true ? this.#spanOf(node) : this.#upTo(node, spansOf(entries));
    return { kind: 'map', span, entries, isFlow: node.flow === true };
  }

  *#readPair(pair: Pair, depth: number, entries: MapEntries): Pieces<void> {
    const keyNode = isNode(pair.key) ? pair.key : undefined;
    if (keyNode !== undefined && isMergeKey(keyNode)) {
      yield* this.#merge(pair, depth, entries);
      return;
    }
    const read = keyNode === undefined ? undefined : yield* this.#read(keyNode, depth + 1);
    const keySpan =
      keyNode === undefined ? (isNode(pair.value) ? this.#spanOf(pair.value) : noSpan) : this.#spanOf(keyNode);
    if (read !== undefined && read.kind !== 'scalar') {
      this.#report('yaml-value', 'A key must be a plain word, not a list or a map.', keySpan);
      return;
    }
    const key = keyText(read?.value ?? null, read !== undefined && this.#floats.has(read));
    if (key === undefined) {
      this.#report('yaml-value', 'A key must not be empty or null: put it in quotes if that is its name.', keySpan);
      return;
    }
    const value = yield* this.#readEntryValue(pair.value, keySpan, depth);
    if (entries.has(key)) {
      this.#report(
        'duplicate-key',
        `'${key}' stands here a second time: only the last one counts.`,
        keySpan,
        'warning',
      );
    }
    entries.add({ key, keySpan, value });
  }

  /** Where nothing is written, the value stands directly behind its key. */
  *#readEntryValue(node: unknown, keySpan: Span, depth: number): Pieces<ManifestNode> {
    const value = isNode(node) ? this.#finite(yield* this.#read(node, depth + 1)) : undefined;
    const isNothing = value?.kind === 'scalar' && value.style === 'plain' && value.span.end <= value.span.start;
    if (value !== undefined && !isNothing) return value;
    const span = { start: keySpan.end, end: keySpan.end };
    return { kind: 'scalar', span, value: value?.kind === 'scalar' ? value.value : null, style: 'plain' };
  }

  *#merge(pair: Pair, depth: number, entries: MapEntries): Pieces<void> {
    const source = isNode(pair.value) ? yield* this.#read(pair.value, depth + 1) : undefined;
    // An alias of a list is none.
    const isOne = source?.kind !== 'sequence' || !isAlias(pair.value);
    if (isOne && entries.merge(source)) return;
    const span = source?.span ?? (isNode(pair.key) ? this.#spanOf(pair.key) : noSpan);
    this.#report('yaml-value', "A merge ('<<') needs a map, or a list of maps.", span);
  }

  #finite(node: ManifestNode): ManifestNode {
    if (node.kind === 'scalar' && typeof node.value === 'number' && !Number.isFinite(node.value)) {
      this.#report('yaml-value', 'JSON has no such number, so kubectl refuses it: put it in quotes.', node.span);
      return { ...node, value: null };
    }
    return node;
  }

  #report(code: ReadingProblem['code'], message: string, span: Span, severity: 'error' | 'warning' = 'error'): void {
    // One problem of these kinds says it all; a bomb would bring thousands.
    const isSingle = code === 'yaml-aliases' || code === 'yaml-depth';
    if (isSingle && this.#problems.some((problem) => problem.code === code)) return;
    this.#problems.push({ code, severity, message, span });
  }

  #spanOf(node: Node): Span {
    const [start, end] = node.range ?? [0, 0];
    return { start: this.#offset(start), end: this.#offset(end) };
  }

  /** A block ends where the last thing in it does, not behind the comments that follow. */
  #upTo(node: Node, parts: readonly Span[]): Span {
    const { start, end } = this.#spanOf(node);
    let last = start;
    for (const part of parts) if (part.start >= start && part.end <= end) last = Math.max(last, part.end);
    return { start, end: last };
  }

  /** Stands in for what could not be read. */
  #empty(node: Node): ScalarNode {
    return { kind: 'scalar', span: this.#spanOf(node), value: null, style: 'plain' };
  }
}

function isMergeKey(node: Node): boolean {
  return isScalar(node) && node.source === '<<' && (node.type === 'PLAIN' || node.tag === 'tag:yaml.org,2002:merge');
}

const aliasFaults: Readonly<Record<AliasFault, (name: string) => string>> = {
  open: (name) => `The anchor '${name}' contains itself.`,
  unknown: (name) => `There is no anchor '${name}' above this alias.`,
  excessive: () => 'Aliases blow this document up beyond what kubectl reads.',
};

const noSpan: Span = { start: 0, end: 0 };

function styleOf(node: Scalar): ScalarStyle {
  switch (node.type) {
    case 'QUOTE_SINGLE':
      return 'single-quoted';
    case 'QUOTE_DOUBLE':
      return 'double-quoted';
    case 'BLOCK_FOLDED':
    case 'BLOCK_LITERAL':
      return 'block';
    default:
      return 'plain';
  }
}
