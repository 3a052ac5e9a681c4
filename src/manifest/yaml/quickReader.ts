import type { Pieces } from '../../base/index.ts';
import { type Anchor, Anchors } from './anchors.ts';
import { endOfEntries, endOfParts, MapEntries } from './mapEntries.ts';
import type { ManifestNode, MapEntry, ScalarNode } from './nodes.ts';
import { FlowReader } from './quickFlow.ts';
import {
  aliasEnd,
  anchorEnd,
  GiveUp,
  isWordOnly,
  keyEnd,
  maxDepth,
  readAlias,
  readPlain,
  readQuoted,
  skipBlanks,
} from './quickScalars.ts';
import { isWord, keyText, readScalar } from './scalars.ts';
import type { Span } from './text.ts';
import { notReadable, type Reading, type ReadingProblem } from './treeReader.ts';

/**
 * Reads the YAML that nearly all manifests are written in: block maps and lists, scalars of one line, texts of several,
 * brackets that close on their line, anchors of values, aliases and merges. A tenth of the work of a full parser. At the first
 * thing beyond that it gives up, and the full reader takes over: at tags, rare escapes, scalars and brackets of several lines,
 * tabs, all faults but a key that is being typed; at anchors and merges in brackets, and anchors of keys or of nothing. It must
 * never read anything differently, which a property test holds.
 */
export function* readQuickly(text: string): Pieces<Reading | undefined> {
  if (unusual.test(text)) return undefined;
  try {
    return yield* new QuickReader(text).read();
  } catch (error) {
    if (error instanceof GiveUp) return undefined;
    throw error;
  }
}

/** Tabs, lone CRs, other line breaks and control characters; directives and the end of a document. */
const unusual = /[^\n\r -~\u00A0-\u2027\u202A-\uFEFE\uFF00-\uFFFD]|\r(?!\n)|^(?:%|\.\.\.|---)/m;

/** A line that holds something: where its first character and its end are. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/** Read in one go: a fraction of a millisecond. */
const linesOfPiece = 256;

/** What is being read. */
interface OpenBlock {
  readonly indent: number;
  /** Where the first key stands: behind a dash it is not the first thing of its line. */
  readonly start: number;
  readonly anchor: Anchor | undefined;
  /** An alias or a merge stands in it. */
  isShared: boolean;
}

/** A map: what stands in it so far, and the key whose value comes next. */
interface OpenMap extends OpenBlock {
  readonly kind: 'map';
  readonly entries: MapEntry[];
  readonly keys: Set<string>;
  /** Instead of the entries, from the first merge on. */
  merged: MapEntries | undefined;
  key: string;
  keySpan: Span;
  /** Its value is to be merged. */
  isMerge: boolean;
}

interface OpenList extends OpenBlock {
  readonly kind: 'sequence';
  readonly items: ManifestNode[];
}

/** Holds the blocks that are open itself, so that it can pause in the depth of them: generators in generators cost a lot. */
class QuickReader {
  readonly #text: string;
  #lines: readonly Line[] = [];
  /** Index of the line that is being read. */
  #at = 0;
  /** From the root to the innermost. */
  readonly #blocks: (OpenMap | OpenList)[] = [];
  readonly #anchors = new Anchors();
  readonly #problems: ReadingProblem[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Pieces<Reading | undefined> {
    this.#lines = yield* linesOf(this.#text);
    const first = this.#lines[0];
    if (first === undefined) return undefined;
    this.#open(first.indent, first.start, this.#isItem(first.start));
    for (;;) {
      const root = this.#readPiece();
      if (root !== undefined) return { root, problems: this.#problems };
      yield;
    }
  }

  /** The root, once all is read. */
  #readPiece(): ManifestNode | undefined {
    const pauseAt = this.#at + linesOfPiece;
    while (this.#at < pauseAt) {
      const line = this.#lines[this.#at];
      const block = this.#blocks.at(-1);
      if (line === undefined || block === undefined) throw new GiveUp();
      const value = block.kind === 'map' ? this.#readEntry(block, line) : this.#readItem(block, line);
      const root = value && this.#put(value);
      if (root !== undefined) return root;
    }
    return undefined;
  }

  #open(indent: number, start: number, isList: boolean, anchor?: Anchor): void {
    if (this.#blocks.length > maxDepth) throw new GiveUp();
    this.#anchors.counted++;
    this.#blocks.push(
      isList
        ? { kind: 'sequence', indent, start, anchor, isShared: false, items: [] }
        : {
            kind: 'map',
            indent,
            start,
            anchor,
            isShared: false,
            entries: [],
            keys: new Set(),
            merged: undefined,
            key: '',
            keySpan: { start, end: start },
            isMerge: false,
          },
    );
  }

  /** Puts a value where it belongs and closes the blocks that end behind it; answers the root if that is one of them. */
  #put(value: ManifestNode): ManifestNode | undefined {
    let node = value;
    for (let block = this.#blocks.at(-1); block !== undefined; block = this.#blocks.at(-1)) {
      if (block.kind === 'sequence') block.items.push(node);
      else if (block.merged === undefined) block.entries.push({ key: block.key, keySpan: block.keySpan, value: node });
      else this.#putMerged(block, block.merged, node);
      if (this.#goesOn(block)) return undefined;
      this.#blocks.pop();
      const span = { start: block.start, end: block.isShared ? endOf(block) : node.span.end };
      node =
        block.kind === 'map'
          ? { kind: 'map', span, entries: block.merged?.all() ?? block.entries, isFlow: false }
          : { kind: 'sequence', span, items: block.items, isFlow: false };
      if (block.anchor !== undefined) this.#anchors.close(block.anchor, node);
    }
    // Something less indented follows: a fault.
    if (this.#at < this.#lines.length) throw new GiveUp();
    return node;
  }

  #putMerged({ key, keySpan, isMerge }: OpenMap, merged: MapEntries, value: ManifestNode): void {
    // An alias of a list, which stands above, can't be merged.
    const isOdd = value.kind === 'sequence' && value.span.start < keySpan.start;
    if (!isMerge) merged.add({ key, keySpan, value });
    else if (isOdd || !merged.merge(value)) throw new GiveUp();
  }

  /** Whether the next line belongs to a block. */
  #goesOn({ kind, indent }: OpenMap | OpenList): boolean {
    const line = this.#lines[this.#at];
    if (line === undefined || line.indent < indent) return false;
    const isItem = this.#isItem(line.start);
    if (kind === 'sequence' && !isItem) return false;
    // A list may stand at the column of its key; here none does, so a dash is a fault.
    if (line.indent > indent || (kind === 'map' && isItem)) throw new GiveUp();
    return true;
  }

  #isItem(start: number): boolean {
    return this.#text[start] === '-' && /[ \r\n]|^$/.test(this.#text[start + 1] ?? '');
  }

  /** The next value of a list; undefined if it is a block, which is open then. */
  #readItem(block: OpenList, line: Line): ManifestNode | undefined {
    const content = skipBlanks(this.#text, line.start + 1);
    if (content >= line.end || this.#text[content] === '#') {
      if (this.#opensBelow(block)) return undefined;
      this.#anchors.counted++;
      return { kind: 'scalar', span: { start: content, end: content }, value: null, style: 'plain' };
    }
    // A list in a list is rare.
    if (this.#isItem(content)) throw new GiveUp();
    if (keyEnd(this.#text, content, line.end) === undefined) return this.#readValue(content, line, block);
    this.#open(block.indent + (content - line.start), content, false);
    return undefined;
  }

  /** Reads the next key of a map and its value; undefined if that is a block, which is open then. */
  #readEntry(block: OpenMap, line: Line): ManifestNode | undefined {
    const start = Math.max(block.start, line.start);
    const end = keyEnd(this.#text, start, line.end) ?? this.#endOfUnfinished(block, start, line);
    block.isMerge = this.#text[start] === '<';
    block.keySpan = { start, end };
    if (block.isMerge) {
      block.isShared = true;
      block.merged ??= new MapEntries(block.entries);
    } else {
      block.key = end > line.end ? this.#text.slice(start, end).replace(/\n */, ' ') : this.#readKey(start, end);
      if (block.keys.has(block.key)) throw new GiveUp();
      block.keys.add(block.key);
      this.#anchors.counted++;
    }
    const content = skipBlanks(this.#text, end + 1);
    const last = this.#lines[this.#at] ?? line;
    if (content < last.end && this.#text[content] !== '#') return this.#readValue(content, last, block);
    if (this.#opensBelow(block)) return undefined;
    this.#anchors.counted++;
    return { kind: 'scalar', span: { start: end, end }, value: null, style: 'plain' };
  }

  /**
   * Where a key ends that is being typed, a word without a colon: a fault. To the parser the line below goes on with it, so that
   * it is one key with the one there; unless it is the last thing of its map.
   */
  #endOfUnfinished({ indent, entries }: OpenMap, start: number, { end }: Line): number {
    if (!isWordOnly(this.#text, start, end) || this.#problems.length > 0) throw new GiveUp();
    const next = this.#lines[this.#at + 1];
    if (next === undefined || next.indent < indent) {
      // With nothing else there it would be a value.
      if (entries.length === 0) throw new GiveUp();
      this.#problems.push(unfinished('Implicit map keys need to be followed by map values', start, end));
      // There isn't even an empty value.
      this.#anchors.counted--;
      return end;
    }
    const isBelow = this.#text.slice(end, next.start) === `\n${' '.repeat(indent)}`;
    const endBelow = keyEnd(this.#text, next.start, next.end);
    if (!isBelow || endBelow === undefined || !/[A-Za-z]/.test(this.#text[next.start] ?? '')) throw new GiveUp();
    this.#problems.push(unfinished('Implicit keys need to be on a single line', start, endBelow));
    this.#at++;
    return endBelow;
  }

  /** Steps to the next line, and opens the block that stands there, if it is the value of what stands before it. */
  #opensBelow({ kind, indent }: OpenMap | OpenList, anchor?: Anchor): boolean {
    this.#at++;
    const next = this.#lines[this.#at];
    if (next === undefined) return false;
    const isList = this.#isItem(next.start);
    if (next.indent < indent || (next.indent === indent && (kind === 'sequence' || !isList))) return false;
    this.#open(next.indent, next.start, isList, anchor);
    return true;
  }

  #readKey(start: number, end: number): string {
    const char = this.#text[start];
    if (char === '"' || char === "'") return this.#text.slice(start + 1, end - 1);
    const source = this.#text.slice(start, end);
    if (isWord(source)) return source;
    const reading = readScalar(source, false, undefined);
    const key = 'value' in reading ? keyText(reading.value, reading.isFloat === true) : undefined;
    if (key === undefined) throw new GiveUp();
    return key;
  }

  /** A value that begins on this line, or below its anchor; undefined if it is a block, which is open then. */
  #readValue(start: number, line: Line, block: OpenMap | OpenList): ManifestNode | undefined {
    const char = this.#text[start];
    if (char === '&') return this.#readAnchored(start, line, block);
    if (char === '|' || char === '>') return this.#readText(start, line, block.indent);
    let value: ManifestNode;
    let end: number;
    if (char === '*') {
      block.isShared = true;
      end = aliasEnd(this.#text, start);
      value = readAlias(this.#text, start, end, this.#anchors);
    } else {
      value =
        char === '[' || char === '{'
          ? new FlowReader(this.#text, start, line.end, this.#anchors).read()
          : this.#readScalar(start, line.end);
      end = value.span.end;
    }
    const rest = skipBlanks(this.#text, end);
    const isComment = this.#text[rest] === '#' && rest > end;
    if (rest < line.end && !isComment) throw new GiveUp();
    this.#at++;
    // A deeper line would go on with the scalar.
    if ((this.#lines[this.#at]?.indent ?? 0) > block.indent) throw new GiveUp();
    return value;
  }

  #readScalar(start: number, lineEnd: number): ScalarNode {
    this.#anchors.counted++;
    const char = this.#text[start];
    return char === '"' || char === "'"
      ? readQuoted(this.#text, start, lineEnd)
      : readPlain(this.#text, start, lineEnd);
  }

  #readAnchored(start: number, line: Line, block: OpenMap | OpenList): ManifestNode | undefined {
    const end = anchorEnd(this.#text, start);
    const anchor = this.#anchors.open(this.#text.slice(start + 1, end));
    const content = skipBlanks(this.#text, end);
    if (content >= line.end || this.#text[content] === '#') {
      if (!this.#opensBelow(block, anchor)) throw new GiveUp();
      return undefined;
    }
    // A second anchor; an alias, which can have none; a key, whose anchor it would be.
    const char = this.#text[content];
    if (char === '&' || char === '*' || keyEnd(this.#text, content, line.end) !== undefined) throw new GiveUp();
    const value = this.#readValue(content, line, block);
    if (value !== undefined) this.#anchors.close(anchor, value);
    return value;
  }

  #readText(start: number, line: Line, indent: number): ScalarNode {
    this.#anchors.counted++;
    const header = this.#text.slice(start, line.end);
    if (!/^[|>]-?$/.test(header)) throw new GiveUp();
    const isFolded = header.startsWith('>');
    const first = nextLine(this.#text, line.end);
    const contentIndent = blanksAt(this.#text, first);
    const isEmpty = /[\r\n]|^$/.test(this.#text[first + contentIndent] ?? '');
    if (first >= this.#text.length || isEmpty || contentIndent <= indent) throw new GiveUp();
    const parts: string[] = [];
    let end = first;
    let offset = first;
    while (offset < this.#text.length) {
      const lineEnd = endOfLine(this.#text, offset);
      const blanks = blanksAt(this.#text, offset);
      if (offset + blanks >= lineEnd) {
        // Blanks beyond the indentation of an empty line are part of the text.
        if (blanks > contentIndent) throw new GiveUp();
        parts.push('');
      } else if (blanks < contentIndent) {
        if (blanks > indent) throw new GiveUp();
        break;
      } else {
        parts.push(this.#text.slice(offset + contentIndent, lineEnd));
        end = lineEnd;
      }
      offset = nextLine(this.#text, lineEnd);
    }
    while (parts.at(-1) === '') parts.pop();
    // Lines apart, and lines that are further to the right, aren't folded.
    if (isFolded && parts.some((part) => part === '' || part.startsWith(' '))) throw new GiveUp();
    // Without a line break at the very end there is none in the value either, but kubectl's reader adds one.
    const value = parts.join(isFolded ? ' ' : '\n') + (header.endsWith('-') ? '' : '\n');
    while ((this.#lines[this.#at]?.start ?? Number.POSITIVE_INFINITY) < end) this.#at++;
    const length = this.#text.slice(start, end).trimEnd().length;
    return { kind: 'scalar', span: { start, end: start + length }, value, style: 'block' };
  }
}

function unfinished(message: string, start: number, end: number): ReadingProblem {
  return { code: 'yaml-syntax', severity: 'error', message: notReadable(message), span: { start, end } };
}

/** Where a block ends in which aliases and merges stand. */
function endOf(block: OpenMap | OpenList): number {
  if (block.kind === 'map') return endOfEntries(block.merged?.all() ?? block.entries, block.start);
  const spans = block.items.map(({ span }) => span);
  return endOfParts(spans, block.start);
}

/** Lines with something other than blanks and a comment on them. */
function* linesOf(text: string): Pieces<readonly Line[]> {
  const lines: Line[] = [];
  let offset = addLines(lines, text, 0);
  while (offset < text.length) {
    yield;
    offset = addLines(lines, text, offset);
  }
  return lines;
}

/** Adds those of a piece; answers where the next one begins. */
function addLines(lines: Line[], text: string, from: number): number {
  let offset = from;
  // To find a line is much less than to read it.
  for (const most = lines.length + 8 * linesOfPiece; offset < text.length && lines.length < most; ) {
    const lineEnd = endOfLine(text, offset);
    const indent = blanksAt(text, offset);
    const start = offset + indent;
    if (start < lineEnd && text[start] !== '#') {
      let end = lineEnd;
      while (text[end - 1] === ' ') end--;
      lines.push({ start, end, indent });
    }
    offset = nextLine(text, lineEnd);
  }
  return offset;
}

function endOfLine(text: string, offset: number): number {
  const lineBreak = text.indexOf('\n', offset);
  if (lineBreak < 0) return text.length;
  return text[lineBreak - 1] === '\r' && lineBreak > offset ? lineBreak - 1 : lineBreak;
}

/** The start of the line behind the one that ends here. */
function nextLine(text: string, lineEnd: number): number {
  return lineEnd + (text[lineEnd] === '\r' ? 2 : 1);
}

function blanksAt(text: string, offset: number): number {
  return skipBlanks(text, offset) - offset;
}
