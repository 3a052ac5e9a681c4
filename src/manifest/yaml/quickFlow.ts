import type { Anchors } from './anchors.ts';
import type { ManifestNode, MapEntry, ScalarNode } from './nodes.ts';
import { aliasEnd, GiveUp, maxDepth, readAlias, readQuoted, scalar, skipBlanks } from './quickScalars.ts';
import { keyText } from './scalars.ts';

const flowPlain = /[A-Za-z0-9_./+-][A-Za-z0-9_./+ -]*/y;

/** Brackets and braces that close on the line on which they open. */
export class FlowReader {
  readonly #text: string;
  readonly #lineEnd: number;
  readonly #anchors: Anchors;
  #at: number;

  constructor(text: string, start: number, lineEnd: number, anchors: Anchors) {
    this.#text = text;
    this.#at = start;
    this.#lineEnd = lineEnd;
    this.#anchors = anchors;
  }

  read(depth = 0): ManifestNode {
    const char = this.#text[this.#at];
    if (depth > maxDepth) throw new GiveUp();
    if (char === '[') return this.#readList(depth);
    if (char === '{') return this.#readMap(depth);
    return char === '*' ? this.#readAlias() : this.#readScalar();
  }

  #readAlias(): ManifestNode {
    const start = this.#at;
    this.#at = aliasEnd(this.#text, start);
    return readAlias(this.#text, start, this.#at, this.#anchors);
  }

  #readScalar(): ScalarNode {
    this.#anchors.counted++;
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
    this.#anchors.counted++;
    const start = this.#at++;
    const items: ManifestNode[] = [];
    while (!this.#closes(']')) {
      items.push(this.read(depth + 1));
      this.#separate(']');
    }
    return { kind: 'sequence', span: { start, end: this.#at }, items, isFlow: true };
  }

  #readMap(depth: number): ManifestNode {
    this.#anchors.counted++;
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
