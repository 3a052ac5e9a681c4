import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../test/host/until.ts';

/** VS Code's window as a person uses it: what is clicked, typed and read, with waits that a busy machine can keep. */

/** Writes pictures into a folder. */
export function picturesInto(page: Page, folder: string): (name: string) => Promise<void> {
  return async (name) => {
    // What fades or slides in is shown as it ends up.
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  };
}

/** Puts the cursor on the first place where `text` stands, by the editor's own search. */
export async function goToText(page: Page, text: string): Promise<void> {
  await page.click('.monaco-editor .view-lines');
  await ask(page, ['ControlOrMeta+F'], page.locator('.find-widget.visible'));
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

/** Opens a file of the workspace by its name. */
export async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+P');
  await page.waitForSelector('.quick-input-widget:visible');
  await page.keyboard.type(name);
  await page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*="${name}"]`).waitFor({ timeout: 20_000 });
  await page.keyboard.press('Enter');
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor({ timeout: 20_000 });
}

/** Runs a command from the palette. A palette that opened before all commands were known is opened anew. */
export async function runCommand(page: Page, title: string, tries = 4): Promise<void> {
  const row = page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*="${title}"]`);
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press('F1');
    await page.waitForSelector('.quick-input-widget:visible');
    await page.keyboard.type(title);
    try {
      await row.waitFor({ timeout: 8_000 });
      break;
    } catch (error) {
      if (attempt === tries) throw error;
      await page.keyboard.press('Escape');
    }
  }
  await page.keyboard.press('Enter');
}

/** Waits for a list to choose from whose title has `title`, and takes the row whose label has `label`. */
export async function pickFrom(page: Page, title: RegExp, label: string): Promise<void> {
  await page.locator('.quick-input-title').filter({ hasText: title }).waitFor({ timeout: 30_000 });
  await page.locator(`.quick-input-list .monaco-list-row[aria-label*="${label}"]`).first().click();
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

/** Waits for a question in the middle of the window. */
export async function dialog(page: Page, text: RegExp): Promise<void> {
  await page.locator('.monaco-dialog-box').filter({ hasText: text }).waitFor({ timeout: 30_000 });
}

/** Says no to the question that is open. */
export async function dismissDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.locator('.monaco-dialog-box').waitFor({ state: 'detached', timeout: 20_000 });
}

/** Waits for a notification. */
export async function toast(page: Page, text: RegExp): Promise<Locator> {
  const found = page.locator('.notification-toast').filter({ hasText: text }).first();
  await found.waitFor({ timeout: 40_000 });
  return found;
}

/** Waits for what our item of the status bar says. */
export async function status(page: Page, text: RegExp): Promise<Locator> {
  const item = page.locator('.statusbar-item[id*=delegatedJobs]').filter({ hasText: text });
  await item.waitFor({ timeout: 60_000 });
  return item;
}

/** The first row of our view whose accessible label matches. */
export function row(page: Page, label: RegExp): Locator {
  return page.locator('.customview-tree').getByRole('treeitem', { name: label }).first();
}

/** Waits for a row of our view whose accessible label matches. */
export async function rowWith(page: Page, label: RegExp, timeout = 60_000): Promise<void> {
  await row(page, label).waitFor({ timeout });
}

/** Waits until no row of the view has that label. */
export async function gone(page: Page, label: RegExp): Promise<void> {
  await row(page, label).waitFor({ state: 'detached', timeout: 40_000 });
}

/** Clicks a button that stands on a row of our view while the mouse is over it. */
export async function clickOnRow(page: Page, label: RegExp, button: string): Promise<void> {
  await row(page, label).hover();
  await row(page, label).locator(`.action-label[aria-label="${button}"]`).click();
}

/** Takes an entry of a row's context menu. A menu that has just opened lets a first click pass. */
export async function takeFromMenu(page: Page, label: RegExp, entry: string): Promise<void> {
  await row(page, label).click({ button: 'right' });
  const item = page.getByRole('menuitem', { name: entry });
  await item.waitFor();
  await until('the menu to close', async () => {
    if (!(await item.isVisible())) return true;
    await item.click({ timeout: 2_000 }).catch(() => undefined);
    return !(await item.isVisible());
  });
}

/**
 * Presses keys, again and again, until what they ask for is there. An editor that has just opened doesn't hear them, and
 * VS Code forgets a question for fixes when the light bulb asks for them in the same moment.
 */
export async function ask(page: Page, keys: readonly string[], answer: Locator): Promise<void> {
  await until(`an answer to ${keys.join(' ')}`, async () => {
    for (const key of keys) await page.keyboard.press(key);
    return await answer
      .first()
      .waitFor({ timeout: 4_000 })
      .then(
        () => true,
        () => false,
      );
  });
}

/** Asks for the list of completions. */
export async function suggest(page: Page): Promise<void> {
  await ask(page, ['Control+Space'], page.locator('.suggest-widget.visible .monaco-list-row'));
}

/** Asks for what is to be said about the word at the cursor. */
export async function askHover(page: Page, text: string | RegExp = ''): Promise<Locator> {
  const hover = page.locator('.monaco-hover:visible').filter({ hasText: text });
  await ask(page, ['Escape', 'ControlOrMeta+K', 'ControlOrMeta+I'], hover);
  return hover.first();
}

/** Puts the hover away: one that is still there takes the keys. */
export async function leaveHover(page: Page): Promise<void> {
  await until('the hover to go', async () => {
    await page.keyboard.press('Escape');
    return await page.waitForSelector('.monaco-hover:visible', { state: 'detached', timeout: 4_000 }).then(
      () => true,
      () => false,
    );
  });
}

/** Asks for the fixes at the cursor. */
export async function askFixes(page: Page): Promise<void> {
  await ask(page, ['ControlOrMeta+.'], page.locator('.action-widget'));
}

export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value));
  if (is !== should) throw new Error(`${what}: ${is} instead of ${should}`);
}
