import type { Contact } from './clusterStatus.ts';
import type { ObservedJob, ObservedPod, ObservedWorkload } from './observed.ts';

/** Who is to run a Job, by its `managedBy`. */
export type Controller =
  /** Left out, or the built-in controller's own name: it runs on the management cluster itself. */
  | 'built-in'
  | 'ours'
  | 'multikueue'
  /** A name that this program knows nothing about. */
  | 'other';

/** A mirror as seen on its worker. */
export interface MirrorSight {
  /** The workspace's name of the worker. */
  readonly worker: string;
  readonly contact: Contact;
  readonly job: ObservedJob;
  readonly pods: readonly ObservedPod[];
  /** The worker's own Workload of it, where Kueue runs there and may be read. */
  readonly workload?: ObservedWorkload;
}

/** The worker that a Job was given to, as far as the management cluster says. */
export interface Selection {
  /** The workspace's name of it, else the one that the record or the Workload uses. */
  readonly worker: string;
  /** How the worker is doing; `unknown` if this window is not connected to it. */
  readonly contact: Contact | 'unknown';
  /** The mirror was there once, and a complete, fresh list of the worker lacks it. */
  readonly isMirrorGone: boolean;
}

/** All that is known of one row, on both sides. The phase, the reason and the icon follow from this alone. */
export interface Situation {
  /** The Job on the management cluster; absent for a mirror without one. */
  readonly job?: ObservedJob;
  readonly controller: Controller;
  readonly selection?: Selection;
  readonly mirror?: MirrorSight;
  /** The management cluster's Workload; `none` if Kueue's Workloads can be read and there is none for this Job. */
  readonly workload: ObservedWorkload | 'none' | 'unreadable';
  /** The Job's queue is known to lead elsewhere than to MultiKueue. */
  readonly isQueueElsewhere?: true;
  /** Whether a reconciler of ours is known to look after the Job's namespace. */
  readonly reconciler: 'running' | 'not-running' | 'unknown';
  /** The Job has been there long enough for any controller to have noticed. */
  readonly isPastGrace: boolean;
  /** How the management cluster itself is doing. */
  readonly management: Contact;
}
