import { Agent, request } from 'node:https';

/** What a server answered, as far as tests compare it. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly warnings: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface SendOptions {
  readonly contentType?: string;
  readonly accept?: string;
  /** Another token than the client's own; '' for none at all. */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/** A bare HTTPS client, so that tests see every header and every byte of an API server's answers. */
export class Client {
  readonly #url: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(server: { readonly url: string; readonly token: string; readonly ca?: string }) {
    this.#url = server.url;
    this.#token = server.token;
    this.#agent = new Agent({ keepAlive: true, ...(server.ca === undefined ? {} : { ca: server.ca }) });
  }

  send(method: string, path: string, body?: unknown, options: SendOptions = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(method, path, body, options);
      outgoing.once('error', reject);
      outgoing.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const warning = response.headers['warning'];
          resolve({
            status: response.statusCode ?? 0,
            text,
            body: parsed(text),
            warnings:
              warning === undefined
                ? []
                : Buffer.from(String(warning), 'latin1')
                    .toString('utf8')
                    .split(/, (?=299 )/u)
                    .map(warningText),
            headers: response.headers,
          });
        });
      });
    });
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  /** Calls `onLine` for each line of a stream; `done` resolves when the server ends it and rejects when it breaks. */
  stream(
    path: string,
    onLine: (line: string) => void,
    options: SendOptions = {},
  ): { readonly done: Promise<void>; readonly opened: Promise<number>; close(): void } {
    const outgoing = this.#open('GET', path, undefined, options);
    const opened = Promise.withResolvers<number>();
    const done = Promise.withResolvers<void>();
    const fail = (error: Error): void => {
      opened.reject(error);
      done.reject(error);
    };
    // A test may look at one of them alone.
    opened.promise.catch(() => undefined);
    done.promise.catch(() => undefined);
    outgoing.once('error', fail);
    outgoing.once('response', (response) => {
      opened.resolve(response.statusCode ?? 0);
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(line);
      });
      response.once('error', fail);
      response.once('end', () => done.resolve());
    });
    return { done: done.promise, opened: opened.promise, close: () => outgoing.destroy() };
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(method: string, path: string, body: unknown, options: SendOptions) {
    const { contentType = 'application/json', accept = 'application/json', token = this.#token } = options;
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const outgoing = request(`${this.#url}${path}`, {
      method,
      agent: this.#agent,
      headers: {
        accept,
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(payload) }),
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    outgoing.end(payload);
    return outgoing;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function warningText(header: string): string {
  return (/^299 - "(?<text>.*)"$/u.exec(header)?.groups?.['text'] ?? header).replaceAll(/\\(["\\])/gu, '$1');
}
