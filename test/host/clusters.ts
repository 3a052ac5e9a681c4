import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, openFile, until } from './support.ts';

describe('clusters', () => {
  it('are not contacted before somebody asks', async () => {
    await openFile('manifests', 'hello.yaml');
    const { clusters, reconciler } = (await activated()).describeState();
    assert.deepEqual({ clusters, reconciler }, { clusters: 'disconnected', reconciler: 'off' });
  });

  it('of the sandbox start in this window, show in the tree, and vanish when stopped', async () => {
    const api = await activated();
    await vscode.commands.executeCommand('delegatedJobs.startSandbox');
    await until('the connection', () => api.describeState().clusters === 'connected');
    await vscode.commands.executeCommand('delegatedJobs.stopSandbox');
    assert.equal(api.describeState().clusters, 'disconnected');
  });
});

describe('contributions', () => {
  it('are all registered', async () => {
    await activated();
    const known = new Set(await vscode.commands.getCommands(true));
    const extension = vscode.extensions.getExtension('delegated-jobs.delegated-jobs');
    const declared: { command: string }[] = extension?.packageJSON.contributes.commands;
    assert.deepEqual(
      declared.map(({ command }) => command).filter((command) => !known.has(command)),
      [],
    );
  });
});
