/** Session: what one window holds. Knows nothing of VS Code; asks through ports. */

export { ClusterQueues, type LocalQueue, type QueuesByNamespace, readQueues } from './clusterQueues.ts';
export { ClusterSession, type ClusterState, type OpenLink } from './clusterSession.ts';
export { type ClustersHeading, clustersHeading } from './clustersHeading.ts';
export { FieldDescriptions, type FieldDescriptionsPorts, type FieldName } from './fieldDescriptions.ts';
export { KubeconfigWatch, type KubeconfigWatchPorts } from './kubeconfigWatch.ts';
export { type LiveKey, LiveObjects, type LiveObjectsPorts } from './liveObjects.ts';
export { consentKey, type OptIn, optInFor, type Question, questionFor } from './optIn.ts';
export { type OptInMemory, optInMemory } from './optInMemory.ts';
export { podContainers } from './podContainers.ts';
export { clusterConcern, type ReconcilerLine, reconcilerLine } from './reconcilerLine.ts';
export {
  type ReconcilerPhase,
  type ReconcilerPorts,
  type ReconcilerRun,
  ReconcilerSession,
} from './reconcilerSession.ts';
export { recreate } from './recreate.ts';
export { type Rehearsal, type RehearsalAnswer, readLive, rehearse, resourceOf } from './rehearse.ts';
export { type RunningSandbox, type SandboxPorts, SandboxSession } from './sandboxSession.ts';
export { SettingsFollower, type SettingsFollowerPorts } from './settingsFollower.ts';
export { type ClusterTarget, isSameTarget, type ResolvedTarget, type WorkerTarget } from './target.ts';
export { type WaitSubject, waitCommand } from './waitCommand.ts';
