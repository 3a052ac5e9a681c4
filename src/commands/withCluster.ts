import * as vscode from 'vscode';
import { isAbort } from '../base/index.ts';
import { showError } from './notifications.ts';
import { withoutLinks } from './withoutLinks.ts';
import type { Workbench } from './workbench.ts';

/**
 * Runs what asks a cluster, with its progress shown and a way to cancel it. Failures are told to the person; the result
 * is then undefined. Before a dialog the progress belongs into the status bar: VS Code keeps a notification for a while,
 * and it would lie under the question.
 */
export async function withCluster<T>(
  workbench: Workbench,
  title: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { isBeforeDialog = false }: { readonly isBeforeDialog?: boolean } = {},
): Promise<T | undefined> {
  const stop = new AbortController();
  try {
    return await vscode.window.withProgress(
      {
        location: isBeforeDialog ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification,
        title: withoutLinks(title),
        cancellable: true,
      },
      async (_progress, token) => {
        token.onCancellationRequested(() => stop.abort(new DOMException('Cancelled.', 'AbortError')));
        return await ask(stop.signal);
      },
    );
  } catch (error) {
    if (isAbort(error, stop.signal)) return undefined;
    const { explain } = await workbench.loadClusters();
    void showError(explain(error));
    return undefined;
  }
}
