import * as vscode from 'vscode';
import { isAbort } from '../base/index.ts';
import { type Job, jobs, type KubeApi, type KubeObject, pods } from '../kube/index.ts';
import type { OutlineSubject } from '../model/index.ts';
import type { Workbench } from './workbench.ts';

/** Commands of the tree's rows. Each takes the id of its row, as VS Code hands it over. */

/** "Copy Name" */
export async function copyName(workbench: Workbench, id: string): Promise<void> {
  const subject = workbench.row(id)?.subject;
  if (subject !== undefined) await vscode.env.clipboard.writeText(subject.name);
}

/** "Try Again": on the row of a cluster that can't be read; without a row, at all clusters. */
export function retryCluster(workbench: Workbench, id: string | undefined): void {
  const subject = id === undefined ? undefined : workbench.row(id)?.subject;
  workbench.clusters.link?.retry(subject?.worker);
  workbench.reconciler.retry(subject === undefined ? undefined : subject.worker || managementName);
}

/** What the reconciler calls the management cluster. */
const managementName = 'management';

/** "Show as YAML": the object as the cluster has it now, in a read-only editor. */
export async function showYaml(workbench: Workbench, id: string, show: ShowText): Promise<void> {
  await withObject(workbench, id, async (api, subject, signal) => {
    const object = await api.get<KubeObject | Job>(typeOf(subject), keyOf(subject), signal);
    await show(`${subject.name}.${subject.worker || 'management'}.yaml`, 'yaml', object);
  });
}

/** "Show Log": of a pod, the last lines. */
export async function showLog(workbench: Workbench, id: string, show: ShowText): Promise<void> {
  await withObject(workbench, id, async (api, subject, signal) => {
    const text = await api.podLog(keyOf(subject), { tailLines: 5000 }, signal);
    await show(`${subject.name}.log`, 'log', text === '' ? 'No output yet.\n' : text);
  });
}

/** "Delete Job…": asks, then deletes exactly the object of the row, pods included. */
export async function deleteJob(workbench: Workbench, id: string): Promise<void> {
  await withObject(workbench, id, async (api, subject, signal) => {
    if (subject.uid === undefined) return;
    const yes = 'Delete';
    const where = `namespace ${subject.namespace} of ${subject.worker || api.contextName}`;
    const detail = subject.worker
      ? 'It is the mirror of a Job of the management cluster. That Job is not run again.'
      : 'Its mirror on the worker, if there is one, goes too while the reconciler runs.';
    const answer = await vscode.window.showWarningMessage(
      `Delete Job ${subject.name} in ${where}?`,
      { modal: true, detail },
      yes,
    );
    if (answer !== yes) return;
    await api.delete(jobs, keyOf(subject), { uid: subject.uid, propagationPolicy: 'Background' }, signal);
  });
}

/** Opens a text that belongs to no file; an object is shown as YAML. */
export type ShowText = (title: string, language: 'yaml' | 'log', content: string | object) => Promise<void>;

async function withObject(
  workbench: Workbench,
  id: string,
  act: (api: KubeApi, subject: OutlineSubject, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const subject = workbench.row(id)?.subject;
  const link = workbench.clusters.link;
  if (subject === undefined || link === undefined) return;
  const api = subject.worker === '' ? link.management : link.workers.get(subject.worker);
  if (api === undefined) return;
  const stop = new AbortController();
  try {
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: `Asking ${api.contextName}…`, cancellable: true },
      async (_progress, token) => {
        token.onCancellationRequested(() => stop.abort(new DOMException('Cancelled.', 'AbortError')));
        await act(api, subject, stop.signal);
      },
    );
  } catch (error) {
    if (isAbort(error, stop.signal)) return;
    const { explain } = await workbench.loadClusters();
    await vscode.window.showErrorMessage(explain(error));
  }
}

function typeOf({ resource }: OutlineSubject): typeof jobs {
  return resource === 'pods' ? pods : jobs;
}

function keyOf({ namespace, name }: OutlineSubject): { namespace?: string; name: string } {
  return namespace === undefined ? { name } : { namespace, name };
}
