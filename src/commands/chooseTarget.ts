import * as vscode from 'vscode';
import type { ClusterTarget } from '../session/index.ts';
import type { KubeconfigOffer, Workbench } from './workbench.ts';

interface ContextItem extends vscode.QuickPickItem {
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
}

/** Lets a person choose management cluster, workers and namespaces from the kubeconfig. Nothing is contacted. */
export async function chooseTarget(workbench: Workbench): Promise<ClusterTarget | undefined> {
  const target = workbench.target();
  const part = await workbench.loadClusters();
  const offer = await part.readKubeconfig(target.kubeconfig);
  if (offer.contexts.length === 0) {
    await showProblems(offer);
    return undefined;
  }
  const items = offer.contexts.map(
    ({ name, server, namespace }): ContextItem => ({
      label: name,
      description: server,
      context: name,
      server,
      namespace,
    }),
  );
  const first = target.management || offer.current;
  const management = await vscode.window.showQuickPick(preferred(items, first), {
    title: 'Delegated Jobs (1/3): Management Cluster',
    placeHolder: 'The cluster that accepts the Jobs',
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (management === undefined) return undefined;
  // One cluster under two names would be its own worker; the server's address shows the plain cases.
  const others = items.filter(({ server }) => server !== management.server);
  const known = new Set(target.workers.map(({ context }) => context));
  const workers = await vscode.window.showQuickPick(
    others.map((item) => ({ ...item, picked: known.has(item.context) })),
    {
      title: 'Delegated Jobs (2/3): Worker Clusters',
      placeHolder:
        others.length === 0
          ? 'The kubeconfig has no other cluster; go on without workers'
          : 'The clusters that run the mirrors; none is fine for watching',
      canPickMany: true,
      ignoreFocusOut: true,
      matchOnDescription: true,
    },
  );
  if (workers === undefined) return undefined;
  const namespaces = await vscode.window.showInputBox({
    title: 'Delegated Jobs (3/3): Namespaces',
    prompt: 'Namespaces to watch and to reconcile, separated by commas',
    value: (target.namespaces.length > 0 ? target.namespaces : [management.namespace]).join(', '),
    ignoreFocusOut: true,
    validateInput: (value) => complaintAbout(namesIn(value)),
  });
  if (namespaces === undefined) return undefined;
  if (offer.problems.length > 0) void showProblems(offer);
  return {
    ...target,
    management: management.context,
    workers: workers.map(
      ({ context }) => target.workers.find((one) => one.context === context) ?? { name: context, context },
    ),
    namespaces: namesIn(namespaces),
  };
}

function preferred(items: readonly ContextItem[], name: string | undefined): ContextItem[] {
  return [...items].sort((a, b) => Number(b.context === name) - Number(a.context === name));
}

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

function complaintAbout(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'At least one namespace is needed.';
  const bad = names.find((name) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name));
  return bad === undefined
    ? undefined
    : `"${bad}" is not a namespace: lowercase letters, digits and "-", at most 63 characters.`;
}

async function showProblems(offer: KubeconfigOffer): Promise<void> {
  const text = offer.problems.length > 0 ? offer.problems.join('\n') : 'The kubeconfig names no context.';
  const openSettings = 'Open Settings';
  const answer = await vscode.window.showWarningMessage(text, openSettings);
  if (answer === openSettings)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'delegatedJobs.kubeconfig');
}
