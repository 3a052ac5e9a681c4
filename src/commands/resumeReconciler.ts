import { describeError } from '../base/index.ts';
import { enableReconciler } from './enableReconciler.ts';
import { showInformation } from './notifications.ts';
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
    } else if (optIn.kind === 'ask' && !workbench.silenced.has(optIn.consent)) {
      const review = 'Review…';
      const never = "Don't Ask Again";
      const answer = await showInformation(
        `The settings of this workspace ask for the Delegated Jobs reconciler on "${target.management}", which nobody agreed to on this machine. It does not run until you do.`,
        review,
        never,
      );
      if (answer === review) await enableReconciler(workbench);
      else if (answer === never) await workbench.silenced.add(optIn.consent);
    }
  } catch (error) {
    workbench.log.warn('The reconciler was not resumed.', { error: describeError(error) });
  }
}
