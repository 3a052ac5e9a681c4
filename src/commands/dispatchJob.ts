import * as vscode from 'vscode';
import { focusJobs } from '../contributions.ts';
import type { ManifestCheck, ManifestObject } from '../manifest/index.ts';
import { type DispatchPlan, planDispatch } from '../reconciler/index.ts';
import { chooseObject } from './chooseObject.ts';
import { ensureConnected } from './connectClusters.ts';
import { enableReconciler } from './enableReconciler.ts';
import { editorInFront } from './manifestAt.ts';
import { ask, showError } from './notifications.ts';
import { withCluster } from './withCluster.ts';
import type { ClusterLink, Workbench } from './workbench.ts';

/**
 * "Dispatch Job…": the Job at the cursor, or at a line (from 0), goes to the management cluster, delegated to our
 * reconciler unless it names another controller. Nothing is sent before the person has seen what goes where.
 */
export async function dispatchJob(workbench: Workbench, atLine?: number): Promise<void> {
  const editor = await editorInFront('dispatch');
  if (editor === undefined) return;
  const check = await workbench.checkManifest(editor.document);
  const job = await chooseObject(check, atLine ?? editor.selection.active.line, ['Job'], 'dispatch');
  if (job === undefined || (await hasErrors(editor.document, check, job))) return;
  const link = await ensureConnected(workbench);
  if (link === undefined) return;
  const { target } = link;
  const plan = planDispatch(job.value, target.controllerName, target.namespaces[0] ?? 'default');
  const obstacles = await obstaclesOf(workbench, link, job, plan);
  if (obstacles === undefined) return;
  const needsReconciler = plan.isOurs && workbench.reconciler.phase.kind !== 'running';
  if (!(await confirm(link, job, plan, obstacles, needsReconciler))) return;
  // All questions come first: no progress shall stand behind one. Whoever wants no reconciler here may have one elsewhere.
  if (needsReconciler) await enableReconciler(workbench);
  if (await send(workbench, link, job, plan)) await vscode.commands.executeCommand(focusJobs);
}

/** What the Job's pods would miss on the workers; undefined where the person cancelled. */
async function obstaclesOf(
  workbench: Workbench,
  link: ClusterLink,
  job: ManifestObject,
  { isOurs, namespace }: DispatchPlan,
): Promise<readonly string[] | undefined> {
  if (!isOurs || link.workers.size === 0) return [];
  const { checkWorkers } = await workbench.loadClusters();
  const ask = (signal: AbortSignal) => checkWorkers(link, job.value, namespace, signal);
  return await withCluster(workbench, 'Asking the workers…', ask, { isBeforeDialog: true });
}

async function hasErrors(document: vscode.TextDocument, check: ManifestCheck, job: ManifestObject): Promise<boolean> {
  const errors = check.findings.filter((finding) => finding.document === job.document && finding.severity === 'error');
  const [first] = errors;
  if (first === undefined) return false;
  const show = 'Show Problems';
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const place = `${vscode.workspace.asRelativePath(document.uri)}:${first.range.start.line + 1}`;
  const answer = await showError(
    `The API server would refuse this Job. ${place}: ${first.field ? `${first.field}: ` : ''}${first.message}${more}`,
    show,
  );
  if (answer === show) await vscode.commands.executeCommand('workbench.actions.view.problems');
  return true;
}

async function confirm(
  { target }: ClusterLink,
  job: ManifestObject,
  { namespace, managedBy, isOurs, grants }: DispatchPlan,
  obstacles: readonly string[],
  needsReconciler: boolean,
): Promise<boolean> {
  const name = job.name ?? 'with a generated name';
  const workers = target.workers.map((worker) => worker.name);
  const who = isOurs
    ? workers.length > 0
      ? `The reconciler (${managedBy}) runs it on the first of these workers that takes it: ${workers.join(', ')}.${needsReconciler ? ' Whether it shall run in this window is the next question; the Job is dispatched either way.' : ''}`
      : `The reconciler (${managedBy}) would run it, but no worker is chosen: it will wait.`
    : `managedBy is ${managedBy}: that controller runs it, not this extension.`;
  const detail = [
    `It is created in namespace ${namespace} of the management cluster "${target.management}" at ${target.managementServer}.`,
    who,
    ...(grants.length > 0 ? ['', `Its pods ask for: ${grants.join(', ')}.`] : []),
    ...(obstacles.length > 0 ? ['', ...obstacles] : []),
    ...(target.namespaces.includes(namespace)
      ? []
      : [
          '',
          `Namespace ${namespace} is not among those that this workspace watches and reconciles (${target.namespaces.join(', ')}): the Job will not show here${isOurs ? ', and nobody may run it' : ''}.`,
        ]),
  ].join('\n');
  const yes = 'Dispatch';
  return (await ask({ message: `Dispatch Job ${name}?`, detail, isWarning: obstacles.length > 0 }, yes)) === yes;
}

async function send(
  workbench: Workbench,
  link: ClusterLink,
  job: ManifestObject,
  { namespace, isOurs }: DispatchPlan,
): Promise<boolean> {
  const outcome = await withCluster(workbench, `Dispatching ${job.name ?? 'the Job'}…`, async (signal) => {
    const part = await workbench.loadClusters();
    return await part.dispatch(link, { object: job.value, namespace, allowOtherController: !isOurs }, signal);
  });
  if (outcome?.kind === 'refused') void showError(outcome.message);
  return outcome !== undefined && outcome.kind !== 'refused';
}
