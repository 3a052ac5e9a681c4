import { readFile } from 'node:fs/promises';
import { type Clock, describeError, type JsonObject } from '../base/index.ts';
import type { Cluster, User } from './clientNode.ts';
import type { Access, Credentials, TlsMaterial } from './credentials.ts';
import { KubeError } from './errors.ts';
import { type ExecCredential, ExecError, type ExecPlugins, type ExecSpec } from './exec.ts';
import {
  type ClusterEntry,
  type FileReference,
  fileReferences,
  fileTrouble,
  placeAndWhat,
  type UserEntry,
} from './kubeconfigFile.ts';
import { optional } from './optional.ts';

export interface ContextCredentialsDeps {
  readonly clock: Clock;
  readonly plugins: ExecPlugins;
  /** Loads the library; one promise for the whole process. */
  readonly loadLibrary: () => Promise<typeof import('./clientNode.ts')>;
}

/** Files and login providers are asked again after this time: a mounted token is rotated behind our back. */
const rereadMs = 60_000;

type LibraryConfig = ReturnType<typeof import('./clientNode.ts')['createLibraryConfig']>;

interface Known {
  readonly access: Access;
  /** Epoch milliseconds. */
  readonly validUntil: number;
  readonly exec: ExecCredential | undefined;
}

/**
 * The login of one context. @kubernetes/client-node works out certificates, headers and OIDC; around it stands what it
 * gets wrong or leaves out: credential plugins (exec.ts), token files, users without an entry, plain http.
 *
 * Invariant: at most one renewal is under way, and a login that came from a renewal after a 401 is not renewed again
 * until it expires or a person asks.
 */
export class ContextCredentials implements Credentials {
  readonly #contextName: string;
  readonly #cluster: ClusterEntry;
  readonly #user: UserEntry | undefined;
  readonly #deps: ContextCredentialsDeps;
  #known: Known | undefined;
  #loading: Promise<Known> | undefined;
  #renewed: Access | undefined;
  #libraryConfig: LibraryConfig | undefined;

  constructor(contextName: string, cluster: ClusterEntry, user: UserEntry | undefined, deps: ContextCredentialsDeps) {
    this.#contextName = contextName;
    this.#cluster = cluster;
    this.#user = user;
    this.#deps = deps;
  }

  async current(signal: AbortSignal): Promise<Access> {
    if (this.#known !== undefined && this.#deps.clock.now() < this.#known.validUntil) return this.#known.access;
    return (await abortable(this.#load(), signal)).access;
  }

  async renew(rejected: Access, signal: AbortSignal): Promise<Access | undefined> {
    if (this.#known !== undefined && this.#known.access !== rejected) return this.#known.access;
    if (rejected === this.#renewed) return undefined;
    if (this.#user?.exec !== undefined) this.#deps.plugins.discard(this.#execSpec(this.#user.exec), this.#known?.exec);
    const { access } = await abortable(this.#load(), signal);
    if (access === rejected) return undefined;
    this.#renewed = access;
    return access;
  }

  reset(): void {
    this.#known = undefined;
    this.#renewed = undefined;
    this.#libraryConfig = undefined;
    if (this.#user?.exec !== undefined) this.#deps.plugins.reset(this.#execSpec(this.#user.exec));
  }

  forgive(failedBefore: number): void {
    if (this.#user?.exec !== undefined) this.#deps.plugins.forgive(this.#execSpec(this.#user.exec), failedBefore);
  }

  /** Works out the login anew; gives the old `Access` object back if nothing changed. Shared by all who ask. */
  #load(): Promise<Known> {
    this.#loading ??= this.#work().then(
      (known) => {
        this.#loading = undefined;
        this.#known = known;
        return known;
      },
      async (error: unknown) => {
        const failure = await this.#failure(error);
        this.#loading = undefined;
        throw failure;
      },
    );
    return this.#loading;
  }

  async #work(): Promise<Known> {
    const { exec, tokenFile, token: fixedToken } = this.#user ?? {};
    const login = exec === undefined ? undefined : await this.#deps.plugins.credential(this.#execSpec(exec));
    // A token file wins over a token that stands beside it, as with kubectl.
    const fileToken = tokenFile === undefined ? undefined : (await readFile(tokenFile, 'utf8')).trim();
    const token = fileToken ?? fixedToken ?? login?.token;
    const library = await this.#deps.loadLibrary();
    this.#libraryConfig ??= library.createLibraryConfig(this.#libraryCluster(), this.#libraryUser());
    const settings = await library.requestSettings(this.#libraryConfig);
    const headers = {
      ...settings.headers,
      ...this.#impersonation(),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    };
    const tls: TlsMaterial = {
      ...optional('ca', settings.ca),
      ...optional('cert', settings.cert ?? login?.clientCertificate),
      ...optional('key', settings.key ?? login?.clientKey),
      ...optional('serverName', settings.serverName),
      ...(settings.rejectUnauthorized === false ? { insecureSkipVerify: true } : {}),
    };
    const access = this.#sameOrNew({
      headers,
      tls,
      ...optional('agent', settings.socksAgent),
    });
    return { access, exec: login, validUntil: this.#validUntil(login) };
  }

  #validUntil(login: ExecCredential | undefined): number {
    const now = this.#deps.clock.now();
    // The plugins' own cache keeps the login; asking it again costs nothing.
    if (login !== undefined) return Math.min(login.expiresAt ?? Infinity, now + rereadMs);
    const { tokenFile, certFile, authProvider } = this.#user ?? {};
    const canChange = tokenFile !== undefined || certFile !== undefined || authProvider !== undefined;
    return canChange ? now + rereadMs : Infinity;
  }

  #sameOrNew(next: Access): Access {
    const old = this.#known?.access;
    if (old === undefined) return next;
    const tls = JSON.stringify(old.tls) === JSON.stringify(next.tls) ? old.tls : next.tls;
    const hasSameHeaders = JSON.stringify(old.headers) === JSON.stringify(next.headers);
    return tls === old.tls && hasSameHeaders ? old : { ...next, tls };
  }

  #libraryCluster(): Cluster {
    const { name, server, caData, caFile, tlsServerName, proxyUrl } = this.#cluster;
    return {
      name,
      server,
      // The library refuses plain http unless this is set; there is no TLS to skip then.
      skipTLSVerify: this.#cluster.insecureSkipVerify || server.startsWith('http:'),
      ...optional('caData', caData),
      ...optional('caFile', caFile),
      ...optional('tlsServerName', tlsServerName),
      ...optional('proxyUrl', proxyUrl),
    };
  }

  /** Without a user the library would leave out the cluster's CA as well, so there is always one. */
  #libraryUser(): User {
    const user = this.#user;
    return {
      name: user?.name ?? 'nobody',
      ...optional('certData', user?.certData),
      ...optional('certFile', user?.certFile),
      ...optional('keyData', user?.keyData),
      ...optional('keyFile', user?.keyFile),
      ...optional('username', user?.username),
      ...optional('password', user?.username === undefined ? undefined : (user.password ?? '')),
      ...(user?.authProvider === undefined
        ? {}
        : { authProvider: { name: user.authProvider.name, config: { ...user.authProvider.config } } }),
    };
  }

  #impersonation(): Record<string, string | readonly string[]> {
    const who = this.#user?.impersonate;
    if (who === undefined) return {};
    return {
      'Impersonate-User': who.user,
      ...(who.uid === undefined ? {} : { 'Impersonate-Uid': who.uid }),
      ...(who.groups.length === 0 ? {} : { 'Impersonate-Group': who.groups }),
    };
  }

  #execSpec({ provideClusterInfo, ...spec }: ExecSpec & { readonly provideClusterInfo: boolean }): ExecSpec {
    if (!provideClusterInfo) return spec;
    const { server, tlsServerName, insecureSkipVerify, caData, proxyUrl, execConfig } = this.#cluster;
    const cluster: JsonObject = {
      server,
      'tls-server-name': tlsServerName,
      'insecure-skip-tls-verify': insecureSkipVerify || undefined,
      'certificate-authority-data': caData,
      'proxy-url': proxyUrl,
      config: execConfig ?? null,
    };
    return { ...spec, cluster };
  }

  async #failure(error: unknown): Promise<KubeError> {
    if (error instanceof KubeError) return error;
    const user = this.#user === undefined ? 'no user' : `user "${this.#user.name}" of ${this.#user.file}`;
    const about = { contextName: this.#contextName, request: `log in as ${user}`, cause: error };
    if (error instanceof ExecError) {
      const { message, remedy, isNotInstalled } = error;
      if (!isNotInstalled) return new KubeError(message, { ...about, kind: 'credentials', remedy });
      const { file = '', name = '' } = this.#user ?? {};
      const what = placeAndWhat({ file, place: `user "${name}"`, what: message });
      return new KubeError(what, { ...about, kind: 'kubeconfig', remedy, file });
    }
    const unreadable = await this.#unreadableFile();
    if (unreadable === undefined) return new KubeError(describeError(error), { ...about, kind: 'credentials' });
    const { what, remedy } = fileTrouble(unreadable.reference, unreadable.code);
    const text = placeAndWhat({ ...unreadable.reference, what });
    return new KubeError(text, { ...about, kind: 'kubeconfig', remedy, file: unreadable.reference.file });
  }

  /** Which file of the kubeconfig a failure is about: not every error of the file system names its file. */
  async #unreadableFile(): Promise<{ readonly reference: FileReference; readonly code: string } | undefined> {
    for (const reference of fileReferences(this.#cluster, this.#user)) {
      try {
        await readFile(reference.path);
      } catch (error) {
        return { reference, code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' };
      }
    }
    return undefined;
  }
}

/** Waits for shared work; this caller alone stops waiting when `signal` aborts. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      work.catch(() => undefined);
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
