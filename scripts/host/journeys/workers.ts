import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../../src/base/index.ts';
import { until } from '../../../test/host/until.ts';
import {
  askHover,
  clickDialogButton,
  clickOnRow,
  dialog,
  dismissDialog,
  expectSame,
  gone,
  goToText,
  openFile,
  rowWith,
  runCommand,
  takeFromMenu,
  toast,
} from '../page.ts';
import { connect, createJob, dispatch, type Journeys } from './journey.ts';

/** A Job whose pods ask for a lot, and refer to what no worker of the sandbox has. */
function needingJob(name: string): JsonObject {
  const refersTo = [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'password' } }];
  const container = { name: 'main', image: 'busybox:1.37', envFrom: refersTo };
  const pod = { restartPolicy: 'Never', serviceAccountName: 'robot', hostNetwork: true, containers: [container] };
  const spec = { managedBy: 'delegated-jobs.dev/reconciler', parallelism: 2, template: { spec: pod } };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec };
}

/** What a login may do that runs Jobs and may not see namespaces. */
const withoutNamespaces = [
  { verbs: ['*'], apiGroups: ['batch', 'coordination.k8s.io'], resources: ['*'] },
  { verbs: ['*'], apiGroups: [''], resources: ['pods', 'configmaps', 'secrets', 'serviceaccounts', 'events'] },
];

/** What clusters are asked before and after a Job is there, and what stands in the way. */
export const workerJourneys: Journeys = {
  'what the workers lack is said before a Job is sent off, from a JSON manifest too': async ({
    page,
    sandbox,
    workspace,
    job,
    picture,
    open,
  }) => {
    writeFileSync(join(workspace, 'needing.json'), JSON.stringify(needingJob(job), null, 2));
    const [, , second] = sandbox.clusters;
    second?.setRules(second.token, [{ verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] }]);
    const lacks = `Worker worker-1 lacks ConfigMap 'settings', Secret 'password' and ServiceAccount 'robot' (namespace default): pods that need them don't start there.`;
    const refused = 'Worker worker-2: the login cannot create, patch, delete jobs in default.';
    await open();
    await connect(page);
    await openFile(page, 'needing.json');
    await goToText(page, job);
    await runCommand(page, 'Delegated Jobs: Check with the Cluster');
    const told = await toast(page, /management would take this object/);
    await picture('lacks');
    await told
      .locator('.monaco-button')
      .filter({ hasText: /^Copy$/ })
      .click();
    await clipboard(page, `management would take this object. ${lacks} ${refused}`);

    await runCommand(page, 'Delegated Jobs: Dispatch Job');
    await dialog(page, /Its pods ask for: service account robot, hostNetwork\./);
    const question = await page.locator('.monaco-dialog-box').textContent();
    for (const part of ['runs it on the first of these workers that takes it: worker-1, worker-2.', lacks, refused])
      expectSame(question?.includes(part), true, `"${part}" in the question`);
    await picture('lacks-dispatch');
    await clickDialogButton(page, /^Dispatch/);
    await dialog(page, /Run the reconciler for this workspace\?/);
    await dismissDialog(page);
    await rowWith(page, new RegExp(`^Job ${job}.*Nobody runs it`));
  },

  'a field is described in the words of the connected cluster below ours': async ({ page, sandbox, picture, open }) => {
    const group = { group: 'batch', version: 'v1', kind: 'Job' };
    const description = 'The most pods\nthat run at once; see `status.active`.\n\nIt may change.';
    const spec = { properties: { parallelism: { type: 'integer', description } } };
    const schemas = { Job: { 'x-kubernetes-group-version-kind': [group], properties: { spec } } };
    sandbox.clusters[0]?.faults.add({
      match: { path: /^\/openapi\/v3\/apis\/batch\/v1$/ },
      fault: { kind: 'instead', body: { openapi: '3.0.0', components: { schemas } } },
    });
    await open();
    await connect(page);
    await goToText(page, 'parallelism');
    // What comes late from a busy cluster is there the next time.
    const hover = await askHover(page, 'Cluster management:');
    const text = (await hover.textContent()) ?? '';
    await picture('hover-cluster');
    const words = 'Cluster management: The most pods that run at once; see `status.active`.';
    expectSame(text.slice(text.indexOf('Cluster ')).startsWith(words), true, `${JSON.stringify(text)} has the words`);
    expectSame(text.indexOf('How many pods') < text.indexOf(words), true, 'our words before');
  },

  'a Job that waits lends a line for the shell, and a file that a kubeconfig lacks is told until it is there': async ({
    page,
    sandbox,
    kubeconfig,
    job,
    picture,
    open,
  }) => {
    await createJob(sandbox, job);
    await open();
    await connect(page);
    await takeFromMenu(page, new RegExp(`^Job ${job}`), 'Copy Wait Command');
    const line = `kubectl --kubeconfig ${kubeconfig} --context management -n default get job ${job} -o`;
    await until('the line', async () => (await readClipboard(page)).includes(line));

    const authority = join(kubeconfig, '..', 'authority.crt');
    try {
      const entry = `certificate-authority: ${authority}`;
      writeFileSync(kubeconfig, readFileSync(kubeconfig, 'utf8').replace(/certificate-authority-data: .*/, entry));
      await rowWith(
        page,
        /Management cluster management, Kubeconfig problem.*authority\.crt, which does not exist.*Correct the path, or create the file/,
      );
      await picture('kubeconfig-problem');
      writeFileSync(authority, sandbox.caCertificate);
      await clickOnRow(page, /Kubeconfig problem/, 'Try Again');
      await gone(page, /Kubeconfig problem/);
      await rowWith(page, new RegExp(`^Job ${job}`));
    } finally {
      rmSync(authority, { force: true });
    }
  },

  "a Job for MultiKueue whose queue doesn't lead there is told to wait in vain": async ({
    page,
    sandbox,
    job,
    picture,
    open,
  }) => {
    const [management] = sandbox.clusters;
    const version = { groupVersion: 'kueue.x-k8s.io/v1beta2', version: 'v1beta2' };
    const answer = (path: RegExp, body: JsonObject) =>
      management?.faults.add({ match: { path }, fault: { kind: 'instead', body } });
    const list = (plural: string, ...items: readonly JsonObject[]) =>
      answer(new RegExp(`/kueue\\.x-k8s\\.io/v1beta2/(namespaces/default/)?${plural}$`), {
        ...{ apiVersion: version.groupVersion, kind: 'KueueList', metadata: { resourceVersion: '1' } },
        items,
      });
    const metadata = (name: string) => ({ name, uid: name, resourceVersion: '1' });
    answer(/^\/apis\/kueue\.x-k8s\.io$/, { kind: 'APIGroup', name: 'kueue.x-k8s.io', versions: [version] });
    list('localqueues', { metadata: metadata('local'), spec: { clusterQueue: 'all' } });
    list('clusterqueues', { metadata: metadata('all'), spec: {} });
    list('admissionchecks');
    const labels = { 'kueue.x-k8s.io/queue-name': 'local' };
    await createJob(sandbox, job, { managedBy: 'kueue.x-k8s.io/multikueue', suspend: true }, labels);
    await open();
    await connect(page);
    await rowWith(page, new RegExp(`^Job ${job}.*Nobody will run it: its queue local does not lead to MultiKueue`));
    await picture('queue-elsewhere');
  },

  'workers that do not say who they are run Jobs once the setting of this machine says it': async ({
    page,
    sandbox,
    job,
    picture,
    open,
    configure,
  }) => {
    for (const worker of sandbox.clusters.slice(1)) worker.setRules(worker.token, withoutNamespaces);
    await open();
    await dispatch(page);
    await clickDialogButton(page, /^Run the Reconciler/);
    await rowWith(page, /Worker worker-1, Out of use for the reconciler.*the setting delegatedJobs\.clusterIds/);
    await rowWith(page, /Worker worker-2, Out of use for the reconciler/);
    await picture('unidentified');
    configure({ 'delegatedJobs.clusterIds': { 'worker-1': 'uid-of-worker-1', 'worker-2': 'uid-of-worker-2' } });
    await rowWith(page, new RegExp(`^Job ${job}.*Succeeded`));
    await gone(page, /Out of use for the reconciler/);
  },
};

async function readClipboard(page: Page): Promise<string> {
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

async function clipboard(page: Page, text: string): Promise<void> {
  await until(`the clipboard to hold "${text}"`, async () => (await readClipboard(page)) === text);
}
