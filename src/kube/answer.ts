import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { classifyAnswer, type RequestFacts } from './classify.ts';

/** A successful answer: its body is still to be read. */
export interface HttpResponse {
  readonly status: number;
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[];
  /** Server's clock as the `Date` header tells it, epoch milliseconds. */
  readonly serverTime: number | undefined;
  /** Decompressed. */
  readonly body: Readable;
  /** Sets the deadline anew, counted from now. */
  extendDeadline(deadlineMs: number): void;
}

/** Longest error text that is read; a Status is small. */
const errorBodyLimit = 1 << 20;

/** Reads an answer of any kind: a success by `read`, everything else into the `KubeError` that it stands for. */
export async function readAnswer<T>(
  incoming: IncomingMessage,
  facts: RequestFacts,
  read: (response: HttpResponse) => Promise<T>,
  extendDeadline: (deadlineMs: number) => void,
): Promise<T> {
  const status = incoming.statusCode ?? 0;
  const body = decompress(incoming);
  if (status < 200 || status > 299) {
    const retryAfter = incoming.headers['retry-after'];
    throw classifyAnswer(facts, { status, body: await readText(body, errorBodyLimit), retryAfter });
  }
  const date = Date.parse(incoming.headers.date ?? '');
  const value = await read({
    status,
    warnings: parseWarnings(incoming.headersDistinct['warning'] ?? []),
    serverTime: Number.isNaN(date) ? undefined : date,
    body,
    extendDeadline,
  });
  // A body that was not read to its end would keep the connection from going back to the pool.
  if (!body.readableEnded) body.resume();
  return value;
}

function decompress(incoming: IncomingMessage): Readable {
  if (incoming.headers['content-encoding'] !== 'gzip') return incoming;
  const gunzip = createGunzip();
  // A failure of either end shows as an error of `gunzip`, which is what the reader reads.
  pipeline(incoming, gunzip, () => undefined);
  return gunzip;
}

/** The whole body as text; what goes past `limit` bytes is cut off. */
export async function readText(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    if (length < limit) chunks.push(chunk.subarray(0, limit - length));
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * `299 - "text"` as Kubernetes sends it, or several behind commas, as a proxy may join them: the texts alone. They are
 * UTF-8, and Node reads each byte of a header as a character.
 */
function parseWarnings(headers: readonly string[]): string[] {
  return headers.flatMap((bytes) => {
    const header = Buffer.from(bytes, 'latin1').toString('utf8');
    const quoted = [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
    return quoted.length === 0 ? [header] : quoted.map((text) => text.replace(/\\(.)/g, '$1'));
  });
}
