/**
 * Reconciler: takes Jobs of the management cluster that `spec.managedBy` hands to us, runs a mirror of each on a worker
 * under the built-in controller, and copies the status back.
 *
 * A Job's life, as its record on the management Job tells it. Any process can go on from any of these states, because
 * nothing else is needed to know them:
 * ```
 *  none ──assign (one conditional patch: finalizer, worker, attempt, name)──▶ assigned
 *    ▲                                                     │  │ the worker refuses: the next one, attempt + 1
 *    │ suspended, finished, being deleted: not dispatched  │  └──────────────▶ assigned
 *                                                          │ create suspended; record its UID; start it
 *                                                          ▼
 *       Job deleted ◀────────────── recorded ──mirror gone (404)──▶ MirrorDeleted: never run again
 *           │                          │ ▲ status copied, suspend and scale followed
 *           ▼                          └─┘
 *   delete mirror, 404,                │ terminal status stored
 *   finalizer off                      ▼
 *                                  Finished (finalizer off) ──kept for its logs──▶ delete mirror, 404 ──▶ Done
 * ```
 * Invariants, checked after every step of thousands of hostile schedules (test/reconciler/schedules.test.ts):
 * - I1 At most one mirror of a Job is ever un-suspended. The start is two steps, so a creation that nobody recorded
 *   never runs; a mirror on record that is gone was deleted, never "not yet there".
 * - I2 Nothing is written to an object that is not ours: `managedBy` on one side; origin cluster, origin UID and the
 *   recorded UID on the other.
 * - I3 No status is sent that the API server's rules refuse: the admission engine is asked first.
 * - I4 A result that was seen reaches the Job before its mirror is deleted: deletions name the very state they judged.
 * - I5 `failed`, `succeeded` and the conditions that decide a Job's fate never go back.
 * - I6 When both sides stand still, nothing is written any more.
 * - I7 From every state the Job becomes done, released, or waits with a reason and something that ends the wait.
 * - I8 Killing the process between any two requests changes nothing of that.
 * - I9 Only a live GET that answers 404, or another UID, proves that something is gone; never its absence from a list,
 *   and never the word of another cluster that answers at the same address by now.
 *
 * Leases (`lease.ts`) only spare double work; all of the above holds with two leaders. Deliberately absent: a second
 * attempt of work that may have run, adopting Jobs that others made, replacing a mirror after its template was edited,
 * releasing a deleted Job whose worker can't be reached. Each of these waits with a reason for a person.
 *
 * One decision a file: `decide.ts` (what next), `mirrorObject.ts` and `mirrorStatus.ts` (what each side gets),
 * `followedFields.ts` (which edits follow), `record.ts` (what is written down), `apply.ts` (how), `failures.ts` (what an
 * error means), `reconcileJob.ts` (one pass), `reconciler.ts` (the wiring).
 */
export { type DispatchOutcome, type DispatchRequest, dispatchJob, prepareDispatch } from './dispatch.ts';
export { type DispatchPlan, planDispatch } from './dispatchPlan.ts';
export type { LeaseState } from './lease.ts';
export type { ThreadTarget } from './messages.ts';
export type { ActionReport } from './ports.ts';
export { type Reason, reasons } from './reasons.ts';
export { type ReconcilerHandle, type ReconcilerSettings, startReconciler } from './reconciler.ts';
export { mirrorFinalizer, mirrorKeys, recordKeys } from './record.ts';
export { requestRate } from './requestRate.ts';
export type { ClusterState, ReconcilerState } from './state.ts';
export { type ReconcilerThread, type ReconcilerThreadDeps, startReconcilerThread, type ThreadPort } from './thread.ts';
export { ThreadHost } from './threadHost.ts';
export { checkWorkers, type NamedWorker } from './workerNeeds.ts';
