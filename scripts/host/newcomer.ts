import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { launchChromium } from './browser.ts';
import {
  askFixes,
  askHover,
  clickDialogButton,
  goToText,
  leaveHover,
  picturesInto,
  rowWith,
  runCommand,
  suggest,
} from './page.ts';
import { end } from './process.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * A newcomer's first minutes in VS Code, done with keyboard and mouse as a person would: the marked problem and its fix,
 * dispatch from the palette, yes to the reconciler, and the Job in the sidebar until it has completed. Used by the tests,
 * and by `scripts/pictures.ts`, which keeps the pictures.
 */

/** `picture` is called at the moments worth one. */
async function walkAsNewcomer(page: Page, picture: (name: string) => Promise<void>): Promise<void> {
  await page.waitForSelector('.squiggly-error', { state: 'attached', timeout: 60_000 });
  await goToText(page, 'Always');
  await askHover(page);
  await picture('finding');
  await leaveHover(page);
  await askFixes(page);
  await picture('fixes');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.squiggly-error', { state: 'detached', timeout: 40_000 });

  await goToText(page, 'parallelism');
  await askHover(page);
  await picture('hover');
  await leaveHover(page);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await suggest(page);
  await page.waitForSelector('.suggest-details:visible', { timeout: 2_000 }).catch(() => undefined);
  await picture('completion');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Z');

  await runCommand(page, 'Delegated Jobs: Dispatch Job');
  await clickDialogButton(page, /^Dispatch/, () => picture('dispatch'));
  await clickDialogButton(page, /^Run the Reconciler/, () => picture('opt-in'));

  await rowWith(page, /hello.*running.*worker-1/i);
  // The mirror stands open below the Job; its pods are a click away.
  await page
    .getByRole('treeitem', { name: /^Mirror/ })
    .first()
    .click();
  await rowWith(page, /^Pod hello/);
  await page.mouse.move(800, 600);
  await page.waitForTimeout(1500);
  await picture('running');
  // The Job, not merely one of its pods.
  await rowWith(page, /^Job hello.*Succeeded/);
  // Off the rows, whose tooltips would lie over the picture.
  await page.mouse.move(800, 600);
  await page.waitForTimeout(1500);
  await picture('completed');
}

/**
 * `npm start` with VS Code in the browser, walked through from its printed address to the completed Job. Rejects where a
 * newcomer would be stuck; the pictures, with one of where it stopped, are in `folder`.
 */
export async function walkThroughStart(chromium: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const start = spawn(process.execPath, [join(root, 'scripts/start.ts'), '--browser'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const address = await addressFrom(start.stdout);
    const browser = await launchChromium(chromium);
    try {
      const page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
      await page.goto(address);
      try {
        await walkAsNewcomer(page, picturesInto(page, folder));
      } catch (error) {
        await page.screenshot({ path: join(folder, 'where-it-stopped.png') });
        throw error;
      }
    } finally {
      await browser.close();
    }
  } finally {
    await end(start, 15_000);
  }
}

async function addressFrom(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output });
  const found = new Promise<string>((resolve, reject) => {
    // Read to the end: a full pipe would hold the program up.
    lines.on('line', (line) => {
      const address = /^\s*(http:\/\/127\.0\.0\.1\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    lines.on('close', () => reject(new Error('npm start ended without an address.')));
  });
  return await found;
}
