import { dirname, isAbsolute, join } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parse, parseDocument, type YAMLMap } from 'yaml';
import { isJsonObject, type JsonObject } from '../base/index.ts';
import type { ExecSpec } from './exec.ts';
import { optional } from './optional.ts';

/** Something wrong with a kubeconfig. An `error` makes a context unusable, a `warning` does not. */
export interface KubeconfigProblem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** Where in the file: `line 12`, `context "prod"`; empty if the whole file is meant. */
  readonly place: string;
  readonly what: string;
  readonly remedy: string;
  /** The context that can't be used because of it, where it is one. */
  readonly contextName?: string;
}

export interface ClusterEntry {
  readonly name: string;
  readonly file: string;
  readonly server: string;
  readonly caData?: string;
  readonly caFile?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipVerify: boolean;
  readonly proxyUrl?: string;
  /** Configuration for credential plugins: the extension `client.authentication.k8s.io/exec`. */
  readonly execConfig?: JsonObject[string];
}

export interface UserEntry {
  readonly name: string;
  readonly file: string;
  readonly certData?: string;
  readonly certFile?: string;
  readonly keyData?: string;
  readonly keyFile?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly impersonate?: { readonly user: string; readonly uid?: string; readonly groups: readonly string[] };
  readonly exec?: ExecSpec & { readonly provideClusterInfo: boolean };
  readonly authProvider?: { readonly name: string; readonly config: Readonly<Record<string, string>> };
}

export interface ContextEntry {
  readonly name: string;
  readonly file: string;
  readonly cluster: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** What one file says. Entries that make no sense are left out and named in `problems`; the others stay. */
export interface KubeconfigFile {
  readonly clusters: readonly ClusterEntry[];
  readonly users: readonly UserEntry[];
  readonly contexts: readonly ContextEntry[];
  readonly currentContext: string | undefined;
  readonly problems: readonly KubeconfigProblem[];
}

/**
 * Reads one kubeconfig. `yaml` parses it, rather than the YAML loader that client-node brings, because it goes on after
 * an error and knows the line of everything.
 */
export function parseKubeconfigFile(file: string, text: string): KubeconfigFile {
  return new FileParser(file, text).parse();
}

const execExtension = 'client.authentication.k8s.io/exec';

type Section = 'clusters' | 'users' | 'contexts';

const inner = { clusters: 'cluster', users: 'user', contexts: 'context' } as const;

class FileParser {
  readonly #file: string;
  readonly #text: string;
  readonly #lines = new LineCounter();
  readonly #problems: KubeconfigProblem[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    // A byte order mark is what Windows editors put before the first key.
    this.#text = text.replace(/^\uFEFF/, '');
  }

  parse(): KubeconfigFile {
    const root = this.#root();
    if (root === undefined) {
      return { clusters: [], users: [], contexts: [], currentContext: undefined, problems: this.#problems };
    }
    const broken = this.#problems.at(0);
    return {
      clusters: this.#entries(root, 'clusters', (name, value, line) => this.#cluster(name, value, line)),
      users: this.#entries(root, 'users', (name, value) => this.#user(name, value)),
      contexts: this.#entries(root, 'contexts', (name, value, line) => this.#context(name, value, line)),
      currentContext: word(root.get('current-context')),
      // What else seems wrong behind a broken line mostly follows from it.
      problems: broken === undefined ? this.#problems : [broken],
    };
  }

  #root(): YAMLMap | undefined {
    if (this.#text.trim() === '') {
      this.#report(
        'error',
        '',
        'The kubeconfig file is empty.',
        'Fill it, or take it off the list of kubeconfig files.',
      );
      return undefined;
    }
    const document = parseDocument(this.#text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      uniqueKeys: false,
      // Every scalar is its text: almost all fields are strings, and the token 0123 is not the number 123.
      schema: 'failsafe',
    });
    const [error] = document.errors;
    if (error !== undefined) {
      const place = this.#line(error.pos[0]);
      this.#report('error', place, `The YAML can't be read: ${error.message}.`, 'Correct the YAML at that line.');
    }
    if (isMap(document.contents)) return document.contents;
    if (error === undefined) {
      const remedy = "Put in what 'kubectl config view --raw' prints.";
      this.#report('error', '', 'The file is not a kubeconfig: it has no keys at its top level.', remedy);
    }
    return undefined;
  }

  #entries<T extends { readonly name: string }>(
    root: YAMLMap,
    section: Section,
    convert: (name: string, value: JsonObject, line: string) => T | undefined,
  ): T[] {
    const list = root.get(section, true);
    if (list === undefined || (isScalar(list) && word(list.value) === undefined)) return [];
    if (!isSeq(list)) {
      this.#report('error', this.#lineOf(list), `\`${section}\` is not a list.`, 'Make it a list of named entries.');
      return [];
    }
    const result = new Map<string, T>();
    for (const item of list.items) {
      const line = this.#lineOf(item);
      const key = inner[section];
      const name = isMap(item) ? word(item.get('name')) : undefined;
      if (!isMap(item) || name === undefined) {
        this.#report('error', line, `An entry of \`${section}\` has no name.`, 'Give it a name, or remove the entry.');
        continue;
      }
      const raw: unknown = toPlain(item.get(key, true));
      const value = isJsonObject(raw) ? raw : {};
      if (result.has(name)) {
        const what = `There are two entries named "${name}" in \`${section}\`; the first counts.`;
        this.#report('warning', line, what, 'Rename or remove one of them.');
        continue;
      }
      const entry = convert(name, value, line);
      if (entry !== undefined) result.set(name, entry);
    }
    return [...result.values()];
  }

  #cluster(name: string, value: JsonObject, line: string): ClusterEntry | undefined {
    const server = word(value['server']);
    const place = `cluster "${name}", ${line}`;
    if (server === undefined) {
      this.#report('error', place, 'The cluster has no `server`.', 'Add `server: https://HOST:PORT` to it.');
      return undefined;
    }
    if (!/^https?:$/.test(URL.parse(server)?.protocol ?? '')) {
      const remedy = 'Write it as https://HOST:PORT.';
      this.#report('error', place, `\`server\` is not an http or https address: ${server}`, remedy);
      return undefined;
    }
    const caData = word(value['certificate-authority-data']);
    if (caData !== undefined && !isPem(caData)) {
      const remedy = 'Put in the whole base64 text, or use `certificate-authority` with a file.';
      this.#report('error', place, '`certificate-authority-data` is not a base64 PEM certificate.', remedy);
      return undefined;
    }
    return {
      name,
      file: this.#file,
      server: server.replace(/\/+$/, ''),
      insecureSkipVerify: isTrue(value['insecure-skip-tls-verify']),
      ...optional('caData', caData),
      // The data win where both are given, as with kubectl.
      ...optional('caFile', caData === undefined ? this.#path(value['certificate-authority']) : undefined),
      ...optional('tlsServerName', word(value['tls-server-name'])),
      ...optional('proxyUrl', word(value['proxy-url'])),
      ...optional('execConfig', this.#execConfig(name, value['extensions'])),
    };
  }

  #user(name: string, value: JsonObject): UserEntry {
    const certData = word(value['client-certificate-data']);
    const keyData = word(value['client-key-data']);
    const impersonated = word(value['as']);
    const provider = value['auth-provider'];
    return {
      name,
      file: this.#file,
      ...optional('certData', certData),
      ...optional('certFile', certData === undefined ? this.#path(value['client-certificate']) : undefined),
      ...optional('keyData', keyData),
      ...optional('keyFile', keyData === undefined ? this.#path(value['client-key']) : undefined),
      ...optional('token', word(value['token'])),
      ...optional('tokenFile', this.#path(value['tokenFile'] ?? value['token-file'])),
      ...optional('username', word(value['username'])),
      ...optional('password', word(value['password'])),
      ...(impersonated === undefined
        ? {}
        : {
            impersonate: {
              user: impersonated,
              groups: words(value['as-groups']),
              ...optional('uid', word(value['as-uid'])),
            },
          }),
      ...optional('exec', this.#exec(name, value['exec'])),
      ...(isJsonObject(provider) && typeof provider['name'] === 'string'
        ? { authProvider: { name: provider['name'], config: textMap(provider['config']) } }
        : {}),
    };
  }

  #exec(userName: string, value: unknown): UserEntry['exec'] | undefined {
    if (!isJsonObject(value)) return undefined;
    const command = word(value['command']);
    if (command === undefined) {
      const remedy = 'Add `command`, or remove `exec`.';
      this.#report('error', `user "${userName}"`, 'The login command (`exec`) names no command.', remedy);
      return undefined;
    }
    const mode = value['interactiveMode'];
    const env = Array.isArray(value['env']) ? value['env'].filter(isJsonObject) : [];
    return {
      apiVersion: word(value['apiVersion']) ?? 'client.authentication.k8s.io/v1',
      command,
      args: words(value['args']),
      env: env.map((one) => ({ name: word(one['name']) ?? '', value: word(one['value']) ?? '' })),
      interactiveMode: mode === 'Always' || mode === 'Never' ? mode : 'IfAvailable',
      provideClusterInfo: isTrue(value['provideClusterInfo']),
      folder: dirname(this.#file),
      ...optional('installHint', word(value['installHint'])),
    };
  }

  #context(name: string, value: JsonObject, line: string): ContextEntry | undefined {
    const cluster = word(value['cluster']);
    if (cluster === undefined) {
      const place = `context "${name}", ${line}`;
      const remedy = `Run: kubectl config set-context ${name} --cluster=NAME`;
      this.#report('error', place, 'The context names no cluster.', remedy, name);
      return undefined;
    }
    return {
      name,
      file: this.#file,
      cluster,
      ...optional('user', word(value['user'])),
      ...optional('namespace', word(value['namespace'])),
    };
  }

  /** The one place where types matter: the extension is handed to the plugin as JSON, so it is read once more. */
  #execConfig(clusterName: string, extensions: unknown): JsonObject[string] {
    const isThere =
      Array.isArray(extensions) && extensions.filter(isJsonObject).some((one) => one['name'] === execExtension);
    if (!isThere) return undefined;
    const root: unknown = parse(this.#text, { uniqueKeys: false });
    const clusters = isJsonObject(root) && Array.isArray(root['clusters']) ? root['clusters'].filter(isJsonObject) : [];
    const cluster = clusters.find((one) => String(one['name']) === clusterName)?.['cluster'];
    const typed = isJsonObject(cluster) && Array.isArray(cluster['extensions']) ? cluster['extensions'] : [];
    return typed.filter(isJsonObject).find((one) => one['name'] === execExtension)?.['extension'];
  }

  /** Paths in a kubeconfig are relative to the file that they stand in. */
  #path(value: unknown): string | undefined {
    const path = word(value);
    return path === undefined || isAbsolute(path) ? path : join(dirname(this.#file), path);
  }

  #lineOf(node: unknown): string {
    return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
      ? this.#line(Number(node.range[0]))
      : '';
  }

  #line(offset: number): string {
    return `line ${this.#lines.linePos(offset).line}`;
  }

  #report(
    severity: KubeconfigProblem['severity'],
    place: string,
    what: string,
    remedy: string,
    contextName?: string,
  ): void {
    this.#problems.push({ severity, file: this.#file, place, what, remedy, ...optional('contextName', contextName) });
  }
}

/** `FILE, PLACE: what is wrong.` */
export function placeAndWhat({ file, place, what }: Pick<KubeconfigProblem, 'file' | 'place' | 'what'>): string {
  const where = [file, place].filter((part) => part !== '').join(', ');
  return `${where === '' ? 'kubeconfig' : where}: ${what}`;
}

/** A file that an entry of a kubeconfig names. */
export interface FileReference {
  /** The kubeconfig that names it, and where in it. */
  readonly file: string;
  readonly place: string;
  readonly key: string;
  readonly path: string;
}

/** Files that are read when a context of that cluster and user is used. */
export function fileReferences(cluster: ClusterEntry | undefined, user: UserEntry | undefined): FileReference[] {
  const found: FileReference[] = [];
  const add = (file: string, place: string, key: string, path: string | undefined): void => {
    if (path !== undefined) found.push({ file, place, key, path });
  };
  if (cluster !== undefined) add(cluster.file, `cluster "${cluster.name}"`, 'certificate-authority', cluster.caFile);
  if (user === undefined) return found;
  const { file, certFile, keyFile, tokenFile } = user;
  const place = `user "${user.name}"`;
  add(file, place, 'client-certificate', certFile);
  add(file, place, 'client-key', keyFile);
  add(file, place, 'tokenFile', tokenFile);
  return found;
}

/** What is wrong with such a file, and what to do. `code` is what reading it failed with, such as `ENOENT`. */
export function fileTrouble({ key, path }: FileReference, code: string): { what: string; remedy: string } {
  const refers = `\`${key}\` refers to ${path}, which`;
  return code === 'ENOENT'
    ? { what: `${refers} does not exist.`, remedy: 'Correct the path, or create the file.' }
    : { what: `${refers} can't be read (${code}).`, remedy: 'Correct the path, or make it a file that you may read.' };
}

function toPlain(node: unknown): unknown {
  return isMap(node) ? node.toJSON() : undefined;
}

/** The text of a scalar; undefined for one that YAML calls null. */
function word(value: unknown): string | undefined {
  return typeof value !== 'string' || value === '' || value === '~' || value === 'null' ? undefined : value;
}

function words(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((one) => word(one) ?? []) : [];
}

/** YAML 1.1 knows more words for true than 1.2, and kubectl reads 1.1. */
function isTrue(value: unknown): boolean {
  return typeof value === 'string' && /^(true|yes|on|y)$/i.test(value);
}

function isPem(base64: string): boolean {
  return Buffer.from(base64, 'base64').toString('latin1').includes('-----BEGIN ');
}

function textMap(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, word(one) ?? '']));
}
