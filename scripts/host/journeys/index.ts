import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { until } from '../../../test/host/until.ts';
import { launchChromium } from '../browser.ts';
import { type CodeServer, quietSettings, startCodeServer } from '../codeServer.ts';
import { picturesInto } from '../page.ts';
import { clusterJourneys } from './clusters.ts';
import { dispatchJourneys } from './dispatch.ts';
import { type Journey, type Journeys, watchesOf } from './journey.ts';
import { rowJourneys } from './rows.ts';
import { typingJourneys } from './typing.ts';
import { windowJourneys } from './window.ts';
import { workerJourneys } from './workers.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const journeys: Journeys = {
  ...clusterJourneys,
  ...rowJourneys,
  ...dispatchJourneys,
  ...windowJourneys,
  ...typingJourneys,
  ...workerJourneys,
};

export interface JourneyOptions {
  readonly chromium: string;
  /** Where pictures go: those that journeys keep, and one of where each that failed stopped. */
  readonly pictures: string;
  /** Only the journeys whose names contain it. */
  readonly only?: string;
  readonly report: (line: string) => void;
}

/**
 * What only a real VS Code shows, each journey in a window and on a workspace of its own, all against one sandbox whose
 * clusters can be struck. Resolves with how many ended as they should.
 */
export async function walkJourneys({ chromium, pictures, only = '', report }: JourneyOptions): Promise<{
  readonly passed: number;
  readonly failed: number;
}> {
  mkdirSync(pictures, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'delegated-jobs-journeys-'));
  const kubeconfig = join(scratch, 'kubeconfig');
  // In a browser files save themselves, on a desktop they don't.
  const settings = { ...quietSettings, 'files.autoSave': 'off', 'delegatedJobs.kubeconfig': kubeconfig };
  const sandbox = await startSandbox({ workers: 2 });
  let server: CodeServer | undefined;
  let browser: Browser | undefined;
  let passed = 0;
  let failed = 0;
  try {
    server = await startCodeServer({ settings, extensionFolder: root, report });
    browser = await launchChromium(chromium);
    for (const [name, walk] of Object.entries(journeys).filter(([one]) => one.includes(only))) {
      const number = passed + failed;
      writeFileSync(kubeconfig, sandbox.kubeconfig);
      server.configure(settings);
      const workspace = join(scratch, `workspace-${number}`);
      const job = `job-${number}`;
      const hello = makeWorkspace(workspace, job);
      const context = await browser.newContext({
        viewport: { width: 1200, height: 720 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const page = await context.newPage();
      const windows = windowsOf(server, page, settings, { workspace, hello });
      const picture = picturesInto(page, pictures);
      const { installed: extension = '' } = server;
      try {
        await walk({ page, sandbox, kubeconfig, workspace, extension, job, picture, ...windows });
        await leave(page, sandbox);
        report(`  ✓ ${name}`);
        passed++;
      } catch (error) {
        await picture(`journey-${number}`);
        report(`  ✗ ${name}\n    ${error instanceof Error ? error.stack : error}`);
        failed++;
      } finally {
        restore(sandbox);
        await context.close();
      }
    }
  } finally {
    await browser?.close();
    await server?.stop();
    await sandbox.stop();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
  return { passed, failed };
}

/** A copy of the sample whose first Job has a name of its own and nothing wrong; the path of its file. */
function makeWorkspace(workspace: string, job: string): string {
  cpSync(join(root, 'media/sample'), workspace, { recursive: true });
  const hello = join(workspace, 'manifests/hello.yaml');
  const text = readFileSync(hello, 'utf8').replace('Always', 'Never').replace('name: hello', `name: ${job}`);
  writeFileSync(hello, text);
  return hello;
}

function windowsOf(
  server: CodeServer,
  page: Page,
  settings: Readonly<Record<string, unknown>>,
  { workspace, hello }: { readonly workspace: string; readonly hello: string },
): Pick<Journey, 'open' | 'openUntrusted' | 'configure'> {
  const address = server.address(workspace, [['openFile', server.remotePath(hello)]]);
  const lens = page.locator('.codelens-decoration');
  return {
    open: async () => {
      await page.goto(address);
      // The palette knows our commands only after the extension is up, which the lens shows.
      await lens.first().waitFor({ timeout: 60_000 });
    },
    configure: (more) => server.configure({ ...settings, ...more }),
    openUntrusted: async () => {
      server.configure({
        ...settings,
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
      });
      await page.goto(address);
      await lens.first().waitFor({ timeout: 60_000 });
    },
  };
}

/** Closes the window as a person does, after which none of its watches may be left. */
async function leave(page: Page, sandbox: Sandbox): Promise<void> {
  await page.goto('about:blank');
  await until('the watches to end', async () => watchesOf(sandbox).every((count) => count === 0));
}

function restore(sandbox: Sandbox): void {
  for (const cluster of sandbox.clusters) {
    cluster.faults.clear();
    cluster.setRules(cluster.token, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]);
  }
}
