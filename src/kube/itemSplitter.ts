const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Cuts the JSON text of a list into its items while it arrives, so that no more than one item is parsed at a time: a
 * page of two megabytes parsed at once would hold up the editor, and needs far more memory than its items kept small.
 *
 * Only tells strings from structure; whether the pieces are JSON is for their parser to say. What stands around the
 * items is handed out at the end, with an empty list in their place.
 *
 * Invariant: `#depth` is the number of objects and lists that are open at the byte that is looked at next.
 */
export class ItemSplitter {
  readonly #onItem: (json: string) => void;
  #isInString = false;
  #isEscaped = false;
  #depth = 0;
  /** The bytes of the last string at depth 1: the key, if a colon follows. */
  #key = '';
  #isInItems = false;
  #hadItems = false;
  /** Pieces of what is being gathered: the item, or what stands around the items. */
  #pieces: Buffer[] = [];
  #outside: Buffer[] = [];

  constructor(onItem: (json: string) => void) {
    this.#onItem = onItem;
  }

  push(chunk: Buffer): void {
    // Locals, because this loop sees every byte of every list.
    let depth = this.#depth;
    let start = 0;
    let at = this.#isInString ? this.#skipString(chunk, 0) : 0;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === quote) {
        this.#depth = depth;
        this.#isInString = true;
        if (depth === 1) this.#key = '';
        at = this.#skipString(chunk, at + 1) - 1;
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth === 2 && byte === openBracket && this.#key === 'items' && !this.#hadItems) {
          this.#outside.push(chunk.subarray(start, at + 1));
          start = at + 1;
          this.#isInItems = true;
          this.#hadItems = true;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 1 && this.#isInItems) {
          this.#emit(chunk.subarray(start, at));
          start = at;
          this.#isInItems = false;
        }
      } else if (byte === comma && depth === 2 && this.#isInItems) {
        this.#emit(chunk.subarray(start, at));
        start = at + 1;
      }
    }
    this.#depth = depth;
    if (start < chunk.length) (this.#isInItems ? this.#pieces : this.#outside).push(chunk.subarray(start));
  }

  /** The whole text but for the items. */
  get rest(): string {
    // What of an unfinished item there is makes the text the broken JSON that it is.
    return Buffer.concat([...this.#outside, ...this.#pieces]).toString('utf8');
  }

  /** Reads to the end of the string, or of the chunk; returns the place of the byte after it. */
  #skipString(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped && at < chunk.length) {
      this.#isEscaped = false;
      at += 1;
    }
    while (at < chunk.length && chunk[at] !== quote) at += chunk[at] === backslash ? 2 : 1;
    // Keys at the top are few and short; no other string is looked at.
    if (this.#depth === 1 && this.#key.length < 16)
      this.#key += chunk.toString('latin1', from, Math.min(at, from + 16));
    this.#isEscaped = at > chunk.length;
    if (at >= chunk.length) return chunk.length;
    this.#isInString = false;
    return at + 1;
  }

  #emit(end: Buffer): void {
    const item = this.#pieces.length === 0 ? end : Buffer.concat([...this.#pieces, end]);
    this.#pieces = [];
    const text = item.toString('utf8').trim();
    if (text !== '') this.#onItem(text);
  }
}
