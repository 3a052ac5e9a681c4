import { Agent, request as httpsRequest } from 'node:https';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

/** One event of a watch, as it comes over the wire. */
export interface WireEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/**
 * A client of a test's own: it shares nothing with the product, so that a fault there isn't hidden here. Requests are
 * plain paths below the server's root.
 */
export interface Api {
  request(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer>;
  /** Watches from now on, again and again, until the signal aborts. */
  watch(path: string, onEvent: (event: WireEvent) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface ApiOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  /** PEM of what signed the server's certificate. */
  readonly authority: string;
  readonly token: string;
}

export const mergePatch = 'application/merge-patch+json';

/** A client for one server and one user. */
export function apiOf({ server, authority, token }: ApiOptions): Api {
  const agent = new Agent({ ca: authority, keepAlive: true });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };

  return {
    request(method, path, body, contentType = 'application/json') {
      return new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : goJson(body);
        const extra =
          text === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(text) };
        const outgoing = httpsRequest(
          `${server}${path}`,
          { agent, method, headers: { ...headers, ...extra } },
          (incoming) => {
            let answer = '';
            incoming.setEncoding('utf8').on('data', (chunk: string) => {
              answer += chunk;
            });
            incoming.on('error', reject);
            incoming.on('end', () =>
              resolve({
                status: incoming.statusCode ?? 0,
                body: parse(answer),
                warnings: warningsIn(incoming.headers['warning']),
              }),
            );
          },
        );
        outgoing.on('error', reject);
        outgoing.end(text);
      });
    },

    async watch(path, onEvent, signal) {
      while (!signal.aborted) {
        try {
          await watchOnce(`${server}${path}`, { agent, headers, signal }, onEvent);
        } catch (error) {
          if (!signal.aborted) throw error;
        }
      }
    },

    close: () => agent.destroy(),
  };
}

function watchOnce(
  url: string,
  options: { readonly agent: Agent; readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  onEvent: (event: WireEvent) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const separator = url.includes('?') ? '&' : '?';
    const outgoing = httpsRequest(`${url}${separator}watch=true`, options, (incoming) => {
      let rest = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const { type, object } of lines.map(parse)) {
          if (typeof type === 'string' && isJsonObject(object)) onEvent({ type, object });
        }
      });
      incoming.on('error', reject);
      incoming.on('close', resolve);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : { text };
  } catch {
    // Health checks and some refusals are plain text.
    return { text };
  }
}

/** The texts of `Warning` headers: `299 - "text", 299 - "text"`, in UTF-8, of which Node makes a character a byte. */
function warningsIn(header: string | string[] | undefined): readonly string[] {
  const bytes = Array.isArray(header) ? header.join(', ') : (header ?? '');
  const joined = Buffer.from(bytes, 'latin1').toString('utf8');
  return [...joined.matchAll(/299 \S+ ("(?:[^"\\]|\\.)*")/g)].map((match) => String(JSON.parse(match[1] ?? '""')));
}

/**
 * JSON as Go writes it, and so kubectl: with these two separators escaped. A server reads amounts from the bytes, and
 * takes the character itself for white space.
 */
function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
