import type { Pieces } from '../base/index.ts';
import type { ManifestNode, MapEntry, ScalarNode } from './nodes.ts';
import { keyText, readScalar } from './scalars.ts';
import type { Span } from './text.ts';

/**
 * Reads the YAML that nearly all manifests are written in: block maps and lists, scalars of one line, literal blocks,
 * and brackets that close on their line. A tenth of the work of a full parser. At the first thing beyond that (anchors,
 * tags, escapes, folded text, tabs, faults) it gives up, and the full reader takes over: it must never read anything
 * differently, which a property test holds.
 */
export function* readQuickly(text: string): Pieces<ManifestNode | undefined> {
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

class GiveUp extends Error {}

/** A line that holds something: where its first character and its end are. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/** Deep enough for any object; beyond it the full reader says what is wrong. */
const maxDepth = 40;

/** Read in one go: a fraction of a millisecond. */
const linesOfPiece = 256;

/** A map that is being read: what stands in it so far, and the key whose value comes next. */
interface OpenMap {
  readonly kind: 'map';
  readonly indent: number;
  /** Where the first key stands: behind a dash it is not the first thing of its line. */
  readonly start: number;
  readonly entries: MapEntry[];
  readonly keys: Set<string>;
  key: string;
  keySpan: Span;
}

/** A list that is being read. */
interface OpenList {
  readonly kind: 'sequence';
  readonly indent: number;
  readonly start: number;
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

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Pieces<ManifestNode | undefined> {
    this.#lines = yield* linesOf(this.#text);
    const first = this.#lines[0];
    if (first === undefined) return undefined;
    this.#open(first.indent, first.start, this.#isItem(first.start));
    for (;;) {
      const root = this.#readPiece();
      if (root !== undefined) return root;
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

  #open(indent: number, start: number, isList: boolean): void {
    if (this.#blocks.length > maxDepth) throw new GiveUp();
    this.#blocks.push(
      isList
        ? { kind: 'sequence', indent, start, items: [] }
        : { kind: 'map', indent, start, entries: [], keys: new Set(), key: '', keySpan: { start, end: start } },
    );
  }

  /** Puts a value where it belongs and closes the blocks that end behind it; answers the root if that is one of them. */
  #put(value: ManifestNode): ManifestNode | undefined {
    let node = value;
    for (let block = this.#blocks.at(-1); block !== undefined; block = this.#blocks.at(-1)) {
      if (block.kind === 'map') block.entries.push({ key: block.key, keySpan: block.keySpan, value: node });
      else block.items.push(node);
      if (this.#goesOn(block)) return undefined;
      this.#blocks.pop();
      const span = { start: block.start, end: node.span.end };
      node =
        block.kind === 'map'
          ? { kind: 'map', span, entries: block.entries, isFlow: false }
          : { kind: 'sequence', span, items: block.items, isFlow: false };
    }
    // Something less indented follows: a fault.
    if (this.#at < this.#lines.length) throw new GiveUp();
    return node;
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
  #readItem({ indent }: OpenList, line: Line): ManifestNode | undefined {
    const content = skipBlanks(this.#text, line.start + 1);
    // An empty item, or one whose content begins on the next line, is rare.
    if (content >= line.end || this.#text[content] === '#' || this.#isItem(content)) throw new GiveUp();
    if (keyEnd(this.#text, content, line.end) === undefined) return this.#readValue(content, line, indent);
    this.#open(indent + (content - line.start), content, false);
    return undefined;
  }

  /** Reads the next key of a map and its value; undefined if that is a block, which is open then. */
  #readEntry(block: OpenMap, line: Line): ManifestNode | undefined {
    const start = block.entries.length === 0 ? block.start : line.start;
    const end = keyEnd(this.#text, start, line.end);
    if (end === undefined) throw new GiveUp();
    block.key = this.#readKey(start, end);
    block.keySpan = { start, end };
    if (block.keys.has(block.key)) throw new GiveUp();
    block.keys.add(block.key);
    const content = skipBlanks(this.#text, end + 1);
    if (content < line.end && this.#text[content] !== '#') return this.#readValue(content, line, block.indent);
    this.#at++;
    const next = this.#lines[this.#at];
    const isList = next !== undefined && this.#isItem(next.start);
    if (next !== undefined && (next.indent > block.indent || (next.indent === block.indent && isList))) {
      this.#open(next.indent, next.start, isList);
      return undefined;
    }
    return { kind: 'scalar', span: { start: end, end }, value: null, style: 'plain' };
  }

  #readKey(start: number, end: number): string {
    const source = this.#text.slice(start, end);
    if (source === '<<') throw new GiveUp();
    const isQuoted = source.startsWith('"') || source.startsWith("'");
    if (isQuoted) return source.slice(1, -1);
    const reading = readScalar(source, false, undefined);
    const key = 'value' in reading ? keyText(reading.value, reading.isFloat === true) : undefined;
    if (key === undefined) throw new GiveUp();
    return key;
  }

  /** A value that begins on this line; leaves the reader at the next line that isn't part of it. */
  #readValue(start: number, line: Line, indent: number): ManifestNode {
    const char = this.#text[start];
    if (char === '|') return this.#readLiteral(start, line, indent);
    const value =
      char === '[' || char === '{'
        ? new FlowReader(this.#text, start, line.end).read()
        : char === '"' || char === "'"
          ? readQuoted(this.#text, start, line.end)
          : readPlain(this.#text, start, line.end);
    const rest = skipBlanks(this.#text, value.span.end);
    const isComment = this.#text[rest] === '#' && rest > value.span.end;
    if (rest < line.end && !isComment) throw new GiveUp();
    this.#at++;
    // A deeper line would go on with the scalar.
    if ((this.#lines[this.#at]?.indent ?? 0) > indent) throw new GiveUp();
    return value;
  }

  #readLiteral(start: number, line: Line, indent: number): ScalarNode {
    const header = this.#text.slice(start, line.end);
    if (header !== '|' && header !== '|-') throw new GiveUp();
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
    // Without a line break at the very end there is none in the value either, but kubectl's reader adds one.
    const value = parts.join('\n') + (header === '|-' ? '' : '\n');
    while ((this.#lines[this.#at]?.start ?? Number.POSITIVE_INFINITY) < end) this.#at++;
    const length = this.#text.slice(start, end).trimEnd().length;
    return { kind: 'scalar', span: { start, end: start + length }, value, style: 'block' };
  }
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

function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ') at++;
  return at;
}

const plainKey = /[A-Za-z0-9_.$/-]+(?=:(?:[ \r\n]|$))/y;
const quotedKey = /"[^"\\\r\n]+"(?=:(?:[ \r\n]|$))|'[^'\r\n]+'(?=:(?:[ \r\n]|$))/y;

/** Where the key that begins here ends, if one does. */
function keyEnd(text: string, start: number, lineEnd: number): number | undefined {
  const pattern = text[start] === '"' || text[start] === "'" ? quotedKey : plainKey;
  pattern.lastIndex = start;
  if (!pattern.test(text)) return undefined;
  return pattern.lastIndex <= lineEnd ? pattern.lastIndex : undefined;
}

const plainScalar = /(?:[A-Za-z0-9_./+~=$(;^]|-(?=[^ \r\n]))[^\r\n]*/y;

function readPlain(text: string, start: number, lineEnd: number): ScalarNode {
  plainScalar.lastIndex = start;
  if (!plainScalar.test(text)) throw new GiveUp();
  // Within the line: a search to the end of the text, once a scalar, would take a long text minutes.
  const comment = text.slice(start, lineEnd).indexOf(' #');
  let end = comment >= 0 ? start + comment : lineEnd;
  while (text[end - 1] === ' ') end--;
  const source = text.slice(start, end);
  // A colon would make it a key.
  if (/:(?: |$)/.test(source)) throw new GiveUp();
  return scalar(source, start, end, 'plain');
}

function readQuoted(text: string, start: number, lineEnd: number): ScalarNode {
  const quote = text[start] ?? '';
  const close = text.indexOf(quote, start + 1);
  const source = text.slice(start + 1, close);
  const isSimple = close > 0 && close < lineEnd && !source.includes('\\') && text[close + 1] !== quote;
  if (!isSimple) throw new GiveUp();
  return scalar(source, start, close + 1, quote === '"' ? 'double-quoted' : 'single-quoted');
}

function scalar(source: string, start: number, end: number, style: ScalarNode['style']): ScalarNode {
  const reading = readScalar(source, style !== 'plain', undefined);
  if (!('value' in reading) || (typeof reading.value === 'number' && !Number.isFinite(reading.value)))
    throw new GiveUp();
  return { kind: 'scalar', span: { start, end }, value: reading.value, style };
}

const flowPlain = /[A-Za-z0-9_./+-][A-Za-z0-9_./+ -]*/y;

/** Brackets and braces that close on the line on which they open. */
class FlowReader {
  readonly #text: string;
  readonly #lineEnd: number;
  #at: number;

  constructor(text: string, start: number, lineEnd: number) {
    this.#text = text;
    this.#at = start;
    this.#lineEnd = lineEnd;
  }

  read(depth = 0): ManifestNode {
    const char = this.#text[this.#at];
    if (depth > maxDepth) throw new GiveUp();
    if (char === '[') return this.#readList(depth);
    if (char === '{') return this.#readMap(depth);
    return this.#readScalar();
  }

  #readScalar(): ScalarNode {
    const start = this.#at;
    const char = this.#text[start];
    if (char === '"' || char === "'") {
      const node = readQuoted(this.#text, start, this.#lineEnd);
      this.#at = node.span.end;
      return node;
    }
    flowPlain.lastIndex = start;
    const source = flowPlain.exec(this.#text)?.[0].trimEnd();
    // A dash alone is an item of a block to one parser and a word to the other.
    if (source === undefined || source === '-' || source.startsWith('- ')) throw new GiveUp();
    this.#at = start + source.length;
    return scalar(source, start, this.#at, 'plain');
  }

  #readList(depth: number): ManifestNode {
    const start = this.#at++;
    const items: ManifestNode[] = [];
    while (!this.#closes(']')) {
      items.push(this.read(depth + 1));
      this.#separate(']');
    }
    return { kind: 'sequence', span: { start, end: this.#at }, items, isFlow: true };
  }

  #readMap(depth: number): ManifestNode {
    const start = this.#at++;
    const entries: MapEntry[] = [];
    const keys = new Set<string>();
    while (!this.#closes('}')) {
      const keyStart = this.#at;
      const node = this.#readScalar();
      const isFloat = typeof node.value === 'number' && !Number.isInteger(node.value);
      const key = node.style === 'plain' ? (isFloat ? undefined : keyText(node.value, false)) : String(node.value);
      if (key === undefined || keys.has(key) || (typeof node.value === 'number' && node.style === 'plain'))
        throw new GiveUp();
      keys.add(key);
      const keySpan = { start: keyStart, end: this.#at };
      if (this.#text[this.#at] !== ':' || this.#text[this.#at + 1] !== ' ') throw new GiveUp();
      this.#at = skipBlanks(this.#text, this.#at + 1);
      const value = this.read(depth + 1);
      entries.push({ key, keySpan, value });
      this.#separate('}');
    }
    return { kind: 'map', span: { start, end: this.#at }, entries, isFlow: true };
  }

  /** Steps over the bracket, if it stands next. */
  #closes(bracket: string): boolean {
    this.#at = skipBlanks(this.#text, this.#at);
    if (this.#at >= this.#lineEnd) throw new GiveUp();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  /** Steps over the comma; without one the bracket must follow. */
  #separate(bracket: string): void {
    this.#at = skipBlanks(this.#text, this.#at);
    if (this.#text[this.#at] === ',') this.#at++;
    else if (this.#text[this.#at] !== bracket) throw new GiveUp();
  }
}
