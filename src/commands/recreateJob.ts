import { recreate } from '../session/index.ts';
import { keyOf, manifestAt } from './manifestAt.ts';
import { ask, showWarning } from './notifications.ts';
import { withCluster } from './withCluster.ts';
import type { Workbench } from './workbench.ts';

/**
 * "Delete … and create it anew": the answer to a change that no update can make. Asks, deletes exactly the object that
 * was compared, waits until it is gone and creates what the file says.
 */
export async function recreateJob(workbench: Workbench, uri: unknown, line: unknown, uid: unknown): Promise<void> {
  const { link } = workbench.clusters;
  if (link === undefined || typeof uid !== 'string') return;
  const subject = await manifestAt(workbench, uri, line, 'create anew');
  const key = subject && keyOf(link, subject.object);
  if (subject === undefined || key === undefined) return;
  const { contextName } = link.management;
  const comparing = await workbench.loadComparing();
  const { object: body } = comparing.writeOf(subject.object, key.namespace, undefined, 'apply');
  const yes = 'Delete and Create Anew';
  const answer = await ask(
    {
      message: `Delete ${key.kind} ${key.name} in namespace ${key.namespace} of ${contextName} and create it anew from this file?`,
      isWarning: true,
      detail:
        'Its pods are deleted with it, a mirror on a worker too while the reconciler runs. What it has done so far is not taken over.',
    },
    yes,
  );
  if (answer !== yes) return;
  const done = await withCluster(workbench, `Creating ${key.name} anew…`, (signal) =>
    recreate(link.management, { ...key, uid }, body, workbench.clock, signal),
  );
  if (done === false) {
    void showWarning(
      `${key.name} is being deleted, but a finalizer still holds it; nothing was created. Dispatch the Job once it is gone.`,
    );
  }
}
