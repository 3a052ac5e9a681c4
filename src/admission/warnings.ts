import type { Deployment } from './deployment.ts';
import { dnsLabelFaults } from './formats.ts';
import { isIndexed } from './jobContext.ts';
import type { CronJob, Job, JobSpec, ObjectMeta } from './objects.ts';
import { claimWarnings, type PodTemplate, podTemplateWarnings, podWarnings } from './pod/index.ts';
import type { Context } from './rule.ts';
import type { StatefulSet } from './statefulSet.ts';

/** The texts of `Warning` headers: what is accepted but may surprise. Source: Kubernetes 1.35 (H). */

const manyCompletions = 100_000;
const manyPodsAtOnce = 10_000;

/** Warnings about a Job that was accepted; on updates only if the spec changed. */
export function jobWarnings(job: Job, oldJob: Job | undefined, context: Context): readonly string[] {
  if (oldJob === undefined) {
    return [...nameWarnings(job.metadata), ...specWarnings(job.spec ?? {}, 'spec', context)];
  }
  if (job.metadata?.generation === oldJob.metadata?.generation) return [];
  return specWarnings(job.spec ?? {}, 'spec', context);
}

/** Warnings about a CronJob that was accepted. */
export function cronJobWarnings(cronJob: CronJob, old: CronJob | undefined, context: Context): readonly string[] {
  const spec = cronJob.spec?.jobTemplate?.spec ?? {};
  const field = 'spec.jobTemplate.spec';
  if (old === undefined) return [...nameWarnings(cronJob.metadata), ...specWarnings(spec, field, context)];
  const isChanged = cronJob.metadata?.generation !== old.metadata?.generation;
  return [
    ...(isChanged ? specWarnings(spec, field, context) : []),
    ...(cronJob.spec?.schedule?.includes('TZ') === true
      ? [
          'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
        ]
      : []),
  ];
}

/** Warnings about a pod that is created; `sent` is the pod before it was prepared. */
export function ownPodWarnings(pod: PodTemplate, sent: PodTemplate, context: Context): readonly string[] {
  return podWarnings(pod, sent, nameWarnings(pod.metadata, "the Pod's hostname"), context);
}

/** Warnings about a Deployment that is created. */
export function deploymentWarnings({ metadata, spec = {} }: Deployment, context: Context): readonly string[] {
  return [...nameWarnings(metadata), ...podTemplateWarnings(spec.template ?? {}, 'spec.template', context)];
}

/** Warnings about a StatefulSet that is created. */
export function statefulSetWarnings({ spec = {} }: StatefulSet, context: Context): readonly string[] {
  const { template = {}, volumeClaimTemplates = [], revisionHistoryLimit = 0 } = spec;
  return [
    ...podTemplateWarnings(template, 'spec.template', context),
    // The server leaves out the step from a claim to its spec.
    ...volumeClaimTemplates.flatMap((claim, index) =>
      claimWarnings(claim.spec ?? {}, `spec.volumeClaimTemplates[${index}]`),
    ),
    ...(revisionHistoryLimit < 0
      ? ['spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended']
      : []),
  ];
}

function nameWarnings(metadata: ObjectMeta | undefined, use = 'Pod names and hostnames'): readonly string[] {
  const faults = dnsLabelFaults(metadata?.name ?? '');
  if (faults.length === 0) return [];
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`,
  ];
}

function specWarnings(spec: JobSpec, field: string, context: Context): readonly string[] {
  const mayLoseIndexes =
    isIndexed(spec) && (spec.completions ?? 0) > manyCompletions && (spec.parallelism ?? 0) > manyPodsAtOnce;
  return [
    ...(mayLoseIndexes
      ? [
          `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...podTemplateWarnings(spec.template ?? {}, `${field}.template`, context),
  ];
}
