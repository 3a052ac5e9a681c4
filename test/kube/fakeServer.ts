import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** What a request was, with its body read. */
export interface SeenRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export type Handler = (request: SeenRequest, response: ServerResponse, socket: Socket) => void;

export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Connections open now. */
  readonly openConnections: number;
  /** Replaces what it answers. */
  answer(handler: Handler): void;
}

/** A server on loopback that answers as the test says. */
export async function startFakeServer(
  handler: Handler = (_request, response) => response.end(),
  tls?: { readonly key: string; readonly cert: string; readonly ca?: string; readonly requestCert?: boolean },
  atPort = 0,
): Promise<FakeServer> {
  let current = handler;
  let connections = 0;
  const sockets = new Set<Socket>();
  const requests: SeenRequest[] = [];
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://fake');
      const seen: SeenRequest = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(seen);
      current(seen, response, incoming.socket);
    });
  };
  const server =
    tls === undefined
      ? http.createServer(listener)
      : https.createServer({ ...tls, rejectUnauthorized: tls.requestCert ?? false }, listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections;
    },
    get openConnections() {
      return sockets.size;
    },
    answer(next) {
      current = next;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Answers with a Status, as the API machinery does. */
export function status(
  response: ServerResponse,
  code: number,
  reason: string,
  message: string,
  details?: object,
  headers: Record<string, string> = {},
): void {
  json(response, statusBody(code, reason, message, details), code, headers);
}

export function statusBody(code: number, reason: string, message: string, details?: object): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message, details };
}

/** A Job as a server returns it. */
export function jobObject(name: string, uid = `uid-${name}`, resourceVersion = '1', more: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default', uid, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { template: {} },
    ...more,
  };
}

export function jobList(items: readonly object[], resourceVersion = '100', continueToken?: string): object {
  return { apiVersion: 'batch/v1', kind: 'JobList', metadata: { resourceVersion, continue: continueToken }, items };
}

export function watchLine(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}
