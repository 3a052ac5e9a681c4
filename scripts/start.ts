import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { quietSettings, startCodeServer } from './host/codeServer.ts';
import { end } from './host/process.ts';
import { showInTerminal } from './terminalDemo.ts';

/**
 * The main job, seen: three sandbox clusters, and a VS Code with the extension on a copy of the sample workspace.
 * `npm start [-- --terminal | --browser]`. A desktop VS Code is used where there is one, else VS Code in the browser; where
 * neither can be had, it says why and shows the same in the terminal. Runs until Ctrl-C.
 */
const root = join(import.meta.dirname, '..');
const say = (line: string): void => console.log(line);

interface Demo {
  readonly folder: string;
  readonly workspace: string;
  readonly hello: string;
  readonly kubeconfig: string;
}

function makeDemo(): Demo {
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-demo-'));
  const workspace = join(folder, 'sample');
  cpSync(join(root, 'media/sample'), workspace, { recursive: true });
  return { folder, workspace, hello: join(workspace, 'manifests/hello.yaml'), kubeconfig: join(folder, 'kubeconfig') };
}

async function startSandbox(demo: Demo): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [join(root, 'dist/cli.cjs'), 'sandbox', '--workers', '2', '--kubeconfig-out', demo.kubeconfig],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  let hasEnded = false;
  child.on('exit', () => {
    hasEnded = true;
  });
  // The kubeconfig is written last: once it exists the clusters answer.
  for (let tries = 0; tries < 300 && !existsSync(demo.kubeconfig); tries++) {
    if (hasEnded) throw new Error('The sandbox ended before it was ready; what it said stands above.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (!existsSync(demo.kubeconfig)) throw new Error('The sandbox was not ready within 15 s.');
  return child;
}

function demoSettings(demo: Demo): Readonly<Record<string, unknown>> {
  return {
    ...quietSettings,
    'delegatedJobs.kubeconfig': demo.kubeconfig,
    'workbench.colorTheme': 'Default Dark Modern',
  };
}

/** True if a desktop VS Code was opened. It has a profile of its own, so that nobody's settings are touched. */
function openDesktop(demo: Demo): boolean {
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  if (!hasDisplay) return false;
  const profile = join(demo.folder, 'vscode');
  mkdirSync(join(profile, 'User'), { recursive: true });
  writeFileSync(join(profile, 'User/settings.json'), JSON.stringify(demoSettings(demo), null, 2));
  const args = [
    '--new-window',
    '--user-data-dir',
    profile,
    `--extensionDevelopmentPath=${root}`,
    demo.workspace,
    demo.hello,
  ];
  const result = spawnSync('code', args, { stdio: 'ignore', shell: process.platform === 'win32' });
  return result.error === undefined && result.status === 0;
}

function nextSteps(): string {
  return [
    '  1. manifests/hello.yaml has one problem marked: take its fix (Ctrl+. on the mark).',
    '  2. Press F1 and run "Delegated Jobs: Dispatch Job".',
    '  3. Say yes to the reconciler, and watch the Job in the sidebar.',
  ].join('\n');
}

async function main(): Promise<number> {
  const stop = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.resolve());
  const wish = process.argv[2];
  if (wish !== undefined && wish !== '--terminal' && wish !== '--browser') {
    console.error(`npm start knows --terminal and --browser, not '${wish}'.`);
    return 2;
  }
  say('Building the extension …');
  await buildProduct();
  const demo = makeDemo();
  say('Starting three sandbox clusters: management, worker-1, worker-2 …');
  const sandbox = await startSandbox(demo);
  try {
    if (wish === '--terminal')
      return await showInTerminal({ ...demo, cli: join(root, 'dist/cli.cjs'), say, stop: stop.promise });
    if (wish !== '--browser' && openDesktop(demo)) {
      say(`\nVS Code is open on ${demo.workspace}\n${nextSteps()}\n\nCtrl-C here stops the clusters.`);
      await stop.promise;
      return 0;
    }
    try {
      const server = await startCodeServer({
        settings: demoSettings(demo),
        extensionFolder: root,
        dataFolder: join(demo.folder, 'vscode'),
        report: say,
      });
      const address = server.address(demo.workspace, [
        ['openFile', server.remotePath(demo.hello)],
      ]);
      say(
        `\nVS Code, with the extension on a sample workspace:\n\n  ${address}\n\n${nextSteps()}\n\nCtrl-C here stops it all.`,
      );
      try {
        await Promise.race([stop.promise, server.ended]);
      } finally {
        await server.stop();
      }
      return 0;
    } catch (error) {
      say(`\nNo VS Code could be started: ${error instanceof Error ? error.message : String(error)}`);
      say('The same in the terminal instead:\n');
      return await showInTerminal({ ...demo, cli: join(root, 'dist/cli.cjs'), say, stop: stop.promise });
    }
  } finally {
    await end(sandbox);
    // A sandbox's kubeconfig leads nowhere once it has ended; the workspace may hold somebody's edits and stays.
    rmSync(demo.kubeconfig, { force: true });
  }
}

process.exitCode = await main();
