import type { JobCondition } from '../../kube/index.ts';
import { timestamp } from '../objects.ts';
import { newCondition, withCondition } from './conditions.ts';
import { isSuspended } from './pods.ts';
import type { JobEvent, SyncInput } from './step.ts';

/** A Job that turns from running to suspended or back. */
export interface Suspension {
  readonly conditions: readonly JobCondition[];
  readonly startTime: (current: string | undefined) => string | undefined;
  readonly event: JobEvent;
}

/** The Suspended condition, if it turns. */
export function suspensionOf(
  { job, now, clearsStartTime }: SyncInput,
  conditions: readonly JobCondition[],
): Suspension | undefined {
  const isSuspending = isSuspended(job);
  const wanted = isSuspending
    ? newCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', now)
    : newCondition('Suspended', 'False', 'JobResumed', 'Job resumed', now);
  const next = withCondition(conditions, wanted);
  if (next === conditions) return undefined;
  return {
    conditions: next,
    // The deadline counts from the latest start alone.
    startTime: (current) => (isSuspending ? (clearsStartTime ? undefined : current) : timestamp(now)),
    event: { type: 'Normal', reason: isSuspending ? 'Suspended' : 'Resumed', message: wanted.message ?? '' },
  };
}
