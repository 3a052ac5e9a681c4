import { negativeMessage, unsupportedMessage, validValuesMessage } from './formats.ts';
import { isIndexed, type JobSpecContext } from './jobContext.ts';
import { managedBy } from './managedBy.ts';
import type { JobSpec } from './objects.ts';
import { type PodSpec, type PodTemplate, type PodTemplateContext, podTemplate } from './pod/index.ts';
import { podFailurePolicy } from './podFailurePolicy.ts';
import { rule } from './rule.ts';
import { scheduling } from './scheduling.ts';
import { all, always, fields, within } from './structure.ts';
import { successPolicy } from './successPolicy.ts';

/**
 * The spec of a Job, be it a Job's own or that of a CronJob's template. Selectors, which only a Job's own has: selector.ts.
 * Source: Kubernetes 1.35, batch validation.
 */

const completionModes = ['NonIndexed', 'Indexed'] as const;
const maxIndexedParallelism = 100_000;
const maxFailedIndexesEver = 100_000;
/** Above this many completions the lists of indexes in the status could grow too long, so other bounds are tighter. */
const manyCompletions = 100_000;
const maxParallelismOfMany = 10_000;
const maxFailedIndexesOfMany = 10_000;

function notNegative(code: string, source: string, name: string) {
  return rule<number, JobSpec, JobSpecContext>({
    code,
    type: 'Invalid',
    source,
    says: `${name} is not negative.`,
    refuses: (value) => value < 0 && negativeMessage,
  });
}

/** True for more completions than the status can surely list, with a limit that is counted index by index. */
function hasManyLimitedCompletions(spec: JobSpec): boolean {
  return isIndexed(spec) && (spec.completions ?? 0) > manyCompletions && spec.backoffLimitPerIndex !== undefined;
}

const parallelismBound = rule<number, JobSpec>({
  code: 'parallelism-bound',
  type: 'Invalid',
  source: 'B3',
  says: 'An Indexed Job runs at most 100000 pods at once.',
  refuses: (parallelism, spec) =>
    isIndexed(spec) &&
    parallelism > maxIndexedParallelism &&
    `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`,
});

const parallelismBoundOfMany = rule<number, JobSpec>({
  code: 'parallelism-bound-many',
  type: 'Invalid',
  source: 'B15',
  says: 'With more than 100000 completions and backoffLimitPerIndex, at most 10000 pods run at once.',
  refuses: (parallelism, spec) =>
    hasManyLimitedCompletions(spec) &&
    parallelism > maxParallelismOfMany &&
    `must be less than or equal to ${maxParallelismOfMany} when completions are above ${manyCompletions} and used with backoff limit per index`,
});

const completionsRequired = rule<number, JobSpec>({
  code: 'completions-required',
  type: 'Required',
  source: 'B4',
  says: 'An Indexed Job needs completions.',
  evenIfAbsent: true,
  refuses: (completions, spec) => isIndexed(spec) && completions === undefined && 'when completion mode is Indexed',
});

// An explicit empty text is refused too: only absence is completed to NonIndexed.
const completionModeKnown = rule<string, JobSpec>({
  code: 'completion-mode-known',
  type: 'NotSupported',
  source: 'B5',
  says: 'The completion mode is NonIndexed or Indexed.',
  refuses: (mode) => !completionModes.some((known) => known === mode) && unsupportedMessage(mode, completionModes),
});

const perIndexLimitRequired = rule<number, JobSpec>({
  code: 'backoff-limit-per-index-required',
  type: 'Required',
  source: 'B12',
  says: 'maxFailedIndexes needs backoffLimitPerIndex.',
  evenIfAbsent: true,
  refuses: (limit, spec) =>
    limit === undefined && spec.maxFailedIndexes !== undefined && 'when maxFailedIndexes is specified',
});

function indexedOnly(code: string, name: string) {
  return rule<number, JobSpec>({
    code,
    type: 'Invalid',
    source: 'B11',
    says: `${name} needs completion mode Indexed.`,
    // A mode that nobody knows gets its own complaint and no more.
    refuses: (_value, { completionMode = 'NonIndexed' }) =>
      completionMode === 'NonIndexed' && 'requires indexed completion mode',
  });
}

const maxFailedIndexesBelowCompletions = rule<number, JobSpec>({
  code: 'max-failed-indexes-completions',
  type: 'Invalid',
  source: 'B13',
  says: 'No more indexes can fail than there are completions.',
  refuses: (max, spec) =>
    isIndexed(spec) &&
    spec.completions !== undefined &&
    max > spec.completions &&
    'must be less than or equal to completions',
});

const maxFailedIndexesBound = rule<number, JobSpec>({
  code: 'max-failed-indexes-bound',
  type: 'Invalid',
  source: 'B14',
  says: 'maxFailedIndexes is at most 100000.',
  refuses: (max, spec) =>
    isIndexed(spec) && max > maxFailedIndexesEver && `must be less than or equal to ${maxFailedIndexesEver}`,
});

const maxFailedIndexesRequired = rule<number, JobSpec>({
  code: 'max-failed-indexes-required',
  type: 'Required',
  source: 'B15',
  says: 'With more than 100000 completions, backoffLimitPerIndex needs maxFailedIndexes.',
  evenIfAbsent: true,
  refuses: (max, spec) =>
    hasManyLimitedCompletions(spec) &&
    max === undefined &&
    `must be specified when completions is above ${manyCompletions}`,
});

const maxFailedIndexesBoundOfMany = rule<number, JobSpec>({
  code: 'max-failed-indexes-bound-many',
  type: 'Invalid',
  source: 'B15',
  says: 'With more than 100000 completions and backoffLimitPerIndex, maxFailedIndexes is at most 10000.',
  refuses: (max, spec) =>
    hasManyLimitedCompletions(spec) &&
    max > maxFailedIndexesOfMany &&
    `must be less than or equal to ${maxFailedIndexesOfMany} when completions are above ${manyCompletions} and used with backoff limit per index`,
});

// With a pod failure policy, a pod counts as failed only once it has ended, so there is nothing else to choose.
const podReplacementPolicyKnown = rule<string, JobSpec>({
  code: 'pod-replacement-policy-known',
  type: 'NotSupported',
  source: 'B62, B63',
  says: 'podReplacementPolicy is TerminatingOrFailed or Failed; with a pod failure policy only Failed.',
  refuses: (policy, spec) => {
    const known = spec.podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
    return !known.includes(policy) && unsupportedMessage(policy, known);
  },
});

const restartPolicies = ['OnFailure', 'Never'] as const;

// Always is called Required because defaulting turns a missing restart policy into it before anybody looks.
const restartPolicyRequired = rule<string, PodSpec>({
  code: 'restart-policy-required',
  type: 'Required',
  source: 'B46',
  says: 'The pods of a Job end: restartPolicy is Never or OnFailure, and its default Always will not do.',
  evenIfAbsent: true,
  refuses: (policy = '') => (policy === '' || policy === 'Always') && validValuesMessage(restartPolicies),
});

const restartPolicySupported = rule<string, PodSpec>({
  code: 'restart-policy-supported',
  type: 'NotSupported',
  source: 'B46',
  says: 'The pods of a Job restart OnFailure or Never.',
  refuses: (policy) =>
    !['', 'Always', 'OnFailure', 'Never'].includes(policy) && unsupportedMessage(policy, restartPolicies),
});

const failurePolicyNeedsNever = rule<string, PodSpec, JobSpecContext>({
  code: 'restart-policy-failure-policy',
  type: 'Invalid',
  source: 'B48',
  says: 'A pod failure policy needs restartPolicy Never.',
  refuses: (policy, _pod, { jobSpec }) =>
    policy === 'OnFailure' &&
    jobSpec.podFailurePolicy !== undefined &&
    'only "Never" is supported when podFailurePolicy is specified',
});

/** What a Job asks of its template, and then what any pod template must be. */
const template = always<PodTemplate, JobSpec, JobSpecContext>(
  {},
  all<PodTemplate, JobSpec, JobSpecContext>(
    within<PodTemplate, JobSpec, JobSpecContext, PodTemplateContext>(
      'pod-template',
      (_template, _spec, { version, operation, oldJobSpec }) => ({
        version,
        operation,
        ...(oldJobSpec !== undefined && { oldTemplate: oldJobSpec.template ?? {} }),
      }),
      podTemplate,
    ),
    fields<PodTemplate, JobSpecContext>({
      spec: always<PodSpec, PodTemplate, JobSpecContext>(
        {},
        fields<PodSpec, JobSpecContext>({
          restartPolicy: [restartPolicyRequired, restartPolicySupported, failurePolicyNeedsNever],
        }),
      ),
    }),
  ),
);

/** Every rule that holds for the spec itself, on creation and on every update. */
export const jobSpec = fields<JobSpec, JobSpecContext>({
  parallelism: [notNegative('parallelism-negative', 'B1', 'parallelism'), parallelismBound, parallelismBoundOfMany],
  completions: [notNegative('completions-negative', 'B2', 'completions'), completionsRequired],
  activeDeadlineSeconds: notNegative('active-deadline-negative', 'B7', 'activeDeadlineSeconds'),
  backoffLimit: notNegative('backoff-limit-negative', 'B6', 'backoffLimit'),
  ttlSecondsAfterFinished: notNegative('ttl-negative', 'B8', 'ttlSecondsAfterFinished'),
  backoffLimitPerIndex: [
    notNegative('backoff-limit-per-index-negative', 'B10', 'backoffLimitPerIndex'),
    perIndexLimitRequired,
    indexedOnly('backoff-limit-per-index-indexed', 'backoffLimitPerIndex'),
  ],
  maxFailedIndexes: [
    notNegative('max-failed-indexes-negative', 'B12', 'maxFailedIndexes'),
    indexedOnly('max-failed-indexes-indexed', 'maxFailedIndexes'),
    maxFailedIndexesBelowCompletions,
    maxFailedIndexesBound,
    maxFailedIndexesRequired,
    maxFailedIndexesBoundOfMany,
  ],
  managedBy,
  completionMode: completionModeKnown,
  podFailurePolicy,
  successPolicy,
  podReplacementPolicy: podReplacementPolicyKnown,
  scheduling,
  template,
});
