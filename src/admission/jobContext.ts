import type { Job, JobSpec } from './objects.ts';
import type { Context } from './rule.ts';

/** What a Job's spec is judged in, be it a Job's own or that of a CronJob's template. */
export interface JobSpecContext extends Context {
  readonly jobSpec: JobSpec;
  /** The stored spec, on updates. */
  readonly oldJobSpec?: JobSpec;
}

/** What a whole Job is judged in. */
export interface JobContext extends Context {
  readonly job: Job;
  readonly oldJob?: Job;
}

/** What an update of a Job is judged in. */
export interface JobUpdateContext extends JobContext {
  readonly oldJob: Job;
}

/** True for completion mode Indexed. */
export function isIndexed(spec: JobSpec | undefined): boolean {
  return spec?.completionMode === 'Indexed';
}

/** True if a condition of this type stands at `True`. */
export function hasTrueCondition(job: Job, type: string): boolean {
  return job.status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;
}
