import type { Pieces } from '../base/index.ts';
import type { ManifestNode, MapEntry, ScalarNode } from './nodes.ts';
import { keyText, readScalar } from './scalars.ts';

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

class QuickReader {
  readonly #text: string;
  #lines: readonly Line[] = [];
  /** Index of the line that is being read. */
  #at = 0;
  /** Index of the line at which reading pauses again. */
  #pauseAt = linesOfPiece;

  constructor(text: string) {
    this.#text = text;
  }

  *read(): Pieces<ManifestNode | undefined> {
    this.#lines = yield* linesOf(this.#text);
    const first = this.#lines[0];
    if (first === undefined) return undefined;
    const node = yield* this.#readBlock(first.indent, 0);
    // Something less indented follows: a fault.
    if (this.#at < this.#lines.length) throw new GiveUp();
    return node;
  }

  #readBlock(indent: number, depth: number): Pieces<ManifestNode> {
    const line = this.#lines[this.#at];
    if (line === undefined || depth > maxDepth) throw new GiveUp();
    return this.#isItem(line.start) ? this.#readList(indent, depth) : this.#readMap(indent, line.start, depth);
  }

  /** True once a piece. */
  #isPaused(): boolean {
    if (this.#at < this.#pauseAt) return false;
    this.#pauseAt = this.#at + linesOfPiece;
    return true;
  }

  #isItem(start: number): boolean {
    return this.#text[start] === '-' && /[ \r\n]|^$/.test(this.#text[start + 1] ?? '');
  }

  *#readList(indent: number, depth: number): Pieces<ManifestNode> {
    const items: ManifestNode[] = [];
    const start = this.#lines[this.#at]?.start ?? 0;
    for (let line = this.#lines[this.#at]; line !== undefined; line = this.#lines[this.#at]) {
      if (line.indent < indent || !this.#isItem(line.start)) break;
      if (line.indent > indent) throw new GiveUp();
      const content = skipBlanks(this.#text, line.start + 1);
      // An empty item, or one whose content begins on the next line, is rare.
      if (content >= line.end || this.#text[content] === '#' || this.#isItem(content)) throw new GiveUp();
      const column = line.indent + (content - line.start);
      items.push(
        keyEnd(this.#text, content, line.end) === undefined
          ? this.#readValue(content, line, indent)
          : yield* this.#readMap(column, content, depth + 1),
      );
      if (this.#isPaused()) yield;
    }
    const end = items.at(-1)?.span.end ?? start;
    return { kind: 'sequence', span: { start, end }, items, isFlow: false };
  }

  /** `start` is where the first key stands: behind a dash it is not the first thing of its line. */
  *#readMap(indent: number, start: number, depth: number): Pieces<ManifestNode> {
    if (depth > maxDepth) throw new GiveUp();
    const entries: MapEntry[] = [];
    const keys = new Set<string>();
    let keyStart = start;
    let line = this.#lines[this.#at];
    while (line !== undefined) {
      const end = keyEnd(this.#text, keyStart, line.end);
      if (end === undefined) throw new GiveUp();
      const key = this.#readKey(keyStart, end);
      if (keys.has(key)) throw new GiveUp();
      keys.add(key);
      const content = skipBlanks(this.#text, end + 1);
      const isInline = content < line.end && this.#text[content] !== '#';
      const value = isInline ? this.#readValue(content, line, indent) : yield* this.#readBelow(end, indent, depth);
      entries.push({ key, keySpan: { start: keyStart, end }, value });
      if (this.#isPaused()) yield;
      line = this.#lines[this.#at];
      if (line === undefined || line.indent < indent) break;
      // A list may stand at the column of its key; here none does, so a dash is a fault.
      if (line.indent > indent || this.#isItem(line.start)) throw new GiveUp();
      keyStart = line.start;
    }
    const last = entries.at(-1);
    return { kind: 'map', span: { start, end: last?.value.span.end ?? start }, entries, isFlow: false };
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

  /** The value of a key behind which nothing stands on its line. */
  *#readBelow(keyEndOffset: number, indent: number, depth: number): Pieces<ManifestNode> {
    this.#at++;
    const next = this.#lines[this.#at];
    const isNested =
      next !== undefined && (next.indent > indent || (next.indent === indent && this.#isItem(next.start)));
    if (isNested) return yield* this.#readBlock(next.indent, depth + 1);
    return { kind: 'scalar', span: { start: keyEndOffset, end: keyEndOffset }, value: null, style: 'plain' };
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
  for (let offset = 0; offset < text.length; ) {
    const lineEnd = endOfLine(text, offset);
    const indent = blanksAt(text, offset);
    const start = offset + indent;
    if (start < lineEnd && text[start] !== '#') {
      let end = lineEnd;
      while (text[end - 1] === ' ') end--;
      lines.push({ start, end, indent });
      // To find a line is much less than to read it.
      if (lines.length % (8 * linesOfPiece) === 0) yield;
    }
    offset = nextLine(text, lineEnd);
  }
  return lines;
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
