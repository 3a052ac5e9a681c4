import * as vscode from 'vscode';
import { commands } from '../contributions.ts';
import type { LiveKey } from '../session/index.ts';
import { ensureConnected } from './connectClusters.ts';
import { keyOf, manifestAt } from './manifestAt.ts';
import { showInformation } from './notifications.ts';
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
    void showInformation(
      'This manifest has a generateName and no name: the server names each object that is made from it, so there is none to compare with.',
    );
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
    await tellNoLive(key, contextName, object.range.start.line);
    return;
  }
  const name = document.uri.path.split('/').at(-1) ?? 'manifest.yaml';
  const live = await workbench.keepText(`${key.name} on ${contextName} – ${name}`, document.languageId, found.text);
  const title = `${key.name}: live on ${contextName} ↔ ${name}`;
  await vscode.commands.executeCommand('vscode.diff', live, document.uri, title, { preview: true });
}

async function tellNoLive({ kind, name, namespace }: LiveKey, contextName: string, line: number): Promise<void> {
  const dispatch = 'Dispatch Job…';
  const text = `There is no ${kind} ${name} in namespace ${namespace} of ${contextName} to compare with.`;
  const answer = await showInformation(text, ...(kind === 'Job' ? [dispatch] : []));
  if (answer === dispatch) await vscode.commands.executeCommand(commands.dispatchJob, line);
}
