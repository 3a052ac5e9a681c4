import * as vscode from 'vscode';
import { type Job, jobs, type KubeApi, type KubeObject, pods } from '../kube/index.ts';
import type { OutlineSubject } from '../model/index.ts';
import { podContainers, shellOf, waitCommand } from '../session/index.ts';
import { ask } from './notifications.ts';
import { withCluster } from './withCluster.ts';
import type { Workbench } from './workbench.ts';

/** Commands of the tree's rows. Each takes the id of its row, as VS Code hands it over. */

/** "Copy Name" */
export async function copyName(workbench: Workbench, id: string): Promise<void> {
  const subject = workbench.row(id)?.subject;
  if (subject !== undefined) await vscode.env.clipboard.writeText(subject.name);
}

/** "Copy Wait Command": for the shell of the window's terminals, a line that ends with the Job, whichever end that is. */
export async function copyWaitCommand({ row, clusters: { link } }: Workbench, id: string): Promise<void> {
  const { worker, namespace, name } = row(id)?.subject ?? {};
  if (link === undefined || name === undefined) return;
  const { kubeconfig, management, workers } = link.target;
  const context = worker === '' ? management : workers.find((one) => one.name === worker)?.context;
  if (context === undefined) return;
  const subject = { kubeconfig, context, namespace: namespace ?? 'default', name };
  await vscode.env.clipboard.writeText(waitCommand(subject, shellOf(vscode.env.shell, process.platform)));
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
  const found = objectOf(workbench, id);
  if (found === undefined) return;
  const { api, subject } = found;
  const get = (signal: AbortSignal) => api.get<KubeObject | Job>(typeOf(subject), keyOf(subject), signal);
  const object = await withCluster(workbench, `Asking ${api.contextName}…`, get, { isBeforeDialog: true });
  if (object !== undefined) await show(`${subject.name}.${subject.worker || 'management'}.yaml`, 'yaml', object);
}

/** "Show Log": of a pod, the last lines; asks which container where there are several. */
export async function showLog(workbench: Workbench, id: string, show: ShowText): Promise<void> {
  const found = objectOf(workbench, id);
  if (found === undefined) return;
  const { api, subject } = found;
  const key = keyOf(subject);
  const reading = `Asking ${api.contextName}…`;
  const pod = await withCluster(workbench, reading, (signal) => api.get(pods, key, signal), { isBeforeDialog: true });
  if (pod === undefined) return;
  const containers = podContainers(pod);
  const container =
    containers.length > 1
      ? await vscode.window.showQuickPick(containers, { title: `Show the Log of Which Container of ${subject.name}?` })
      : containers[0];
  if (container === undefined) return;
  const text = await withCluster(
    workbench,
    reading,
    (signal) => api.podLog(key, { container, tailLines: 5000 }, signal),
    { isBeforeDialog: true },
  );
  const title = containers.length > 1 ? `${subject.name}.${container}.log` : `${subject.name}.log`;
  if (text !== undefined) await show(title, 'log', text === '' ? 'No output yet.\n' : text);
}

/** "Delete Job…": asks, then deletes exactly the object of the row, pods included. */
export async function deleteJob(workbench: Workbench, id: string): Promise<void> {
  const found = objectOf(workbench, id);
  if (found === undefined) return;
  const { api, subject } = found;
  const { uid } = subject;
  if (uid === undefined) return;
  const yes = 'Delete';
  const where = `namespace ${subject.namespace} of ${subject.worker || api.contextName}`;
  const detail = subject.worker
    ? 'It is the mirror of a Job of the management cluster. That Job is not run again.'
    : 'Its mirror on the worker, if there is one, goes too while the reconciler runs.';
  const question = `Delete Job ${subject.name} in ${where}?`;
  if ((await ask({ message: question, detail, isWarning: true }, yes)) !== yes) return;
  await withCluster(workbench, `Deleting ${subject.name}…`, (signal) =>
    api.delete(jobs, keyOf(subject), { uid, propagationPolicy: 'Background' }, signal),
  );
}

/** Opens a text that belongs to no file; an object is shown as YAML. */
export type ShowText = (title: string, language: 'yaml' | 'log', content: string | object) => Promise<void>;

/** The object of a row, and the cluster that has it; undefined once the row or the connection is gone. */
function objectOf(
  { row, clusters: { link } }: Workbench,
  id: string,
): { readonly api: KubeApi; readonly subject: OutlineSubject } | undefined {
  const subject = row(id)?.subject;
  if (subject === undefined || link === undefined) return undefined;
  const api = subject.worker === '' ? link.management : link.workers.get(subject.worker);
  return api && { api, subject };
}

function typeOf({ resource }: OutlineSubject): typeof jobs {
  return resource === 'pods' ? pods : jobs;
}

function keyOf({ namespace, name }: OutlineSubject): { namespace?: string; name: string } {
  return namespace === undefined ? { name } : { namespace, name };
}
