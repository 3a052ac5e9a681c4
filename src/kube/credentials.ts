import type { Agent } from 'node:http';

/** What the TLS handshake needs. PEM texts. */
export interface TlsMaterial {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}

/** How one user enters one cluster, as it stands now. A renewed login is another `Access` object. */
export interface Access {
  /** Headers for each request: `Authorization`, `Impersonate-User`. Never logged. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The same object as long as the material is the same: connections are pooled by it. */
  readonly tls: TlsMaterial;
  /** An agent that must be used in place of our own (SOCKS). */
  readonly agent?: Agent;
}

/**
 * Where the login comes from. Both methods share one attempt among all callers and reject with `KubeError` (kind
 * `credentials`) if there is none to be had; a caller that aborts leaves the attempt to the others.
 */
export interface Credentials {
  current(signal: AbortSignal): Promise<Access>;
  /**
   * The server answered 401 to `rejected`. Gives other credentials if there are any, once; undefined means that only a
   * person can help.
   */
  renew(rejected: Access, signal: AbortSignal): Promise<Access | undefined>;
  /** A person asked for another try: forget failures and what was cached. */
  reset(): void;
  /**
   * The failure may have been the network's: forget it if it is from before that time (epoch milliseconds), so that the
   * next `current` tries again. Absent where a failure is never kept.
   */
  forgive?(failedBefore: number): void;
}
