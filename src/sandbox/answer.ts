import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError } from '../base/index.ts';
import { type ApiError, badRequest, tooLarge, unsupportedMediaType } from './status.ts';

/** A whole answer; streams (watches, followed logs) write to the response themselves. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly warnings: readonly string[];
  readonly retryAfterSeconds?: number;
}

/** `body` is JSON text; it gets the final newline that the real server writes. */
export function jsonAnswer(status: number, body: string, warnings: readonly string[] = []): Answer {
  return { status, contentType: 'application/json', body: `${body}\n`, warnings };
}

/** For the few answers that are no JSON: health, logs, paths that nobody knows. */
export function textAnswer(status: number, body: string): Answer {
  return { status, contentType: 'text/plain; charset=utf-8', body, warnings: [] };
}

/** A refusal, as its `Status` object and with its `Retry-After`. */
export function errorAnswer(error: ApiError): Answer {
  const { retryAfterSeconds } = error;
  return {
    ...jsonAnswer(error.code, JSON.stringify(error.body)),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** Writes the whole answer and ends the response. */
export function send(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  response.setHeader('Content-Type', answer.contentType);
  response.setHeader('Content-Length', Buffer.byteLength(answer.body));
  response.setHeader('Cache-Control', 'no-cache, private');
  const warnings = answer.warnings.filter((text) => !/\p{Cc}/u.test(text)).map(warningHeader);
  if (warnings.length > 0) response.setHeader('Warning', warnings);
  if (answer.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(answer.retryAfterSeconds));
  response.end(answer.body);
}

/**
 * `299 - "text"` (RFC 7234), in UTF-8: Node writes each character of a header as a byte. A text with control characters
 * has no header, as with the real server. Source: Kubernetes 1.35, apimachinery, NewWarningHeader.
 */
function warningHeader(text: string): string {
  const quoted = text.replaceAll(/["\\]/gu, '\\$&');
  return Buffer.from(`299 - "${quoted}"`, 'utf8').toString('latin1');
}

/** As large as the real server takes. */
const bodyLimitBytes = 3 * 1024 * 1024;

/** Rejects with the 413 as soon as the body is larger than the real server takes. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size > bodyLimitBytes) throw tooLarge(bodyLimitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Throws the 415 of a body that says it is something else than JSON. */
export function requireJson(contentType: string): void {
  const essence = essenceOf(contentType);
  if (essence !== '' && essence !== 'application/json') throw unsupportedMediaType(['application/json']);
}

/** A media type without its parameters. */
export function essenceOf(contentType: string): string {
  return contentType.split(';')[0]?.trim() ?? '';
}

/** Throws the 400 of a body that is no JSON. What comes back is JSON, but nobody has looked at it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized: couldn't get version/kind; json parse error: ${describeError(error)}`,
    );
  }
}
