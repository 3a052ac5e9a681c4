import type { JsonObject } from '../base/index.ts';
import type { Job, JobStatus } from '../kube/index.ts';
import type { SpecChanges } from './followedFields.ts';
import type { StatusJudge } from './mirrorStatus.ts';
import type { Reason } from './reasons.ts';
import type { AttemptEntry, DispatchRecord } from './record.ts';

/** What the management cluster answered. Only a live GET that answered 404 proves absence. */
export type ManagementObservation =
  | { readonly kind: 'present'; readonly job: Job }
  | { readonly kind: 'absent' }
  | Unknown;

/** A Job that is gone from the management cluster, as this process last saw it, with its record. */
export interface DepartedJob {
  readonly uid: string;
  readonly record: DispatchRecord;
  /** The user asked to leave the mirror running. */
  readonly isDetached: boolean;
}

/** What is known of the mirror. Only a live GET that answered 404 proves absence (I9). */
export type MirrorObservation =
  /** Nothing is assigned, so nobody looked. */
  | { readonly kind: 'not-looked' }
  /** This very pass made the assignment, so nobody can have made the mirror yet. Never taken for proof of absence. */
  | { readonly kind: 'not-made' }
  | { readonly kind: 'present'; readonly job: Job }
  | { readonly kind: 'absent' }
  | Unknown;

/** The cluster could not be asked, or what answered is another one. */
interface Unknown {
  readonly kind: 'unknown';
  readonly reason: Reason;
  readonly message: string;
  readonly afterMs: number;
}

/** A worker that a new Job may go to, in the order of preference. */
export interface Candidate {
  readonly name: string;
  readonly uid: string | undefined;
  /** Why it takes no Job now; undefined if it does. */
  readonly blocked: { readonly reason: Reason; readonly message: string } | undefined;
  /** Mirrors of ours that are not finished, as far as this process knows. */
  readonly liveMirrors: number;
}

export interface Facts {
  readonly controllerName: string;
  /** UID of the management cluster's `kube-system`. */
  readonly originCluster: string;
  readonly isNamespaceEnabled: boolean;
  readonly candidates: readonly Candidate[];
  readonly maxLiveMirrors: number;
  /**
   * This process leads for the namespace and the assigned worker, or any worker where none is assigned. Saves work and
   * noise: safety does not rest on it.
   */
  readonly isLeading: boolean;
  /** Epoch milliseconds. */
  readonly observedAt: number;
  readonly workerAheadMs: number | undefined;
  /**
   * How much longer those who lead for the workers that come first are given to assign the Job, where this process leads for
   * others alone.
   */
  readonly othersAssignMs: number;
  /** How long a finished mirror is still kept for its logs. */
  readonly retainMs: number;
  /** How long until a non-terminal status may be written again (C14). */
  readonly statusPauseMs: number;
  /** The assigned worker refused to create the mirror not long ago, and is not asked again before `afterMs`. */
  readonly refusal: { readonly reason: Reason; readonly message: string; readonly afterMs: number } | undefined;
  /** The name of a worker that has a mirror of the Job, although no record says so. */
  readonly strayOn: string | undefined;
  /** The API server refused exactly this status not long ago (C12). */
  readonly wasRefused: (next: JobStatus) => boolean;
  readonly judge: StatusJudge;
}

export interface Situation {
  readonly management: ManagementObservation;
  /**
   * A Job under this key that is gone, if its mirror may still be there. It comes first, whatever stands there now, and
   * `mirror` is then its mirror.
   */
  readonly departed?: DepartedJob | undefined;
  readonly mirror: MirrorObservation;
  readonly facts: Facts;
}

/** One request, or two that belong together, with everything its preconditions need. */
export type Action =
  | {
      readonly kind: 'assign';
      readonly job: Job;
      readonly workerUid: string;
      readonly workerName: string;
      readonly attempt: number;
      /** Why an assignment before this one is given up: its worker refused the mirror, which so never existed. */
      readonly givenUp?: AttemptEntry;
    }
  | { readonly kind: 'create-mirror'; readonly job: Job; readonly record: DispatchRecord; readonly body: JsonObject }
  | { readonly kind: 'record-mirror'; readonly job: Job; readonly record: DispatchRecord; readonly mirrorUid: string }
  | {
      readonly kind: 'adjust-mirror';
      readonly job: Job;
      readonly record: DispatchRecord;
      readonly mirror: Job;
      readonly changes: SpecChanges;
      readonly isCorrection: boolean;
    }
  | {
      readonly kind: 'write-status';
      readonly job: Job;
      readonly status: JobStatus;
      readonly isTerminal: boolean;
      readonly trueCompletionTime?: string;
    }
  | { readonly kind: 'delete-mirror'; readonly record: DispatchRecord; readonly mirror: Job; readonly why: string }
  | { readonly kind: 'detach-mirror'; readonly record: DispatchRecord; readonly mirror: Job }
  /** Takes the finalizer off, if it is on, and notes how far the Job is. */
  | { readonly kind: 'release'; readonly job: Job; readonly phase: 'Finished' | 'Done' | undefined }
  | { readonly kind: 'note-reason'; readonly job: Job; readonly reason: Reason; readonly message: string };

/** Nothing to do now, why, and what ends the wait: a watch event always does; `afterMs` where none may come. */
export interface Wait {
  readonly kind: 'wait';
  readonly reason: Reason;
  readonly message: string;
  readonly afterMs: number | undefined;
}

export type Decision = Action | Wait;
