import type { Clock } from '../base/index.ts';
import { elapsedMs, type Moment, momentOf } from './elapsed.ts';
import type { Reason } from './reasons.ts';
import type { DepartedJob } from './situation.ts';

/**
 * What this process remembers about one key of the queue. All of it may be lost at any moment without harm: it spares
 * requests and noise, and keeps finished mirrors for a while. What safety needs stands in the clusters.
 */
export interface JobMemory {
  /** The Job last seen under this key, with its record; also the way to an end once the Job is gone. */
  lastSeen: DepartedJob | undefined;
  /** Newest resourceVersion of the management Job that this process has read or written. */
  resourceVersion: string | undefined;
  /** Newest resourceVersion of the mirror that this process has read or written. */
  mirrorVersion: { readonly workerUid: string; readonly resourceVersion: string } | undefined;
  /** Since when the Job last seen has been gone. */
  goneSince: Moment | undefined;
  finishedSince: Moment | undefined;
  statusWrittenAt: Moment | undefined;
  /** A status that the API server refused, and when: not sent again soon (C12). */
  refused: { readonly hash: string; readonly at: Moment } | undefined;
  /** A worker refused to create the mirror: not asked again before `ms` have passed. */
  refusal:
    | {
        readonly workerUid: string;
        readonly reason: Reason;
        readonly message: string;
        readonly at: Moment;
        readonly ms: number;
      }
    | undefined;
  /** Since when a started mirror has had no pod, and when its worker was last asked why. */
  idle: { readonly mirrorUid: string; readonly since: Moment; askedAt: Moment | undefined; answer: string } | undefined;
  /** Failures in a row. */
  failures: number;
  /** Why the Job of that UID waits, and since when for that reason. */
  waiting: { readonly reason: Reason; readonly uid: string | undefined; readonly since: Moment } | undefined;
  noted: { readonly reason: Reason; readonly at: Moment } | undefined;
}

export function newJobMemory(): JobMemory {
  return {
    lastSeen: undefined,
    resourceVersion: undefined,
    mirrorVersion: undefined,
    goneSince: undefined,
    finishedSince: undefined,
    statusWrittenAt: undefined,
    refused: undefined,
    refusal: undefined,
    idle: undefined,
    failures: 0,
    waiting: undefined,
    noted: undefined,
  };
}

/** Milliseconds of `periodMs` that are still to come since `moment`; 0 where there is no moment. */
export function remainingMs(clock: Clock, moment: Moment | undefined, periodMs: number): number {
  return moment === undefined ? 0 : Math.max(0, periodMs - elapsedMs(clock, moment));
}

/** Notes that the Job waits for this reason, and answers for how long it has been the same. */
export function waitedMs(memory: JobMemory, reason: Reason, uid: string | undefined, clock: Clock): number {
  const { waiting } = memory;
  const since = waiting?.reason === reason && waiting.uid === uid ? waiting.since : momentOf(clock);
  memory.waiting = { reason, uid, since };
  return elapsedMs(clock, since);
}
