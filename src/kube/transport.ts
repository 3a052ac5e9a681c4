import http from 'node:http';
import https from 'node:https';
import { type Clock, childController, type Disposable, describeError } from '../base/index.ts';
import { type HttpResponse, readAnswer } from './answer.ts';
import { classifyNetworkError, type RequestFacts } from './classify.ts';
import type { Access, Credentials, TlsMaterial } from './credentials.ts';
import { KubeError } from './errors.ts';
import { ExecError } from './exec.ts';
import type { Limiter } from './limiter.ts';
import { TunnelAgent } from './proxy.ts';
import { isReachable } from './reachable.ts';

/** Where an API server is. */
export interface ServerAddress {
  readonly contextName: string;
  /** `https://host:6443` or `http://127.0.0.1:8001`, with a path if the server stands below one. */
  readonly server: string;
  /** `http://proxy:3128` or `https://…`; SOCKS proxies come as an agent of the credentials. */
  readonly proxyUrl?: string;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, below the server's own path. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** From sending to the end of the answer, unless `read` extends it. */
  readonly deadlineMs: number;
  readonly priority: 'normal' | 'urgent';
  /** True for what may be sent again after a reused connection turned out dead. */
  readonly isIdempotent: boolean;
}

export interface TransportDeps {
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly userAgent: string;
}

const keepAliveMs = 15_000;

/**
 * Requests to one API server as one user, over one pool of kept-alive connections. A request rejects with `KubeError`,
 * or with the signal's reason as soon as that aborts.
 */
export class Transport implements Disposable {
  readonly contextName: string;
  readonly #base: URL;
  readonly #proxy: URL | undefined;
  readonly #credentials: Credentials;
  readonly #deps: TransportDeps;
  /** The connections for the TLS material that was used last. */
  #pool: { readonly tls: TlsMaterial; readonly agent: http.Agent } | undefined;
  /** Requests under way, to be cut short when the transport is closed. */
  readonly #underWay = new Set<AbortController>();
  #closedBy: DOMException | undefined;
  /** When the server was last found out of reach because a login failed; undefined once it was reached. */
  #offlineAt: number | undefined;

  constructor(address: ServerAddress, credentials: Credentials, deps: TransportDeps) {
    this.contextName = address.contextName;
    this.#base = new URL(address.server);
    this.#proxy = address.proxyUrl === undefined ? undefined : new URL(address.proxyUrl);
    this.#credentials = credentials;
    this.#deps = deps;
  }

  /** What the errors of a request say about it. */
  factsOf(request: Pick<HttpRequest, 'method' | 'path'>): RequestFacts {
    const [path, query] = request.path.split('?');
    const suffix = query !== undefined && /(^|&)watch=/.test(query) ? '?watch=true' : '';
    return { contextName: this.contextName, request: `${request.method} ${path}${suffix}` };
  }

  /** Sends `request` and resolves with what `read` makes of a successful answer. */
  async exchange<T>(
    request: HttpRequest,
    read: (response: HttpResponse) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.#closedBy !== undefined) throw this.#closedBy;
    const { controller, release } = childController(signal);
    this.#underWay.add(controller);
    try {
      return await this.#send(request, read, controller.signal);
    } finally {
      release();
      this.#underWay.delete(controller);
    }
  }

  async #send<T>(request: HttpRequest, read: (response: HttpResponse) => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#deps.limiter.take(request.priority, signal);
    let access = await this.#enter(this.factsOf(request), signal);
    let isRenewed = false;
    let isRetried = false;
    for (;;) {
      try {
        return await this.#attempt(request, access, read, signal);
      } catch (error) {
        if (error instanceof StaleConnection) {
          if (isRetried || !request.isIdempotent) throw error.kubeError;
          isRetried = true;
          continue;
        }
        if (!(error instanceof KubeError)) throw error;
        if (error.kind === 'too-many-requests') this.#deps.limiter.slowDown(error.retryAfterMs ?? 1000);
        if (error.kind !== 'unauthorized' || isRenewed) throw error;
        isRenewed = true;
        const renewed = await this.#credentials.renew(access, signal);
        if (renewed === undefined) throw error;
        access = renewed;
      }
    }
  }

  /**
   * The login; or, if there is none to be had, the true reason: a login command fails as well where there is no network,
   * and then nobody has to log in. It gets one more try when the server can be reached again.
   */
  async #enter(facts: RequestFacts, signal: AbortSignal): Promise<Access> {
    try {
      return await this.#credentials.current(signal);
    } catch (error) {
      // One that is not installed is missing with a network, too.
      const isFailedLogin = error instanceof KubeError && error.kind === 'credentials';
      if (!isFailedLogin || !(error.cause instanceof ExecError)) throw error;
      const reached = await isReachable(this.#proxy ?? this.#base, this.#deps.clock, signal);
      if (reached !== true) {
        this.#offlineAt = this.#deps.clock.now();
        throw classifyNetworkError(facts, reached);
      }
      if (this.#offlineAt === undefined) throw error;
      this.#credentials.forgive?.(this.#offlineAt);
      this.#offlineAt = undefined;
      return await this.#credentials.current(signal);
    }
  }

  /** Forgets a failed login, so that the next request tries again. */
  resetCredentials(): void {
    this.#credentials.reset();
  }

  dispose(): void {
    this.#closedBy = new DOMException('The connection to the cluster was closed.', 'AbortError');
    for (const controller of this.#underWay) controller.abort(this.#closedBy);
    this.#pool?.agent.destroy();
    this.#deps.limiter.dispose();
  }

  #attempt<T>(
    request: HttpRequest,
    access: Access,
    read: (response: HttpResponse) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const facts = this.factsOf(request);
    return new Promise<T>((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
      const outgoing = this.#open(request, access, body?.length, facts);
      if (outgoing instanceof KubeError) {
        reject(outgoing);
        return;
      }
      let timer: Disposable | undefined;
      let isSettled = false;
      const settle = (conclude: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        timer?.dispose();
        signal.removeEventListener('abort', onAbort);
        conclude();
      };
      const fail = (error: unknown): void => {
        settle(() => reject(error));
        outgoing.destroy();
      };
      const onAbort = (): void => fail(signal.reason);
      const extendDeadline = (deadlineMs: number): void => {
        timer?.dispose();
        if (isSettled) return;
        timer = this.#deps.clock.after(deadlineMs, () =>
          fail(new KubeError(`No answer within ${Math.round(deadlineMs / 1000)} s.`, { ...facts, kind: 'timeout' })),
        );
      };
      signal.addEventListener('abort', onAbort, { once: true });
      extendDeadline(request.deadlineMs);
      outgoing.once('socket', (socket) => socket.setKeepAlive(true, keepAliveMs));
      outgoing.on('error', (error) => {
        const kubeError = classifyNetworkError(facts, error);
        // A pooled connection that the server had closed in the meantime: nothing is wrong with the server.
        fail(outgoing.reusedSocket && isReset(error) ? new StaleConnection(kubeError) : kubeError);
      });
      outgoing.once('response', (incoming) => {
        incoming.on('error', (error) => fail(classifyNetworkError(facts, error)));
        readAnswer(incoming, facts, read, extendDeadline).then(
          (value) => settle(() => resolve(value)),
          (error: unknown) => fail(error),
        );
      });
      outgoing.end(body);
    });
  }

  #open(
    request: HttpRequest,
    access: Access,
    bodyLength: number | undefined,
    facts: RequestFacts,
  ): http.ClientRequest | KubeError {
    const client = this.#base.protocol === 'https:' ? https : http;
    const headers: http.OutgoingHttpHeaders = {
      Accept: request.accept ?? 'application/json',
      'Accept-Encoding': 'gzip',
      'User-Agent': this.#deps.userAgent,
    };
    for (const [name, value] of Object.entries(access.headers))
      headers[name] = typeof value === 'string' ? value : [...value];
    if (bodyLength !== undefined) {
      headers['Content-Type'] = request.contentType ?? 'application/json';
      headers['Content-Length'] = bodyLength;
    }
    try {
      return client.request({
        protocol: this.#base.protocol,
        hostname: this.#base.hostname.replace(/^\[|\]$/g, ''),
        port: this.#base.port,
        method: request.method,
        path: `${this.#base.pathname.replace(/\/$/, '')}${request.path}`,
        headers,
        agent: access.agent ?? this.#agentFor(access.tls),
      });
    } catch (error) {
      // PEM that can't be read and headers that aren't allowed throw at once: the kubeconfig's fault, nothing was sent.
      return new KubeError(describeError(error), {
        ...facts,
        kind: 'kubeconfig',
        cause: error,
      });
    }
  }

  #agentFor(tls: TlsMaterial): http.Agent {
    if (this.#pool?.tls === tls) return this.#pool.agent;
    // A renewed certificate: the old connections end with what they are busy with.
    if (this.#pool !== undefined) retire(this.#pool.agent);
    const agent = this.#createAgent(tls);
    this.#pool = { tls, agent };
    return agent;
  }

  #createAgent(tls: TlsMaterial): http.Agent {
    const pool = { keepAlive: true, keepAliveMsecs: keepAliveMs, maxFreeSockets: 8, scheduling: 'lifo' as const };
    const options: https.AgentOptions = {
      ...pool,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.cert === undefined ? {} : { cert: tls.cert }),
      ...(tls.key === undefined ? {} : { key: tls.key }),
      ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
      ...(tls.insecureSkipVerify ? { rejectUnauthorized: false } : {}),
    };
    if (this.#proxy !== undefined) return new TunnelAgent(this.#proxy, this.#base, options);
    return this.#base.protocol === 'https:' ? new https.Agent(options) : new http.Agent(pool);
  }
}

/** Carries the error of a request that died on a connection which had served others before. */
class StaleConnection {
  readonly kubeError: KubeError;

  constructor(kubeError: KubeError) {
    this.kubeError = kubeError;
  }
}

function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}
