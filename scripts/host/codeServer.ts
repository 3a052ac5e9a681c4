import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder, makeOnce } from './cache.ts';
import { end, freePort, run } from './process.ts';

/**
 * A whole VS Code from the npm registry: code-server holds the workbench, the extension host and the built-in extensions.
 * It is installed without running any package's scripts, so nothing is compiled; what stays uncompiled isn't used here.
 * Its own server is started, not the code-server wrapper around it.
 */
const version = '4.139.1';

/** Settings of a window that shows our work and nothing else. Trust is a setting so that tests can have both answers. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'security.workspace.trust.enabled': false,
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'editor.minimap.enabled': false,
};

/** Where VS Code's server stands; installs it into the user's cache the first time (about 600 MB, some 15 s). */
async function installCodeServer(report: (line: string) => void): Promise<string> {
  if (process.platform === 'win32')
    throw new Error('code-server does not run on Windows. Install VS Code: https://code.visualstudio.com');
  const folder = cacheFolder('code-server', version, `${process.platform}-${process.arch}`);
  if (!existsSync(folder)) {
    report(`Installing VS Code for the browser (code-server ${version}) into ${folder} …`);
    await makeOnce(folder, async (draft) => {
      writeFileSync(join(draft, 'package.json'), '{"private":true}');
      // npm must run on the Node whose native interface the server will be loaded with, which is the one we run on.
      const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
      const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await run('npm', ['install', ...quiet, `code-server@${version}`], { cwd: draft, env });
      await run('npm', ['install', '--omit=dev', ...quiet], {
        cwd: join(draft, 'node_modules/code-server/lib/vscode'),
        env,
      });
    });
  }
  return join(folder, 'node_modules/code-server/lib/vscode/out/server-main.js');
}

export interface CodeServer {
  /** `http://127.0.0.1:N` */
  readonly origin: string;
  /** The address that opens `folder` with what `payload` asks for. */
  address(folder: string, payload: readonly (readonly [string, string])[]): string;
  /** A path on this machine as VS Code in the browser names it. */
  remotePath(path: string): string;
  /** What the windows that are opened from now on have for settings. */
  configure(settings: Readonly<Record<string, unknown>>): void;
  /** Where the extension of `extensionFolder` was put. */
  readonly installed: string | undefined;
  /** Rejects when the server ends by itself. */
  readonly ended: Promise<never>;
  stop(): Promise<void>;
}

export interface CodeServerOptions {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Variables that the extension host sees beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** VSIX files to install before the start. */
  readonly install?: readonly string[];
  /** The folder of an extension with its bundles built: it is there as if it had been installed. */
  readonly extensionFolder?: string;
  /**
   * Lets the address name development and test paths, which a built VS Code else ignores. Such a window shows no
   * notification, so a person shall not be given one.
   */
  readonly isDriven?: boolean;
  /** Keeps the window's state between starts; else a folder that is removed at the end. */
  readonly dataFolder?: string;
  readonly report: (line: string) => void;
}

export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const main = await installCodeServer(options.report);
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'delegated-jobs-host-'));
  const discard = (): void => {
    if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  const configure: CodeServer['configure'] = (settings) => {
    for (const level of ['Machine', 'User']) {
      const folder = join(dataFolder, 'data', level);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
    }
  };
  try {
    configure(options.settings);
    for (const file of options.install ?? []) {
      await run(process.execPath, [
        main,
        '--accept-server-license-terms',
        '--server-data-dir',
        dataFolder,
        '--install-extension',
        file,
      ]);
    }
    const installed = options.extensionFolder && putExtension(options.extensionFolder, join(dataFolder, 'extensions'));
    const port = await freePort();
    const child = spawn(
      process.execPath,
      [
        ...[
          main,
          '--host',
          '127.0.0.1',
          '--port',
          `${port}`,
          '--without-connection-token',
          '--accept-server-license-terms',
        ],
        ...['--server-data-dir', dataFolder, '--telemetry-level', 'off'],
        ...(options.isDriven ? ['--enable-smoke-test-driver'] : []),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.env } },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-20_000);
      });
    }
    const ended = new Promise<never>((_resolve, reject) => {
      child.on('exit', (code) => reject(new Error(`VS Code's server ended with ${code}:\n${output.slice(-2000)}`)));
    });
    ended.catch(() => undefined);
    await Promise.race([untilAnswers(port), ended]);
    return {
      origin: `http://127.0.0.1:${port}`,
      remotePath: (path) => `vscode-remote://127.0.0.1:${port}${path}`,
      address: (folder, payload) =>
        `http://127.0.0.1:${port}/?${new URLSearchParams({ folder, payload: JSON.stringify([...payload, ['skipWelcome', 'true']]) })}`,
      configure,
      installed,
      ended,
      stop: async () => {
        await endTree(child);
        discard();
      },
    };
  } catch (error) {
    discard();
    throw error;
  }
}

/** A copy of what an installed extension has, since VS Code counts what stands in that folder as its own to remove. */
function putExtension(folder: string, extensions: string): string {
  const { publisher, name, version }: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const place = join(extensions, `${publisher}.${name}-${version}`);
  for (const part of ['package.json', 'README.md', 'dist', 'media'])
    cpSync(join(folder, part), join(place, part), { recursive: true });
  return place;
}

/** The server passes its end on to the extension host that it started, if it is asked and not killed. */
async function endTree(child: ChildProcess): Promise<void> {
  await end(child, 8000);
}

async function untilAnswers(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const isUp = await new Promise<boolean>((resolve) => {
      const request = get({ host: '127.0.0.1', port, path: '/version' }, (response) => {
        response.resume();
        resolve(true);
      });
      request.on('error', () => resolve(false));
    });
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("VS Code's server did not answer within 30 s.");
}
