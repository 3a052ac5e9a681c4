import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { type Clock, type Disposable, isJsonObject, type JsonObject } from '../base/index.ts';

/** The `exec` entry of a kubeconfig's user: a program that prints a login. */
export interface ExecSpec {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly installHint?: string;
  /** What the program is told of the cluster, present if `provideClusterInfo` is set. */
  readonly cluster?: JsonObject;
  /** Folder of the kubeconfig file: a relative command with a separator in it starts here. */
  readonly folder: string;
}

/** A login as a plugin printed it. */
export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  /** Epoch milliseconds; absent if it does not expire. */
  readonly expiresAt?: number;
}

/** Why a plugin gave no login. `message` says what happened, `remedy` what to do. */
export class ExecError extends Error {
  override readonly name = 'ExecError';
  readonly remedy: string;
  /** There is no such program on this machine: nobody can log in here before there is. */
  readonly isNotInstalled: boolean;

  constructor(message: string, remedy: string, isNotInstalled = false) {
    super(message);
    this.remedy = remedy;
    this.isNotInstalled = isNotInstalled;
  }
}

export interface ExecPluginsDeps {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A plugin that takes longer is killed: nobody may be there to answer it. Default 120 s. */
  readonly timeLimitMs?: number;
  /** After a failure the plugin runs again when a person asks, or after this time. Default: never by itself. */
  readonly retryAfterMs?: number;
  /** What the plugin tells the person (device codes); never logged. */
  readonly onMessage?: (command: string, text: string) => void;
}

interface Entry {
  /** The run under way, shared by all who wait for it. */
  running?: Promise<ExecCredential>;
  credential?: ExecCredential;
  failure?: { readonly error: unknown; readonly at: number };
}

/** A login is renewed this long before it ends, so that it doesn't end on the way to the server. */
const expiryMarginMs = 10_000;
const killGraceMs = 2_000;
const outputLimit = 1 << 20;

/**
 * Runs credential plugins: one process at a time for each distinct entry, its login kept until it expires, a failure
 * kept until a person asks again. These are the only processes this program starts; `dispose` kills those under way.
 */
export class ExecPlugins implements Disposable {
  readonly #deps: ExecPluginsDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #kill = new Set<() => void>();

  constructor(deps: ExecPluginsDeps) {
    this.#deps = deps;
  }

  /** The login of `spec`, from the cache if it still holds. */
  credential(spec: ExecSpec): Promise<ExecCredential> {
    const entry = this.#entryOf(spec);
    const now = this.#deps.clock.now();
    if (entry.running !== undefined) return entry.running;
    if (entry.credential !== undefined && (entry.credential.expiresAt ?? Infinity) - expiryMarginMs > now) {
      return Promise.resolve(entry.credential);
    }
    const { failure } = entry;
    if (failure !== undefined && now - failure.at < (this.#deps.retryAfterMs ?? Infinity)) {
      return Promise.reject(failure.error);
    }
    const running = this.#run(spec).then(
      (credential) => {
        entry.credential = credential;
        delete entry.running;
        delete entry.failure;
        return credential;
      },
      (error: unknown) => {
        entry.failure = { error, at: this.#deps.clock.now() };
        delete entry.running;
        delete entry.credential;
        throw error;
      },
    );
    entry.running = running;
    return running;
  }

  /** Drops the kept login if it is still `credential`, because a server refused it. */
  discard(spec: ExecSpec, credential: ExecCredential | undefined): void {
    const entry = this.#entryOf(spec);
    if (entry.credential === credential) delete entry.credential;
  }

  /** Allows another try if the last failure is from before that time. */
  forgive(spec: ExecSpec, failedBefore: number): void {
    const entry = this.#entryOf(spec);
    if (entry.failure !== undefined && entry.failure.at <= failedBefore) delete entry.failure;
  }

  /** A person asked for another try. */
  reset(spec: ExecSpec): void {
    const entry = this.#entryOf(spec);
    delete entry.failure;
    delete entry.credential;
  }

  dispose(): void {
    for (const kill of [...this.#kill]) kill();
  }

  #entryOf(spec: ExecSpec): Entry {
    const key = JSON.stringify(spec);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = {};
    this.#entries.set(key, entry);
    return entry;
  }

  #run(spec: ExecSpec): Promise<ExecCredential> {
    if (spec.interactiveMode === 'Always') {
      return Promise.reject(
        new ExecError(
          `The login command ${spec.command} needs a terminal (interactiveMode: Always).`,
          'Log in with kubectl in a terminal, or set interactiveMode: IfAvailable in the kubeconfig.',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      const child = spawn(commandPath(spec), [...spec.args], {
        env: { ...this.#deps.env, ...environmentOf(spec) },
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
      });
      let stdout = '';
      let stderr = '';
      let isOutOfTime = false;
      let hardKill: Disposable | undefined;
      const kill = (): void => {
        child.kill('SIGTERM');
        hardKill ??= this.#deps.clock.after(killGraceMs, () => child.kill('SIGKILL'));
      };
      const limit = this.#deps.clock.after(this.#deps.timeLimitMs ?? 120_000, () => {
        isOutOfTime = true;
        kill();
      });
      const finish = (): void => {
        limit.dispose();
        hardKill?.dispose();
        this.#kill.delete(kill);
      };
      this.#kill.add(kill);
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (stdout.length < outputLimit) stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (stderr.length < outputLimit) stderr += text;
        this.#deps.onMessage?.(spec.command, text);
      });
      child.once('error', (error) => {
        finish();
        reject(notStarted(spec, error));
      });
      child.once('close', (code, killedBy) => {
        finish();
        if (isOutOfTime) reject(outOfTime(spec, this.#deps.timeLimitMs ?? 120_000));
        else if (code !== 0) reject(failed(spec, code ?? killedBy ?? 'unknown', stderr));
        else resolveParsed(spec, stdout, resolve, reject);
      });
    });
  }
}

function commandPath(spec: ExecSpec): string {
  const isPath = /[\\/]/.test(spec.command);
  return isPath && !isAbsolute(spec.command) ? join(spec.folder, spec.command) : spec.command;
}

function environmentOf(spec: ExecSpec): Record<string, string> {
  const info = {
    apiVersion: spec.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(spec.cluster === undefined ? {} : { cluster: spec.cluster }) },
  };
  return {
    ...Object.fromEntries(spec.env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
}

function notStarted(spec: ExecSpec, error: Error): ExecError {
  const isMissing = 'code' in error && error.code === 'ENOENT';
  if (!isMissing) return new ExecError(`The login command ${spec.command} did not start: ${error.message}.`, retry);
  const hint = spec.installHint?.trim().split('\n')[0];
  return new ExecError(
    `The login command ${spec.command} is not installed or not on the PATH of this program.`,
    hint || `Install ${spec.command}, or write its full path into the kubeconfig (exec.command).`,
    true,
  );
}

const retry = 'Run a kubectl command with the same context in a terminal to see it fail there, then try again.';

function outOfTime(spec: ExecSpec, limitMs: number): ExecError {
  return new ExecError(
    `The login command ${spec.command} was stopped: it gave no answer within ${Math.round(limitMs / 1000)} s.`,
    'Log in again and answer its question in time, or log in with kubectl in a terminal first.',
  );
}

function failed(spec: ExecSpec, code: number | string, stderr: string): ExecError {
  const lastLine = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  // Long runs without a space may be a secret; a person needs the words around them.
  const words = lastLine.replace(/[\w+/=.-]{40,}/g, '…').slice(0, 300);
  const text = words === '' ? 'It said nothing.' : `It said: ${words}`;
  return new ExecError(`The login command ${spec.command} failed with exit code ${code}. ${text}`, retry);
}

function resolveParsed(
  spec: ExecSpec,
  stdout: string,
  resolve: (credential: ExecCredential) => void,
  reject: (error: unknown) => void,
): void {
  const credential = parseCredential(stdout);
  if (credential !== undefined) resolve(credential);
  else reject(new ExecError(`The login command ${spec.command} printed no ExecCredential with a login in it.`, retry));
}

function parseCredential(stdout: string): ExecCredential | undefined {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    // What it printed may hold a secret, so it is not repeated; the caller says that it was no ExecCredential.
    return undefined;
  }
  const status = isJsonObject(value) && value['kind'] === 'ExecCredential' ? value['status'] : undefined;
  if (!isJsonObject(status)) return undefined;
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = status;
  const hasCertificate = typeof certificate === 'string' && typeof key === 'string';
  if (typeof token !== 'string' && !hasCertificate) return undefined;
  const expiresAt = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Number.NaN;
  return {
    ...(typeof token === 'string' ? { token } : {}),
    ...(hasCertificate ? { clientCertificate: certificate, clientKey: key } : {}),
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  };
}
