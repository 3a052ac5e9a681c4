import * as vscode from 'vscode';
import { isAbort, isJsonObject, type JsonObject } from '../base/index.ts';
import type { ManifestCheck, ManifestObject } from '../manifest/index.ts';
import { chooseObject } from './chooseObject.ts';
import { ensureConnected } from './connectClusters.ts';
import { enableReconciler } from './enableReconciler.ts';
import type { ClusterLink, Workbench } from './workbench.ts';

/**
 * "Dispatch Job": the Job at the cursor, or at a line (from 0), goes to the management cluster, delegated to our
 * reconciler unless it names another controller. Nothing is sent before the person has seen what goes where.
 */
export async function dispatchJob(workbench: Workbench, atLine?: number): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    await vscode.window.showInformationMessage('Open the manifest of a Job first, then dispatch it.');
    return;
  }
  const check = await workbench.checkManifest(editor.document);
  const job = await chooseObject(check, atLine ?? editor.selection.active.line, ['Job'], 'dispatch');
  if (job === undefined || (await hasErrors(editor.document, check, job))) return;
  const link = await ensureConnected(workbench);
  if (link === undefined) return;
  const managedBy = managedByOf(job.value) ?? link.target.controllerName;
  const isOurs = managedBy === link.target.controllerName;
  if (!(await confirm(link, job, managedBy, isOurs))) return;
  if (!(await send(workbench, link, job, isOurs))) return;
  await vscode.commands.executeCommand('delegatedJobs.jobs.focus');
  if (isOurs && workbench.reconciler.phase.kind !== 'running') await enableReconciler(workbench);
}

async function hasErrors(document: vscode.TextDocument, check: ManifestCheck, job: ManifestObject): Promise<boolean> {
  const errors = check.findings.filter((finding) => finding.document === job.document && finding.severity === 'error');
  const [first] = errors;
  if (first === undefined) return false;
  const show = 'Show Problems';
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const place = `${vscode.workspace.asRelativePath(document.uri)}:${first.range.start.line + 1}`;
  const answer = await vscode.window.showErrorMessage(
    `The API server would refuse this Job. ${place}: ${first.field ? `${first.field}: ` : ''}${first.message}${more}`,
    show,
  );
  if (answer === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
  return true;
}

async function confirm(link: ClusterLink, job: ManifestObject, managedBy: string, isOurs: boolean): Promise<boolean> {
  const { target } = link;
  const name = job.name ?? 'with a generated name';
  const namespace = namespaceOf(link, job);
  const workers = target.workers.map((worker) => worker.name);
  const who = isOurs
    ? workers.length > 0
      ? `The reconciler (${managedBy}) runs it on the first of these workers that takes it: ${workers.join(', ')}.`
      : `The reconciler (${managedBy}) would run it, but no worker is chosen: it will wait.`
    : `managedBy is ${managedBy}: that controller runs it, not this extension.`;
  const grants = grantsOf(job.value);
  const detail = [
    `It is created in namespace ${namespace} of the management cluster "${target.management}" at ${target.managementServer}.`,
    who,
    ...(grants.length > 0 ? ['', `Its pods ask for: ${grants.join(', ')}.`] : []),
    ...(target.namespaces.includes(namespace)
      ? []
      : [
          '',
          `Namespace ${namespace} is not among those that this workspace watches and reconciles (${target.namespaces.join(', ')}): the Job will not show here${isOurs ? ', and nobody may run it' : ''}.`,
        ]),
  ].join('\n');
  const yes = 'Dispatch';
  return (await vscode.window.showInformationMessage(`Dispatch Job ${name}?`, { modal: true, detail }, yes)) === yes;
}

/** What a pod template asks for beyond running its containers: a person should see that before it leaves. */
function grantsOf(job: JsonObject): string[] {
  const pod = at(job, 'spec', 'template', 'spec');
  if (!isJsonObject(pod)) return [];
  const grants: string[] = [];
  const account = pod['serviceAccountName'];
  if (typeof account === 'string' && account !== '') grants.push(`service account ${account}`);
  const node = pod['nodeName'];
  if (typeof node === 'string' && node !== '') grants.push(`node ${node}`);
  for (const flag of ['hostNetwork', 'hostPID', 'hostIPC']) if (pod[flag] === true) grants.push(flag);
  if (objectsIn(pod['volumes']).some((volume) => volume['hostPath'])) grants.push('a path of the node (hostPath)');
  const containers = [...objectsIn(pod['containers']), ...objectsIn(pod['initContainers'])];
  if (containers.some((container) => at(container, 'securityContext', 'privileged') === true))
    grants.push('a privileged container');
  return grants;
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  let current = value;
  for (const key of keys) current = isJsonObject(current) ? current[key] : undefined;
  return current;
}

function managedByOf(job: JsonObject): string | undefined {
  const value = at(job, 'spec', 'managedBy');
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function namespaceOf({ target }: ClusterLink, job: ManifestObject): string {
  return job.namespace ?? target.namespaces[0] ?? 'default';
}

async function send(workbench: Workbench, link: ClusterLink, job: ManifestObject, isOurs: boolean): Promise<boolean> {
  const part = await workbench.loadClusters();
  const stop = new AbortController();
  try {
    const outcome = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: `Dispatching ${job.name ?? 'the Job'}…`,
        cancellable: true,
      },
      async (_progress, token) => {
        token.onCancellationRequested(() => stop.abort(new DOMException('Cancelled.', 'AbortError')));
        const namespace = namespaceOf(link, job);
        return await part.dispatch(link, { object: job.value, namespace, allowOtherController: !isOurs }, stop.signal);
      },
    );
    if (outcome.kind !== 'refused') return true;
    await vscode.window.showErrorMessage(outcome.message);
    return false;
  } catch (error) {
    if (!isAbort(error, stop.signal)) await vscode.window.showErrorMessage(part.explain(error));
    return false;
  }
}
