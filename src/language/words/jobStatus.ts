import type { WordsByType } from './fieldWords.ts';

/**
 * The fields of a Job's status. Source of the facts: Kubernetes 1.34 to 1.37, the Job controller and the validation of
 * status updates.
 */
export const jobStatusWords: WordsByType = {
  JobStatus: {
    active: 'Pods that run or wait to run, not counting those that are being ended. 0 in a finished Job.',
    completedIndexes: 'The indexes that have succeeded, as numbers and ranges: `0,2-4`. Indexed Jobs alone.',
    completionTime:
      'When the Job succeeded. A failed Job has none: whether it has ended say `conditions`. Once set it stays as it is, and it is never before `startTime`.',
    conditions:
      "How the Job stands. `SuccessCriteriaMet` or `FailureTarget` tells the outcome while pods may still run; `Complete` or `Failed` follows when none is left, and is final. `Suspended` says whether it is paused. A `kubectl wait --for=condition=complete` doesn't end when the Job fails.",
    failed: 'Pods that have failed. Never goes down.',
    failedIndexes:
      'The indexes that were given up, as numbers and ranges. Present where `backoffLimitPerIndex` is set, alone.',
    ready: 'Active pods that pass their readiness probe. Never more than `active`.',
    startTime:
      'When the controller first worked on the Job, or last resumed it. Until it is set, scheduling fields of a suspended Job may be changed.',
    succeeded: 'Pods, or indexes, that have succeeded.',
    terminating: 'Pods that are being ended but have not yet.',
    uncountedTerminatedPods: 'Ended pods that the controller has yet to count: its own book-keeping.',
  },
  JobCondition: {
    lastProbeTime: 'When it was last looked at.',
    lastTransitionTime:
      'When it last changed. `ttlSecondsAfterFinished` counts from here for the condition that ends the Job.',
    message: 'For people.',
    reason:
      'One word for programs: `BackoffLimitExceeded`, `DeadlineExceeded`, `PodFailurePolicy`, `FailedIndexes`, `MaxFailedIndexesExceeded`, `CompletionsReached`, `SuccessPolicy`, `JobSuspended`, `JobResumed`.',
    status: 'Only `True` counts.',
    type: '`Suspended`, `SuccessCriteriaMet`, `Complete`, `FailureTarget` or `Failed`.',
  },
  UncountedTerminatedPods: {
    failed: 'UIDs of failed pods that `failed` does not contain yet.',
    succeeded: 'UIDs of succeeded pods that `succeeded` does not contain yet.',
  },
};
