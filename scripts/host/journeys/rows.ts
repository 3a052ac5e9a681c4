import { until } from '../../../test/host/until.ts';
import {
  clickDialogButton,
  clickOnRow,
  dialog,
  dismissDialog,
  expectSame,
  gone,
  row,
  rowWith,
  takeFromMenu,
} from '../page.ts';
import { dispatch, type Journeys, jobNames, openCluster } from './journey.ts';

/** What can be done with the rows of the view. */
export const rowJourneys: Journeys = {
  'a Job, its mirror and its pods: YAML, log, name, and deletion after a question': async ({
    page,
    sandbox,
    job,
    picture,
    open,
  }) => {
    await open();
    await dispatch(page);
    await clickDialogButton(page, /^Run the Reconciler/);
    const jobRow = new RegExp(`^Job ${job}`);
    const tab = (name: string) => page.locator(`.tab.active[data-resource-name="${name}"]`);
    const text = page.locator('.editor-instance .view-lines').first();
    await rowWith(page, new RegExp(`^Job ${job}.*Succeeded`));

    await clickOnRow(page, jobRow, 'Show as YAML');
    await tab(`${job}.management.yaml`).waitFor();
    await text.filter({ hasText: /managedBy:\s*delegated-jobs\.dev\/reconciler/ }).waitFor();

    await clickOnRow(page, /^Mirror/, 'Show as YAML');
    await tab(`${job}.worker-1.yaml`).waitFor();

    await row(page, /^Mirror/).click();
    await rowWith(page, /^Pod/);
    await clickOnRow(page, /^Pod/, 'Show Log');
    await page.locator('.tab.active[data-resource-name$=".log"]').waitFor();
    await picture('log');

    await takeFromMenu(page, jobRow, 'Copy Name');
    await until('the name', async () => (await page.evaluate('navigator.clipboard.readText()')) === job);

    const [management, worker] = [await openCluster(sandbox), await openCluster(sandbox, 'worker-1')];
    try {
      await takeFromMenu(page, jobRow, 'Delete Job…');
      await dialog(page, new RegExp(`Delete Job ${job} in namespace default of management\\?`));
      await picture('delete');
      await dismissDialog(page);
      expectSame((await jobNames(management)).includes(job), true, 'the Job after a no');
      await takeFromMenu(page, jobRow, 'Delete Job…');
      await clickDialogButton(page, /^Delete/);
      await gone(page, jobRow);
      expectSame((await jobNames(management)).includes(job), false, 'the Job after a yes');
      await until('the mirror to go', async () => !(await jobNames(worker)).some((name) => name.startsWith(job)));
    } finally {
      management.dispose();
      worker.dispose();
    }
  },
};
