import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { systemClock } from '../../src/base/index.ts';
import { jobs, type KubeClient, loadKubeconfig } from '../../src/kube/index.ts';
import { activated, codeOf, openText, ours, setSetting, until, workspaceFile } from './support.ts';

const never = new AbortController().signal;
const namespace = 'default';

const job = (name: string, image: string, spec = ''): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
spec:
${spec}  managedBy: delegated-jobs.dev/reconciler
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: ${image}
`;

/** The management cluster of the launcher's sandbox, as kubectl beside this window would reach it. */
async function openManagement(): Promise<KubeClient> {
  const paths = [process.env['DELEGATED_JOBS_SUITE_KUBECONFIG'] ?? ''];
  const place = { env: {}, homeDir: homedir(), cwd: homedir() };
  const { value } = await loadKubeconfig({ paths, ...place, clock: systemClock });
  return value.open('management');
}

const words = (document: vscode.TextDocument): string[] =>
  ours(document.uri).map((one) => `${codeOf(one)} ${document.getText(one.range)}`);

const closeAll = (): Thenable<unknown> => vscode.commands.executeCommand('workbench.action.closeAllEditors');

async function lensesOf({ uri }: vscode.TextDocument): Promise<string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
  return lenses.map(({ command }) => command?.title ?? '');
}

describe('a manifest beside a cluster', () => {
  let management: KubeClient;
  let changed: vscode.TextDocument;

  before(async () => {
    management = await openManagement();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'r/x:1' }] } };
    const spec = { managedBy: 'delegated-jobs.dev/reconciler', template };
    const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'beside' }, spec };
    await management.create(jobs, namespace, body, {}, never);
  });

  after(async () => {
    await setSetting('live.mode', undefined);
    await vscode.commands.executeCommand('delegatedJobs.disconnectClusters');
    await setSetting('managementContext', undefined);
    await closeAll();
    management.dispose();
  });

  it('is judged by its text alone while nobody has connected', async () => {
    changed = await openText('yaml', job('beside', 'r/x:2'));
    const { clusters } = (await activated()).describeState();
    assert.equal(clusters, 'disconnected');
    assert.ok(
      (await until('the lenses', async () => (await lensesOf(changed)).length > 0 && (await lensesOf(changed)))).every(
        (one) => !/Live|Cluster/.test(one),
      ),
    );
    assert.deepEqual(words(changed), []);
  });

  it('is checked by a dry run, whose answer stands at its lines until the text changes', async () => {
    await setSetting('managementContext', 'management');
    const wrong = await openText('yaml', job('new', 'r/x:1', '  parallelism: -1\n'));
    await vscode.commands.executeCommand('delegatedJobs.checkWithCluster', wrong.uri, 0);
    const answers = (): vscode.Diagnostic[] =>
      vscode.languages
        .getDiagnostics(wrong.uri)
        .filter(({ source }) => source === 'delegated-jobs: cluster management');
    assert.deepEqual(
      answers().map(({ range }) => wrong.getText(range)),
      ['-1'],
    );
    const editor = await vscode.window.showTextDocument(wrong);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '# changed\n'));
    await until('the answer to go', () => answers().length === 0);
    await assert.rejects(management.get(jobs, { namespace, name: 'new' }, never));
  });

  it('is marked where the cluster would refuse it as a change, with ways around', async () => {
    assert.equal((await activated()).describeState().clusters, 'connected');
    await until('the finding', () => words(changed).includes('template-immutable r/x:2'));
    const [problem] = ours(changed.uri);
    assert.ok(problem);
    assert.match(problem.message, /^spec\.template: .*Stored: r\/x:1; here: r\/x:2\./);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      changed.uri,
      problem.range,
    );
    const titles = actions.map(({ title }) => title);
    for (const title of [
      'Restore image: r/x:1',
      'Use a new name: beside-2',
      'Ignore template-immutable on this line',
      "Delete the live Job 'beside' and create it anew…",
    ])
      assert.ok(titles.includes(title), `${title} is not among ${titles.join(', ')}`);
  });

  it('is compared to its end, however long it is', async () => {
    const long = await openText(
      'yaml',
      Array.from({ length: 300 }, (_, index) => job('beside', `r/y:${index}`)).join('---\n'),
    );
    const marked = (): string[] => words(long).filter((one) => one.startsWith('template-immutable'));
    await until('all findings', () => marked().length === 300);
    assert.equal(marked().at(-1), 'template-immutable r/y:299');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('shows how its Job stands, and the two side by side', async () => {
    const lenses = await until('the lenses', async () => {
      const found = await lensesOf(changed);
      return found.includes('Compare with Live') && found;
    });
    assert.ok(lenses.includes('Check with the Cluster'));
    // It is there already: to send it again would be refused.
    assert.ok(!lenses.includes('Dispatch…'));
    await vscode.commands.executeCommand('delegatedJobs.compareWithLive', changed.uri, 0);
    const tab = await until('the comparison', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input;
    });
    assert.equal(tab.modified.toString(), changed.uri.toString());
    const live = await vscode.workspace.openTextDocument(tab.original);
    assert.equal(live.getText(), job('beside', 'r/x:1'));
    assert.deepEqual(ours(live.uri), []);
  });

  it('follows the cluster: what is gone there is no change', async () => {
    const { metadata } = await management.get(jobs, { namespace, name: 'beside' }, never);
    const request = { uid: metadata.uid, propagationPolicy: 'Background' } as const;
    await management.delete(jobs, { namespace, name: 'beside' }, request, never);
    await until('the finding to go', () => words(changed).length === 0);
    await until('the offer to dispatch it', async () => (await lensesOf(changed)).includes('Dispatch…'));
  });

  it('is not compared where that is switched off, nor when disconnected', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'r/x:1' }] } };
    const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'beside' }, spec: { template } };
    await management.create(jobs, namespace, body, {}, never);
    await until('the finding', () => words(changed).some((one) => one.startsWith('managed-by-immutable')));
    await setSetting('live.mode', 'off');
    await until('the finding to go', () => words(changed).length === 0);
    await setSetting('live.mode', undefined);
    await until('the finding', () => words(changed).some((one) => one.startsWith('managed-by-immutable')));
    await vscode.commands.executeCommand('delegatedJobs.disconnectClusters');
    await until('the finding to go', () => words(changed).length === 0);
    assert.ok((await lensesOf(changed)).every((one) => !/Live|Cluster/.test(one)));
  });
});

describe('beside another extension', () => {
  it('nothing is said twice, and the fix is still offered', async () => {
    const document = await openText('yaml', job('twice', 'r/x:1', '  paralelism: 1\n'));
    const [problem] = await until('the finding', () => ours(document.uri).length > 0 && ours(document.uri));
    assert.ok(problem);
    const stub = vscode.languages.createDiagnosticCollection('stub');
    try {
      const other = new vscode.Diagnostic(problem.range, 'Property paralelism is not allowed.');
      other.source = 'yaml-schema: Kubernetes';
      stub.set(document.uri, [other]);
      await until('ours to give way', () => ours(document.uri).length === 0);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        problem.range,
      );
      assert.ok(actions.some(({ title }) => title.includes('parallelism')));
    } finally {
      stub.dispose();
    }
    await until('ours to come back', () => ours(document.uri).length === 1);
    await closeAll();
  });
});

describe('the whole workspace', () => {
  const file = (): vscode.Uri => workspaceFile('closed', 'wrong.yaml');
  const write = (text: string): Thenable<void> => vscode.workspace.fs.writeFile(file(), new TextEncoder().encode(text));
  const found = (): string[] => ours(file()).map(({ message }) => message);

  before(async () => {
    await closeAll();
    await write(job('closed', 'r/x:1', '  parallelism: -1\n'));
  });

  after(() => vscode.workspace.fs.delete(workspaceFile('closed'), { recursive: true }));

  it('is checked by the task as a CI would, and its output read', async () => {
    const tasks = await vscode.tasks.fetchTasks({ type: 'delegated-jobs' });
    const [task] = tasks;
    assert.ok(task, 'There is no task of ours.');
    const ended = new Promise<number | undefined>((resolve) => {
      const listening = vscode.tasks.onDidEndTaskProcess((event) => {
        if (event.execution.task.name !== task.name) return;
        listening.dispose();
        resolve(event.exitCode);
      });
    });
    await vscode.tasks.executeTask(task);
    assert.equal(await ended, 1);
    const [message] = await until('the problem', () => found().length > 0 && found());
    assert.match(message ?? '', /^spec\.parallelism: /);
  });

  it('is checked by a pass, whose findings follow the files', async () => {
    const fields = (): string[] => found().map((message) => message.replace(/: .*/s, ''));
    await write(job('closed', 'r/x:1', '  completions: -1\n'));
    // The message at its end waits for somebody to close it.
    void vscode.commands.executeCommand('delegatedJobs.checkWorkspace');
    await until('the finding, in place of what the task said', () => fields().join() === 'spec.completions');
    await write(job('closed', 'r/x:1', '  completions: -1\n  parallelism: -1\n'));
    await until('the second finding', () => fields().sort().join() === 'spec.completions,spec.parallelism');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file()));
    await until('each finding once', () => fields().sort().join() === 'spec.completions,spec.parallelism');
    await closeAll();
    await write(job('closed', 'r/x:1'));
    await until('the findings to go', () => found().length === 0);
  });
});
