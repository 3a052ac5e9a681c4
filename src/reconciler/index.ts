/**
 * Reconciler: takes Jobs of the management cluster that `spec.managedBy` hands to us, runs a mirror of each on a worker
 * under the built-in controller, and copies the status back.
 */
export type { ClusterHealth } from './clusterLink.ts';
export {
  type DispatchContext,
  type DispatchOutcome,
  type DispatchRequest,
  dispatchJob,
  prepareDispatch,
} from './dispatch.ts';
export type { LeaseState } from './lease.ts';
export type { MessageFromThread, MessageToThread, ThreadTarget } from './messages.ts';
export type { ActionReport } from './ports.ts';
export { type Reason, type ReasonKind, reasons } from './reasons.ts';
export {
  type ReconcilerHandle,
  type ReconcilerOptions,
  type ReconcilerSettings,
  startReconciler,
} from './reconciler.ts';
export { mirrorFinalizer, mirrorKeys, recordKeys } from './record.ts';
export type { ClusterState, NamespaceLease, ReconcilerState, WaitingJob } from './state.ts';
export { type ReconcilerThread, type ReconcilerThreadDeps, startReconcilerThread, type ThreadPort } from './thread.ts';
export { ThreadHost, type ThreadHostDeps } from './threadHost.ts';
