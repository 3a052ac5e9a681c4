import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codeOf, extensionId, openFile, ours, until } from './support.ts';

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
      const document = await vscode.workspace.openTextDocument({ language, content });
      await vscode.window.showTextDocument(document);
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
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document);
    const problem = await until('a diagnostic', () => ours(document.uri)[0]);
    assert.equal(document.getText(problem.range).replaceAll('"', ''), 'paralelism');
  });
});
