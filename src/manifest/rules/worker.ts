import { podReferences } from '../../admission/index.ts';
import { mirrorKeys } from '../../base/index.ts';
import { placeOf } from '../locate.ts';
import { removeAt } from '../removals.ts';
import { nodeAt, plainValueOf, stringAt } from '../yaml/nodes.ts';
import type { TextEdit } from '../yaml/text.ts';
import {
  type Breach,
  isDelegatedByQueue,
  isForMultiKueue,
  managedByUrl,
  multiKueueUrl,
  numberFixes,
  type Rule,
  type RuleSubject,
  removalFixes,
} from './rule.ts';

/** What a Job asks of its cluster that a worker cluster may not have. For Jobs and CronJobs that name a controller, or get one by their queue. */

interface Delegated {
  readonly specPath: readonly string[];
  readonly podPath: readonly string[];
}

function delegated(subject: RuleSubject): Delegated | undefined {
  const { root, kind } = subject;
  if (kind.podTemplate === undefined || kind.managedBy === undefined) return undefined;
  const name = stringAt(root, kind.managedBy.path);
  const isNamed = name !== undefined && name !== '' && name !== kind.managedBy.builtIn;
  if (!isNamed && !isDelegatedByQueue(subject)) return undefined;
  return { specPath: kind.podTemplate.slice(0, -1), podPath: [...kind.podTemplate, 'spec'] };
}

const manualSelectorRule: Rule = {
  code: 'delegated-manual-selector',
  severity: 'warning',
  says: "A mirror on another cluster gets its own selector: a Job that brings one can't be mirrored.",
  source: 'B40, E7, E10',
  url: managedByUrl,
  check(subject) {
    const own = delegated(subject);
    if (own === undefined) return [];
    const path = [...own.specPath, 'manualSelector'];
    const node = nodeAt(subject.root, path);
    if (node?.kind !== 'scalar' || node.value !== true) return [];
    const message =
      'A delegated Job cannot choose its own selector: the worker cluster generates one for the mirror. Leave it out.';
    const edits = ['manualSelector', 'selector'].flatMap((key) => {
      const edit = removeAt(subject.root, [...own.specPath, key], subject.text);
      return edit === undefined ? [] : [edit];
    });
    const title = 'Leave the selector to the API server';
    const fixes = edits.length < 2 || isOverlapping(edits) ? [] : [{ title, edits, isPreferred: false }];
    return [{ span: placeOf(subject.root, path, 'key', subject.text), field: path.join('.'), message, fixes }];
  },
};

function isOverlapping(edits: readonly TextEdit[]): boolean {
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  return sorted.some((edit, index) => edit.start < (sorted[index - 1]?.end ?? 0));
}

const nodeNameRule: Rule = {
  code: 'delegated-node-name',
  severity: 'warning',
  says: 'A node is one of its own cluster: a delegated Job that names one waits for it for ever.',
  source: 'Kubernetes, core/v1 PodSpec, nodeName',
  check(subject) {
    const own = delegated(subject);
    if (own === undefined) return [];
    const places = [
      [...own.podPath, 'nodeName'],
      [...own.podPath, 'nodeSelector', 'kubernetes.io/hostname'],
    ];
    return places.flatMap((path) => {
      const name = stringAt(subject.root, path);
      if (name === undefined || name === '') return [];
      const message = `The pods run on another cluster, which hardly has a node named '${name}'. Select nodes by labels that the workers share.`;
      const fixes = removalFixes(subject, path);
      return [{ span: placeOf(subject.root, path, 'value', subject.text), field: path.join('.'), message, fixes }];
    });
  },
};

const shortTtlRule: Rule = {
  code: 'delegated-short-ttl',
  severity: 'information',
  says: 'When a delegated Job is removed, its mirror goes with it, and with that the pods and their logs.',
  source: 'Kubernetes, TTL after finished; Kueue 0.19, MultiKueue',
  check(subject) {
    const own = delegated(subject);
    const ttl = own === undefined ? undefined : ttlOf(subject, own);
    if (ttl === undefined || ttl.seconds >= 60 || isForMultiKueue(subject)) return [];
    const message = `The Job goes ${ttl.seconds} s after its end, and with it the mirror, the pods and their logs on the worker: hardly time to look.`;
    return [{ ...ttl.breach, message }];
  },
};

const multiKueueTtlRule: Rule = {
  code: 'multikueue-short-ttl',
  severity: 'warning',
  says: 'MultiKueue before 0.20 sends the TTL along: a worker that removes the mirror before its end is copied has the Job run again.',
  source: 'Kueue pull requests 14734, 14827, 14828',
  url: multiKueueUrl,
  check(subject) {
    const own = delegated(subject);
    const ttl = own === undefined ? undefined : ttlOf(subject, own);
    if (ttl === undefined || ttl.seconds >= 300 || !isForMultiKueue(subject)) return [];
    const message = `With MultiKueue before 0.20 the worker too removes its Job ${ttl.seconds} s after the end. If that end wasn't copied by then, the Job runs a second time: allow at least 300 s.`;
    return [{ ...ttl.breach, message }];
  },
};

/** The TTL that the Job says, and what a finding about it needs. */
function ttlOf(
  subject: RuleSubject,
  { specPath }: Delegated,
): { readonly seconds: number; readonly breach: Omit<Breach, 'message'> } | undefined {
  const path = [...specPath, 'ttlSecondsAfterFinished'];
  const node = nodeAt(subject.root, path);
  if (node?.kind !== 'scalar' || typeof node.value !== 'number' || node.value < 0) return undefined;
  const span = placeOf(subject.root, path, 'value', subject.text);
  return { seconds: node.value, breach: { span, field: path.join('.'), fixes: numberFixes(subject, path, 3600) } };
}

/** Labels that MultiKueue and our own reconciler put on the copies that they make on a worker. */
const mirrorLabels = ['kueue.x-k8s.io/multikueue-origin', mirrorKeys.originUid];

const mirrorRule: Rule = {
  code: 'delegated-mirror',
  severity: 'warning',
  says: "A mirror is for the worker cluster's own controller: with managedBy, nobody there runs it.",
  source: 'Kueue 0.19, MultiKueue',
  url: managedByUrl,
  check(subject) {
    const { root, kind, text } = subject;
    const field = kind.managedBy;
    const own = delegated(subject);
    const label = mirrorLabels.find((key) => stringAt(root, ['metadata', 'labels', key]) !== undefined);
    if (field === undefined || own === undefined || label === undefined || isDelegatedByQueue(subject)) return [];
    const message = `The label '${label}' marks a copy made on a worker, which the worker's own controller has to run. With 'managedBy' nobody does.`;
    const fixes = removalFixes(subject, field.path);
    return [{ span: placeOf(root, field.path, 'value', text), field: field.path.join('.'), message, fixes }];
  },
};

const referencesRule: Rule = {
  code: 'delegated-references',
  severity: 'hint',
  says: 'Only the Job itself is copied to a worker: what its pods refer to must be there already.',
  source: 'Kueue 0.19, MultiKueue',
  check(subject) {
    const own = delegated(subject);
    const pod = own === undefined ? undefined : nodeAt(subject.root, own.podPath);
    if (own === undefined || pod === undefined) return [];
    const references = podReferences(plainValueOf(pod)).map(({ kind, name }) => `${kind} '${name}'`);
    if (references.length === 0) return [];
    const listed = references.length > 4 ? [...references.slice(0, 3), `${references.length - 3} more`] : references;
    const message = `On the worker cluster, and there in the same namespace, this needs ${listed.join(', ')}: nobody copies them there.`;
    return [{ span: placeOf(subject.root, own.podPath, 'key', subject.text), field: own.podPath.join('.'), message }];
  },
};

export const workerRules: readonly Rule[] = [
  manualSelectorRule,
  nodeNameRule,
  shortTtlRule,
  multiKueueTtlRule,
  mirrorRule,
  referencesRule,
];
