import type { Pieces } from '../../base/index.ts';

/**
 * kubectl's YAML reader ignores indentation between brackets and between quotes; the parser used here, which follows
 * YAML 1.2, wants those lines indented. This moves them to the right, and knows the way back for every offset.
 */
export interface Reindented {
  readonly text: string;
  /** The offset in the text as it was. */
  readonly originalOffset: (offset: number) => number;
}

/** Deeper than any line that a person indents. */
const filler = ' '.repeat(200);

/** Looked at in one go: a fraction of a millisecond. */
const linesOfPiece = 256;

/** Undefined if no line stands within brackets or quotes. */
export function* indentContinuations(text: string): Pieces<Reindented | undefined> {
  const lineStarts = yield* continuationLines(text);
  if (lineStarts.length === 0) return undefined;
  let result = '';
  let position = 0;
  for (const start of lineStarts) {
    result += text.slice(position, start) + filler;
    position = start;
  }
  return { text: result + text.slice(position), originalOffset: (offset) => originalOffset(offset, lineStarts) };
}

function originalOffset(offset: number, lineStarts: readonly number[]): number {
  // How many of the lines begin, moved, at the offset or before it. A search by halves: every node asks twice.
  let low = 0;
  let high = lineStarts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] ?? 0) + middle * filler.length <= offset) low = middle + 1;
    else high = middle;
  }
  const start = lineStarts[low - 1];
  // What lies within the filler belongs to the start of its line.
  return start === undefined ? offset : Math.max(start, offset - low * filler.length);
}

/** The starts of the lines that lie within brackets or quotes. A scan of the text that knows just enough of YAML. */
function* continuationLines(text: string): Pieces<readonly number[]> {
  const starts: number[] = [];
  let depth = 0;
  let quote = '';
  /** Indentation of the line whose block scalar we are in, -1 outside. */
  let blockIndent = -1;
  let count = 0;
  for (const line of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    const content = line[0];
    if (content === '') break;
    if (++count % linesOfPiece === 0) yield;
    const indent = /^ */.exec(content)?.[0].length ?? 0;
    if (quote !== '' || depth > 0) starts.push(line.index);
    else if (blockIndent >= 0) {
      if (content.trim() === '' || indent > blockIndent) continue;
      blockIndent = -1;
    }
    ({ depth, quote, blockIndent } = scanLine(content, depth, quote, indent));
  }
  return starts;
}

function scanLine(
  line: string,
  depthBefore: number,
  quoteBefore: string,
  indent: number,
): { depth: number; quote: string; blockIndent: number } {
  let depth = depthBefore;
  let quote = quoteBefore;
  let mayStart = true;
  for (let index = 0; index < line.length; index++) {
    const char = line[index] ?? '';
    if (quote !== '') {
      if (char === '\\' && quote === '"') index++;
      else if (char === quote) {
        quote = '';
        mayStart = false;
      }
      continue;
    }
    const isAfterBlank = index === 0 || /\s/.test(line[index - 1] ?? '');
    if (char === '#' && isAfterBlank) break;
    if (/\s/.test(char)) continue;
    if (mayStart && (char === '"' || char === "'")) quote = char;
    else if (mayStart && (char === '[' || char === '{')) depth++;
    else if (depth > 0 && (char === ']' || char === '}')) {
      depth--;
      mayStart = false;
    } else if (mayStart && depth === 0 && /^[|>][-+0-9]*\s*(?:#.*)?$/.test(line.slice(index).trimEnd())) {
      return { depth, quote, blockIndent: indent };
    } else if (depth > 0 && (char === ',' || char === ':')) mayStart = true;
    else if ((char === ':' || char === '-' || char === '?') && /\s|^$/.test(line[index + 1] ?? '')) mayStart = true;
    // Tags and anchors stand in front of what they belong to.
    else if (mayStart && (char === '!' || char === '&'))
      index += (/^[^\s,[\]{}]*/.exec(line.slice(index))?.[0].length ?? 1) - 1;
    else mayStart = false;
  }
  return { depth, quote, blockIndent: -1 };
}
