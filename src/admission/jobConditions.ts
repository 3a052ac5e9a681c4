import type { JobCondition, JobStatus } from './objects.ts';
import { rule } from './rule.ts';
import { changes, type StatusContext } from './statusContext.ts';

/** The conditions of a Job, which tell how it ended. Source: Kubernetes 1.35, batch validation of the status. */

/** A rule on the conditions as a whole: their absence can break it as well as their presence. */
function conditionsRule(
  code: string,
  source: string,
  says: string,
  refuses: (context: StatusContext) => false | string,
) {
  return rule<readonly JobCondition[], JobStatus, StatusContext>({
    code,
    type: 'Invalid',
    source,
    says,
    evenIfAbsent: true,
    refuses: (_conditions, _status, context) => refuses(context),
  });
}

/** Every rule of the conditions. */
export const conditions = [
  conditionsRule(
    'status-complete-and-failed',
    'D21',
    'A Job is either complete or failed.',
    (c) =>
      (changes.complete(c) || changes.failed(c)) &&
      c.after.isComplete &&
      c.after.isFailed &&
      'cannot set Complete=True and Failed=true conditions',
  ),
  conditionsRule(
    'status-complete-and-failure-target',
    'D22',
    'A Job that is going to fail does not complete.',
    (c) =>
      (changes.complete(c) || changes.failureTarget(c)) &&
      c.after.isComplete &&
      c.after.isFailureTarget &&
      'cannot set Complete=True and FailureTarget=true conditions',
  ),
  conditionsRule(
    'status-failed-needs-failure-target',
    'D24',
    'Failed comes after, or together with, FailureTarget.',
    // That a change of failedIndexes arms it, too, looks like a slip of the server's; but so it runs.
    (c) =>
      (changes.failed(c) || changes.failedIndexes(c)) &&
      c.after.isFailed &&
      !c.after.isFailureTarget &&
      'cannot set Failed=True condition without the FailureTarget=true condition',
  ),
  conditionsRule(
    'status-complete-needs-success-criteria',
    'D25',
    'Complete comes after, or together with, SuccessCriteriaMet.',
    (c) =>
      (changes.complete(c) || changes.successCriteriaMet(c)) &&
      c.after.isComplete &&
      !c.after.isSuccessCriteriaMet &&
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
  ),
  conditionsRule(
    'status-success-and-failed',
    'D3',
    'A Job whose success criteria are met does not fail.',
    (c) =>
      c.after.isSuccessCriteriaMet &&
      c.after.isFailed &&
      'cannot set SuccessCriteriaMet=True and Failed=true conditions',
  ),
  conditionsRule(
    'status-success-and-failure-target',
    'D3',
    'A Job whose success criteria are met is not going to fail.',
    (c) =>
      c.after.isSuccessCriteriaMet &&
      c.after.isFailureTarget &&
      'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
  ),
  conditionsRule(
    'status-success-policy-complete',
    'D4',
    'A Job with a success policy completes by SuccessCriteriaMet.',
    (c) =>
      c.spec.successPolicy !== undefined &&
      c.after.isComplete &&
      !c.after.isSuccessCriteriaMet &&
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
  ),
  conditionsRule(
    'status-failed-for-good',
    'D23',
    'Failed stays True.',
    (c) => c.before.isFailed && !c.after.isFailed && 'cannot disable the terminal Failed=True condition',
  ),
  conditionsRule(
    'status-complete-for-good',
    'D23',
    'Complete stays True.',
    (c) => c.before.isComplete && !c.after.isComplete && 'cannot disable the terminal Complete=True condition',
  ),
  conditionsRule(
    'status-failure-target-for-good',
    'D23',
    'FailureTarget stays True.',
    (c) =>
      c.before.isFailureTarget &&
      !c.after.isFailureTarget &&
      'cannot disable the terminal FailureTarget=True condition',
  ),
  conditionsRule(
    'status-success-for-good',
    'D5',
    'SuccessCriteriaMet stays True.',
    (c) =>
      c.before.isSuccessCriteriaMet &&
      !c.after.isSuccessCriteriaMet &&
      'cannot disable the SuccessCriteriaMet=True condition',
  ),
  conditionsRule(
    'status-success-too-late',
    'D6',
    'SuccessCriteriaMet is not added to a Job that is complete without it.',
    (c) =>
      c.before.isComplete &&
      !c.before.isSuccessCriteriaMet &&
      c.after.isSuccessCriteriaMet &&
      'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
  ),
];
