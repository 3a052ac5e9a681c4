/** Model: what is known of all clusters, and what it means. Every Job has exactly one phase. */
export { ClusterModel, type ClusterModelOptions, type Row, type RowEntry } from './clusterModel.ts';
export { type ClusterStatus, type Contact, clusterStatus, unreachableAfterMs } from './clusterStatus.ts';
export { explain, type ReasonHints } from './explain.ts';
export {
  type LiveModel,
  type ModelChange,
  type OpenModelOptions,
  openModel,
  type WatchedCluster,
} from './liveModel.ts';
export {
  type Fate,
  type MirrorOrigin,
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
export type { OutlineAction, OutlineIcon, OutlineNode, OutlineSubject } from './outlineNode.ts';
export { rowNode } from './outlineRows.ts';
export { progressOf } from './outlineWords.ts';
export { mirrorPhaseOf, type Phase, phaseOf, phases } from './phase.ts';
export type { Level, Reason } from './reason.ts';
export type { Controller, MirrorSight, Selection, Situation } from './situation.ts';
export { type ClusterSight, noObjects, type ObjectSource } from './source.ts';
