import type { JsonObject } from '../base/index.ts';
import type { PodTemplate } from './pod/index.ts';

/**
 * The objects as rules see them: decoded, so that each field has its type or is absent. Fields that no rule reads are
 * not named here; they are carried along all the same.
 */

/** Who owns an object; the garbage collector goes by the UID. */
export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

/** Times are RFC 3339 texts, as sent: any zone, any fraction of a second. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly JsonObject[];
  readonly selfLink?: string;
}

/** `operator` is In, NotIn, Exists or DoesNotExist, once it has been judged. */
export interface LabelSelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** All of it must match; an empty one matches everything, an absent one nothing. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** Without a container name it is about all containers. */
export interface OnExitCodes {
  readonly containerName?: string;
  readonly operator?: string;
  readonly values?: readonly number[];
}

/** A pattern for one condition of a failed pod. */
export interface OnPodCondition {
  readonly type?: string;
  readonly status?: string;
}

/** Looks at exit codes or at pod conditions; the first rule that matches decides. */
export interface PodFailurePolicyRule {
  readonly action?: string;
  readonly onExitCodes?: OnExitCodes;
  readonly onPodConditions?: readonly OnPodCondition[];
}

/** No rules at all is allowed, and still asks for restartPolicy Never. */
export interface PodFailurePolicy {
  readonly rules?: readonly PodFailurePolicyRule[];
}

/** `succeededIndexes` is an index list (indexList.ts); with both, that many of the listed ones. */
export interface SuccessPolicyRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

/** One rule that is met is enough. */
export interface SuccessPolicy {
  readonly rules?: readonly SuccessPolicyRule[];
}

/** `spec.scheduling` of 1.37; behind a feature gate that is off. */
export interface JobScheduling {
  readonly schedulingPolicy?: {
    readonly basic?: object;
    readonly gang?: { readonly minCount?: number };
  };
  readonly disruptionMode?: { readonly single?: object; readonly all?: object };
}

/** A Job's own spec, or that of a CronJob's template, which lacks what the server generates. */
export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template?: PodTemplate;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: string;
  readonly managedBy?: string;
  readonly scheduling?: JobScheduling;
}

/** Types that are judged: Complete, Failed, FailureTarget, SuccessCriteriaMet, Suspended. Any other may stand there. */
export interface JobCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
}

/** UIDs of pods that ended and have not been counted yet; only the controller that runs the pods needs it. */
export interface UncountedTerminatedPods {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}

/** Absent counters are zero, but `ready`, `terminating` and `failedIndexes` tell absent from zero. */
export interface JobStatus {
  readonly conditions?: readonly JobCondition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly terminating?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
  readonly ready?: number;
}

/** The parts are absent where a document lacks them; the server then judges empty ones. */
export interface Job {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
}

/** Its metadata goes to the Jobs unjudged. */
export interface JobTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
}

/** `schedule` is read by schedule.ts, `timeZone` by timeZones.ts. */
export interface CronJobSpec {
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly startingDeadlineSeconds?: number;
  readonly concurrencyPolicy?: string;
  readonly suspend?: boolean;
  readonly jobTemplate?: JobTemplate;
  readonly successfulJobsHistoryLimit?: number;
  readonly failedJobsHistoryLimit?: number;
}

/** The status is never judged. */
export interface CronJob {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CronJobSpec;
  readonly status?: JsonObject;
}
