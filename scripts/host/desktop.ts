import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A VS Code of the desktop, on a profile of its own: nobody's settings and extensions are touched. */
export interface DesktopWindow {
  readonly extension: string;
  readonly folder: string;
  readonly file: string;
  readonly profile: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export type DesktopOutcome =
  | { readonly kind: 'opened' }
  /** There is none, as on a server; nothing to speak of. */
  | { readonly kind: 'absent' }
  /** There is one, and it did not do what it was asked; `reason` for a person. */
  | { readonly kind: 'failed'; readonly reason: string };

const patienceMs = 30_000;

export function openDesktop(window: DesktopWindow): DesktopOutcome {
  const command = findCommand();
  if (command === undefined) return { kind: 'absent' };
  mkdirSync(join(window.profile, 'User'), { recursive: true });
  writeFileSync(join(window.profile, 'User', 'settings.json'), JSON.stringify(window.settings, null, 2));
  const args = [
    ...['--new-window', '--user-data-dir', window.profile, `--extensionDevelopmentPath=${window.extension}`],
    ...[window.folder, window.file],
  ];
  const isWindows = process.platform === 'win32';
  // A shell takes the arguments as one line of text there, and paths may hold spaces.
  const quoted = isWindows ? args.map((arg) => `"${arg}"`) : args;
  const result = spawnSync(command, quoted, { encoding: 'utf8', shell: isWindows, timeout: patienceMs });
  if (result.error !== undefined) {
    const code = 'code' in result.error ? result.error.code : undefined;
    return code === 'ENOENT' ? { kind: 'absent' } : { kind: 'failed', reason: result.error.message };
  }
  if (result.status === 0) return { kind: 'opened' };
  // A shell says so in its own way when there is no such program.
  if (isWindows && result.status === 1 && !result.stdout) return { kind: 'absent' };
  const words = `${result.stderr}${result.stdout}`.trim().split('\n').at(-1) ?? '';
  return { kind: 'failed', reason: words || `'${command}' ended with ${result.status}.` };
}

/** Absent where a `code` there is would open a window on another machine, with none of what it is given. */
function findCommand(): string | undefined {
  const { env, platform } = process;
  // In a terminal of a remote window `code` only passes files on to that window.
  if (env['VSCODE_IPC_HOOK_CLI'] || env['SSH_CONNECTION']) return undefined;
  if (platform === 'linux') {
    const isWindowsBelow = existsSync('/proc/version') && /microsoft/i.test(readFileSync('/proc/version', 'utf8'));
    if (isWindowsBelow || !(env['DISPLAY'] || env['WAYLAND_DISPLAY'])) return undefined;
  }
  const bundled = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';
  return platform === 'darwin' && existsSync(bundled) ? bundled : 'code';
}
