import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codeOf, extensionId, openFile, openText, ours, until } from './support.ts';

describe('authoring', () => {
  it('is there, and asleep until a manifest is opened', () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not installed`);
    assert.equal(extension.packageJSON.activationEvents.includes('*'), false);
  });

  it('marks what the API server would refuse, at the value, in its words', async () => {
    const document = await openFile('manifests', 'hello.yaml');
    const [problem, ...others] = await until('a diagnostic', () => {
      const found = ours(document.uri);
      return found.length > 0 && found;
    });
    assert.deepEqual(others, []);
    assert.ok(problem);
    assert.equal(document.getText(problem.range), 'Always');
    assert.equal(problem.severity, vscode.DiagnosticSeverity.Error);
    assert.match(problem.message, /^spec\.template\.spec\.restartPolicy: /);
  });

  it('offers a fix that leaves every other byte as it was, and the mark goes', async () => {
    const document = await openFile('manifests', 'hello.yaml');
    const before = document.getText();
    const [problem] = await until('a diagnostic', () => {
      const found = ours(document.uri);
      return found.length > 0 && found;
    });
    assert.ok(problem);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
    );
    const preferred = actions.find((action) => action.isPreferred);
    assert.ok(preferred?.edit, `no preferred fix among: ${actions.map(({ title }) => title).join(', ')}`);
    assert.ok(await vscode.workspace.applyEdit(preferred.edit));
    await until('the mark to go', () => ours(document.uri).length === 0);
    assert.equal(document.getText(), before.replace('restartPolicy: Always', 'restartPolicy: Never'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('follows the text as it is typed', async () => {
    const document = await openFile('manifests', 'indexed.yaml');
    const editor = await vscode.window.showTextDocument(document);
    await until('the first check', () => ours(document.uri).length === 0);
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes('completions:'));
    await editor.edit((edit) => edit.delete(document.lineAt(line).rangeIncludingLineBreak));
    const found = await until('the missing completions', () =>
      ours(document.uri).find((one) => /^spec\.completions: /.test(one.message)),
    );
    assert.equal(typeof codeOf(found), 'string');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the mark to go', () => ours(document.uri).length === 0);
  });

  it('says nothing of files that are none of its business', async () => {
    const others = [
      ['yaml', 'apiVersion: v1\nkind: ConfigMap\ndata: {a: b}\n'],
      ['yaml', 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: {{ .Release.Name }}}\n'],
      ['json', '{"name": "package", "version": "1.0.0"}'],
    ] as const;
    for (const [language, content] of others) {
      const document = await openText(language, content);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual(ours(document.uri), []);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('judges JSON manifests too', async () => {
    const content = JSON.stringify(
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'x' },
        spec: {
          paralelism: 2,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        },
      },
      null,
      2,
    );
    const document = await openText('json', content);
    const problem = await until('a diagnostic', () => ours(document.uri)[0]);
    assert.equal(document.getText(problem.range).replaceAll('"', ''), 'paralelism');
  });

  it('offers the fields of the place while a manifest is typed, and puts them in as the text is indented', async () => {
    const content = 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: x\nspec:\n  mana\n';
    const document = await openText('yaml', content);
    const editor = await vscode.window.showTextDocument(document);
    const offered = await completionsIn(document, new vscode.Position(5, 6));
    const item = offered.find(({ label }) => nameOf(label) === 'managedBy');
    assert.ok(item, `managedBy is not among: ${offered.map(({ label }) => nameOf(label)).join(', ')}`);
    assert.equal(item.detail, 'Delegated Jobs');
    const template = offered.find(({ label }) => nameOf(label) === 'template');
    assert.ok(template?.insertText instanceof vscode.SnippetString && template.range instanceof vscode.Range);
    await editor.insertSnippet(template.insertText, template.range, {
      undoStopBefore: true,
      undoStopAfter: true,
      keepWhitespace: true,
    });
    assert.match(
      document.getText(),
      /\n {2}template:\n {4}spec:\n {6}restartPolicy: Never\n {6}containers:\n {8}- name: main\n/,
    );
    await until('the clean check', () =>
      ours(document.uri).every(({ severity }) => severity !== vscode.DiagnosticSeverity.Error),
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('offers whole documents in an empty file, and nothing of ours in the files of others', async () => {
    const empty = await openText('yaml', 'Job');
    const names = (await completionsIn(empty, new vscode.Position(0, 3))).map(({ label }) => nameOf(label));
    for (const name of ['Job', 'Indexed Job', 'Job for MultiKueue', 'CronJob']) assert.ok(names.includes(name), name);
    const compose = await openText('yaml', 'services:\n  a: {}\n\n');
    const others = await completionsIn(compose, new vscode.Position(2, 0));
    assert.deepEqual(
      others.filter(({ detail }) => detail === 'Delegated Jobs'),
      [],
    );
  });

  it('says what a field does in this Job', async () => {
    const document = await openFile('manifests', 'indexed.yaml');
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes('parallelism:'));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(line, 4),
    );
    const said = hovers
      .flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)))
      .join('\n');
    assert.match(said, /\*\*Here:\*\* each index from 0 to 9 must succeed once, at most 4 at a time/);
  });

  it('says above a Job who runs it', async () => {
    const document = await openFile('manifests', 'queued.yaml');
    const titles = await until('the lenses', async () => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        9,
      );
      return lenses.length > 0 && lenses.map(({ command }) => command?.title);
    });
    assert.deepEqual(titles, [
      'MultiKueue runs it, through the queue user-queue',
      ...(vscode.workspace.isTrusted ? ['Dispatch…'] : []),
    ]);
  });
});

async function completionsIn(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    position,
  );
  return list.items;
}

function nameOf(label: string | vscode.CompletionItemLabel): string {
  return typeof label === 'string' ? label : label.label;
}
