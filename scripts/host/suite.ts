import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { buildFile } from '../build.ts';
import { launchChromium } from './browser.ts';
import { quietSettings, startCodeServer } from './codeServer.ts';
import { end } from './process.ts';

/** The suite inside a real VS Code (test/host), started in the browser's VS Code and watched until it says how it ended. */

const root = join(import.meta.dirname, '..', '..');
const deadlineMs = 240_000;

export interface HostRun {
  /** What is tested: the development folder, or a packaged VSIX that is installed as a user would. */
  readonly subject: { readonly kind: 'folder' } | { readonly kind: 'vsix'; readonly file: string };
  readonly trusted: boolean;
  readonly chromium: string;
  readonly report: (line: string) => void;
}

export interface HostResult {
  readonly passed: number;
  readonly failed: number;
  readonly lines: readonly string[];
  /** What activation cost in that host. */
  readonly activationMs: number;
}

export async function runHostSuite(run: HostRun): Promise<HostResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'delegated-jobs-suite-'));
  let sandbox: ChildProcess | undefined;
  let browser: Browser | undefined;
  try {
    const kubeconfig = join(scratch, 'kubeconfig');
    sandbox = spawn(
      process.execPath,
      [join(root, 'dist/cli.cjs'), 'sandbox', '--workers', '2', '--kubeconfig-out', kubeconfig],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const workspace = join(scratch, 'workspace');
    cpSync(join(root, 'media/sample'), workspace, { recursive: true });
    await buildFile('test/host/index.ts', 'build/host/index.cjs');
    await untilExists(kubeconfig);
    const resultFile = join(scratch, 'result.json');
    const server = await startCodeServer({
      settings: {
        ...quietSettings,
        'security.workspace.trust.enabled': !run.trusted,
        'security.workspace.trust.startupPrompt': 'never',
        'delegatedJobs.kubeconfig': kubeconfig,
      },
      install: run.subject.kind === 'vsix' ? [run.subject.file] : [],
      env: {
        DELEGATED_JOBS_SUITE_RESULT: resultFile,
        DELEGATED_JOBS_SUITE_KUBECONFIG: kubeconfig,
        DELEGATED_JOBS_SUITE_TRUSTED: run.trusted ? '1' : '0',
        DELEGATED_JOBS_SUITE_PAGES: join(root, 'docs/rules'),
        DELEGATED_JOBS_SUITE_SUBJECT: run.subject.kind,
        // The address that the suite's pictures and page-driven steps don't need, and a leak would show in.
        KUBECONFIG: join(scratch, 'nobody-reads-this'),
      },
      isDriven: true,
      report: run.report,
    });
    try {
      browser = await launchChromium(run.chromium);
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const exit = Promise.withResolvers<number>();
      const logs: string[] = [];
      await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
        logs.push(args.map(String).join(' '));
      });
      await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
      // A tested VSIX is installed already; the development path then names an extension that holds the suite alone.
      const development = run.subject.kind === 'folder' ? root : emptyExtension(scratch);
      await page.goto(
        server.address(workspace, [
          ['extensionDevelopmentPath', server.remotePath(development)],
          ['extensionTestsPath', server.remotePath(join(root, 'build/host/index.cjs'))],
        ]),
      );
      const timeout = new Promise<never>((_resolve, reject) => {
        setTimeout(
          () =>
            reject(new Error(`The suite did not end within ${deadlineMs / 1000} s:\n${logs.slice(-30).join('\n')}`)),
          deadlineMs,
        ).unref();
      });
      const code = await Promise.race([exit.promise, timeout, server.ended]);
      if (!existsSync(resultFile))
        throw new Error(`The suite ended with ${code} and left no result:\n${logs.slice(-30).join('\n')}`);
      return readResult(resultFile);
    } finally {
      await browser?.close();
      await server.stop();
    }
  } finally {
    if (sandbox) await end(sandbox);
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function readResult(file: string): HostResult {
  const result: HostResult = JSON.parse(readFileSync(file, 'utf8'));
  return result;
}

function emptyExtension(scratch: string): string {
  const folder = join(scratch, 'suite-extension');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'suite', publisher: 'suite', version: '0.0.1', engines: { vscode: '^1.106.0' } }),
  );
  return folder;
}

async function untilExists(file: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (existsSync(file)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The sandbox did not write ${file} within 30 s.`);
}
