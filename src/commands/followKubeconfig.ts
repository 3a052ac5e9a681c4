import * as vscode from 'vscode';
import { isAbort } from '../base/index.ts';
import { showWarning } from './notifications.ts';
import { resumeReconciler } from './resumeReconciler.ts';
import type { Workbench } from './workbench.ts';

/**
 * The kubeconfig was edited, and what is open is no longer what it names: opens that instead. Where it can't be used any
 * more, what is open goes on, and the person hears why. The reconciler starts anew if the clusters are those of the
 * answer; else there is a new question.
 */
export async function followKubeconfig(workbench: Workbench): Promise<void> {
  const { clusters, reconciler } = workbench;
  const isAtWork = reconciler.phase.kind === 'running' || reconciler.phase.kind === 'starting';
  try {
    if ((await clusters.reopen()) === undefined) return;
    workbench.log.info('The kubeconfig was edited; its clusters were opened anew.');
    if (!isAtWork) return;
    await reconciler.stop();
    await resumeReconciler(workbench);
  } catch (error) {
    if (isAbort(error)) return;
    const { explain, fileToCorrect } = await workbench.loadClusters();
    const file = fileToCorrect(error);
    const openFile = 'Open the Kubeconfig';
    const text = `${explain(error)} Until then, the clusters of before stay connected.`;
    const answer = await showWarning(text, ...(file === undefined ? [] : [openFile]));
    if (answer === openFile && file !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(file));
  }
}
