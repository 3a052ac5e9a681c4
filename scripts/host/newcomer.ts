import { join } from 'node:path';
import type { Page } from 'playwright-core';

/**
 * A newcomer's first minutes in VS Code, done with keyboard and mouse as a person would: the marked problem and its fix,
 * dispatch from the palette, yes to the reconciler, and the Job in the sidebar until it has completed. Used by the tests,
 * and by `node scripts/pictures.ts`, which keeps the pictures.
 */
export interface NewcomerSteps {
  /** Called at the moments worth a picture. */
  readonly picture: (name: string) => Promise<void>;
}

export async function walkAsNewcomer(page: Page, steps: NewcomerSteps): Promise<void> {
  await page.waitForSelector('.squiggly-error', { state: 'attached', timeout: 60_000 });
  await goToText(page, 'Always');
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.press('ControlOrMeta+I');
  await page.waitForSelector('.monaco-hover:visible', { timeout: 10_000 });
  await steps.picture('finding');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+.');
  await page.waitForSelector('.action-widget', { timeout: 15_000 });
  await steps.picture('fixes');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.squiggly-error', { state: 'detached', timeout: 15_000 });

  await runCommand(page, 'Delegated Jobs: Dispatch Job');
  await clickDialogButton(page, /^Dispatch/, () => steps.picture('dispatch'));
  await clickDialogButton(page, /^Run the Reconciler/, () => steps.picture('opt-in'));

  await rowWith(page, /hello.*running.*worker-1/i);
  await steps.picture('running');
  await rowWith(page, /hello.*(succeeded|complete)/i);
  await page.waitForTimeout(500);
  await steps.picture('completed');
}

/** Puts the cursor on the first place where `text` stands, by the editor's own search. */
async function goToText(page: Page, text: string): Promise<void> {
  await page.click('.monaco-editor .view-lines');
  await page.keyboard.press('ControlOrMeta+F');
  await page.waitForSelector('.find-widget.visible');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.waitForSelector('.quick-input-widget:visible');
  await page.keyboard.type(title);
  await page.waitForSelector(`.quick-input-list .monaco-list-row[aria-label*="${title}"]`);
  await page.keyboard.press('Enter');
}

export async function clickDialogButton(
  page: Page,
  name: RegExp,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  const button = page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: name }).first();
  await button.waitFor({ timeout: 30_000 });
  await before();
  await button.click();
}

/** Waits for a row of our view whose accessible label matches. */
export async function rowWith(page: Page, label: RegExp, timeout = 60_000): Promise<void> {
  await page
    .locator('.monaco-list-row[role=treeitem]')
    .and(page.getByRole('treeitem', { name: label }))
    .first()
    .waitFor({ timeout });
}

/** Writes numbered pictures into a folder. */
export function picturesInto(page: Page, folder: string): NewcomerSteps['picture'] {
  return async (name) => {
    await page.screenshot({ path: join(folder, `${name}.png`) });
  };
}
