import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Clock, type Disposable, describeError, type Log } from '../base/index.ts';
import type { AccessControl, User } from './access.ts';
import { type Answer, errorAnswer, essenceOf, jsonAnswer, readBody, requireJson, send, textAnswer } from './answer.ts';
import { type ClusterVersion, discoveryAnswer } from './discovery.ts';
import type { FaultPlan, FaultTarget } from './faults.ts';
import { authorize, type HandlerParts, handle, type IncomingCall, type ResourceRequest } from './handler.ts';
import { type LogReader, sendLog } from './podLogAnswer.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import { protobufType } from './protobuf/types.ts';
import { parseRequest, type RequestInfo } from './requestInfo.ts';
import { handleReview } from './reviews.ts';
import { ApiError, unknownResource } from './status.ts';
import type { WatchHub } from './watchHub.ts';

/** Everything that one cluster's server answers from. */
export interface ApiServerOptions extends HandlerParts {
  readonly certificate: string;
  readonly key: string;
  readonly version: ClusterVersion;
  readonly access: AccessControl;
  readonly faults: FaultPlan;
  readonly watches: WatchHub;
  readonly logs: LogReader;
  readonly clock: Clock;
  readonly log: Log;
}

/** The HTTP side of one cluster: who asks, for what, what goes wrong on purpose, and what is answered. */
export class ApiServer {
  readonly #options: ApiServerOptions;
  readonly #server: Server;
  /** Requests that wait for a fault to pass. */
  readonly #waiting = new Set<Disposable>();

  constructor(options: ApiServerOptions) {
    this.#options = options;
    this.#server = createServer(
      { cert: options.certificate, key: options.key, minVersion: 'TLSv1.2' },
      (request, response) => {
        this.#serve(request, response).catch((error: unknown) => this.#fail(response, error));
      },
    );
    // A pooled connection that the server closes while the client reuses it looks like a fault that nobody ordered.
    this.#server.keepAliveTimeout = 120_000;
  }

  /** Listens on loopback and resolves with the port. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        // From now on an error event is about the port; one that nobody hears would end the process.
        this.#server.on('error', (error) => {
          this.#options.log.error('A sandbox port failed.', { error: describeError(error) });
        });
        resolve(portOf(this.#server.address()));
      });
    });
  }

  /** Closes the port and every connection. */
  async close(): Promise<void> {
    for (const wait of this.#waiting) wait.dispose();
    this.#waiting.clear();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, access, faults } = this.#options;
    const url = new URL(request.url ?? '/', 'https://localhost');
    // Clients measure a cluster's clock by this header.
    response.sendDate = false;
    response.setHeader('Date', new Date(clock.now()).toUTCString());
    const info = parseRequest(request.method ?? 'GET', url.pathname, url.searchParams);
    const hit = faults.take(targetOf(info, url.pathname));
    let isAnswerLost = false;
    let isGarbage = false;
    if (hit !== undefined) {
      switch (hit.fault.kind) {
        case 'delay':
          await this.#wait(hit.fault.ms, response);
          break;
        case 'answer':
          await readBody(request);
          send(response, faultAnswer(hit.fault));
          return;
        case 'instead':
          await readBody(request);
          send(response, jsonAnswer(200, JSON.stringify(hit.fault.body)));
          return;
        case 'reset':
          reset(response);
          return;
        case 'black-hole':
          hit.whenRemoved(() => reset(response));
          return;
        case 'lose-answer':
          isAnswerLost = true;
          break;
        case 'garbage':
          isGarbage = true;
          break;
      }
      if (response.destroyed) return;
    }
    // A fault that loses or spoils the answer comes after everything has been carried out.
    const answer = await this.#answer(request, response, url, info, () =>
      access.authenticate(request.headers.authorization),
    );
    if (isAnswerLost) reset(response);
    else if (answer !== undefined) send(response, isGarbage ? { ...answer, body: '<html>502</html>' } : answer);
  }

  /** Undefined if the response is a stream that has been begun. */
  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    info: RequestInfo | undefined,
    authenticate: () => User,
  ): Promise<Answer | undefined> {
    const bytes = await readBody(request);
    try {
      // Health and version are open to everybody, as on a real cluster.
      const fixed = info?.kind === 'other' ? this.#discover(request, url.pathname) : undefined;
      if (fixed !== undefined && isPublic(url.pathname)) return fixed;
      const user = authenticate();
      if (fixed !== undefined) return fixed;
      if (info === undefined) throw unknownResource();
      if (info.kind === 'other') return textAnswer(404, '404 page not found\n');
      const { body, contentType } = readable(bytes, request.headers['content-type'] ?? '');
      if (info.kind === 'review') {
        requireJson(contentType);
        return handleReview(user, info.review, body, this.#options.clock);
      }
      authorize(user, info);
      const call: IncomingCall = {
        info,
        query: url.searchParams,
        accept: request.headers.accept ?? '',
        contentType,
        body,
      };
      return this.#dispatch(call, info, response);
    } catch (error) {
      if (error instanceof ApiError) return errorAnswer(error);
      throw error;
    }
  }

  /** What is streamed writes to the response itself. */
  #dispatch(call: IncomingCall, info: ResourceRequest, response: ServerResponse): Answer | undefined {
    if (info.verb === 'watch') {
      this.#options.watches.open(call, response);
      return undefined;
    }
    if (info.type.plural === 'pods' && info.subresource === 'log' && info.verb === 'get') {
      return sendLog(this.#options.logs, call, response);
    }
    return handle(this.#options, call);
  }

  /** The fixed answers need no store. */
  #discover(request: IncomingMessage, path: string): Answer | undefined {
    const found = discoveryAnswer(path.replace(/\/$/u, ''), this.#options.version, request.headers.host ?? '');
    if (found === undefined) return undefined;
    return typeof found === 'string' ? textAnswer(200, found) : jsonAnswer(200, JSON.stringify(found));
  }

  /** Waits by the cluster's clock, and no longer than the client does. */
  #wait(ms: number, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        timer.dispose();
        this.#waiting.delete(entry);
        response.off('close', finish);
        resolve();
      };
      const timer = this.#options.clock.after(ms, finish);
      const entry = { dispose: finish };
      this.#waiting.add(entry);
      response.once('close', finish);
    });
  }

  #fail(response: ServerResponse, error: unknown): void {
    // A client that went away in the middle of a request is no failure of the server.
    if (response.destroyed || response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof ApiError) {
      send(response, errorAnswer(error));
      return;
    }
    this.#options.log.error('The sandbox failed to answer a request.', { error: describeError(error) });
    const internal = new ApiError({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: ${describeError(error)}`,
    });
    send(response, errorAnswer(internal));
  }
}

/** The body as text. kubectl writes some of its requests in protobuf, which is made JSON here, once for all handlers. */
function readable(bytes: Buffer, contentType: string): { readonly body: string; readonly contentType: string } {
  if (essenceOf(contentType) !== 'application/vnd.kubernetes.protobuf') return { body: bytes.toString(), contentType };
  return { body: JSON.stringify(decodeProtobuf(bytes, protobufType)), contentType: 'application/json' };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** What a probe may see without a token. */
function isPublic(path: string): boolean {
  return /^\/(healthz|livez|readyz|version)\/?$/u.test(path);
}

/** Tears the connection down in the middle, so that the client can't take it for the end of an answer. */
function reset(response: ServerResponse): void {
  response.socket?.destroy();
}

function faultAnswer(fault: { status: number; reason?: string; message?: string; retryAfterSeconds?: number }): Answer {
  const { status, reason, message, retryAfterSeconds } = fault;
  return errorAnswer(
    new ApiError({
      code: status,
      message: message ?? 'a fault that was ordered',
      ...(reason === undefined ? {} : { reason }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds, details: { retryAfterSeconds } }),
    }),
  );
}

function targetOf(info: RequestInfo | undefined, path: string): FaultTarget {
  if (info?.kind !== 'resource') {
    const resource = info?.kind === 'review' ? info.review : '';
    return {
      verb: info?.kind === 'review' ? 'create' : 'get',
      resource,
      subresource: '',
      namespace: '',
      name: '',
      path,
    };
  }
  const { type, verb, namespace = '', name = '', subresource = '' } = info;
  return { verb, resource: type.plural, subresource, namespace, name, path };
}
