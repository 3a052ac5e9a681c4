import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type JsonObject, systemClock } from '../../../src/base/index.ts';
import { type Job, jobs, type KubeClient, loadKubeconfig } from '../../../src/kube/index.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { clickDialogButton, runCommand } from '../page.ts';

/** What a journey has: a window of its own, a workspace of its own, and the sandbox that all of them share. */
export interface Journey {
  readonly page: Page;
  readonly sandbox: Sandbox;
  readonly kubeconfig: string;
  readonly workspace: string;
  /** The extension as it is installed, bundles and all. */
  readonly extension: string;
  /** The name that the Job of `hello.yaml` has in this workspace. */
  readonly job: string;
  /** Opens the workspace at `hello.yaml`; may be called again, as a reload. */
  readonly open: () => Promise<void>;
  /** The same in a window that asks whether the workspace is trusted, and has no answer yet. */
  readonly openUntrusted: () => Promise<void>;
  /** Adds to what this machine has for settings, also while the window is open. */
  readonly configure: (settings: Readonly<Record<string, unknown>>) => void;
  /** Keeps a picture of the window. */
  readonly picture: (name: string) => Promise<void>;
}

/** Journeys by what they show. */
export type Journeys = Readonly<Record<string, (journey: Journey) => Promise<void>>>;

/** Dispatches what the editor shows, up to the question for the reconciler. */
export async function dispatch(page: Page): Promise<void> {
  await page.click('.monaco-editor .view-lines');
  await runCommand(page, 'Delegated Jobs: Dispatch Job');
  await clickDialogButton(page, /^Dispatch/);
}

/** Takes what the settings say, three times. */
export async function connect(page: Page): Promise<void> {
  await runCommand(page, 'Delegated Jobs: Connect to Clusters');
  for (const step of ['1/3', '2/3', '3/3']) {
    await page.locator('.quick-input-title').filter({ hasText: step }).waitFor();
    if (step !== '3/3') await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await page.keyboard.press('Enter');
  }
  // What was typed is looked at once more before the box closes.
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await runCommand(page, 'View: Show Delegated Jobs');
}

export function addSettings(workspace: string, more: Readonly<Record<string, unknown>>): void {
  const file = join(workspace, '.vscode/settings.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...more }));
}

export function watchesOf(sandbox: Sandbox): number[] {
  return sandbox.clusters.map((cluster) => cluster.openWatches());
}

/** One of the sandbox's clusters, as kubectl beside the window would reach it. Dispose the result. */
export async function openCluster(sandbox: Sandbox, context = 'management'): Promise<KubeClient> {
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-client-'));
  try {
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, sandbox.kubeconfig);
    const place = { env: {}, homeDir: folder, cwd: folder };
    const { value } = await loadKubeconfig({ paths: [file], ...place, clock: systemClock });
    return value.open(context);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes a Job that nobody runs, in `default` of the management cluster. */
export async function createJob(
  sandbox: Sandbox,
  name: string,
  more: JsonObject = {},
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  const management = await openCluster(sandbox);
  try {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.37' }] } };
    const spec = { managedBy: 'delegated-jobs.dev/reconciler', template, ...more };
    const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, labels }, spec };
    await management.create(jobs, 'default', body, {}, new AbortController().signal);
  } finally {
    management.dispose();
  }
}

/** The names of a cluster's Jobs in `default`. */
export async function jobNames(cluster: KubeClient): Promise<string[]> {
  const { items } = await cluster.list<Job>(jobs, { namespace: 'default' }, new AbortController().signal);
  return items.map(({ metadata }) => metadata.name);
}
