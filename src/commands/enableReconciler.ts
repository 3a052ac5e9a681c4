import * as vscode from 'vscode';
import { describeError } from '../base/index.ts';
import { commands } from '../contributions.ts';
import type { ResolvedTarget } from '../session/index.ts';
import { ensureConnected } from './connectClusters.ts';
import { showError, showWarning } from './notifications.ts';
import type { Workbench } from './workbench.ts';

/**
 * "Run the Reconciler for This Workspace…": the question that names clusters and namespaces, then the start. What is
 * not connected yet is contacted after the answer, since the clusters may be the choice of whoever wrote the workspace's
 * settings. Resolves once it runs or won't; what is told of that waits for nobody.
 */
export async function enableReconciler(workbench: Workbench): Promise<void> {
  const target = await targetInQuestion(workbench);
  if (target === undefined) return;
  try {
    const outcome = await workbench.reconciler.enable(target);
    if (outcome === 'go') await ensureConnected(workbench);
    if (outcome === 'incomplete') void offerClusters();
  } catch (error) {
    void tellFailure(workbench, error);
  }
}

async function offerClusters(): Promise<void> {
  const choose = 'Choose Clusters…';
  const text = 'The reconciler needs at least one worker cluster, where the mirrors run; this workspace names none.';
  if ((await showWarning(text, choose)) === choose) await vscode.commands.executeCommand(commands.connectClusters);
}

async function tellFailure({ showLog }: Workbench, error: unknown): Promise<void> {
  const again = 'Try Again';
  const log = 'Show the Log';
  const text = `The reconciler could not be started: ${describeError(error)}`;
  const answer = await showError(text, again, log);
  if (answer === again) await vscode.commands.executeCommand(commands.enableReconciler);
  if (answer === log) showLog();
}

async function targetInQuestion(workbench: Workbench): Promise<ResolvedTarget | undefined> {
  const { clusters } = workbench;
  const target = workbench.target();
  // Nothing is chosen, or nothing may be contacted: the way to a connection says so.
  if (clusters.link !== undefined || target.management === '' || !vscode.workspace.isTrusted)
    return (await ensureConnected(workbench))?.target;
  const part = await workbench.loadClusters();
  try {
    return await part.resolveTarget(target);
  } catch (error) {
    await showError(part.explain(error));
    return undefined;
  }
}

/** "Stop the Reconciler for This Workspace": Jobs that already run on workers go on there, unwatched. */
export async function disableReconciler(workbench: Workbench): Promise<void> {
  await workbench.reconciler.disable();
}
