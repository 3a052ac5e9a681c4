const newline = 0x0a;

/**
 * Cuts a stream of bytes at newlines, whatever the chunks. Works on bytes, because a chunk may end inside a character.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #pending: Buffer[] = [];

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#emit(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#pending.push(chunk.subarray(start));
  }

  /** What followed the last newline; empty if the stream ended with one. */
  get rest(): string {
    return Buffer.concat(this.#pending).toString('utf8');
  }

  #emit(end: Buffer): void {
    const line = this.#pending.length === 0 ? end : Buffer.concat([...this.#pending, end]);
    this.#pending = [];
    const text = line.toString('utf8').trim();
    if (text !== '') this.#onLine(text);
  }
}
