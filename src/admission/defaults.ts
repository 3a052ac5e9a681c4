import type { CronJob, Job, JobSpec, OnPodCondition, PodFailurePolicy, PodFailurePolicyRule } from './objects.ts';
import { defaultPodTemplate } from './pod/index.ts';
import type { KubernetesMinor } from './verdict.ts';

/**
 * What the server fills in while it decodes an object, before any rule. Pure: what doesn't change is shared with the
 * input. Source: Kubernetes 1.35, defaults of batch/v1 (E).
 */

const defaultBackoffLimit = 6;
/** With a limit for each index, the one for all would only get in its way. */
const unlimited = 2147483647;

/** A Job as the server completes it. */
export function defaultJob(job: Job, version: KubernetesMinor): Job {
  const spec = defaultJobSpec(completeTemplateSpec(job.spec ?? {}, version));
  const labels = job.metadata?.labels;
  const templateLabels = spec.template?.metadata?.labels;
  const hasLabels = labels !== undefined && Object.keys(labels).length > 0;
  // A Job without labels shows those of its template.
  const metadata =
    hasLabels || templateLabels === undefined ? job.metadata : { ...job.metadata, labels: templateLabels };
  return { ...job, ...(metadata !== undefined && { metadata }), spec };
}

/** A CronJob as the server completes it. Of its Job template only the parts shared with pods are completed. */
export function defaultCronJob(cronJob: CronJob, version: KubernetesMinor): CronJob {
  const spec = cronJob.spec ?? {};
  const template = spec.jobTemplate ?? {};
  return {
    ...cronJob,
    spec: {
      ...spec,
      concurrencyPolicy: spec.concurrencyPolicy || 'Allow',
      suspend: spec.suspend ?? false,
      successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
      failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
      jobTemplate: { ...template, spec: completeTemplateSpec(template.spec ?? {}, version) },
    },
  };
}

/** What is completed in any Job spec, a CronJob's included. */
function completeTemplateSpec(spec: JobSpec, version: KubernetesMinor): JobSpec {
  const { podFailurePolicy } = spec;
  return {
    ...spec,
    template: defaultPodTemplate(spec.template ?? {}, version),
    ...(podFailurePolicy !== undefined && { podFailurePolicy: defaultPodFailurePolicy(podFailurePolicy) }),
  };
}

function defaultJobSpec(spec: JobSpec): JobSpec {
  const isOnePod = spec.completions === undefined && spec.parallelism === undefined;
  const limit = spec.backoffLimitPerIndex === undefined ? defaultBackoffLimit : unlimited;
  return {
    ...spec,
    ...(isOnePod && { completions: 1 }),
    parallelism: spec.parallelism ?? 1,
    backoffLimit: spec.backoffLimit ?? limit,
    completionMode: spec.completionMode ?? 'NonIndexed',
    suspend: spec.suspend ?? false,
    podReplacementPolicy:
      spec.podReplacementPolicy ?? (spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed'),
    manualSelector: spec.manualSelector ?? false,
  };
}

function defaultPodFailurePolicy(policy: PodFailurePolicy): PodFailurePolicy {
  return policy.rules === undefined ? policy : { ...policy, rules: policy.rules.map(defaultPodFailurePolicyRule) };
}

function defaultPodFailurePolicyRule(rule: PodFailurePolicyRule): PodFailurePolicyRule {
  if (rule.onPodConditions === undefined) return rule;
  return { ...rule, onPodConditions: rule.onPodConditions.map(defaultOnPodCondition) };
}

function defaultOnPodCondition(condition: OnPodCondition): OnPodCondition {
  return { ...condition, status: condition.status || 'True' };
}
