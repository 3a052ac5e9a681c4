import * as vscode from 'vscode';
import { describeError } from '../base/index.ts';
import { focusJobs } from '../contributions.ts';
import { showError } from './notifications.ts';
import type { Workbench } from './workbench.ts';

/** "Start Sandbox Clusters": three embedded clusters, and the window connected to them. */
export async function startSandbox(workbench: Workbench): Promise<void> {
  try {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: 'Starting three sandbox clusters…' },
      async () => {
        const target = await workbench.sandbox.start(workbench.target().controllerName);
        await workbench.clusters.connect(target);
      },
    );
    await vscode.commands.executeCommand(focusJobs);
  } catch (error) {
    const log = 'Show the Log';
    const text = `The sandbox clusters could not be started: ${describeError(error)}`;
    if ((await showError(text, log)) === log) workbench.showLog();
  }
}

/** "Stop Sandbox Clusters": they and all that ran on them are gone. */
export async function stopSandbox(workbench: Workbench): Promise<void> {
  await workbench.reconciler.stop();
  workbench.clusters.disconnect();
  await workbench.sandbox.stop();
}
