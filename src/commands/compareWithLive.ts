import * as vscode from 'vscode';
import { ensureConnected } from './connectClusters.ts';
import { keyOf, manifestAt } from './manifestAt.ts';
import { withCluster } from './withCluster.ts';
import type { Workbench } from './workbench.ts';

/** "Compare with Live": the file beside itself with what the cluster has in place of the object at the cursor. */
export async function compareWithLive(workbench: Workbench, uri: unknown, line: unknown): Promise<void> {
  const subject = await manifestAt(workbench, uri, line, 'compare');
  if (subject === undefined) return;
  const link = await ensureConnected(workbench);
  if (link === undefined) return;
  const { document, object } = subject;
  const key = keyOf(link, object);
  if (key === undefined) {
    void vscode.window.showInformationMessage('Its name is for the server to choose, so there is no live object yet.');
    return;
  }
  const { contextName } = link.management;
  const found = await withCluster(workbench, `Asking ${contextName}…`, async (signal) => {
    const live = await link.readLive(key, signal);
    const { textWithLive } = await workbench.loadComparing();
    const text = live && textWithLive(document.getText(), object, live, workbench.settingsFor(document.uri));
    return { text };
  });
  if (found === undefined) return;
  if (found.text === undefined) {
    const what = `${key.kind} ${key.name} in namespace ${key.namespace} of ${contextName}`;
    void vscode.window.showInformationMessage(`There is no ${what}.`);
    return;
  }
  const name = document.uri.path.split('/').at(-1) ?? 'manifest.yaml';
  const live = await workbench.keepText(`${key.name} on ${contextName} – ${name}`, document.languageId, found.text);
  const title = `${key.name}: live on ${contextName} ↔ ${name}`;
  await vscode.commands.executeCommand('vscode.diff', live, document.uri, title, { preview: true });
}
