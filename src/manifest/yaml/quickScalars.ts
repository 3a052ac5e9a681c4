import type { Anchors } from './anchors.ts';
import type { ManifestNode, ScalarNode } from './nodes.ts';
import { isWord, readScalar } from './scalars.ts';

/** What the quick reader reads of a line: keys, scalars, anchors and aliases. All of it throws `GiveUp` at what is unusual. */

/** The full reader must read this. */
export class GiveUp extends Error {}

/** Deep enough for any object; beyond it the full reader says what is wrong. */
export const maxDepth = 40;

export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ') at++;
  return at;
}

const plainKey = /[A-Za-z0-9_.$/-]+(?=:(?:[ \r\n]|$))/y;
const quotedKey = /"[^"\\\r\n]+"(?=:(?:[ \r\n]|$))|'[^'\r\n]+'(?=:(?:[ \r\n]|$))/y;
const mergeKey = /<<(?=:(?:[ \r\n]|$))/y;

/** Where the key that begins here ends, if one does. */
export function keyEnd(text: string, start: number, lineEnd: number): number | undefined {
  const char = text[start];
  const pattern = char === '"' || char === "'" ? quotedKey : char === '<' ? mergeKey : plainKey;
  pattern.lastIndex = start;
  if (!pattern.test(text)) return undefined;
  return pattern.lastIndex <= lineEnd ? pattern.lastIndex : undefined;
}

/** Of two characters: the full parser reads one alone differently. */
const word = /[A-Za-z][A-Za-z0-9_-]+/y;

/** Whether a plain word and nothing else stands there. */
export function isWordOnly(text: string, start: number, end: number): boolean {
  word.lastIndex = start;
  return word.test(text) && word.lastIndex === end;
}

const plainScalar = /(?:[A-Za-z0-9_./+~=$(;^]|-(?=[^ \r\n]))[^\r\n]*/y;

export function readPlain(text: string, start: number, lineEnd: number): ScalarNode {
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

export function readQuoted(text: string, start: number, lineEnd: number): ScalarNode {
  const quote = text[start] ?? '';
  const style = quote === '"' ? 'double-quoted' : 'single-quoted';
  const close = text.indexOf(quote, start + 1);
  const source = text.slice(start + 1, close);
  if (close < 0 || close >= lineEnd) throw new GiveUp();
  const isSimple = !source.includes('\\') && text[close + 1] !== quote;
  return isSimple ? scalar(source, start, close + 1, style) : readEscaped(text, start, style);
}

/** The escapes that people write; `''` in single quotes. */
const escaped = { 'double-quoted': /"(?:[^"\\\r\n]|\\["\\nt])*"/y, 'single-quoted': /'(?:[^'\r\n]|'')*'/y };
const meanings: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\"': '"', '\\\\': '\\' };

function readEscaped(text: string, start: number, style: 'double-quoted' | 'single-quoted'): ScalarNode {
  const pattern = escaped[style];
  pattern.lastIndex = start;
  const source = pattern.exec(text)?.[0];
  if (source === undefined) throw new GiveUp();
  const inner = source.slice(1, -1);
  const value =
    style === 'double-quoted'
      ? inner.replace(/\\./g, (written) => meanings[written] ?? written)
      : inner.replaceAll("''", "'");
  return scalar(value, start, start + source.length, style);
}

export function scalar(source: string, start: number, end: number, style: ScalarNode['style']): ScalarNode {
  const span = { start, end };
  if (style !== 'plain' || isWord(source)) return { kind: 'scalar', span, value: source, style };
  const reading = readScalar(source, false, undefined);
  if (!('value' in reading) || (typeof reading.value === 'number' && !Number.isFinite(reading.value)))
    throw new GiveUp();
  return { kind: 'scalar', span, value: reading.value, style };
}

const anchor = /&[A-Za-z0-9_./-]+(?=[ \r\n]|$)/y;
const alias = /\*[A-Za-z0-9_./-]+(?=[ ,\]}\r\n]|$)/y;

/** Where the anchor that begins here ends. */
export function anchorEnd(text: string, start: number): number {
  return endOf(anchor, text, start);
}

/** Where the alias that begins here ends. */
export function aliasEnd(text: string, start: number): number {
  return endOf(alias, text, start);
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  if (!pattern.test(text)) throw new GiveUp();
  return pattern.lastIndex;
}

/** What the alias that ends here stands for. */
export function readAlias(text: string, start: number, end: number, anchors: Anchors): ManifestNode {
  const target = anchors.resolve(text.slice(start + 1, end));
  if (typeof target === 'string') throw new GiveUp();
  return target;
}
