import type { StoredJob, StoredPod } from '../objects.ts';
import type { BackoffRecord, BackoffSettings } from './backoff.ts';

/** What a step of the Job controller starts from. */
export interface SyncInput {
  readonly job: StoredJob;
  readonly pods: readonly StoredPod[];
  readonly now: number;
  readonly backoff: BackoffRecord;
  readonly settings: BackoffSettings;
  /** From 1.36 on, suspending a Job clears its startTime. */
  readonly clearsStartTime: boolean;
}

/** A pod to be made. */
export interface PodCreation {
  readonly index?: number;
  /** The failed pod of the same index whose count of failures the new pod takes over. */
  readonly replaces?: StoredPod;
}

/** To be recorded about the Job. */
export interface JobEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** As many UIDs may wait to be counted, and as many pods are made or deleted in a step. */
export const batchLimit = 500;
