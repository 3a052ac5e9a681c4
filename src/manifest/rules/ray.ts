import { insertAt } from '../edits.ts';
import { multiKueue, queueLabel } from '../kinds.ts';
import { placeOf } from '../locate.ts';
import { type ManifestNode, nodeAt, stringAt } from '../yaml/nodes.ts';
import { type Rule, type RuleSubject, removalFixes } from './rule.ts';

/** What Kueue and KubeRay demand of Ray's kinds before they take them. */

function booleanAt({ root }: RuleSubject, path: readonly string[]): boolean {
  const node = nodeAt(root, path);
  return node?.kind === 'scalar' && node.value === true;
}

function isQueued({ root }: RuleSubject): boolean {
  return stringAt(root, ['metadata', 'labels', queueLabel]) !== undefined;
}

function isDelegated({ root }: RuleSubject): boolean {
  return stringAt(root, ['spec', 'managedBy']) === multiKueue;
}

/** An empty selector is none. */
function selectsCluster(root: ManifestNode): boolean {
  const selector = nodeAt(root, ['spec', 'clusterSelector']);
  return selector !== undefined && !(selector.kind === 'map' && selector.entries.length === 0);
}

const shutdownRule: Rule = {
  code: 'ray-job-shutdown',
  severity: 'warning',
  says: 'A RayJob that is suspended, or in a queue, must give its cluster up at the end.',
  source: 'KubeRay 1.7, validation of RayJobs; Kueue 0.19, RayJob webhook',
  check(subject) {
    const { root, kind, text, isPartial } = subject;
    if (kind.kind !== 'RayJob' || isPartial) return [];
    const isSuspended = booleanAt(subject, ['spec', 'suspend']);
    if (!isSuspended && !isQueued(subject)) return [];
    if (booleanAt(subject, ['spec', 'shutdownAfterJobFinishes']) || selectsCluster(root)) return [];
    const path = ['spec', 'shutdownAfterJobFinishes'];
    const node = nodeAt(root, path);
    const edit =
      node?.kind === 'scalar' && node.span.end > node.span.start
        ? { ...node.span, newText: 'true' }
        : insertAt(root, path, 'true', text);
    return [
      {
        span: placeOf(root, node === undefined ? ['spec', 'suspend'] : path, 'value', text),
        field: path.join('.'),
        message: `${isSuspended ? 'KubeRay refuses a suspended RayJob' : 'Kueue refuses a RayJob in a queue'} without 'shutdownAfterJobFinishes: true'.`,
        fixes:
          edit === undefined
            ? []
            : [{ title: 'Set shutdownAfterJobFinishes to true', edits: [edit], isPreferred: true }],
      },
    ];
  },
};

const selectorRule: Rule = {
  code: 'ray-job-cluster-selector',
  severity: 'warning',
  says: 'A RayJob that selects a cluster brings none of its own: it can neither be suspended nor queued.',
  source: 'KubeRay 1.7, validation of RayJobs; Kueue 0.19, RayJob integration',
  check(subject) {
    const { root, kind, text } = subject;
    const path = ['spec', 'clusterSelector'];
    if (kind.kind !== 'RayJob' || !selectsCluster(root)) return [];
    if (!isQueued(subject) && !isDelegated(subject) && !booleanAt(subject, ['spec', 'suspend'])) return [];
    const message =
      'A RayJob with a clusterSelector runs on a cluster that is there: Kueue skips it, and it cannot be suspended.';
    const fixes = removalFixes(subject, path);
    return [{ span: placeOf(root, path, 'key', text), field: path.join('.'), message, fixes }];
  },
};

const autoscalingRule: Rule = {
  code: 'ray-autoscaling',
  severity: 'warning',
  says: 'Kueue takes an autoscaling Ray cluster only as an elastic workload, and MultiKueue not even then.',
  source: 'Kueue 0.19, RayCluster webhook',
  check(subject) {
    const { root, kind, text } = subject;
    // Kueue looks at what is in a queue.
    if (!isQueued(subject)) return [];
    const holders: Readonly<Record<string, string>> = { RayJob: 'rayClusterSpec', RayService: 'rayClusterConfig' };
    const holder = Object.hasOwn(holders, kind.kind) ? holders[kind.kind] : undefined;
    if (holder === undefined && kind.kind !== 'RayCluster') return [];
    const path = ['spec', ...(holder === undefined ? [] : [holder]), 'enableInTreeAutoscaling'];
    if (!booleanAt(subject, path)) return [];
    const isElastic = stringAt(root, ['metadata', 'annotations', 'kueue.x-k8s.io/elastic-job']) === 'true';
    if (isElastic && !isDelegated(subject)) return [];
    const message = `Kueue refuses a ${kind.kind} that scales by itself${isDelegated(subject) ? ' on another cluster' : ', unless it is an elastic job'}.`;
    const fixes = removalFixes(subject, path);
    return [{ span: placeOf(root, path, 'key', text), field: path.join('.'), message, fixes }];
  },
};

export const rayRules: readonly Rule[] = [shutdownRule, selectorRule, autoscalingRule];
