import { dnsLabelFaults } from './formats.ts';
import { isIndexed, type JobContext } from './jobContext.ts';
import { hasBadSelectorValue, type LabelSelectorContext, labelSelector, selects } from './labelSelector.ts';
import type { Job, JobSpec, LabelSelector, ObjectMeta } from './objects.ts';
import type { PodTemplate } from './pod/index.ts';
import { type Complaint, rule } from './rule.ts';
import { all, within } from './structure.ts';
import { isAtLeast } from './version.ts';

/**
 * How a Job finds its pods: its selector and the labels that the server generates (unless `manualSelector` is true).
 * Generating is in prepare.ts. Source: Kubernetes 1.35, batch validation.
 */

/** The four labels that the server generates into a template; the two without a prefix are there for old clients. */
export const legacyControllerUidLabel = 'controller-uid';
export const legacyJobNameLabel = 'job-name';
export const controllerUidLabel = 'batch.kubernetes.io/controller-uid';
export const jobNameLabel = 'batch.kubernetes.io/job-name';

/** From 1.37 on, the generated labels are judged on creation alone. */
function judgesGenerated({ operation, version }: JobContext, { spec }: Job): boolean {
  if (spec?.manualSelector === true || spec?.selector === undefined) return false;
  return operation === 'create' || !isAtLeast(version, '1.37');
}

/** Jobs from before the labels had a prefix are updated without them. */
function needsPrefixedLabels({ oldJob }: JobContext): boolean {
  if (oldJob === undefined) return true;
  const old = oldJob.spec?.template?.metadata?.labels ?? {};
  return old[jobNameLabel] !== undefined && old[controllerUidLabel] !== undefined;
}

function generatedLabels(context: JobContext): readonly (readonly [key: string, value: string])[] {
  const { uid = '', name = '' } = context.job.metadata ?? {};
  const legacy = [
    [legacyControllerUidLabel, uid],
    [legacyJobNameLabel, name],
  ] as const;
  if (!needsPrefixedLabels(context)) return legacy;
  return [...legacy, [controllerUidLabel, uid], [jobNameLabel, name]];
}

const selectorRequired = rule<LabelSelector, JobSpec>({
  code: 'selector-required',
  type: 'Required',
  source: 'B41',
  says: 'A Job with manualSelector brings its selector.',
  evenIfAbsent: true,
  refuses: (selector) => selector === undefined && 'a Job with manualSelector brings its own selector',
});

// Whatever a user adds to the selector can't match labels that the server made, so any addition is refused.
const selectorGenerated = rule<LabelSelector, JobSpec, JobContext>({
  code: 'selector-generated',
  type: 'Invalid',
  source: 'B44',
  says: 'The selector is generated; one of your own needs manualSelector.',
  refuses: (selector, _spec, context) =>
    judgesGenerated(context, context.job) &&
    selects(selector, Object.fromEntries(generatedLabels(context))) === false &&
    '`selector` not auto-generated',
});

/** The selector of a Job. */
export const jobSelector = all<LabelSelector, JobSpec, JobContext>(
  selectorRequired,
  within<LabelSelector, JobSpec, JobContext, LabelSelectorContext>(
    'selector-value-format',
    (_selector, _spec, { version, operation, oldJob }) => ({
      version,
      operation,
      toleratesBadSelectorValues: hasBadSelectorValue(oldJob?.spec?.selector),
    }),
    labelSelector,
  ),
  selectorGenerated,
);

// Asked of Jobs with a selector of their own, too: a Job that can't see its pods would create them without end.
const labelsSelected = rule<PodTemplate, JobSpec, JobContext>({
  code: 'template-labels-selected',
  type: 'Invalid',
  source: 'B42',
  says: 'The selector matches the labels of the template.',
  evenIfAbsent: true,
  refuses: (template, { selector }) =>
    selects(selector, template?.metadata?.labels ?? {}) === false && {
      message: '`selector` does not match template `labels`',
      at: ['metadata', 'labels'],
    },
});

const labelsGenerated = rule<PodTemplate, JobSpec, JobContext>({
  code: 'template-labels-generated',
  type: 'Required',
  source: 'B45',
  says: 'The labels that the server generated stay in the template.',
  evenIfAbsent: true,
  refuses: (template, _spec, context) => {
    const complaints: Complaint[] = [];
    if (!judgesGenerated(context, context.job)) return complaints;
    const labels = template?.metadata?.labels ?? {};
    for (const [key, value] of generatedLabels(context)) {
      if (labels[key] === undefined) {
        complaints.push({ message: `must be '${value}'`, at: ['metadata', 'labels', { key }] });
      }
    }
    return complaints;
  },
});

const labelsUnforged = rule<PodTemplate, JobSpec, JobContext>({
  code: 'template-labels-unforged',
  type: 'Invalid',
  source: 'B45',
  says: "The generated labels carry this Job's name and UID, not another's.",
  refuses: ({ metadata }, _spec, context) => {
    const complaints: Complaint[] = [];
    if (!judgesGenerated(context, context.job)) return complaints;
    for (const [key, value] of generatedLabels(context)) {
      const actual = metadata?.labels?.[key];
      if (actual !== undefined && actual !== value) {
        complaints.push({ message: `must be '${value}'`, at: ['metadata', 'labels', { key }] });
      }
    }
    return complaints;
  },
});

/** What a Job's template must carry so that the Job finds its pods. */
export const templateLabels = all<PodTemplate, JobSpec, JobContext>(labelsGenerated, labelsUnforged, labelsSelected);

/** The name of an Indexed Job, which its pods' hostnames are made from. */
export const nameForIndexes = rule<string, ObjectMeta, JobContext>({
  code: 'name-for-indexes',
  type: 'Invalid',
  source: 'A6',
  says: 'The name of an Indexed Job and its highest index together are the hostname of a pod: a DNS label of at most 63 characters.',
  evenIfAbsent: true,
  refuses: (name = '', _metadata, { job: { spec } }) => {
    const completions = spec?.completions ?? 0;
    if (!isIndexed(spec) || completions <= 0) return false;
    const hostname = `${name}-${completions - 1}`;
    return dnsLabelFaults(hostname).length > 0 && `will not able to create pod with invalid DNS label: ${hostname}`;
  },
});
