import http from 'node:http';
import https from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';

/**
 * The proxy that the environment names for `server`, if any. Loopback never goes through one, as in Go's rules, which
 * kubectl follows.
 */
export function proxyFromEnvironment(
  server: URL,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy) return undefined;
  const host = server.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1' || /^127\./.test(host)) return undefined;
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  const exceptions = (env['NO_PROXY'] || env['no_proxy'] || '').split(',');
  if (exceptions.some((exception) => matchesException(exception.trim().toLowerCase(), host.toLowerCase(), port))) {
    return undefined;
  }
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function matchesException(exception: string, host: string, port: string): boolean {
  if (exception === '') return false;
  if (exception === '*') return true;
  if (exception.includes('/')) return isInNetwork(host, exception);
  const withPort = /^(.*[^:]):(\d+)$/.exec(exception);
  const name = withPort?.[1] ?? exception;
  if (withPort?.[2] !== undefined && withPort[2] !== port) return false;
  if (name.startsWith('.')) return host.endsWith(name);
  const domain = name.startsWith('*.') ? name.slice(2) : name;
  return host === domain || host.endsWith(`.${domain}`);
}

/** IPv4 networks alone: an IPv6 network in NO_PROXY is rare, and not matching it merely uses the proxy. */
function isInNetwork(host: string, network: string): boolean {
  const [base, bits] = network.split('/');
  const address = parseIpv4(host);
  const start = parseIpv4(base ?? '');
  const length = Number(bits);
  if (address === undefined || start === undefined || !(length >= 0 && length <= 32)) return false;
  const size = 2 ** (32 - length);
  return Math.floor(address / size) === Math.floor(start / size);
}

function parseIpv4(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) ? parts.reduce((sum, part) => sum * 256 + part, 0) : undefined;
}

/** Opens a tunnel through an HTTP(S) proxy by CONNECT; `done` gets the raw socket. */
function openTunnel(
  proxy: URL,
  host: string,
  port: number,
  done: (error: Error | null, socket?: Duplex) => void,
): void {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login =
    proxy.username === '' ? {} : { 'Proxy-Authorization': `Basic ${encodeLogin(proxy.username, proxy.password)}` };
  const client = proxy.protocol === 'https:' ? https : http;
  const request = client.request({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers: { Host: authority, ...login },
    agent: false,
  });
  request.once('connect', (response, socket) => {
    if (response.statusCode === 200) {
      done(null, socket);
      return;
    }
    socket.destroy();
    done(new Error(`The proxy ${proxy.host} refused the connection to ${authority}: HTTP ${response.statusCode}.`));
  });
  request.once('response', (response) => {
    response.destroy();
    done(new Error(`The proxy ${proxy.host} answered CONNECT with HTTP ${response.statusCode}.`));
  });
  request.once('error', (error) => done(error));
  request.end();
}

function encodeLogin(user: string, password: string): string {
  return Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64');
}

/** A pooled agent whose connections go through an HTTP proxy. */
export class TunnelAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #useTls: boolean;
  readonly #host: string;
  readonly #port: number;
  readonly #tlsOptions: tls.ConnectionOptions;

  constructor(proxy: URL, server: URL, options: https.AgentOptions) {
    super(options);
    this.#proxy = proxy;
    this.#useTls = server.protocol === 'https:';
    this.#host = server.hostname.replace(/^\[|\]$/g, '');
    this.#port = Number(server.port) || (this.#useTls ? 443 : 80);
    this.#tlsOptions = options;
    // Node refuses a request whose protocol isn't the agent's.
    Object.assign(this, { protocol: server.protocol });
  }

  override createConnection(_options: unknown, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    openTunnel(this.#proxy, this.#host, this.#port, (error, socket) => {
      if (error !== null || socket === undefined) {
        callback?.(error, socket ?? new Socket());
        return;
      }
      if (!this.#useTls) {
        callback?.(null, socket);
        return;
      }
      // An IP address is no server name for TLS; Node then checks the certificate's addresses by `host`.
      const serverName =
        this.#tlsOptions.servername ?? (parseIpv4(this.#host) || this.#host.includes(':') ? '' : this.#host);
      callback?.(null, tls.connect({ ...this.#tlsOptions, host: this.#host, socket, servername: serverName }));
    });
    return undefined;
  }
}
