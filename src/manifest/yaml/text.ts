/** A place in a text. All three count from 0; `offset` and `column` count UTF-16 units, as editors do. */
export interface TextPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A half-open piece of a text. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** The same by lines and columns alone, as editors know it. */
export interface TextPart {
  readonly start: Pick<TextPosition, 'line' | 'column'>;
  readonly end: Pick<TextPosition, 'line' | 'column'>;
}

/** Half-open offsets. Relative to whatever text the code at hand reads: a whole file or one document of it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces a span by `newText`. */
export interface TextEdit extends Span {
  readonly newText: string;
}

/** Turns offsets of one text into lines and columns. LF and CRLF end a line, and so does a lone CR. */
export class LineIndex {
  readonly #lineStarts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const lineStarts = [0];
    if (text.includes('\r')) {
      for (const match of text.matchAll(/\r\n|\n|\r/g)) lineStarts.push(match.index + match[0].length);
    } else {
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
    }
    this.#lineStarts = lineStarts;
    this.#length = text.length;
  }

  /** Offsets outside the text are moved to its nearest end. */
  position(offset: number): TextPosition {
    const clamped = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= clamped) low = middle;
      else high = middle - 1;
    }
    return { offset: clamped, line: low, column: clamped - (this.#lineStarts[low] ?? 0) };
  }

  /** The offset at which a line begins; the end of the text for lines behind the last. */
  lineStart(line: number): number {
    return this.#lineStarts[line] ?? this.#length;
  }

  range(span: Span): TextRange {
    return { start: this.position(span.start), end: this.position(Math.max(span.start, span.end)) };
  }
}

/** The line break that a text uses, taken from its first one. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/**
 * The text with the edits applied; their spans are offsets of `text`. An edit that overlaps one that starts before it
 * is left out, so that two fixes of one place never mix: check again and apply what is still offered.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let position = 0;
  for (const edit of sorted) {
    if (edit.start < position) continue;
    result += text.slice(position, edit.start) + edit.newText;
    position = edit.end;
  }
  return result + text.slice(position);
}
