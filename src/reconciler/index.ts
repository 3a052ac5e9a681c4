/**
 * Reconciler: takes Jobs of the management cluster that `spec.managedBy` hands to us, runs a mirror of each on a worker
 * under the built-in controller, and copies the status back.
 */
export { decide } from './decide.ts';
export { reconcileJob } from './reconcileJob.ts';
