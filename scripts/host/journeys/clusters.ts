import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../../../src/base/index.ts';
import {
  ask,
  clickDialogButton,
  clickOnRow,
  dialog,
  dismissDialog,
  expectSame,
  gone,
  openFile,
  rowWith,
  runCommand,
  status,
  toast,
} from '../page.ts';
import { addSettings, connect, createJob, dispatch, type Journeys, watchesOf } from './journey.ts';

/** Clusters that go, come back and change, and what was agreed to. */
export const clusterJourneys: Journeys = {
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
    await dismissDialog(page);
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
    await dismissDialog(page);
    await rowWith(page, new RegExp(`${job}.*Nobody runs it`));
    await dispatch(page);
    await dialog(page, /Run the reconciler for this workspace\?/);
    await dismissDialog(page);
    await toast(page, new RegExp(`with this name already.*${job}`));
  },

  'an edited kubeconfig is followed, and a broken one leaves what is open': async ({
    page,
    sandbox,
    kubeconfig,
    job,
    open,
  }) => {
    const good = readFileSync(kubeconfig, 'utf8');
    await createJob(sandbox, job);
    await open();
    await connect(page);
    await rowWith(page, new RegExp(job));
    writeFileSync(kubeconfig, good.replace(/token: .*/, 'token: nope'));
    await rowWith(page, /Management cluster management, Login needed/);
    writeFileSync(kubeconfig, 'clusters: [');
    await toast(page, /kubeconfig, line 1: .*the clusters of before stay connected/);
    writeFileSync(kubeconfig, good);
    await gone(page, /Management cluster/);
  },

  'a management cluster that goes and comes back': async ({ page, sandbox, job, open }) => {
    await createJob(sandbox, job);
    await open();
    await connect(page);
    await rowWith(page, new RegExp(job));
    const [management] = sandbox.clusters;
    management?.faults.add({ fault: { kind: 'reset' } });
    management?.faults.cutWatches();
    await rowWith(page, /Management cluster management, Out of touch/);
    await rowWith(page, /job-.*out of date/);
    management?.faults.clear();
    await clickOnRow(page, /Management cluster/, 'Try Again');
    await gone(page, /Management cluster|out of date/);
  },

  'a namespace without rights, said with a remedy, and back when the right is given': async ({
    page,
    sandbox,
    kubeconfig,
    workspace,
    job,
    picture,
    open,
  }) => {
    const [management] = sandbox.clusters;
    const rights = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    const token = management?.addUser('team', [{ ...rights, namespaces: ['default'] }]) ?? '';
    writeFileSync(kubeconfig, readFileSync(kubeconfig, 'utf8').replace(/token: .*/, `token: ${token}`));
    addSettings(workspace, { 'delegatedJobs.namespaces': ['default', 'payroll'] });
    await createJob(sandbox, job);
    await open();
    await connect(page);
    await rowWith(page, /Not allowed.*payroll.*Ask an administrator of the cluster for this right/);
    await rowWith(page, new RegExp(job));
    await gone(page, /out of date/);
    await picture('no-rights');
    management?.setRules(token, [rights]);
    await clickOnRow(page, /Not allowed/, 'Try Again');
    await gone(page, /Not allowed/);
    await rowWith(page, new RegExp(job));
  },

  "a queue that the cluster doesn't have is marked, until somebody makes it": async ({
    page,
    sandbox,
    picture,
    open,
  }) => {
    const [management] = sandbox.clusters;
    const version = { groupVersion: 'kueue.x-k8s.io/v1beta2', version: 'v1beta2' };
    const group = { kind: 'APIGroup', apiVersion: 'v1', name: 'kueue.x-k8s.io', versions: [version] };
    const answer = (path: RegExp, body: JsonObject) =>
      management?.faults.add({ match: { path }, fault: { kind: 'instead', body } });
    const queues = (...names: readonly string[]) =>
      answer(/\/kueue\.x-k8s\.io\/v1beta2\/namespaces\/default\/localqueues$/, {
        ...{ kind: 'LocalQueueList', apiVersion: 'kueue.x-k8s.io/v1beta2', metadata: { resourceVersion: '1' } },
        items: names.map((name) => ({
          metadata: { name, namespace: 'default', uid: name, resourceVersion: '1' },
          spec: {},
        })),
      });
    answer(/^\/apis\/kueue\.x-k8s\.io$/, { ...group, preferredVersion: version });
    const none = queues('other-queue');
    await open();
    await openFile(page, 'queued.yaml');
    const mark = page.locator('.squiggly-warning').first();
    expectSame(await mark.count(), 0, 'marks while nobody is asked');
    await connect(page);
    await mark.waitFor({ state: 'attached', timeout: 60_000 });
    await page.click('.monaco-editor .view-lines');
    const told = page.locator('.zone-widget').filter({ hasText: /user-queue.*\(?queue-unknown/ });
    await ask(page, ['F8'], told);
    await picture('queue-unknown');
    none?.dispose();
    queues('other-queue', 'user-queue');
    await mark.waitFor({ state: 'detached', timeout: 60_000 });
  },
};
