import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiError, badRequest, tooLarge, unsupportedMediaType } from './status.ts';

/** A whole answer; streams (watches, followed logs) write to the response themselves. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly warnings: readonly string[];
  readonly retryAfterSeconds?: number;
}

export function jsonAnswer(status: number, body: string, warnings: readonly string[] = []): Answer {
  return { status, contentType: 'application/json', body: `${body}\n`, warnings };
}

export function textAnswer(status: number, body: string): Answer {
  return { status, contentType: 'text/plain; charset=utf-8', body, warnings: [] };
}

export function errorAnswer(error: ApiError): Answer {
  const { retryAfterSeconds } = error;
  return {
    ...jsonAnswer(error.code, JSON.stringify(error.body)),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

export function send(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  response.setHeader('Content-Type', answer.contentType);
  response.setHeader('Content-Length', Buffer.byteLength(answer.body));
  response.setHeader('Cache-Control', 'no-cache, private');
  if (answer.warnings.length > 0) response.setHeader('Warning', answer.warnings.map(warningHeader));
  if (answer.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(answer.retryAfterSeconds));
  response.end(answer.body);
}

/** `299 - "text"` (RFC 7234); what no header may carry becomes an escape or a question mark. */
function warningHeader(text: string): string {
  const safe = text
    .replaceAll(/[\r\n\t]+/gu, ' ')
    .replaceAll(/[^\x20-\x7e]/gu, '?')
    .replaceAll(/["\\]/gu, '\\$&');
  return `299 - "${safe}"`;
}

/** As large as the real server takes. */
const bodyLimitBytes = 3 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size > bodyLimitBytes) throw tooLarge(bodyLimitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Throws the 415 of a body that isn't JSON. kubectl writes some of its requests in protobuf, and is told so. */
export function requireJson(contentType: string): void {
  const essence = contentType.split(';')[0]?.trim() ?? '';
  if (essence === '' || essence === 'application/json') return;
  const isProtobuf = essence === 'application/vnd.kubernetes.protobuf';
  throw unsupportedMediaType(
    ['application/json'],
    isProtobuf ? 'the sandbox reads no protobuf: use kubectl create -f' : undefined,
  );
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized: couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
