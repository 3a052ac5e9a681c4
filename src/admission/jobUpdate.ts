import { firstDifference } from './equality.ts';
import { immutableMessage } from './formats.ts';
import { hasTrueCondition, isIndexed, type JobUpdateContext } from './jobContext.ts';
import type { JobScheduling, JobSpec } from './objects.ts';
import type { Container, PodSpec, PodTemplate } from './pod/index.ts';
import { rule } from './rule.ts';
import { fields } from './structure.ts';
import { isAtLeast } from './version.ts';

/**
 * What an update of a Job may change. All that isn't mentioned here may change at any time: parallelism, backoffLimit,
 * activeDeadlineSeconds, suspend and so on. Source: Kubernetes 1.35, batch validation of updates.
 */

function oldSpecOf({ oldJob }: JobUpdateContext): JobSpec {
  return oldJob.spec ?? {};
}

function immutable<K extends keyof JobSpec & string>(field: K, code: string, source: string, says: string) {
  return rule<NonNullable<JobSpec[K]>, JobSpec, JobUpdateContext>({
    code,
    type: 'Invalid',
    source,
    says,
    evenIfAbsent: true,
    refuses: (value, _spec, context) => {
      const difference = firstDifference(value, oldSpecOf(context)[field], field);
      return difference !== undefined && { message: immutableMessage, within: difference };
    },
  });
}

const completionsFixed = rule<number, JobSpec, JobUpdateContext>({
  code: 'completions-immutable',
  type: 'Invalid',
  source: 'C3',
  says: 'The completions of a NonIndexed Job never change.',
  evenIfAbsent: true,
  refuses: (completions, spec, context) =>
    !isIndexed(spec) && completions !== oldSpecOf(context).completions && immutableMessage,
});

// Removing the completions of an Indexed Job is refused as Required, by the rule that holds on creation, too.
const completionsInTandem = rule<number, JobSpec, JobUpdateContext>({
  code: 'completions-in-tandem',
  type: 'Invalid',
  source: 'C4',
  says: 'The completions of an Indexed Job change together with parallelism, to the same number.',
  refuses: (completions, spec, context) =>
    isIndexed(spec) &&
    completions !== oldSpecOf(context).completions &&
    completions !== spec.parallelism &&
    'can only be modified in tandem with spec.parallelism',
});

/** True while the template of the stored Job may be changed so that its pods land elsewhere. */
function mayReschedule({ version, oldJob }: JobUpdateContext): boolean {
  if (oldJob.spec?.suspend !== true) return false;
  const hasNotStarted = oldJob.status?.startTime === undefined;
  if (!isAtLeast(version, '1.36')) return hasNotStarted;
  return (hasNotStarted || hasTrueCondition(oldJob, 'Suspended')) && (oldJob.status?.active ?? 0) === 0;
}

/** The stored template with all those fields taken from the new one that may change while the Job is suspended. */
function rescheduled(old: PodTemplate, template: PodTemplate) {
  const spec = template.spec ?? {};
  return {
    ...old,
    metadata: { ...old.metadata, labels: template.metadata?.labels, annotations: template.metadata?.annotations },
    spec: {
      ...old.spec,
      nodeSelector: spec.nodeSelector,
      tolerations: spec.tolerations,
      schedulingGates: spec.schedulingGates,
      affinity: rescheduledAffinity(old.spec?.affinity, spec.affinity),
    },
  };
}

function rescheduledAffinity(old: PodSpec['affinity'], affinity: PodSpec['affinity']) {
  if (affinity !== undefined) return { ...old, nodeAffinity: affinity.nodeAffinity };
  // The affinity may go altogether if it was about nodes alone.
  const isAboutPods = old?.podAffinity !== undefined || old?.podAntiAffinity !== undefined;
  return isAboutPods ? { ...old, nodeAffinity: undefined } : undefined;
}

/** The stored containers with the new resources, where the two lists have the same names in the same order. */
function resized(old: readonly Container[] = [], containers: readonly Container[] = []) {
  if (old.length !== containers.length) return old;
  return old.map((container, index) => {
    const { name = '', resources } = containers[index] ?? {};
    return (container.name ?? '') === name ? { ...container, resources } : container;
  });
}

// The stored flag counts: resuming and moving a Job in one update is fine, suspending it is not enough.
const templateImmutable = rule<PodTemplate, JobSpec, JobUpdateContext>({
  code: 'template-immutable',
  type: 'Invalid',
  source: 'C7, C8, C9',
  says: 'The pod template never changes; only while the Job is suspended may its scheduling, and from 1.36 on its resources.',
  evenIfAbsent: true,
  refuses: (template = {}, _spec, context) => {
    const stored = oldSpecOf(context).template ?? {};
    if (!mayReschedule(context)) {
      const difference = firstDifference(template, stored, 'template');
      return difference !== undefined && { message: immutableMessage, within: difference };
    }
    const allowed = rescheduled(stored, template);
    // From 1.36 on, the server compares the pod's spec alone and takes new resources for good.
    if (!isAtLeast(context.version, '1.36')) {
      const difference = firstDifference(template, allowed, 'template');
      return difference !== undefined && { message: immutableMessage, within: difference };
    }
    const spec = template.spec ?? {};
    const allowedSpec = {
      ...allowed.spec,
      containers: resized(allowed.spec?.containers, spec.containers),
      initContainers: resized(allowed.spec?.initContainers, spec.initContainers),
    };
    const difference = firstDifference(spec, allowedSpec, 'spec');
    return difference !== undefined && { message: immutableMessage, at: ['spec'], within: difference };
  },
});

const schedulingVariant = rule<JobScheduling, JobSpec, JobUpdateContext>({
  code: 'scheduling-policy-variant',
  type: 'Invalid',
  source: 'B72',
  since: '1.37',
  says: 'A Job keeps its kind of scheduling policy, basic or gang.',
  refuses: ({ schedulingPolicy: policy }, _spec, context) => {
    const stored = oldSpecOf(context).scheduling?.schedulingPolicy;
    if (policy === undefined || stored === undefined) return false;
    return (
      (policy.basic === undefined) !== (stored.basic === undefined) && {
        message:
          'the basic/gang policy variant is immutable after creation; only schedulingPolicy.gang.minCount may be updated',
        at: ['schedulingPolicy'],
      }
    );
  },
});

/** What an update must leave as it is, beside the rules that hold for any spec. */
export const jobSpecUpdate = fields<JobSpec, JobUpdateContext>({
  completions: [completionsFixed, completionsInTandem],
  selector: immutable('selector', 'selector-immutable', 'C5', 'A Job keeps its selector.'),
  template: templateImmutable,
  completionMode: immutable('completionMode', 'completion-mode-immutable', 'C5', 'A Job keeps its completion mode.'),
  podFailurePolicy: immutable(
    'podFailurePolicy',
    'failure-policy-immutable',
    'C5',
    'A Job keeps its pod failure policy.',
  ),
  backoffLimitPerIndex: immutable(
    'backoffLimitPerIndex',
    'backoff-limit-per-index-immutable',
    'C5',
    'A Job keeps its backoffLimitPerIndex.',
  ),
  managedBy: immutable('managedBy', 'managed-by-immutable', 'C6', 'A Job stays with the controller that it names.'),
  scheduling: schedulingVariant,
  successPolicy: immutable('successPolicy', 'success-policy-immutable', 'C5', 'A Job keeps its success policy.'),
});
