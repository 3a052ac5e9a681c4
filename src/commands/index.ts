import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/index.ts';
import { commands } from '../contributions.ts';
import { checkWithCluster } from './checkWithCluster.ts';
import { checkWorkspace } from './checkWorkspace.ts';
import { compareWithLive } from './compareWithLive.ts';
import { connectClusters } from './connectClusters.ts';
import { dispatchJob } from './dispatchJob.ts';
import { disableReconciler, enableReconciler } from './enableReconciler.ts';
import { recreateJob } from './recreateJob.ts';
import { resumeReconciler } from './resumeReconciler.ts';
import { copyName, copyWaitCommand, deleteJob, retryCluster, type ShowText, showLog, showYaml } from './rowCommands.ts';
import { showReconciler } from './showReconciler.ts';
import { startSandbox, stopSandbox } from './startSandbox.ts';
import type { Workbench } from './workbench.ts';

/** Commands: what the palette, the menus and the tree's rows can do. Shell only. */
export { followKubeconfig } from './followKubeconfig.ts';
export { followSettings } from './followSettings.ts';
export { ask, showError, showInformation } from './notifications.ts';
export { resumeReconciler } from './resumeReconciler.ts';
export type { ClusterLink, LiveMode, Workbench } from './workbench.ts';

/** Registers all of them. Dispose the result to take them away. */
export function registerCommands(workbench: Workbench, showText: ShowText): Disposable {
  const owned = new DisposableStore();
  const handlers: Readonly<Record<string, (id: string, ...more: unknown[]) => unknown>> = {
    [commands.connectClusters]: async () => {
      await connectClusters(workbench);
      if (workbench.clusters.link !== undefined && workbench.reconciler.phase.kind === 'off')
        await resumeReconciler(workbench);
    },
    [commands.disconnectClusters]: async () => {
      await workbench.reconciler.stop();
      workbench.clusters.disconnect();
    },
    [commands.dispatchJob]: (line: unknown) => dispatchJob(workbench, typeof line === 'number' ? line : undefined),
    [commands.enableReconciler]: () => enableReconciler(workbench),
    [commands.disableReconciler]: () => disableReconciler(workbench),
    [commands.showReconciler]: () => showReconciler(workbench),
    [commands.startSandbox]: () => startSandbox(workbench),
    [commands.stopSandbox]: () => stopSandbox(workbench),
    [commands.retryCluster]: (id) => retryCluster(workbench, id),
    [commands.checkWithCluster]: (uri: unknown, line: unknown) => checkWithCluster(workbench, uri, line),
    [commands.compareWithLive]: (uri: unknown, line: unknown) => compareWithLive(workbench, uri, line),
    [commands.recreateJob]: (uri: unknown, line: unknown, uid: unknown) => recreateJob(workbench, uri, line, uid),
    [commands.checkWorkspace]: () => checkWorkspace(workbench),
    [commands.copyName]: (id) => copyName(workbench, id),
    [commands.copyWaitCommand]: (id) => copyWaitCommand(workbench, id),
    [commands.showJobYaml]: (id) => showYaml(workbench, id, showText),
    [commands.showLog]: (id) => showLog(workbench, id, showText),
    [commands.deleteJob]: (id) => deleteJob(workbench, id),
  };
  for (const [command, handler] of Object.entries(handlers))
    owned.add(vscode.commands.registerCommand(command, handler));
  return owned;
}
