import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, openFile, ours, until } from './support.ts';

describe('an untrusted workspace', () => {
  it('is what this run has', () => {
    assert.equal(vscode.workspace.isTrusted, false);
  });

  it('has its manifests checked', async () => {
    const document = await openFile('manifests', 'hello.yaml');
    await until('a diagnostic', () => ours(document.uri).length > 0);
  });

  it('gets no connection, whatever it asks for', async () => {
    await vscode.commands.executeCommand('delegatedJobs.connectClusters');
    const state = (await activated()).describeState();
    assert.deepEqual(state, { clusters: 'disconnected', reconciler: 'untrusted' });
  });
});
