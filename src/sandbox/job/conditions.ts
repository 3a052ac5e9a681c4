import type { JobCondition } from '../../kube/index.ts';
import { timestamp } from '../objects.ts';

/** Both of its times are `now`, in whole seconds. */
export function newCondition(
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  now: number,
): JobCondition {
  const at = timestamp(now);
  return { type, status, lastProbeTime: at, lastTransitionTime: at, reason, message };
}

/** Only the status True counts: a FailureTarget that somebody set to False means nothing. */
export function findTrue(conditions: readonly JobCondition[] | undefined, type: string): JobCondition | undefined {
  return conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/** Complete or Failed: nothing about the Job will change any more. */
export function isFinished(conditions: readonly JobCondition[] | undefined): boolean {
  return findTrue(conditions, 'Complete') !== undefined || findTrue(conditions, 'Failed') !== undefined;
}

/**
 * The list with the condition set, in its old place if it had one. The very same list if it says so already; one that
 * would be new with status False is not added, for nothing has ended then.
 */
export function withCondition(conditions: readonly JobCondition[], wanted: JobCondition): readonly JobCondition[] {
  const index = conditions.findIndex(({ type }) => type === wanted.type);
  const current = conditions[index];
  if (current === undefined) return wanted.status === 'False' ? conditions : [...conditions, wanted];
  const isSame =
    current.status === wanted.status && current.reason === wanted.reason && current.message === wanted.message;
  return isSame ? conditions : conditions.with(index, wanted);
}
