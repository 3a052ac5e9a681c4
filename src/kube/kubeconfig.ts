import { readFile, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { type Clock, type Disposable, describeError } from '../base/index.ts';
import { createKubeApi, type KubeClient } from './api.ts';
import { ContextCredentials } from './contextCredentials.ts';
import { sha1Hex } from './digest.ts';
import { KubeError } from './errors.ts';
import { ExecPlugins, type ExecPluginsDeps } from './exec.ts';
import {
  type ClusterEntry,
  type ContextEntry,
  fileReferences,
  fileTrouble,
  type KubeconfigFile,
  type KubeconfigProblem,
  parseKubeconfigFile,
  placeAndWhat,
  type UserEntry,
} from './kubeconfigFile.ts';
import type { Limiter } from './limiter.ts';
import { optional } from './optional.ts';
import { proxyFromEnvironment } from './proxy.ts';

/** A context that can be opened. */
export interface KubeconfigContext {
  readonly name: string;
  readonly cluster: string;
  readonly user?: string;
  /** The namespace that the context selects; `default` where it names none. */
  readonly namespace: string;
  readonly server: string;
  readonly file: string;
}

export interface LoadKubeconfigOptions {
  /** Files to read in place of `KUBECONFIG` and the usual file; `~` and `%VARIABLE%` are expanded. */
  readonly paths?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly clock: Clock;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Shared between reloads, so that logins survive an edit of the file. Otherwise the kubeconfig has its own. */
  readonly plugins?: ExecPlugins;
  /** How the kubeconfig runs login programs, while it has its own. */
  readonly logins?: Omit<ExecPluginsDeps, 'clock' | 'env'>;
  /** Separator of the list in `KUBECONFIG`; the platform's by default. */
  readonly pathSeparator?: string;
}

export interface OpenOptions {
  readonly userAgent?: string;
  readonly requestTimeoutMs?: number;
  readonly limiter?: Limiter;
}

/** The merged kubeconfig. Opens nothing and runs nothing until a client of it sends its first request. */
export interface Kubeconfig extends Disposable {
  /** Files that were read, in order of precedence. */
  readonly files: readonly string[];
  readonly contexts: readonly KubeconfigContext[];
  /** `current-context`, whether or not it can be opened. */
  readonly current: string | undefined;
  /**
   * A client for that context; the caller disposes it. Throws `KubeError` (kind `kubeconfig`) that says what is wrong
   * if there is no such context.
   */
  open(contextName: string, options?: OpenOptions): KubeClient;
  /** A word that is another one when clients of that context would be: its entries, not the files they refer to. */
  fingerprint(contextName: string): string;
}

/**
 * Reads and merges kubeconfig files by kubectl's rules: of two entries with one name the first counts, whole; paths are
 * relative to their file. What can't be used is left out and named in `problems`; one bad entry never costs the others.
 */
export async function loadKubeconfig(
  options: LoadKubeconfigOptions,
): Promise<{ readonly value: Kubeconfig; readonly problems: readonly KubeconfigProblem[] }> {
  const sources = sourceFiles(options);
  const problems: KubeconfigProblem[] = [];
  const files: string[] = [];
  const parsed: KubeconfigFile[] = [];
  for (const path of sources.paths) {
    const text = await readSource(path, sources, problems);
    if (text === undefined) continue;
    const file = parseKubeconfigFile(path, text);
    files.push(path);
    parsed.push(file);
    problems.push(...file.problems);
  }
  if (files.length === 0 && problems.length > 0) raiseAll(problems);
  const merged = merge(parsed);
  problems.push(...(await missingFiles(merged)), ...danglingReferences(merged));
  return { value: new LoadedKubeconfig(files, merged, problems, options), problems };
}

interface Sources {
  readonly paths: readonly string[];
  readonly origin: 'named' | 'KUBECONFIG' | 'usual';
}

function sourceFiles(options: LoadKubeconfigOptions): Sources {
  const expand = (path: string): string => absolutePath(path, options);
  if (options.paths !== undefined && options.paths.length > 0) {
    return { origin: 'named', paths: [...new Set(options.paths.map(expand))] };
  }
  const list = (options.env['KUBECONFIG'] ?? '')
    .split(options.pathSeparator ?? delimiter)
    .filter((path) => path !== '');
  if (list.length > 0) return { origin: 'KUBECONFIG', paths: [...new Set(list.map(expand))] };
  return { origin: 'usual', paths: [join(options.homeDir, '.kube', 'config')] };
}

function absolutePath(path: string, { env, homeDir, cwd }: LoadKubeconfigOptions): string {
  const expanded = path
    .replace(/^~(?=$|[\\/])/, () => homeDir)
    .replace(/%([A-Za-z_][A-Za-z0-9_]*)%/g, (whole, name: string) => env[name] ?? whole);
  return isAbsolute(expanded) ? expanded : resolve(cwd, expanded);
}

async function readSource(
  path: string,
  { origin }: Sources,
  problems: KubeconfigProblem[],
): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const reason = describeError(error);
    problems.push({
      // A list may name files that come and go; the others still count.
      severity: origin === 'KUBECONFIG' && isMissing ? 'warning' : 'error',
      file: path,
      place: origin === 'KUBECONFIG' ? 'environment variable KUBECONFIG' : '',
      what: isMissing ? 'There is no such kubeconfig file.' : `The kubeconfig file can't be read: ${reason}.`,
      remedy: remedyFor(origin, isMissing),
    });
    return undefined;
  }
}

function remedyFor(origin: Sources['origin'], isMissing: boolean): string {
  if (!isMissing) return 'Make it a file that you may read.';
  switch (origin) {
    case 'named':
      return 'Correct the path, or create the file.';
    case 'KUBECONFIG':
      return 'Take it off the list in KUBECONFIG, or create the file.';
    case 'usual':
      return 'Create it with your cluster tool, set KUBECONFIG, or name a file in the settings.';
  }
}

/** With no file left at all, even what was a mere warning stands in the way. */
function raiseAll(problems: KubeconfigProblem[]): void {
  problems.splice(0, problems.length, ...problems.map((one) => ({ ...one, severity: 'error' as const })));
}

interface Merged {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly current: string | undefined;
}

function merge(files: readonly KubeconfigFile[]): Merged {
  return {
    clusters: firstByName(files.flatMap((file) => file.clusters)),
    users: firstByName(files.flatMap((file) => file.users)),
    contexts: firstByName(files.flatMap((file) => file.contexts)),
    current: files.find((file) => file.currentContext !== undefined)?.currentContext,
  };
}

function firstByName<T extends { readonly name: string }>(entries: readonly T[]): Map<string, T> {
  const result = new Map<string, T>();
  for (const entry of entries) {
    if (!result.has(entry.name)) result.set(entry.name, entry);
  }
  return result;
}

function danglingReferences({ clusters, users, contexts, current }: Merged): KubeconfigProblem[] {
  const problems: KubeconfigProblem[] = [];
  for (const { name, file, cluster, user } of contexts.values()) {
    const place = `context "${name}"`;
    if (!clusters.has(cluster)) {
      const what = `It refers to the cluster "${cluster}", which is not there or can't be used.`;
      const remedy = `Add the cluster, or run: kubectl config set-context ${name} --cluster=NAME`;
      problems.push({ severity: 'error', file, place, what, remedy, contextName: name });
    }
    if (user !== undefined && !users.has(user)) {
      const what = `It refers to the user "${user}", which is not there.`;
      const remedy = `Add the user, or run: kubectl config set-context ${name} --user=NAME`;
      problems.push({ severity: 'error', file, place, what, remedy, contextName: name });
    }
  }
  if (current !== undefined && !contexts.has(current)) {
    const what = `The current context is "${current}", which is not there or can't be used.`;
    const remedy = 'Run: kubectl config use-context NAME';
    problems.push({ severity: 'warning', file: '', place: 'current-context', what, remedy });
  }
  return problems;
}

/** Files that entries refer to. A missing one is a warning here: only contexts that use the entry are touched. */
async function missingFiles({ clusters, users }: Merged): Promise<KubeconfigProblem[]> {
  const references = [
    ...[...clusters.values()].flatMap((cluster) => fileReferences(cluster, undefined)),
    ...[...users.values()].flatMap((user) => fileReferences(undefined, user)),
  ];
  const problems: KubeconfigProblem[] = [];
  for (const reference of references) {
    const { file, place, path } = reference;
    // Whatever else keeps it from being read shows when the context is used.
    if (!(await exists(path))) problems.push({ severity: 'warning', file, place, ...fileTrouble(reference, 'ENOENT') });
  }
  return problems;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
  }
}

class LoadedKubeconfig implements Kubeconfig {
  readonly files: readonly string[];
  readonly contexts: readonly KubeconfigContext[];
  readonly current: string | undefined;
  readonly #merged: Merged;
  readonly #problems: readonly KubeconfigProblem[];
  readonly #options: LoadKubeconfigOptions;
  readonly #plugins: ExecPlugins;
  #library: Promise<typeof import('./clientNode.ts')> | undefined;

  constructor(
    files: readonly string[],
    merged: Merged,
    problems: readonly KubeconfigProblem[],
    options: LoadKubeconfigOptions,
  ) {
    this.files = files;
    this.current = merged.current;
    this.#merged = merged;
    this.#problems = problems;
    this.#options = options;
    const { clock, env, logins } = options;
    this.#plugins = options.plugins ?? new ExecPlugins({ clock, env, ...logins });
    this.contexts = [...merged.contexts.values()].flatMap((context) => this.#describe(context) ?? []);
  }

  open(contextName: string, options: OpenOptions = {}): KubeClient {
    const context = this.#merged.contexts.get(contextName);
    const cluster = context === undefined ? undefined : this.#merged.clusters.get(context.cluster);
    const user = context?.user === undefined ? undefined : this.#merged.users.get(context.user);
    if (cluster === undefined || (context?.user !== undefined && user === undefined))
      throw this.#cannotOpen(contextName);
    const credentials = new ContextCredentials(contextName, cluster, user, {
      clock: this.#options.clock,
      plugins: this.#plugins,
      loadLibrary: () => {
        this.#library ??= import('./clientNode.ts');
        return this.#library;
      },
    });
    const proxyUrl = cluster.proxyUrl ?? proxyFromEnvironment(new URL(cluster.server), this.#options.env);
    const target = {
      contextName,
      server: cluster.server,
      credentials,
      // The library brings the agent for SOCKS.
      ...optional('proxyUrl', proxyUrl?.startsWith('socks') ? undefined : proxyUrl),
    };
    return createKubeApi(target, { clock: this.#options.clock, ...options });
  }

  fingerprint(contextName: string): string {
    const { contexts, clusters, users } = this.#merged;
    const context = contexts.get(contextName);
    const user = context?.user === undefined ? undefined : users.get(context.user);
    // Of secrets, too: only its digest leaves this file.
    return sha1Hex(JSON.stringify([context, context && clusters.get(context.cluster), user]));
  }

  dispose(): void {
    // Plugins that were handed in belong to whoever made them.
    if (this.#options.plugins === undefined) this.#plugins.dispose();
  }

  #describe({ name, file, cluster, user, namespace }: ContextEntry): KubeconfigContext | undefined {
    const server = this.#merged.clusters.get(cluster)?.server;
    if (server === undefined || (user !== undefined && !this.#merged.users.has(user))) return undefined;
    return { name, file, cluster, server, namespace: namespace ?? 'default', ...optional('user', user) };
  }

  #cannotOpen(contextName: string): KubeError {
    const problem =
      this.#problems.find((one) => one.contextName === contextName) ??
      this.#problems.find((one) => one.severity === 'error');
    const known = this.contexts.map((context) => context.name).join(', ');
    const files = this.files.length === 0 ? 'no kubeconfig file' : this.files.join(', ');
    const about = { kind: 'kubeconfig', contextName, request: openRequest(contextName) } as const;
    if (problem === undefined || (problem.contextName !== contextName && this.contexts.length > 0)) {
      const remedy = 'Choose one of these, or add it to the kubeconfig.';
      const what = `There is no context "${contextName}" in ${files}. There are: ${known || 'none'}.`;
      return new KubeError(what, { ...about, remedy, ...optional('file', this.files[0]) });
    }
    // A file that is not there can't be opened to correct it.
    const file = this.files.find((one) => one === problem.file);
    return new KubeError(placeAndWhat(problem), { ...about, remedy: problem.remedy, ...optional('file', file) });
  }
}

/** One line: file, place, what is wrong, remedy. */
export function describeProblem(problem: KubeconfigProblem): string {
  return `${placeAndWhat(problem)} ${problem.remedy}`;
}

/** What a failure to open a context says it was trying to do. */
function openRequest(contextName: string): string {
  return `open the context "${contextName}"`;
}
