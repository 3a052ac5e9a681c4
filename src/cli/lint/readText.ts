import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { describeError } from '../../base/index.ts';
import { mayHoldWorkload } from '../../manifest/index.ts';

/** The text of a file, or why there is none. */
export type FileText =
  | {
      readonly kind: 'text';
      /** With its byte order mark. */
      readonly text: string;
      /** The same for two paths that lead to one file. */
      readonly id: string;
    }
  | { readonly kind: 'unreadable'; readonly message: string }
  /** No text, and not one of ours as far as its bytes tell. */
  | { readonly kind: 'foreign' };

/** Bytes of the largest file that is read; a multiple of what any cluster takes in one go. */
export const largestText = 256 * 1024 * 1024;

const chunkBytes = 1024 * 1024;

/** Reads files one after the other; what they have in common is one buffer. */
export class TextReader {
  readonly #buffer = Buffer.allocUnsafe(64 * 1024);

  /** Reads a regular file; `isNamed` asks for an answer even where the file is none of ours. Never throws. */
  read(path: string, isNamed: boolean): FileText {
    let file: number | undefined;
    try {
      file = openSync(path, 'r');
      const { size, dev, ino } = fstatSync(file);
      if (size > largestText) {
        if (!isNamed && !bytesMayBeOurs(file)) return { kind: 'foreign' };
        const message = `the file has ${Math.ceil(size / 1e6)} MB, and at most ${largestText >> 20} MiB are read. Split it into several files.`;
        return { kind: 'unreadable', message };
      }
      const bytes = readAll(file, size < this.#buffer.length ? this.#buffer : Buffer.allocUnsafe(size + 1));
      if (isWide(bytes) || !isUtf8(bytes)) {
        return isNamed || mayBeOurs(bytes) ? { kind: 'unreadable', message: encodingOf(bytes) } : { kind: 'foreign' };
      }
      return { kind: 'text', text: bytes.toString('utf8'), id: `${dev}:${ino}` };
    } catch (error) {
      return { kind: 'unreadable', message: `${describeError(error)}. Check that you may read it.` };
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

/** The rest of a file; a buffer that is larger than it saves the second one. */
function readAll(file: number, buffer: Buffer): Buffer {
  let bytes = buffer;
  for (let length = 0; ; ) {
    if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length);
    const read = readSync(file, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
  }
}

/** Whether bytes of any encoding name one of our kinds. */
function mayBeOurs(bytes: Buffer): boolean {
  return mayHoldWorkload(plainCharacters(bytes, isWide(bytes)));
}

/** The same for a file that is too large to be held. */
function bytesMayBeOurs(file: number): boolean {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let wide: boolean | undefined;
  // A name may stand across the end of a chunk.
  let tail = '';
  for (let at = 0; ; ) {
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) return false;
    at += read;
    const bytes = chunk.subarray(0, read);
    wide ??= isWide(bytes);
    const text = tail + plainCharacters(bytes, wide);
    if (mayHoldWorkload(text)) return true;
    tail = text.slice(-4096);
  }
}

/** Those of ASCII as they are, whatever the encoding. */
function plainCharacters(bytes: Buffer, wide: boolean): string {
  return wide ? bytes.toString('latin1').replaceAll('\0', '') : bytes.toString('latin1');
}

/** UTF-16 or UTF-32: by a byte order mark, or since the first character, which is of ASCII, takes a zero byte. */
function isWide(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return false;
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function encodingOf(bytes: Buffer): string {
  return isWide(bytes)
    ? "the file is UTF-16 or UTF-32, as some versions of PowerShell's > write it. Save it as UTF-8: nothing else is read."
    : 'the file is not UTF-8. Save it as UTF-8: nothing else is read.';
}
