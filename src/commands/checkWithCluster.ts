import * as vscode from 'vscode';
import { textAt } from '../base/index.ts';
import { ensureConnected } from './connectClusters.ts';
import { keyOf, manifestAt } from './manifestAt.ts';
import { showInformation, showWarning } from './notifications.ts';
import { withCluster } from './withCluster.ts';
import type { ClusterLink, Workbench } from './workbench.ts';

/**
 * "Check with the Cluster": a dry run of the object at the cursor on the management cluster. Nothing is stored. Its
 * answer stands at the lines that it is about, beside our own findings; where the two differ, that is said.
 */
export async function checkWithCluster(workbench: Workbench, uri: unknown, line: unknown): Promise<void> {
  const subject = await manifestAt(workbench, uri, line, 'check');
  if (subject === undefined) return;
  const link = await ensureConnected(workbench);
  if (link === undefined) return;
  const { document, check, object } = subject;
  const { version } = document;
  const beside = await withCluster(workbench, `Asking ${link.management.contextName}…`, async (signal) => {
    const [clusters, comparing] = await Promise.all([workbench.loadClusters(), workbench.loadComparing()]);
    const key = keyOf(link, object);
    const live = key && (await link.readLive(key, signal));
    const mode = workbench.liveMode(document.uri);
    const namespace = key?.namespace ?? object.namespace ?? link.target.namespaces[0] ?? 'default';
    const request = comparing.writeOf(object, namespace, live, mode === 'off' ? 'apply' : mode);
    const kind = object.kind === 'CronJob' ? 'CronJob' : 'Job';
    const replaces = live === undefined || key === undefined ? {} : { replaces: key.name };
    const answer = await clusters.rehearse(link, { kind, namespace, body: request.object, ...replaces }, signal);
    const text = document.getText();
    const found = comparing.besideAnswer(text, object, check.findings, request, answer, workbench.extensionVersion);
    const isForWorkers = textAt(object.value, ['spec', 'managedBy']) === link.target.controllerName;
    const obstacles = isForWorkers ? await clusters.checkWorkers(link, object.value, namespace, signal) : [];
    return { ...found, answer, obstacles };
  });
  // An answer to another text than the one that is shown would stand at the wrong lines.
  if (beside === undefined || document.version !== version) return;
  workbench.showAnswer(document.uri, link.management.contextName, beside.lines);
  await tell(link, beside);
}

interface Told {
  readonly answer: { readonly operation: string; readonly refusal?: { readonly by: string; readonly message: string } };
  readonly lines: readonly unknown[];
  readonly differences: readonly string[];
  readonly report: string;
  /** What the Job's pods would miss on the workers, a sentence each. */
  readonly obstacles: readonly string[];
}

async function tell(link: ClusterLink, { answer, lines, differences, report, obstacles }: Told): Promise<void> {
  const cluster = link.management.contextName;
  const what = answer.operation === 'create' ? 'this object' : 'this change of the live object';
  const verdict =
    answer.refusal === undefined
      ? `${cluster} would take ${what}.`
      : answer.refusal.by === 'policy'
        ? `${cluster} would refuse ${what}. ${answer.refusal.message}`
        : `${cluster} would refuse ${what}; ${lines.length === 1 ? 'the reason stands at its line' : `${lines.length} reasons stand at their lines`}.`;
  const said = [verdict, ...obstacles].join(' ');
  const copy = 'Copy a Report';
  if (differences.length > 0) {
    const text = `${said} The answers differ from what this extension says: ${differences.slice(0, 3).join('; ')}.`;
    if ((await showWarning(text, copy)) === copy) await vscode.env.clipboard.writeText(report);
    return;
  }
  if (answer.refusal === undefined && obstacles.length === 0) void showInformation(said);
  else void showWarning(said);
}
