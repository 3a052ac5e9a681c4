import * as vscode from 'vscode';
import { isJsonObject, sleep } from '../base/index.ts';
import { KubeError } from '../kube/index.ts';
import { resourceOf } from '../session/index.ts';
import { keyOf, manifestAt } from './manifestAt.ts';
import { withCluster } from './withCluster.ts';
import type { Workbench } from './workbench.ts';

const pollMs = 500;
const waitMs = 60_000;

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
  const answer = await vscode.window.showWarningMessage(
    `Delete ${key.kind} ${key.name} in namespace ${key.namespace} of ${contextName} and create it anew from this file?`,
    {
      modal: true,
      detail:
        'Its pods are deleted with it, a mirror on a worker too while the reconciler runs. What it has done so far is not taken over.',
    },
    yes,
  );
  if (answer !== yes) return;
  const { management } = link;
  const type = resourceOf(key);
  const options = { fieldManager: 'delegated-jobs', fieldValidation: 'Strict' } as const;
  const done = await withCluster(workbench, `Creating ${key.name} anew…`, async (signal) => {
    // A file that the server refuses must not cost the object that is there: asked under a name that is free.
    const { metadata } = body;
    const { name: _taken, ...rest } = isJsonObject(metadata) ? metadata : {};
    const rehearsed = { ...body, metadata: { ...rest, generateName: 'rehearsal-' } };
    await management.create(type, key.namespace, rehearsed, { ...options, dryRun: true }, signal);
    await management.delete(type, key, { uid, propagationPolicy: 'Background' }, signal);
    for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollMs) {
      try {
        await management.create(type, key.namespace, body, options, signal);
        return true;
      } catch (error) {
        // Finalizers take their time.
        if (!(error instanceof KubeError) || error.kind !== 'already-exists') throw error;
        await sleep(workbench.clock, pollMs, signal);
      }
    }
    return false;
  });
  if (done === false) {
    void vscode.window.showWarningMessage(
      `${key.name} is being deleted, but a finalizer still holds it; nothing was created. Dispatch the Job once it is gone.`,
    );
  }
}
