import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createManifestSession } from '../../../src/manifest/index.ts';
import { until } from '../../../test/host/until.ts';
import { expectSame, openFile, suggest } from '../page.ts';
import type { Journeys } from './journey.ts';

/** What is written with the keyboard alone. */
export const typingJourneys: Journeys = {
  'a Job typed from nothing by completion alone, and one for MultiKueue, with nothing to find': async ({
    page,
    workspace,
    picture,
    open,
  }) => {
    for (const name of ['typed.yaml', 'queue.yaml']) writeFileSync(join(workspace, name), '');
    await open();
    await openFile(page, 'typed.yaml');
    await suggest(page);
    await take(page, 'apiVersion');
    await take(page, 'batch/v1');
    await page.keyboard.press('Enter');
    await suggest(page);
    await take(page, 'kind');
    await take(page, 'Job');
    await page.keyboard.press('Enter');
    await suggest(page);
    await picture('completion');
    await take(page, 'metadata');
    await nextField(page);
    await take(page, 'spec');
    await leaveGaps(page);
    await picture('typed');
    expectSame(await findingsIn(page, join(workspace, 'typed.yaml')), [], 'findings in what was typed');

    await openFile(page, 'queue.yaml');
    await suggest(page);
    await picture('completion-empty');
    await take(page, 'Job for MultiKueue');
    await leaveGaps(page);
    await picture('snippet');
    expectSame(await findingsIn(page, join(workspace, 'queue.yaml')), [], 'findings in the snippet');
  },
};

/** Saves the editor, and says what is found in its file; the window must say the same. */
async function findingsIn(page: Page, file: string): Promise<readonly string[]> {
  await page.keyboard.press('ControlOrMeta+S');
  const text = await until('the file', async () => {
    const saved = readFileSync(file, 'utf8');
    return saved !== '' && saved;
  });
  const { documents, findings } = createManifestSession().check(text, { version: '1.35' });
  expectSame(
    documents.flatMap(({ objects }) => objects.map(({ kind }) => kind)),
    ['Job'],
    'objects in the file',
  );
  if (findings.length === 0) await page.locator('.statusbar-item[aria-label="No Problems"]').waitFor();
  return findings.map(({ code, message }) => `${code}: ${message}`);
}

/** Leaves the proposals as they are that stand in the gaps of what was put in. */
export async function leaveGaps(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

/** Begins the next field of the document, and asks for what it may be. */
async function nextField(page: Page): Promise<void> {
  await leaveGaps(page);
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Backspace');
  await suggest(page);
}

/** Goes down the list to what has that label, and takes it. */
export async function take(page: Page, label: string): Promise<void> {
  const rows = page.locator('.suggest-widget.visible .monaco-list-row');
  const wanted = page.locator(`.suggest-widget.visible .monaco-list-row.focused[aria-label^="${label}"]`);
  await rows.first().waitFor({ timeout: 20_000 });
  for (let tries = 0; tries < 60 && (await wanted.count()) === 0; tries++) await page.keyboard.press('ArrowDown');
  await wanted.waitFor({ timeout: 5_000 });
  await page.keyboard.press('Enter');
}
