import type { Job, JobCondition, JobStatus } from '../kube/index.ts';

/** What a Job's conditions say about its end: nothing yet, success (to come), failure (to come), or both at once. */
export type Fate = 'open' | 'success' | 'failure' | 'contradiction';

const successConditions: ReadonlySet<string> = new Set(['SuccessCriteriaMet', 'Complete']);
const failureConditions: ReadonlySet<string> = new Set(['FailureTarget', 'Failed']);

/** The condition of this type, whatever its status. */
export function conditionOf(status: JobStatus | undefined, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** True only for the exact status `True`; the API server looks no further either. */
export function isTrue(status: JobStatus | undefined, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

/** Complete or Failed: the built-in controller never touches such a Job again. */
export function isFinished(job: Job): boolean {
  return isTrue(job.status, 'Complete') || isTrue(job.status, 'Failed');
}

/** Something was told of pods, or of a start: a mirror was there. A Job that only waits has conditions at most. */
export function hasRun(status: JobStatus | undefined): boolean {
  return Object.keys(status ?? {}).some((key) => key !== 'conditions');
}

/** A condition that, once True, the API server never lets go back (rules D5, D23). */
export function isFateCondition(type: string): boolean {
  return successConditions.has(type) || failureConditions.has(type);
}

/** Where the Job is bound for. Interim conditions count: they are as binding as the terminal ones. */
export function fateOf(status: JobStatus | undefined): Fate {
  let isSuccess = false;
  let isFailure = false;
  for (const { type, status: value } of status?.conditions ?? []) {
    if (value !== 'True') continue;
    isSuccess ||= successConditions.has(type);
    isFailure ||= failureConditions.has(type);
  }
  if (isSuccess && isFailure) return 'contradiction';
  if (isSuccess) return 'success';
  return isFailure ? 'failure' : 'open';
}

export function isSuspended(job: Job): boolean {
  return job.spec.suspend === true;
}

export function isDeleting(job: Job): boolean {
  return job.metadata.deletionTimestamp !== undefined;
}

/** Completion index lists (`0,2-4`) mean something for this Job. */
export function isIndexed(job: Job): boolean {
  return job.spec.completionMode === 'Indexed';
}

/** `namespace/name`, the key under which the queue knows a Job of the management cluster. */
export function keyOf(job: Job): string {
  return `${job.metadata.namespace ?? ''}/${job.metadata.name}`;
}

/** What is kept in memory of a Job: managedFields are half of it, and nobody here reads them. */
export function withoutManagedFields(job: Job): Job {
  const metadata: Record<string, unknown> & Job['metadata'] = { ...job.metadata };
  delete metadata['managedFields'];
  return { ...job, metadata };
}
