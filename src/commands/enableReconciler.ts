import * as vscode from 'vscode';
import { describeError } from '../base/index.ts';
import { ensureConnected } from './connectClusters.ts';
import type { Workbench } from './workbench.ts';

/** "Run the Reconciler for This Workspace…": the question that names clusters and namespaces, then the start. */
export async function enableReconciler(workbench: Workbench): Promise<boolean> {
  const link = await ensureConnected(workbench);
  if (link === undefined) return false;
  try {
    const outcome = await workbench.reconciler.enable(link.target);
    if (outcome === 'incomplete') {
      const choose = 'Choose Clusters…';
      const answer = await vscode.window.showWarningMessage(
        'The reconciler needs at least one worker cluster, where the mirrors run.',
        choose,
      );
      if (answer === choose) await vscode.commands.executeCommand('delegatedJobs.connectClusters');
    }
    return outcome === 'go';
  } catch (error) {
    await vscode.window.showErrorMessage(`The reconciler could not be started: ${describeError(error)}`);
    return false;
  }
}

/** "Stop the Reconciler for This Workspace": Jobs that already run on workers go on there, unwatched. */
export async function disableReconciler(workbench: Workbench): Promise<void> {
  await workbench.reconciler.disable();
}
