import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  clickDialogButton,
  dialog,
  dismissDialog,
  expectSame,
  openFile,
  pickFrom,
  rowWith,
  runCommand,
  status,
  suggest,
  toast,
} from '../page.ts';
import { addSettings, dispatch, type Journeys, watchesOf } from './journey.ts';
import { leaveGaps, take } from './typing.ts';

/** What happens to a window: it is trusted, its reconciler ends by itself. */
export const windowJourneys: Journeys = {
  'trust that is granted while the window is open brings the clusters in, after the question': async ({
    page,
    sandbox,
    workspace,
    picture,
    openUntrusted,
  }) => {
    addSettings(workspace, { 'delegatedJobs.reconciler.enabled': true });
    await openUntrusted();
    const lens = page.locator('.codelens-decoration').filter({ hasText: 'Dispatch' });
    expectSame(await lens.count(), 0, 'ways to dispatch without trust');
    await openFile(page, 'indexed.yaml');
    await runCommand(page, 'View: Show Delegated Jobs');
    await page.locator('.welcome-view-content').filter({ hasText: 'trusted workspaces only' }).waitFor();
    await picture('untrusted');
    expectSame(await page.locator('.statusbar-item[id*=delegatedJobs]').count(), 0, 'words in the status bar');
    expectSame(watchesOf(sandbox), [0, 0, 0], 'watches without trust');

    await page.locator('.welcome-view-content .monaco-button').filter({ hasText: 'Manage Workspace Trust' }).click();
    await page
      .locator('.workspace-trust-editor .monaco-button')
      .filter({ hasText: /^Trust$/ })
      .click();
    const told = await toast(page, /nobody agreed to on this machine/);
    expectSame(watchesOf(sandbox), [0, 0, 0], 'watches before the answer');
    await told
      .locator('.monaco-button')
      .filter({ hasText: /^Review/ })
      .click();
    await clickDialogButton(page, /^Run the Reconciler/);
    await status(page, /Reconciling/);
    await page.keyboard.press('Escape');
    await lens.waitFor();
  },

  'a reconciler whose thread ends by itself says so, and runs again at a click': async ({
    page,
    workspace,
    extension,
    job,
    picture,
    open,
  }) => {
    // The thread as it is shipped, and a fault that waits in it for a sign.
    const bundle = join(extension, 'dist/reconciler.cjs');
    const shipped = readFileSync(bundle);
    const sign = join(workspace, 'strike');
    try {
      appendFileSync(
        bundle,
        `\nsetInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(sign)})) throw new Error('Out of luck.'); }, 50);`,
      );
      await open();
      await dispatch(page);
      await clickDialogButton(page, /^Run the Reconciler/);
      await status(page, /Reconciling/);
      writeFileSync(sign, '');
      await status(page, /Reconciler stopped/);
      await picture('crashed');
    } finally {
      writeFileSync(bundle, shipped);
    }
    await (await status(page, /Reconciler stopped/)).click();
    await pickFrom(page, /The Reconciler of This Window/, 'Run the Reconciler');
    await status(page, /Reconciling/);
    await rowWith(page, new RegExp(`^Job ${job}.*Succeeded`));
  },

  'the walkthrough leads from nothing to a Job that runs': async ({ page, picture, open }) => {
    await open();
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.press('W');
    await runCommand(page, 'Welcome: Open Walkthrough');
    await page.keyboard.type('Delegate your first Job');
    await page.locator('.quick-input-list .monaco-list-row.focused[aria-label*="Delegate your first Job"]').waitFor();
    await page.keyboard.press('Enter');
    const step = (title: string) => page.locator('.getting-started-step').filter({ hasText: title });
    const button = (title: string) => page.locator('.getting-started-step .monaco-button').filter({ hasText: title });
    await button('Start Sandbox Clusters').click();
    await rowWith(page, /No delegated Jobs here/);
    await picture('walkthrough');

    await step('Dispatch a Job').click();
    await button('New YAML File').click();
    await page.locator('.tab.active[data-resource-name^="Untitled"]').waitFor();
    await suggest(page);
    await take(page, "Job for this workspace's reconciler");
    await leaveGaps(page);
    await picture('walkthrough-2');
    await page.getByRole('tab', { name: /^Welcome/ }).click();
    await button('Dispatch Job').click();
    await clickDialogButton(page, /^Dispatch/);
    await dialog(page, /Run the reconciler for this workspace\?/);
    await dismissDialog(page);
    await rowWith(page, /^Job name.*Nobody runs it/);

    await page.getByRole('tab', { name: /^Welcome/ }).click();
    await step('Let this window reconcile').click();
    await picture('walkthrough-3');
    await button('Run the Reconciler').click();
    await clickDialogButton(page, /^Run the Reconciler/);
    await rowWith(page, /^Job name.*Succeeded/);
    await page.locator('.getting-started-step[aria-checked=true]').nth(2).waitFor();
    await runCommand(page, 'View: Show Explorer');
    await button('Show the Jobs').click();
    await rowWith(page, /^Job name/);
  },
};
