import * as vscode from 'vscode';
import { isAbort } from '../base/index.ts';
import { commands, views } from '../contributions.ts';
import { type ClusterTarget, isSameTarget } from '../session/index.ts';
import { chooseTarget } from './chooseTarget.ts';
import { ask, showError, showWarning } from './notifications.ts';
import { stopSandbox } from './startSandbox.ts';
import type { ClusterLink, Workbench } from './workbench.ts';

/** "Connect to Clusters…": always lets the person choose, starting from what is set. The sandbox ends with the choice. */
export async function connectClusters(workbench: Workbench): Promise<void> {
  if (!isTrusted()) return;
  const chosen = await chooseTarget(workbench);
  if (chosen === undefined || !(await leaveSandbox(workbench))) return;
  const { state } = workbench.clusters;
  // It was agreed to for what is left now.
  if (state.kind !== 'disconnected' && !isSameTarget(state.target, chosen)) await workbench.reconciler.stop();
  await workbench.saveTarget(chosen);
  await open(workbench, chosen);
}

/** True if no sandbox runs any more: it is the window's target as long as it does. */
async function leaveSandbox(workbench: Workbench): Promise<boolean> {
  if (workbench.sandbox.target === undefined) return true;
  const yes = 'Stop the Sandbox';
  const detail = 'They and all that ran on them are gone then. A window is connected to them or to other clusters.';
  const answer = await ask({ message: 'Stop the sandbox clusters?', detail, isWarning: true }, yes);
  if (answer === yes) await stopSandbox(workbench);
  return answer === yes;
}

/** The link that a command needs: the open one, or one to what is set, or to what the person chooses now. */
export async function ensureConnected(workbench: Workbench): Promise<ClusterLink | undefined> {
  if (!isTrusted()) return undefined;
  const target = workbench.target();
  if (target.management !== '') return await open(workbench, target);
  const startSandbox = 'Start Sandbox Clusters';
  const choose = 'Choose Clusters…';
  const answer = await ask(
    {
      message: 'No management cluster is chosen for this workspace.',
      detail: 'Choose contexts of your kubeconfig, or start three embedded clusters that vanish with this window.',
    },
    choose,
    startSandbox,
  );
  if (answer === startSandbox) await vscode.commands.executeCommand(commands.startSandbox);
  else if (answer === choose) await connectClusters(workbench);
  return workbench.clusters.link;
}

async function open(workbench: Workbench, target: ClusterTarget): Promise<ClusterLink | undefined> {
  try {
    return await vscode.window.withProgress(
      { location: { viewId: views.jobs } },
      async () => await workbench.clusters.connect(target),
    );
  } catch (error) {
    if (isAbort(error)) return undefined;
    const { explain, fileToCorrect } = await workbench.loadClusters();
    const file = fileToCorrect(error);
    const openFile = 'Open the Kubeconfig';
    const chooseAgain = 'Choose Clusters…';
    const buttons = [...(file === undefined ? [] : [openFile]), chooseAgain];
    const answer = await showError(explain(error), ...buttons);
    if (answer === openFile && file !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(file));
    if (answer === chooseAgain) await connectClusters(workbench);
    return workbench.clusters.link;
  }
}

function isTrusted(): boolean {
  if (vscode.workspace.isTrusted) return true;
  void showWarning('Clusters are contacted in trusted workspaces only.', 'Manage Workspace Trust').then(
    (answer) => answer && vscode.commands.executeCommand('workbench.trust.manage'),
  );
  return false;
}
