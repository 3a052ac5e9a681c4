import * as vscode from 'vscode';
import { commands, focusJobs } from '../contributions.ts';
import type { Workbench } from './workbench.ts';

/** "Show What the Reconciler Does", and the click on the status bar: the choices that make sense now. */
export async function showReconciler(workbench: Workbench): Promise<void> {
  const { phase } = workbench.reconciler;
  const choices: (vscode.QuickPickItem & { readonly run: () => unknown })[] = [];
  const run = (command: string) => () => vscode.commands.executeCommand(command);
  if (phase.kind === 'running' || phase.kind === 'starting') {
    choices.push({
      label: '$(debug-stop) Stop the Reconciler for This Workspace',
      run: run(commands.disableReconciler),
    });
  } else if (phase.kind === 'off' || phase.kind === 'failed') {
    choices.push({ label: '$(play) Run the Reconciler for This Workspace…', run: run(commands.enableReconciler) });
  }
  choices.push(
    { label: '$(output) Show the Log', run: workbench.showLog },
    { label: '$(plug) Choose Clusters…', run: run(commands.connectClusters) },
  );
  if (phase.kind === 'running') {
    for (const { namespace, name, message, reason } of phase.report.waiting.slice(0, 50)) {
      choices.push({
        label: name,
        description: `${namespace}: ${reason}`,
        detail: message,
        run: run(focusJobs),
      });
    }
  }
  const picked = await vscode.window.showQuickPick(choices, { title: 'The Reconciler of This Window' });
  await picked?.run();
}
