import type { ClusterHealth } from './clusterLink.ts';
import type { LeaseState } from './lease.ts';
import type { Reason, ReasonKind } from './reasons.ts';

/** What a reconciler shows of itself: plain JSON, so that it crosses thread borders as it is. */
export interface ReconcilerState {
  readonly management: ClusterState;
  readonly workers: readonly ClusterState[];
  readonly leases: readonly NamespaceLease[];
  /** Jobs of ours in the namespaces, by how they are. */
  readonly counts: Readonly<Record<ReasonKind, number>>;
  /** Those that wait or need somebody, for the tree; in order of namespace and name. */
  readonly waiting: readonly WaitingJob[];
  /** Mirrors without a Job, as the last garbage collection found them. */
  readonly orphans: number;
}

export interface ClusterState {
  readonly name: string;
  readonly contextName: string;
  readonly uid?: string;
  readonly health: ClusterHealth;
  /** Why this cluster can't be used at all, such as being the management cluster itself. */
  readonly problem?: string;
}

/** Who mirrors for a namespace and a worker. */
export interface NamespaceLease {
  readonly namespace: string;
  readonly worker: string;
  readonly lease: LeaseState;
  /** What this login may not do there. */
  readonly problems: readonly string[];
}

export interface WaitingJob {
  readonly namespace: string;
  readonly name: string;
  readonly reason: Reason;
  readonly message: string;
}
