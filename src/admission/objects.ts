import type { JsonObject } from '../base/index.ts';
import type { PodTemplate } from './pod/index.ts';

/**
 * The objects as rules see them: decoded, so that each field has its type or is absent. Fields that no rule reads are
 * not named here; they are carried along all the same.
 */

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

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

export interface LabelSelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface OnExitCodes {
  readonly containerName?: string;
  readonly operator?: string;
  readonly values?: readonly number[];
}

export interface OnPodCondition {
  readonly type?: string;
  readonly status?: string;
}

export interface PodFailurePolicyRule {
  readonly action?: string;
  readonly onExitCodes?: OnExitCodes;
  readonly onPodConditions?: readonly OnPodCondition[];
}

export interface PodFailurePolicy {
  readonly rules?: readonly PodFailurePolicyRule[];
}

export interface SuccessPolicyRule {
  readonly succeededIndexes?: string;
  readonly succeededCount?: number;
}

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

export interface JobCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: string;
  readonly lastTransitionTime?: string;
}

export interface UncountedTerminatedPods {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}

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

export interface Job {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
  readonly status?: JobStatus;
}

export interface JobTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec?: JobSpec;
}

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

export interface CronJob {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: CronJobSpec;
  readonly status?: JsonObject;
}
