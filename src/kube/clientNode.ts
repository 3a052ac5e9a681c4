import type http from 'node:http';
import type https from 'node:https';
import { type Cluster, KubeConfig, type User } from '@kubernetes/client-node';

/**
 * The only file that imports @kubernetes/client-node. It takes a third of a second and some 30 MB to load, so this file
 * is imported dynamically, when a cluster is first used, and is a bundle of its own.
 */

export type { Cluster, User };

export interface RequestSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly ca: string | Buffer | undefined;
  readonly cert: string | Buffer | undefined;
  readonly key: string | Buffer | undefined;
  readonly serverName: string | undefined;
  readonly rejectUnauthorized: boolean | undefined;
  /** Made by the library for SOCKS proxies alone. */
  readonly socksAgent: http.Agent | undefined;
}

/** One cluster and user for the library, which keeps what its login providers (OIDC) remember. */
export function createLibraryConfig(cluster: Cluster, user: User): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(cluster, user);
  return config;
}

/** Certificates, login and headers as the library works them out. */
export async function requestSettings(config: KubeConfig): Promise<RequestSettings> {
  const options: https.RequestOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (typeof value === 'string') headers[name] = value;
  }
  if (typeof options.auth === 'string') {
    headers['Authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  }
  const proxy = config.getCurrentCluster()?.proxyUrl ?? '';
  return {
    headers,
    ca: pem(options.ca),
    cert: pem(options.cert),
    key: pem(options.key),
    serverName: options.servername,
    rejectUnauthorized: options.rejectUnauthorized,
    socksAgent: proxy.startsWith('socks') && typeof options.agent === 'object' ? options.agent : undefined,
  };
}

function pem(value: unknown): string | Buffer | undefined {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value : undefined;
}
