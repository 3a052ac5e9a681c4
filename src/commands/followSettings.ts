import { isSameTarget } from '../session/index.ts';
import { resumeReconciler } from './resumeReconciler.ts';
import type { Workbench } from './workbench.ts';

/**
 * Brings a window to where its settings want it, without contacting any cluster that it had no contact with: a window
 * that is not connected stays so. The sandbox goes before whatever the settings name.
 */
export async function followSettings(workbench: Workbench, isReconcilerWanted: boolean): Promise<void> {
  const { clusters, reconciler } = workbench;
  const target = workbench.target();
  const { state } = clusters;
  if (state.kind !== 'disconnected' && !isSameTarget(state.target, target)) {
    // What it was agreed to run for is no longer what is set: it stops, and starts anew if that was agreed to as well.
    await reconciler.stop();
    if (target.management === '') clusters.disconnect();
    else await clusters.connect(target);
  }
  if (reconciler.phase.kind === 'asking') return;
  if (!isReconcilerWanted) await reconciler.stop();
  else if (reconciler.phase.kind === 'off') await resumeReconciler(workbench);
}
