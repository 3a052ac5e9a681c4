import type { Clock, Log, Random } from '../base/index.ts';
import type { Job, KubeApi } from '../kube/index.ts';
import type { StatusJudge } from './mirrorStatus.ts';
import type { Reason } from './reasons.ts';
import type { Action, Candidate } from './situation.ts';

/** A cluster's client; one over HTTP also knows how far the server's clock is ahead of this machine's. */
export type ClusterApi = KubeApi & { readonly clockOffsetMs?: number | undefined };

/** The key of a Job in the management cluster. */
export interface JobKey {
  readonly namespace: string;
  readonly name: string;
}

/** How a worker is reached for one namespace, as the reconciler's wiring knows it. */
export interface WorkerAccess {
  readonly name: string;
  /** Whoever hands it out notes how its requests end: the health of the whole cluster follows from it. */
  readonly api: KubeApi;
  /** Set while the cluster as a whole is in trouble: nobody asks it, and all its Jobs wait for this long. */
  readonly trouble: { readonly reason: Reason; readonly message: string; readonly afterMs: number } | undefined;
  /** How far its clock is ahead of the management cluster's, where known. */
  readonly aheadMs: number | undefined;
}

/** Everything one pass over one Job needs. Declared here, filled in by the wiring and by tests. */
export interface ReconcileDeps {
  readonly management: KubeApi;
  readonly originCluster: string;
  readonly controllerName: string;
  readonly retainFinishedMs: number;
  readonly maxLiveMirrors: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly judge: StatusJudge;
  isNamespaceEnabled(namespace: string): boolean;
  /** Aborts when this process stops leading for them; undefined if it doesn't lead. No write is sent without it. */
  leadership(namespace: string, workerUid: string): AbortSignal | undefined;
  candidates(namespace: string): readonly Candidate[];
  worker(workerUid: string): WorkerAccess | undefined;
  /**
   * Whether the management cluster (undefined) or a worker is still the cluster it was when its identity was read: of
   * what another one behind the same address lacks, nothing follows. Rejects with `KubeError` where it can't be asked.
   */
  isStillItself(workerUid: string | undefined, signal: AbortSignal): Promise<boolean>;
  /** The Job from a cache that is not known to be behind `resourceVersion`; undefined asks for a live GET. */
  cached(key: JobKey, resourceVersion: string | undefined): Job | undefined;
  /** The Job on the worker from a cache that is not known to be behind `resourceVersion`; undefined asks for a GET. */
  cachedMirror(workerUid: string, key: JobKey, resourceVersion: string | undefined): Job | undefined;
  /** The name of a worker on which a watch shows a mirror of the Job with that UID. Nothing follows where none does. */
  mirroredOn(key: JobKey, uid: string): string | undefined;
  onAction(action: ActionReport): void;
}

/** One line of the log for what was done. */
export interface ActionReport {
  readonly action: Action['kind'];
  readonly namespace: string;
  readonly job: string;
  readonly uid: string;
  readonly worker: string | undefined;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

/** How a pass ended: why nothing more is to be done now, and when to look again without being asked. */
export interface PassResult {
  readonly reason: Reason;
  readonly message: string;
  readonly afterMs: number | undefined;
}
