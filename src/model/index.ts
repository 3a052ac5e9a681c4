/** Model: what is known of all clusters, and what it means. Every Job has exactly one phase. */
export { ClusterModel, type ClusterModelOptions, type Row } from './clusterModel.ts';
export { type ClusterStatus, type Contact, clusterStatus } from './clusterStatus.ts';
export { explain, type ReasonHints } from './explain.ts';
export { type LiveModel, openModel, type WatchedCluster } from './liveModel.ts';
export {
  type Fate,
  type ObservedJob,
  type ObservedPod,
  type ObservedRecord,
  type ObservedWorkload,
  observeJob,
  observeMirror,
  observePod,
  observeWorkload,
} from './observed.ts';
export { Outline, type OutlineModel, type OutlineOptions } from './outline.ts';
export type { OutlineIcon, OutlineNode, OutlineSubject } from './outlineNode.ts';
export { rowNode } from './outlineRows.ts';
export { progressOf } from './outlineWords.ts';
export { mirrorPhaseOf, type Phase, phaseOf, phases } from './phase.ts';
export type { Reason } from './reason.ts';
export type { Controller, MirrorSight, Selection, Situation } from './situation.ts';
export type { ClusterSight } from './source.ts';
