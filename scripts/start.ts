import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProduct } from './build.ts';
import { quietSettings, startCodeServer } from './host/codeServer.ts';
import { openDesktop } from './host/desktop.ts';
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

function nextSteps(): string {
  return [
    '  1. manifests/hello.yaml has one problem marked: take its fix (Ctrl+. on the mark).',
    '  2. Press F1 and run "Delegated Jobs: Dispatch Job".',
    '  3. Say yes to the reconciler, and watch the Job in the sidebar.',
  ].join('\n');
}

async function main(): Promise<number> {
  const stop = Promise.withResolvers<void>();
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isStopping = true;
      stop.resolve();
    });
  }
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
  // A demo without its clusters would only seem to go on.
  const untilOver = Promise.race([stop.promise, ended(sandbox)]).then(() => {
    if (!isStopping) say('The sandbox clusters ended by themselves; what they said stands above.');
  });
  const exitCode = (): number => (isStopping ? 0 : 1);
  const inTerminal = () => showInTerminal({ ...demo, cli: join(root, 'dist/cli.cjs'), say, stop: stop.promise });
  try {
    if (wish === '--terminal') return await inTerminal();
    if (wish !== '--browser' && openedDesktop(demo)) {
      say(`\nVS Code is open on ${demo.workspace}\n${nextSteps()}\n\nCtrl-C here stops the clusters.`);
      await untilOver;
      return exitCode();
    }
    try {
      await showInBrowser(demo, untilOver);
      return exitCode();
    } catch (error) {
      // What was under way when Ctrl-C came ended in a failure, too.
      if (isStopping) return 0;
      say(`\nNo VS Code could be started: ${error instanceof Error ? error.message : String(error)}`);
      say('The same in the terminal instead:\n');
      return await inTerminal();
    }
  } finally {
    isStopping = true;
    await end(sandbox);
    // A sandbox's kubeconfig leads nowhere once it has ended; the workspace may hold somebody's edits and stays.
    rmSync(demo.kubeconfig, { force: true });
  }
}

function openedDesktop(demo: Demo): boolean {
  const outcome = openDesktop({
    extension: root,
    folder: demo.workspace,
    file: demo.hello,
    profile: join(demo.folder, 'vscode'),
    settings: demoSettings(demo),
  });
  if (outcome.kind === 'failed')
    say(`The desktop VS Code did not open (${outcome.reason}); going on with VS Code in the browser.`);
  return outcome.kind === 'opened';
}

async function showInBrowser(demo: Demo, stop: Promise<void>): Promise<void> {
  const dataFolder = join(demo.folder, 'vscode');
  const server = await startCodeServer({
    settings: demoSettings(demo),
    extensionFolder: root,
    dataFolder,
    report: say,
  });
  try {
    const address = server.address(demo.workspace, [['openFile', server.remotePath(demo.hello)]]);
    say(
      `\nVS Code, with the extension on a sample workspace:\n\n  ${address}\n\n${nextSteps()}\n\nCtrl-C here stops it all.`,
    );
    await Promise.race([stop, server.ended]);
  } finally {
    await server.stop();
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

process.exitCode = await main();
