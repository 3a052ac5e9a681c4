import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder, makeOnce } from '../host/cache.ts';
import { end, run } from '../host/process.ts';

/**
 * yaml-language-server, spoken to as an editor does. It is no dependency of the repo: the benchmark installs it into the
 * user's cache.
 */
const version = '2.0.0';

/** One diagnostic as far as it is looked at; lines and columns count from 0. */
export interface ServerDiagnostic {
  readonly message: string;
  readonly source?: string;
  readonly code?: string | number;
  readonly range: { readonly start: ServerPlace; readonly end: ServerPlace };
}

interface ServerPlace {
  readonly line: number;
  readonly character: number;
}

export interface LanguageServer {
  readonly version: string;
  /** Replaces the text of the one open document. */
  change(text: string): void;
  /** Resolves with the next diagnostics, or with the next that have this many entries. */
  diagnostics(count?: number): Promise<readonly ServerDiagnostic[]>;
  /** Processor time of the server so far, in milliseconds. */
  spentMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the server on a document named `manifest.yaml` that is checked by the JSON schema in a file. */
export async function startLanguageServer(
  text: string,
  schemaFile: string,
  report: (line: string) => void,
): Promise<LanguageServer> {
  const entry = await install(report);
  const program = `
    process.argv.push('server', '--stdio');
    process.on('message', () => process.send(process.cpuUsage()));
    import(${JSON.stringify(pathToFileURL(entry).href)});`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore', 'ipc'] });
  const server = new LspClient(child, schemaFile);
  await server.open(text);
  return server;
}

async function install(report: (line: string) => void): Promise<string> {
  const folder = cacheFolder('peers', `yaml-language-server-${version}`);
  if (!existsSync(folder)) {
    report(`installing yaml-language-server ${version} (once; kept in ${folder}) …`);
    await makeOnce(folder, async (draft) => {
      writeFileSync(join(draft, 'package.json'), '{"private":true}');
      const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await run('npm', ['install', ...quiet, `yaml-language-server@${version}`], { cwd: draft });
    });
  }
  return join(folder, 'node_modules/yaml-language-server/out/src/server.js');
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly { section: string }[]; diagnostics?: readonly ServerDiagnostic[] };
  readonly result?: unknown;
}

const uri = 'file:///work/manifest.yaml';

class LspClient implements LanguageServer {
  readonly version = version;
  readonly #child: ChildProcess;
  readonly #yamlSettings: object;
  readonly #answers = new Map<number, () => void>();
  #input = Buffer.alloc(0);
  #requests = 0;
  #documentVersion = 1;
  #awaited: { count: number | undefined; resolve: (found: readonly ServerDiagnostic[]) => void } | undefined;

  constructor(child: ChildProcess, schemaFile: string) {
    this.#child = child;
    this.#yamlSettings = {
      schemas: { [schemaFile]: ['*.yaml'] },
      schemaStore: { enable: false },
      validate: true,
      completion: false,
      hover: false,
    };
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  async open(text: string): Promise<void> {
    await this.#request('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: { workspace: { configuration: true, didChangeConfiguration: {} }, textDocument: {} },
    });
    this.#send({ method: 'initialized', params: {} });
    this.#send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml: this.#yamlSettings } } });
    const document = { uri, languageId: 'yaml', version: this.#documentVersion, text };
    const first = this.diagnostics(0);
    this.#send({ method: 'textDocument/didOpen', params: { textDocument: document } });
    await first;
  }

  change(text: string): void {
    const textDocument = { uri, version: ++this.#documentVersion };
    this.#send({ method: 'textDocument/didChange', params: { textDocument, contentChanges: [{ text }] } });
  }

  diagnostics(count?: number): Promise<readonly ServerDiagnostic[]> {
    return new Promise((resolve) => {
      this.#awaited = { count, resolve };
    });
  }

  spentMs(): Promise<number> {
    return new Promise((resolve) => {
      this.#child.once('message', (usage: NodeJS.CpuUsage) => resolve((usage.user + usage.system) / 1000));
      this.#child.send('usage');
    });
  }

  async stop(): Promise<void> {
    await end(this.#child);
  }

  #request(method: string, params: object): Promise<void> {
    const id = ++this.#requests;
    const answered = new Promise<void>((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    return answered;
  }

  #send(message: object): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.#child.stdin?.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#child.stdin?.write(body);
  }

  #read(chunk: Buffer): void {
    this.#input = Buffer.concat([this.#input, chunk]);
    for (;;) {
      const headerEnd = this.#input.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#input.toString('latin1', 0, headerEnd))?.[1]);
      const bodyStart = headerEnd + 4;
      if (headerEnd < 0 || this.#input.length < bodyStart + length) return;
      const message: Message = JSON.parse(this.#input.toString('utf8', bodyStart, bodyStart + length));
      this.#input = this.#input.subarray(bodyStart + length);
      this.#handle(message);
    }
  }

  #handle({ id, method, params }: Message): void {
    if (method === undefined && id !== undefined) this.#answers.get(id)?.();
    else if (method === 'textDocument/publishDiagnostics') {
      const found = params?.diagnostics ?? [];
      if (this.#awaited === undefined || (this.#awaited.count ?? found.length) !== found.length) return;
      this.#awaited.resolve(found);
      this.#awaited = undefined;
    } else if (method === 'workspace/configuration') {
      const result = params?.items?.map(({ section }) => (section === 'yaml' ? this.#yamlSettings : {}));
      this.#send({ id, result });
    } else if (id !== undefined) this.#send({ id, result: null });
  }
}
