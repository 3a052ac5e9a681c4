import { isJsonObject, textAt, valueAt } from '../../base/index.ts';
import { multiKueue } from '../kinds.ts';
import { placeOf } from '../locate.ts';
import { nodeAt } from '../yaml/nodes.ts';
import { type Breach, isForMultiKueue, multiKueueUrl, type Rule, type RuleSubject } from './rule.ts';

/** What becomes on a worker of an object's labels and annotations, and of edits after it was copied there. */

/** By what tools that apply manifests know their own objects, and how likely such a tool takes a copy for one of them. */
const trackingKeys: Readonly<Record<string, { readonly tool: string; readonly severity: 'information' | 'hint' }>> = {
  'app.kubernetes.io/instance': { tool: 'Argo CD, where it tracks by label', severity: 'hint' },
  'argocd.argoproj.io/instance': { tool: 'Argo CD', severity: 'information' },
  'argocd.argoproj.io/tracking-id': { tool: 'Argo CD', severity: 'information' },
  'config.k8s.io/owning-inventory': { tool: 'Config Sync, or kpt', severity: 'information' },
  'configmanagement.gke.io/managed': { tool: 'Config Sync', severity: 'information' },
  'helm.toolkit.fluxcd.io/name': { tool: 'Flux', severity: 'information' },
  'kustomize.toolkit.fluxcd.io/name': { tool: 'Flux', severity: 'information' },
};

const trackedRule: Rule = {
  code: 'multikueue-tracked',
  severity: 'information',
  says: 'MultiKueue copies all labels and annotations: a GitOps tool that tracks by them on the worker takes the copy for its own, and prunes it.',
  source: 'Kueue 0.17 to 0.19, CloneObjectMetaForCreation',
  url: multiKueueUrl,
  check(subject) {
    const { root, kind, text } = subject;
    if (kind.queueMetadata === undefined || !kind.isSentByMultiKueue || !isForMultiKueue(subject)) return [];
    const metadata = kind.queueMetadata;
    return ['labels', 'annotations'].flatMap((holder): Breach[] => {
      const keys = nodeAt(root, [...metadata, holder]);
      if (keys?.kind !== 'map') return [];
      return keys.entries.flatMap(({ key }) => {
        const tracking = Object.hasOwn(trackingKeys, key) ? trackingKeys[key] : undefined;
        if (tracking === undefined) return [];
        return [
          {
            span: placeOf(root, [...metadata, holder, key], 'key', text),
            severity: tracking.severity,
            field: `${[...metadata, holder].join('.')}[${key}]`,
            message: `MultiKueue puts this on the worker's ${kind.kind === 'CronJob' ? 'Job' : kind.kind} as well. A GitOps tool there (${tracking.tool}) that knows its objects by it prunes what isn't in its source.`,
          },
        ];
      });
    });
  },
};

/** Domains of keys that aren't meant for the worker, or that it gets by other ways. */
const otherDomains = /^(?:.+\.)?(?:kubectl\.kubernetes\.io|kueue\.x-k8s\.io|delegated-jobs\.dev)\//;

const editRule: Rule = {
  code: 'delegated-edit',
  severity: 'information',
  says: 'A mirror has the labels and annotations that it was created with: later edits of them stay on the management cluster.',
  source: 'Kueue 0.17 to 0.19, MultiKueue adapter of batch/v1 Job; the reconciler of this extension',
  url: multiKueueUrl,
  check(subject) {
    const { root, text, sent, old } = subject;
    if (!isRunningElsewhere(subject)) return [];
    return ['labels', 'annotations'].flatMap((holder): Breach[] => {
      const [before, after] = [mapAt(old, ['metadata', holder]), mapAt(sent, ['metadata', holder])];
      const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
      const changed = [...keys].filter((key) => before[key] !== after[key] && !otherDomains.test(key));
      return changed.map((key) => ({
        span: placeOf(root, ['metadata', holder, key], 'value', text),
        field: `metadata.${holder}[${key}]`,
        message:
          'The Job runs on a worker already, and its mirror there keeps what it was created with: this stays here.',
      }));
    });
  },
};

const restartRule: Rule = {
  code: 'multikueue-restart',
  severity: 'warning',
  says: 'MultiKueue follows a change of parallelism by taking the Job back and starting it anew, unless the Job is elastic.',
  source: 'Kueue 0.17 to 0.19, equivalence of Workloads; kubernetes-sigs/kueue 5452',
  url: multiKueueUrl,
  check(subject) {
    const { root, text, sent, old } = subject;
    const [before, after] = [podsAtOnce(old), podsAtOnce(sent)];
    const isElastic = valueAt(old, ['metadata', 'annotations', 'kueue.x-k8s.io/elastic-job']) === 'true';
    if (!isRunningElsewhere(subject) || before === after || isElastic) return [];
    if (valueAt(old, ['spec', 'managedBy']) !== multiKueue) return [];
    const message = `The Job runs on a worker with ${plural(before)} at a time. MultiKueue doesn't change that there: it takes the Job back, and what runs is lost.`;
    const path = ['spec', 'parallelism'];
    return [{ span: placeOf(root, path, 'value', text), field: path.join('.'), message }];
  },
};

/** A stored Job that MultiKueue or our reconciler runs on a worker, and that has not ended. */
function isRunningElsewhere({ kind, old, ownController }: RuleSubject): boolean {
  if (kind.kind !== 'Job' || kind.podTemplate === undefined || old === undefined) return false;
  const name = textAt(old, ['spec', 'managedBy']);
  if (name === undefined || (name !== multiKueue && name !== ownController)) return false;
  if (valueAt(old, ['spec', 'suspend']) === true) return false;
  const conditions = valueAt(old, ['status', 'conditions']);
  return !(Array.isArray(conditions) ? conditions : []).some(
    (one) => isJsonObject(one) && one['status'] === 'True' && (one['type'] === 'Complete' || one['type'] === 'Failed'),
  );
}

/** What Kueue asks room for. */
function podsAtOnce(job: unknown): number {
  const [parallelism = 1, completions = Number.POSITIVE_INFINITY] = ['parallelism', 'completions'].map((field) => {
    const value = valueAt(job, ['spec', field]);
    return typeof value === 'number' ? value : undefined;
  });
  return Math.min(parallelism, completions);
}

const plural = (pods: number): string => (pods === 1 ? '1 pod' : `${pods} pods`);

function mapAt(value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const found = valueAt(value, path);
  return isJsonObject(found) ? found : {};
}

export const copyRules: readonly Rule[] = [trackedRule, editRule, restartRule];
