import type { WordsByType } from './fieldWords.ts';

/**
 * The fields of a Job's spec. Source of the facts: Kubernetes 1.34 to 1.37, batch validation, defaults and the Job
 * controller; feature gates of the same releases.
 */
export const jobWords: WordsByType = {
  Job: {
    spec: 'What is to be run, and when it counts as done.',
    status:
      'What has become of the Job. Written by the controller that runs it, through a request of its own: in a manifest it is ignored.',
  },
  JobSpec: {
    activeDeadlineSeconds: {
      says: 'Seconds the Job may take from its start, however many retries that means. Then its pods are ended and it fails with the reason `DeadlineExceeded`. A suspended Job has no clock: each resume starts it anew.',
      unset: 'no limit',
    },
    backoffLimit: {
      says: 'How many failed pods the Job bears: one more, and it fails with the reason `BackoffLimitExceeded`. With `restartPolicy: OnFailure` restarts of containers count as well. Between retries the controller waits 10 seconds, then twice as long each time, up to 10 minutes.',
      unset: '6; without limit where `backoffLimitPerIndex` is set',
    },
    backoffLimitPerIndex: {
      says: 'How many failed pods each index bears before that index is given up, while the others go on. For Indexed Jobs alone, and made for `restartPolicy: Never`.',
      unset: 'indexes share `backoffLimit`, and the Job fails as a whole',
      since: '1.33; on by default from 1.29',
    },
    completionMode: {
      says: 'Whether the pods of the Job are all alike or each has a number of its own.',
      unset: '`NonIndexed`',
      values: {
        NonIndexed: 'Any pods will do, until enough of them have succeeded.',
        Indexed:
          'Each index from 0 to `completions` − 1 has to succeed once. A pod finds its index in the variable `JOB_COMPLETION_INDEX` and in its host name. Needs `completions`.',
      },
    },
    completions: {
      says: 'How many pods must succeed; in an Indexed Job, how many indexes there are.',
      unset:
        '1 if `parallelism` is left out too; otherwise the pods share a queue of their own, and the first success lets the others finish and ends the Job',
    },
    managedBy: {
      says: 'Names the controller that runs this Job instead of the built-in one: `domain/path`, at most 63 characters. The built-in controller then creates no pods, writes no status and enforces neither deadline nor retries, and it says so nowhere: a name that nobody answers to leaves the Job idle.',
      unset: 'the built-in controller, `kubernetes.io/job-controller`',
      since: '1.35; on by default from 1.32, and dropped silently where the gate `JobManagedBy` was off',
    },
    manualSelector: {
      says: 'Lets the Job bring a selector and pod labels of its own, which must then match no pods but its own. Nearly always a mistake, and no way for a delegated Job: the cluster that runs the mirror generates both.',
      unset: '`false`: the API server generates `selector` and the labels',
    },
    maxFailedIndexes: {
      says: 'How many indexes may be given up before the whole Job is, with the reason `MaxFailedIndexesExceeded`. Needs `backoffLimitPerIndex`, and must not exceed `completions`.',
      unset: 'all indexes get their chance; the Job then fails if one of them has',
      since: '1.33; on by default from 1.29',
    },
    parallelism: {
      says: 'How many pods may run at the same time. 0 pauses the Job without suspending it.',
      unset: '1',
    },
    podFailurePolicy: {
      says: 'Tells failures apart by exit code or pod condition: some fail the Job at once, some do not count. Needs `restartPolicy: Never`.',
      unset: 'every failed pod counts against `backoffLimit`',
      since: '1.31; on by default from 1.26',
    },
    podReplacementPolicy: {
      says: 'When the pod that replaces an ended one is created. With `podFailurePolicy` only `Failed` is allowed.',
      unset: '`TerminatingOrFailed`; `Failed` where `podFailurePolicy` is set',
      since: '1.34; on by default from 1.29',
      values: {
        TerminatingOrFailed: 'As soon as the old pod is told to end. Both may run for a while.',
        Failed: 'Once the old pod has really ended: never two at a time, and slower.',
      },
    },
    scheduling: {
      says: 'How the pods of the Job are scheduled as a group: all or none, close to each other, evicted together.',
      unset: 'each pod is scheduled by itself',
      since: '1.37, alpha: refused unless the API server has the gate `WorkloadWithJob` on',
    },
    selector:
      'Which pods belong to the Job. The API server generates it from the UID: leave it out unless `manualSelector` is true.',
    successPolicy: {
      says: 'When an Indexed Job counts as successful before all its indexes are done. The rest of its pods are ended then, and do not count as failed.',
      unset: 'all indexes must succeed',
      since: '1.33; on by default from 1.31',
    },
    suspend: {
      says: 'While true, no pods are started, and running ones are ended without counting as failed. Queues work with it: Kueue suspends a Job until there is room for it.',
      unset: '`false`',
    },
    template: 'The pods of the Job.',
    ttlSecondsAfterFinished: {
      says: 'Seconds from the end of the Job until it is deleted, with its pods. 0 deletes it at once. Holds for delegated Jobs too: it is counted on the management cluster, from the moment that the end is known there.',
      unset: 'it stays until somebody deletes it',
    },
  },
  JobTemplateSpec: {
    metadata: 'Labels and annotations of each Job that is made from this. The queue label of Kueue belongs here.',
    spec: 'The spec of each Job that is made from this.',
  },
  PodFailurePolicy: {
    rules:
      'Looked at from top to bottom for each failed pod; the first that matches decides. At most 20. A failure that none matches counts against `backoffLimit`.',
  },
  PodFailurePolicyRule: {
    action: {
      says: 'What a failure that matches leads to.',
      values: {
        FailJob: 'The Job fails at once, and all its pods are ended.',
        FailIndex: 'The index of the pod is given up, without a retry. Needs `backoffLimitPerIndex`.',
        Ignore: 'The pod is replaced, and the failure does not count.',
        Count: 'The failure counts against `backoffLimit`, as without a policy.',
      },
    },
    onExitCodes: 'Matches by the exit code of a container. Either this or `onPodConditions`, not both.',
    onPodConditions:
      'Matches by a condition of the pod, such as `DisruptionTarget` for an eviction. One of them is enough. Either this or `onExitCodes`, not both.',
  },
  PodFailurePolicyOnExitCodesRequirement: {
    containerName: {
      says: 'The container or init container whose exit code is looked at.',
      unset: 'any of them',
    },
    operator: {
      says: 'How the exit code is compared with `values`.',
      values: {
        In: 'The exit code is one of `values`. 0 cannot be: that is no failure.',
        NotIn: 'The exit code is none of `values`.',
      },
    },
    values: 'Exit codes in ascending order, each once, at most 255 of them.',
  },
  PodFailurePolicyOnPodConditionsPattern: {
    status: {
      says: 'What the condition must be.',
      unset: '`True`',
      values: { True: 'It holds.', False: 'It does not.', Unknown: 'Nobody can tell.' },
    },
    type: 'The type of the condition. `DisruptionTarget` is set on pods that are evicted, preempted or lost with their node; `ConfigIssue` and the like come from controllers that you run.',
  },
  SuccessPolicy: {
    rules: 'The Job has succeeded as soon as one of them is met. At least one, at most 20.',
  },
  SuccessPolicyRule: {
    succeededCount: {
      says: 'So many indexes must have succeeded: of all, or of `succeededIndexes`.',
      unset: 'all of `succeededIndexes`',
    },
    succeededIndexes: {
      says: 'The indexes that matter, as a list of numbers and ranges without blanks: `0,2-4`. Ascending, and below `completions`.',
      unset: 'any indexes',
    },
  },
  JobSchedulingConfiguration: {
    disruptionMode: 'Whether pods of the group may be evicted one by one or only all together. Exactly one of the two.',
    resourceClaims: 'Devices that the group holds together, at most four claims, each with a name of its own.',
    schedulingConstraints: 'Where the group must be placed as a whole.',
    schedulingPolicy: 'Whether the pods of the Job start together. Exactly one of `basic` and `gang`.',
  },
  WorkloadPodGroupSchedulingPolicy: {
    basic: 'Pods are scheduled one by one, as without a group.',
    gang: 'No pod starts before enough of them fit at once.',
  },
  WorkloadPodGroupGangSchedulingPolicy: {
    minCount: 'How many pods must fit at once before any of them starts. The only field here that may change later.',
  },
  WorkloadPodGroupSchedulingConstraints: {
    topology: 'A part of the cluster that all pods must share, at most one.',
  },
  TopologyConstraint: { key: 'The node label whose value all pods must share, a rack or a zone.' },
  WorkloadPodGroupDisruptionMode: {
    all: 'Evicting one pod evicts the whole group.',
    single: 'Pods are evicted one by one.',
  },
};
