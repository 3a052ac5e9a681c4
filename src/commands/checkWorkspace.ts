import * as vscode from 'vscode';
import { showInformation } from './notifications.ts';
import type { Workbench } from './workbench.ts';

/** "Check All Manifests of the Workspace": also those that are not open; their findings go to the Problems view. */
export async function checkWorkspace(workbench: Workbench): Promise<void> {
  if (vscode.workspace.workspaceFolders === undefined) {
    const open = 'Open Folder…';
    const text =
      'No folder is open, so there is no workspace to check. Findings of open files stand in the Problems view.';
    if ((await showInformation(text, open)) === open) await vscode.commands.executeCommand('vscode.openFolder');
    return;
  }
  const pass = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: 'Checking manifests', cancellable: true },
    async (progress, token) => {
      let before = 0;
      return await workbench.checkClosedFiles((done, all, file) => {
        const percent = Math.floor((100 * done) / all);
        if (percent === before && done > 0) return;
        progress.report({ increment: percent - before, message: vscode.workspace.asRelativePath(file) });
        before = percent;
      }, token);
    },
  );
  const parts = [
    `${pass.manifests} manifest${pass.manifests === 1 ? '' : 's'} in ${pass.files} file${pass.files === 1 ? '' : 's'}`,
    pass.findings === 0 ? 'nothing found' : `${pass.findings} finding${pass.findings === 1 ? '' : 's'}`,
    ...(pass.tooLarge > 0 ? [`${pass.tooLarge} larger than any request (3 MiB) and left out`] : []),
    ...(pass.isCancelled ? ['cancelled'] : []),
  ];
  const show = 'Show Problems';
  const message = `Checked ${parts.join(', ')}.`;
  const answer = await showInformation(message, ...(pass.findings > 0 ? [show] : []));
  if (answer === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
}
