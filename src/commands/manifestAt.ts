import * as vscode from 'vscode';
import type { ManifestCheck, ManifestObject } from '../manifest/index.ts';
import type { LiveKey } from '../session/index.ts';
import { chooseObject } from './chooseObject.ts';
import { showInformation } from './notifications.ts';
import type { ClusterLink, Workbench } from './workbench.ts';

/** A Job or CronJob in an editor, as its text was checked just now. */
export interface ManifestAt {
  readonly document: vscode.TextDocument;
  readonly check: ManifestCheck;
  readonly object: ManifestObject;
}

/** What a command is about: at the line (from 0) of the file that it was called with, else at the cursor. */
export async function manifestAt(
  workbench: Workbench,
  uri: unknown,
  line: unknown,
  purpose: string,
): Promise<ManifestAt | undefined> {
  const editor = vscode.window.activeTextEditor;
  const isEditors =
    editor !== undefined && (!(uri instanceof vscode.Uri) || uri.toString() === `${editor.document.uri}`);
  if (!isEditors && !(uri instanceof vscode.Uri)) {
    await tellNoManifest(purpose);
    return undefined;
  }
  const document =
    isEditors || !(uri instanceof vscode.Uri) ? editor?.document : await vscode.workspace.openTextDocument(uri);
  if (document === undefined) return undefined;
  const check = await workbench.checkManifest(document);
  const place = typeof line === 'number' ? line : isEditors ? editor.selection.active.line : 0;
  const object = await chooseObject(check, place, ['Job', 'CronJob'], purpose);
  return object && { document, check, object };
}

/**
 * The editor that a command is about. Where something else is in front, such as the walkthrough, that of a manifest that
 * is open behind it; says so where there is none.
 */
export async function editorInFront(purpose: string): Promise<vscode.TextEditor | undefined> {
  const { activeTextEditor, tabGroups } = vscode.window;
  if (activeTextEditor !== undefined) return activeTextEditor;
  const open = tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ label, input }) => (input instanceof vscode.TabInputText ? { label, uri: input.uri } : []))
    .filter(({ uri }) => isManifest(uri));
  if (open.length === 0) {
    await tellNoManifest(purpose);
    return undefined;
  }
  const rows = open.map((one) => ({ ...one, description: vscode.workspace.asRelativePath(one.uri) }));
  const title = `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)} from Which File?`;
  const picked = rows.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, { title });
  return picked && (await vscode.window.showTextDocument(picked.uri));
}

/** By its language, or by its name where it hasn't been shown yet. */
function isManifest(uri: vscode.Uri): boolean {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return document === undefined ? /\.(?:ya?ml|json)$/.test(uri.path) : /^(?:yaml|jsonc?)$/.test(document.languageId);
}

/** No editor is open that a command could be about. */
async function tellNoManifest(purpose: string): Promise<void> {
  const open = 'Open File…';
  const text = `No manifest is open to ${purpose}. Open the YAML or JSON file with the Job and run the command again.`;
  if ((await showInformation(text, open)) === open) {
    const hasFolder = vscode.workspace.workspaceFolders !== undefined;
    await vscode.commands.executeCommand(hasFolder ? 'workbench.action.quickOpen' : 'workbench.action.files.openFile');
  }
}

/** The stored object that it speaks of; undefined where its name is for the server to choose. */
export function keyOf({ target }: ClusterLink, { kind, name, namespace }: ManifestObject): LiveKey | undefined {
  if ((kind !== 'Job' && kind !== 'CronJob') || name === undefined) return undefined;
  return { kind, name, namespace: namespace ?? target.namespaces[0] ?? 'default' };
}
