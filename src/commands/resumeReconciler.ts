import * as vscode from 'vscode';
import { describeError } from '../base/index.ts';
import { enableReconciler } from './enableReconciler.ts';
import type { Workbench } from './workbench.ts';

/**
 * What a window does about the reconciler without being asked: starts it if the workspace wants it and this machine
 * agreed; tells, without contacting anybody, if the workspace wants something that was never agreed to here.
 */
export async function resumeReconciler(workbench: Workbench): Promise<void> {
  if (workbench.reconciler.optIn(undefined).kind === 'off') return;
  const target = workbench.target();
  if (target.management === '') return;
  try {
    const part = await workbench.loadClusters();
    const resolved = await part.resolveTarget(target);
    const optIn = workbench.reconciler.optIn(resolved);
    if (optIn.kind === 'go') {
      await workbench.clusters.connect(target);
      await workbench.reconciler.resume(resolved);
    } else if (optIn.kind === 'ask') {
      const review = 'Review…';
      const answer = await vscode.window.showInformationMessage(
        `This workspace wants to run the Delegated Jobs reconciler for ${target.management}. It does not run until you agree.`,
        review,
      );
      if (answer === review) await enableReconciler(workbench);
    }
  } catch (error) {
    workbench.log.warn('The reconciler was not resumed.', { error: describeError(error) });
  }
}
