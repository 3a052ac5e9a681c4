import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { launchChromium } from './browser.ts';
import { type CodeServer, quietSettings, startCodeServer } from './codeServer.ts';
import { clickDialogButton, rowWith, runCommand } from './newcomer.ts';

/**
 * What only a real VS Code shows, each journey in a window and on a workspace of its own, all against one sandbox whose
 * clusters can be struck. Rejects with the first journey that doesn't end as it should; a picture of it is in `folder`.
 */
export async function walkJourneys(
  chromium: string,
  folder: string,
  report: (line: string) => void,
): Promise<{ readonly passed: number; readonly failed: number }> {
  const root = join(import.meta.dirname, '..', '..');
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'delegated-jobs-journeys-'));
  const kubeconfig = join(scratch, 'kubeconfig');
  const sandbox = await startSandbox({ workers: 2 });
  let server: CodeServer | undefined;
  let browser: Browser | undefined;
  let passed = 0;
  let failed = 0;
  try {
    server = await startCodeServer({
      settings: { ...quietSettings, 'delegatedJobs.kubeconfig': kubeconfig },
      extensionFolder: root,
      report,
    });
    browser = await launchChromium(chromium);
    for (const [name, walk] of Object.entries(journeys)) {
      writeFileSync(kubeconfig, sandbox.kubeconfig);
      const workspace = join(scratch, `workspace-${passed + failed}`);
      cpSync(join(root, 'media/sample'), workspace, { recursive: true });
      const hello = join(workspace, 'manifests/hello.yaml');
      writeFileSync(
        hello,
        readFileSync(hello, 'utf8')
          .replace('Always', 'Never')
          .replace('name: hello', `name: job-${passed + failed}`),
      );
      const context = await browser.newContext({ viewport: { width: 1200, height: 720 } });
      const page = await context.newPage();
      const open = async (): Promise<void> => {
        const file = server?.remotePath(hello) ?? '';
        await page.goto(server?.address(workspace, [['openFile', file]]) ?? '');
        // The palette knows our commands only after the extension is up, which the lens shows.
        await page.locator('.codelens-decoration').filter({ hasText: 'Dispatch' }).waitFor({ timeout: 60_000 });
      };
      try {
        await walk({ page, sandbox, kubeconfig, workspace, job: `job-${passed + failed}`, open });
        report(`  ✓ ${name}`);
        passed++;
      } catch (error) {
        await page.screenshot({ path: join(folder, `journey-${passed + failed}.png`) });
        report(`  ✗ ${name}\n    ${error instanceof Error ? error.stack : error}`);
        failed++;
      } finally {
        for (const { faults } of sandbox.clusters) faults.clear();
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

interface Journey {
  readonly page: Page;
  readonly sandbox: Sandbox;
  readonly kubeconfig: string;
  readonly workspace: string;
  /** The name that the Job of `hello.yaml` has in this workspace. */
  readonly job: string;
  /** Opens the workspace; may be called again, as a reload. */
  readonly open: () => Promise<void>;
}

const journeys: Readonly<Record<string, (journey: Journey) => Promise<void>>> = {
  'a workspace that carries the setting contacts nobody before the answer': async ({
    page,
    sandbox,
    workspace,
    open,
  }) => {
    addSettings(workspace, { 'delegatedJobs.reconciler.enabled': true });
    await open();
    await toast(page, /nobody agreed to on this machine/);
    await page
      .locator('.notification-toast .monaco-button')
      .filter({ hasText: /^Review/ })
      .click();
    await dialog(page, /Run the reconciler for this workspace\?/);
    expectSame(watchesOf(sandbox), [0, 0, 0], 'watches while the question is open');
    await page.keyboard.press('Escape');
    await page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
    expectSame(watchesOf(sandbox), [0, 0, 0], 'watches after a no');
  },

  'what was agreed to goes on after a reload, and stops for good when it is told to': async ({ page, job, open }) => {
    await open();
    await dispatch(page);
    await clickDialogButton(page, /^Run the Reconciler/);
    await status(page, /Reconciling/);
    await rowWith(page, new RegExp(`${job}.*(Running|Succeeded)`));
    await open();
    await status(page, /Reconciling/);
    await runCommand(page, 'Delegated Jobs: Stop the Reconciler');
    await status(page, /Not reconciling/);
  },

  'a name that is taken, said clearly and once': async ({ page, job, open }) => {
    await open();
    await dispatch(page);
    await dialog(page, /Run the reconciler for this workspace\?/);
    await page.keyboard.press('Escape');
    await rowWith(page, new RegExp(`${job}.*Nobody runs it`));
    await dispatch(page);
    await dialog(page, /Run the reconciler for this workspace\?/);
    await page.keyboard.press('Escape');
    await toast(page, new RegExp(`with this name already.*${job}`));
  },

  'an edited kubeconfig is followed, and a broken one leaves what is open': async ({ page, kubeconfig, open }) => {
    const good = readFileSync(kubeconfig, 'utf8');
    await open();
    await connect(page);
    await rowWith(page, /job-/);
    writeFileSync(kubeconfig, good.replace(/token: .*/, 'token: nope'));
    await rowWith(page, /Management cluster management, Login needed/);
    writeFileSync(kubeconfig, 'clusters: [');
    await toast(page, /kubeconfig, line 1: .*the clusters of before stay connected/);
    writeFileSync(kubeconfig, good);
    await gone(page, /Management cluster/);
  },

  'a management cluster that goes and comes back': async ({ page, sandbox, open }) => {
    await open();
    await connect(page);
    await rowWith(page, /job-/);
    const [management] = sandbox.clusters;
    management?.faults.add({ fault: { kind: 'reset' } });
    management?.faults.cutWatches();
    await rowWith(page, /Management cluster management, Out of touch/);
    await rowWith(page, /job-.*out of date/);
    management?.faults.clear();
    await page
      .locator('.customview-tree')
      .getByRole('treeitem', { name: /Management cluster/ })
      .hover();
    await page.locator('.customview-tree .action-label[aria-label="Try Again"]').first().click();
    await gone(page, /Management cluster|out of date/);
  },
};

/** Dispatches what the editor shows, up to the question for the reconciler. */
async function dispatch(page: Page): Promise<void> {
  await page.click('.monaco-editor .view-lines');
  await runCommand(page, 'Delegated Jobs: Dispatch Job');
  await clickDialogButton(page, /^Dispatch/);
}

/** Takes what the settings say, three times. */
async function connect(page: Page): Promise<void> {
  await runCommand(page, 'Delegated Jobs: Connect to Clusters');
  for (const step of ['1/3', '2/3', '3/3']) {
    await page.locator('.quick-input-title').filter({ hasText: step }).waitFor();
    if (step !== '3/3') await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Escape');
  await runCommand(page, 'View: Show Delegated Jobs');
}

async function toast(page: Page, text: RegExp): Promise<void> {
  await page.locator('.notification-toast').filter({ hasText: text }).first().waitFor({ timeout: 40_000 });
}

async function dialog(page: Page, text: RegExp): Promise<void> {
  await page.locator('.monaco-dialog-box').filter({ hasText: text }).waitFor({ timeout: 30_000 });
}

async function status(page: Page, text: RegExp): Promise<void> {
  const item = page.locator('.statusbar-item[id*=delegatedJobs]');
  await item.filter({ hasText: text }).waitFor({ timeout: 60_000 });
}

/** Waits until no row of the view has that label. */
async function gone(page: Page, label: RegExp): Promise<void> {
  const rows = page.locator('.customview-tree').getByRole('treeitem', { name: label });
  await rows.first().waitFor({ state: 'detached', timeout: 40_000 });
}

function watchesOf(sandbox: Sandbox): number[] {
  return sandbox.clusters.map((cluster) => cluster.openWatches());
}

function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value));
  if (is !== should) throw new Error(`${what}: ${is} instead of ${should}`);
}

function addSettings(workspace: string, more: Readonly<Record<string, unknown>>): void {
  const file = join(workspace, '.vscode/settings.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }));
}
