/** Session: what one window holds. Knows nothing of VS Code; asks through ports. */

export { ClusterQueues, type LocalQueue, type QueuesByNamespace, readQueues } from './clusterQueues.ts';
export { ClusterSession, type ClusterState } from './clusterSession.ts';
export { type ClustersHeading, clustersHeading } from './clustersHeading.ts';
export { FieldDescriptions, type FieldDescriptionsPorts } from './fieldDescriptions.ts';
export { KubeconfigWatch } from './kubeconfigWatch.ts';
export { type LiveKey, LiveObjects } from './liveObjects.ts';
export { consentKey, optInFor, type Question, questionFor } from './optIn.ts';
export { type OptInMemory, optInMemory } from './optInMemory.ts';
export { podContainers } from './podContainers.ts';
export { clusterConcern, type ReconcilerLine, reconcilerLine } from './reconcilerLine.ts';
export { type ReconcilerPhase, ReconcilerSession } from './reconcilerSession.ts';
export { recreate } from './recreate.ts';
export { type Rehearsal, type RehearsalAnswer, readLive, rehearse } from './rehearse.ts';
export { type RunningSandbox, SandboxSession } from './sandboxSession.ts';
export { SettingsFollower } from './settingsFollower.ts';
export { textListsByName, textOf, textsByName, textsOf, wordOf } from './settingValues.ts';
export { type ClusterTarget, isSameTarget, type ResolvedTarget } from './target.ts';
export { type Shell, shellOf, waitCommand } from './waitCommand.ts';
