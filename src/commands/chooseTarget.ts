import * as vscode from 'vscode';
import { commands, settings } from '../contributions.ts';
import type { ClusterTarget } from '../session/index.ts';
import { showWarning } from './notifications.ts';
import { withoutLinks } from './withoutLinks.ts';
import type { KubeconfigOffer, KubeconfigTrouble, Workbench } from './workbench.ts';

interface ContextItem extends vscode.QuickPickItem {
  readonly kind?: vscode.QuickPickItemKind;
  /** Absent in rows that choose nothing: a heading, or what can't be used. */
  readonly choice?: { readonly context: string; readonly server: string; readonly namespace: string };
  readonly trouble?: KubeconfigTrouble;
}

/**
 * Lets a person choose management cluster, workers and namespaces from the kubeconfig of the settings, whatever is
 * connected at the moment. Nothing is contacted.
 */
export async function chooseTarget(workbench: Workbench): Promise<ClusterTarget | undefined> {
  const target = workbench.settingsTarget();
  const part = await workbench.loadClusters();
  const offer = await part.readKubeconfig(target.kubeconfig);
  if (offer.contexts.length === 0) {
    await tellOfNoContext(offer);
    return undefined;
  }
  const items = offer.contexts.map(
    ({ name, server, namespace }): ContextItem => ({
      label: name,
      description: server,
      choice: { context: name, server, namespace },
    }),
  );
  const first = target.management || offer.current;
  const picked = await vscode.window.showQuickPick([...preferred(items, first), ...unusable(offer)], {
    title: 'Delegated Jobs (1/3): Management Cluster',
    placeHolder: 'The cluster that accepts the Jobs',
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (picked?.trouble !== undefined) await showTrouble(picked.trouble);
  const management = picked?.choice;
  if (management === undefined) return undefined;
  const workers = await chooseWorkers(target, management.server, items);
  if (workers === undefined) return undefined;
  const namespaces = await vscode.window.showInputBox({
    title: 'Delegated Jobs (3/3): Namespaces',
    prompt: 'Namespaces to watch and to reconcile, separated by commas',
    value: (target.namespaces.length > 0 ? target.namespaces : [management.namespace]).join(', '),
    ignoreFocusOut: true,
    validateInput: (value) => complaintAbout(namesIn(value)),
  });
  if (namespaces === undefined) return undefined;
  return { ...target, management: management.context, workers, namespaces: namesIn(namespaces) };
}

async function chooseWorkers(
  target: ClusterTarget,
  managementServer: string,
  items: readonly ContextItem[],
): Promise<ClusterTarget['workers'] | undefined> {
  // One cluster under two names would be its own worker; the server's address shows the plain cases.
  const others = items.filter(({ choice }) => choice !== undefined && choice.server !== managementServer);
  const known = new Set(target.workers.map(({ context }) => context));
  const picked = await vscode.window.showQuickPick(
    others.map((item) => ({ ...item, picked: known.has(item.label) })),
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
  return picked
    ?.flatMap(({ choice }) => choice ?? [])
    .map(({ context }) => target.workers.find((one) => one.context === context) ?? { name: context, context });
}

function preferred(items: readonly ContextItem[], name: string | undefined): ContextItem[] {
  return [...items].sort((a, b) => Number(b.label === name) - Number(a.label === name));
}

/** What the kubeconfig names and can't be used, at the end of the list, where somebody who misses it will look. */
function unusable({ troubles }: KubeconfigOffer): ContextItem[] {
  if (troubles.length === 0) return [];
  const separator = { label: 'Not right in the kubeconfig', kind: vscode.QuickPickItemKind.Separator };
  return [
    separator,
    ...troubles.map((trouble) => ({ label: `$(warning) ${trouble.place}`, detail: trouble.text, trouble })),
  ];
}

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

function complaintAbout(names: readonly string[]): string | undefined {
  if (names.length === 0) return 'At least one namespace is needed.';
  const bad = names.find((name) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name));
  return bad === undefined
    ? undefined
    : withoutLinks(`"${bad}" is not a namespace: lowercase letters, digits and "-", at most 63 characters.`);
}

/** The first trouble is the cause; a newcomer without any kubeconfig gets clusters to try with. */
async function tellOfNoContext({ troubles }: KubeconfigOffer): Promise<void> {
  const [first] = troubles;
  if (first === undefined) await showTrouble({ text: 'The kubeconfig names no context.', place: '', file: '' });
  else await showTrouble(first);
}

async function showTrouble({ text, file, isMissing }: KubeconfigTrouble): Promise<void> {
  const openFile = 'Open File';
  const openSettings = 'Open Settings';
  const startSandbox = 'Start Sandbox Clusters';
  const canOpen = file !== '' && isMissing !== true;
  const answer = await showWarning(text, ...(canOpen ? [openFile] : []), openSettings, startSandbox);
  if (answer === openFile) await vscode.window.showTextDocument(vscode.Uri.file(file));
  if (answer === openSettings)
    await vscode.commands.executeCommand('workbench.action.openSettings', `${settings.section}.${settings.kubeconfig}`);
  if (answer === startSandbox) await vscode.commands.executeCommand(commands.startSandbox);
}
