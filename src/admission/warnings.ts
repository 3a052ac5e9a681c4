import { dnsLabelFaults } from './formats.ts';
import { isIndexed } from './jobContext.ts';
import type { CronJob, Job, JobSpec, ObjectMeta } from './objects.ts';
import { podTemplateWarnings } from './pod/index.ts';
import type { Context } from './rule.ts';

/** The texts of `Warning` headers: what is accepted but may surprise. Source: Kubernetes 1.35 (H). */

const manyCompletions = 100_000;
const manyPodsAtOnce = 10_000;

/** Warnings about a Job that was accepted; on updates only if the spec changed. */
export function jobWarnings(job: Job, oldJob: Job | undefined, context: Context): readonly string[] {
  if (oldJob === undefined) {
    return [...nameWarnings(job.metadata), ...specWarnings(job.spec ?? {}, undefined, 'spec', context)];
  }
  if (job.metadata?.generation === oldJob.metadata?.generation) return [];
  return specWarnings(job.spec ?? {}, oldJob.spec ?? {}, 'spec', context);
}

/** Warnings about a CronJob that was accepted. */
export function cronJobWarnings(cronJob: CronJob, old: CronJob | undefined, context: Context): readonly string[] {
  const spec = cronJob.spec?.jobTemplate?.spec ?? {};
  const field = 'spec.jobTemplate.spec';
  if (old === undefined) return [...nameWarnings(cronJob.metadata), ...specWarnings(spec, undefined, field, context)];
  const isChanged = cronJob.metadata?.generation !== old.metadata?.generation;
  const oldSpec = old.spec?.jobTemplate?.spec ?? {};
  return [
    ...(isChanged ? specWarnings(spec, oldSpec, field, context) : []),
    ...(cronJob.spec?.schedule?.includes('TZ') === true
      ? [
          'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
        ]
      : []),
  ];
}

function nameWarnings(metadata: ObjectMeta | undefined): readonly string[] {
  const faults = dnsLabelFaults(metadata?.name ?? '');
  if (faults.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`,
  ];
}

function specWarnings(
  spec: JobSpec,
  oldSpec: JobSpec | undefined,
  field: string,
  { version, operation }: Context,
): readonly string[] {
  const mayLoseIndexes =
    isIndexed(spec) && (spec.completions ?? 0) > manyCompletions && (spec.parallelism ?? 0) > manyPodsAtOnce;
  return [
    ...(mayLoseIndexes
      ? [
          `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...podTemplateWarnings(spec.template ?? {}, `${field}.template`, {
      version,
      operation,
      ...(oldSpec !== undefined && { oldTemplate: oldSpec.template ?? {} }),
    }),
  ];
}
