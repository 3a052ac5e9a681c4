import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  clickDialogButton,
  dialog,
  dismissDialog,
  expectSame,
  goToText,
  openFile,
  pickFrom,
  rowWith,
  runCommand,
  toast,
} from '../page.ts';
import type { Journeys } from './journey.ts';

const manifest = (metadata: string): string => `apiVersion: batch/v1
kind: Job
metadata:
  ${metadata}
spec:
  managedBy: delegated-jobs.dev/reconciler
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: busybox:1.37
`;

/** Which Job of what is in front is meant. */
export const dispatchJourneys: Journeys = {
  'the Job that is dispatched is the one at the cursor, the one that is picked, or none': async ({
    page,
    workspace,
    job,
    open,
  }) => {
    const [first, second] = [`${job}-first`, `${job}-second`];
    const write = (name: string, text: string): void => writeFileSync(join(workspace, name), text);
    write('several.yaml', `# two Jobs\n---\n${manifest(`name: ${first}`)}---\n${manifest(`name: ${second}`)}`);
    write('none.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n');
    await open();

    await openFile(page, 'several.yaml');
    await goToText(page, second);
    await runCommand(page, 'Delegated Jobs: Dispatch Job');
    await dialog(page, new RegExp(`Dispatch Job ${second}\\?`));
    await dismissDialog(page);
    await page.keyboard.press('ControlOrMeta+Home');
    await runCommand(page, 'Delegated Jobs: Dispatch Job');
    await pickFrom(page, /Dispatch Which/, first);
    await clickDialogButton(page, /^Dispatch/);
    await dialog(page, /Run the reconciler for this workspace\?/);
    await dismissDialog(page);
    await rowWith(page, new RegExp(`^Job ${first}.*Nobody runs it`));

    await openFile(page, 'none.yaml');
    await runCommand(page, 'Delegated Jobs: Dispatch Job');
    await toast(page, /There is no batch\/v1 Job in this file to dispatch/);
  },

  'what is dispatched is the text as it stands, saved or not, and a name may be generated': async ({
    page,
    workspace,
    job,
    open,
  }) => {
    writeFileSync(join(workspace, 'generated.yaml'), manifest(`generateName: ${job}-made-`));
    const hello = join(workspace, 'manifests/hello.yaml');
    const saved = readFileSync(hello, 'utf8');
    await open();
    await goToText(page, `name: ${job}`);
    await page.keyboard.press('End');
    await page.keyboard.type('-unsaved');
    await dispatchAndStay(page, new RegExp(`Dispatch Job ${job}-unsaved\\?`));
    await rowWith(page, new RegExp(`^Job ${job}-unsaved`));
    expectSame(readFileSync(hello, 'utf8'), saved, 'the file');

    await openFile(page, 'generated.yaml');
    await dispatchAndStay(page, /Dispatch Job with a generated name\?/);
    await rowWith(page, new RegExp(`^Job ${job}-made-[a-z0-9]{5}`));
  },

  'what stands in a manifest becomes no link in a message': async ({ page, workspace, open }) => {
    const link = '[Mend it](command:workbench.action.files.newUntitledFile)';
    writeFileSync(join(workspace, 'linked.yaml'), manifest('name: linked').replace('Never', `"${link}"`));
    await open();
    await openFile(page, 'linked.yaml');
    await runCommand(page, 'Delegated Jobs: Dispatch Job');
    const message = await toast(page, /The API server would refuse this Job.*Mend it/);
    expectSame(await message.locator('.notification-list-item-message a').count(), 0, 'the number of links');
  },
};

/** Dispatches, and says no to the reconciler. */
async function dispatchAndStay(page: Page, question: RegExp): Promise<void> {
  await runCommand(page, 'Delegated Jobs: Dispatch Job');
  await dialog(page, question);
  await clickDialogButton(page, /^Dispatch/);
  await dialog(page, /Run the reconciler for this workspace\?/);
  await dismissDialog(page);
}
