import * as vscode from 'vscode';
import type { DelegatedJobsApi } from '../../src/extension.ts';

export { until } from './until.ts';

export const extensionId = 'delegated-jobs.delegated-jobs';

export function workspaceFile(...path: string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error('The suite needs the sample workspace.');
  return vscode.Uri.joinPath(folder.uri, ...path);
}

export async function openFile(...path: string[]): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(workspaceFile(...path));
  await vscode.window.showTextDocument(document);
  return document;
}

let texts = 0;

/**
 * Opens a text that is in no file yet. It has a name that no other had: under the next best, such as Untitled-1, VS Code now
 * and then brings back the text of the document that had that name before.
 */
export async function openText(language: 'yaml' | 'json', content: string): Promise<vscode.TextDocument> {
  const uri = workspaceFile(`text-${texts++}.${language}`).with({ scheme: 'untitled' });
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), content);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document);
  return document;
}

export function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'delegated-jobs');
}

export function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

/** Sets one of our settings for the workspace, or takes it back (undefined). */
export async function setSetting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('delegatedJobs').update(name, value, vscode.ConfigurationTarget.Workspace);
}

/** What the extension tells of itself, once it is up. */
export async function activated(): Promise<DelegatedJobsApi> {
  const extension = vscode.extensions.getExtension<DelegatedJobsApi>(extensionId);
  if (extension === undefined) throw new Error(`${extensionId} is not installed.`);
  return await extension.activate();
}
