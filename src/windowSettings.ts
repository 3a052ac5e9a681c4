import * as vscode from 'vscode';
import type { Workbench } from './commands/index.ts';
import { defaultControllerName, settings } from './contributions.ts';
import { type ClusterTarget, type OptInMemory, textOf, textsByName, textsOf } from './session/index.ts';

/**
 * The settings that a window works by, and what this machine keeps of a workspace beside them. Called by `extension.ts`
 * alone; touches the workspace's settings and its state.
 */

/** Our settings, for a file or for the window. */
export function configuration(uri?: vscode.Uri): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(settings.section, uri);
}

/** A workspace's settings go into the workspace; without one they are the user's. */
function settingsPlace(): vscode.ConfigurationTarget {
  return vscode.workspace.workspaceFolders === undefined
    ? vscode.ConfigurationTarget.Global
    : vscode.ConfigurationTarget.Workspace;
}

/** The clusters that the window's settings name; which are there is not looked at. */
export function targetOfSettings(): ClusterTarget {
  const read = configuration();
  return {
    kubeconfig: textOf(read.get(settings.kubeconfig), ''),
    management: textOf(read.get(settings.managementContext), ''),
    workers: Object.entries(textsByName(read.get(settings.workers))).map(([name, context]) => ({ name, context })),
    namespaces: textsOf(read.get(settings.namespaces)),
    controllerName: textOf(read.get(settings.controllerName), defaultControllerName),
    clusterIds: textsByName(read.get(settings.clusterIds)),
  };
}

/** Writes what a person chose; the kubeconfig and the controller's name are chosen elsewhere. */
export async function saveTarget({ management, workers, namespaces }: ClusterTarget): Promise<void> {
  const write = configuration();
  await write.update(settings.managementContext, management, settingsPlace());
  await write.update(
    settings.workers,
    Object.fromEntries(workers.map(({ name, context }) => [name, context])),
    settingsPlace(),
  );
  await write.update(settings.namespaces, namespaces, settingsPlace());
}

const consentsKey = 'reconcilerConsents';

/** The setting is the workspace's, the answers are the workspace's on this machine: no file of it carries them. */
export function lastingOptIn({ workspaceState }: vscode.ExtensionContext): OptInMemory {
  return {
    isEnabled: () => configuration().get(settings.reconcilerEnabled) === true,
    setEnabled: async (isEnabled) => {
      await configuration().update(settings.reconcilerEnabled, isEnabled, settingsPlace());
    },
    consents: () => workspaceState.get<string[]>(consentsKey, []),
    setConsents: async (consents) => await workspaceState.update(consentsKey, consents),
  };
}

/** Questions of this workspace that are not asked again on this machine. */
export function silencedQuestions({ workspaceState }: vscode.ExtensionContext): Workbench['silenced'] {
  const read = (): readonly string[] => workspaceState.get<string[]>('silencedQuestions', []);
  return {
    has: (key) => read().includes(key),
    add: async (key) => await workspaceState.update('silencedQuestions', [...read(), key]),
  };
}

/** What manifests are judged by. */
export const documentSettings = [
  ...[settings.kubernetesVersion, settings.controllerName, settings.knownControllers, settings.ignore],
];
/** What the window is connected to and runs. */
export const windowSettings = [
  ...[settings.kubeconfig, settings.managementContext, settings.workers, settings.namespaces],
  ...[settings.controllerName, settings.clusterIds, settings.reconcilerEnabled],
];

/** Whether one of the settings has another value now. */
export function affects(change: vscode.ConfigurationChangeEvent, names: readonly string[]): boolean {
  return names.some((name) => change.affectsConfiguration(`${settings.section}.${name}`));
}
