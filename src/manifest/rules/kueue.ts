import { type JsonObject, textAt, valueAt } from '../../base/index.ts';
import { queueLabel, type WorkloadKind } from '../kinds.ts';
import { placeOf } from '../locate.ts';
import { nodeAt, stringAt } from '../yaml/nodes.ts';
import { type Breach, multiKueueUrl, type Rule, type RuleSubject, removalFixes } from './rule.ts';

/** What Kueue asks of the objects in its queues beyond the label. */

const source = 'Kueue 0.19, webhooks of its integrations';

/** Kinds that Kueue doesn't look at, and where their label belongs instead, if anywhere. */
const outsiders: Readonly<Record<string, string>> = {
  'kubeflow.org/v1 MPIJob': 'Kueue knows MPIJobs of kubeflow.org/v2beta1 alone',
  'batch.volcano.sh/v1alpha1 Job': "Volcano has queues of its own: 'spec.queue'",
  'argoproj.io/v1alpha1 Workflow': "Kueue queues the pods of a Workflow: put the label on 'spec.podMetadata'",
};

/** Whether Kueue has no integration for a kind in this version: whatever its label says, Kueue does nothing. */
export function isOutsideKueue({ apiVersion, kind }: RuleSubject): boolean {
  return Object.hasOwn(outsiders, `${apiVersion} ${kind.kind}`);
}

const unsupportedRule: Rule = {
  code: 'queue-label-unsupported',
  severity: 'warning',
  says: 'Kueue has no integration for some kinds: its queue label does nothing on them.',
  source: 'Kueue 0.19, integrations',
  check(subject) {
    const { apiVersion, kind, root, text } = subject;
    const path = ['metadata', 'labels', queueLabel];
    if (!isOutsideKueue(subject) || stringAt(root, path) === undefined) return [];
    const message = `This label does nothing here: ${outsiders[`${apiVersion} ${kind.kind}`] ?? ''}.`;
    const fixes = removalFixes(subject, path, 'Remove the label');
    return [{ span: placeOf(root, path, 'key', text), field: `metadata.labels[${queueLabel}]`, message, fixes }];
  },
};

const groupLabel = 'kueue.x-k8s.io/pod-group-name';
const groupCount = 'kueue.x-k8s.io/pod-group-total-count';

const podGroupRule: Rule = {
  code: 'pod-group-count',
  severity: 'warning',
  says: "A group of pods has a name, a label, and a count, an annotation: Kueue's webhook refuses the one without the other.",
  source,
  check({ kind, root, text, isPartial }) {
    if (kind.kind !== 'Pod' || isPartial) return [];
    const label = ['metadata', 'labels', groupLabel];
    const annotation = ['metadata', 'annotations', groupCount];
    const count = stringAt(root, annotation);
    if (stringAt(root, label) === undefined && count !== undefined) {
      return [breachAt(annotation, `The count of a group, but no label '${groupLabel}' that names the group.`)];
    }
    if (stringAt(root, label) !== undefined && (count === undefined || !/^[1-9][0-9]*$/.test(count))) {
      const path = count === undefined ? label : annotation;
      return [breachAt(path, `A group needs the annotation '${groupCount}': how many pods it has, in quotes.`)];
    }
    return [];

    function breachAt(path: readonly string[], message: string): Breach {
      const [, holder = '', key = ''] = path;
      return { span: placeOf(root, path, 'key', text), field: `metadata.${holder}[${key}]`, message };
    }
  },
};

const rayGroupRule: Rule = {
  code: 'ray-group-head',
  severity: 'warning',
  says: "A worker group of a queued Ray cluster can't be called head: Kueue gives that name to the head's own pod set.",
  source,
  check(subject) {
    const { kind, root, text } = subject;
    const holders: Readonly<Record<string, readonly string[]>> = {
      RayCluster: [],
      RayJob: ['rayClusterSpec'],
      RayService: ['rayClusterConfig'],
    };
    const holder = Object.hasOwn(holders, kind.kind) ? holders[kind.kind] : undefined;
    if (holder === undefined || !isQueued(subject)) return [];
    const path = ['spec', ...holder, 'workerGroupSpecs'];
    const groups = nodeAt(root, path);
    if (groups?.kind !== 'sequence') return [];
    return groups.items.flatMap((group, index) => {
      const name = stringAt(group, ['groupName']);
      if (name?.toLowerCase() !== 'head') return [];
      const at = [...path, index, 'groupName'];
      const message = `Kueue refuses a worker group called '${name}': its own name for the head.`;
      return [{ span: placeOf(root, at, 'value', text), field: `${path.join('.')}[${index}].groupName`, message }];
    });
  },
};

function isQueued({ kind, root }: RuleSubject): boolean {
  return stringAt(root, [...(kind.queueMetadata ?? ['metadata']), 'labels', queueLabel]) !== undefined;
}

/** The queue that a change takes an object from and to, if Kueue's webhook refuses it. An empty label is none. */
export function refusedMove(subject: RuleSubject): { readonly from: string; readonly to: string } | undefined {
  const { kind, sent, old } = subject;
  if (old === undefined || kind.queueMetadata === undefined || isOutsideKueue(subject)) return undefined;
  const label = [...kind.queueMetadata, 'labels', queueLabel];
  const [from = '', to = ''] = [textAt(old, label), textAt(sent, label)];
  return from !== to && isMoveRefused(kind, sent, old, to) ? { from, to } : undefined;
}

function isMoveRefused({ kind, suspend }: WorkloadKind, sent: JsonObject, old: unknown, to: string): boolean {
  // What is suspended by the same change may move, what is resumed by it may not.
  if (suspend !== undefined) return valueAt(sent, suspend) !== true && !(/^Ray/.test(kind) && to === '');
  if (kind === 'LeaderWorkerSet') return true;
  if (kind !== 'StatefulSet' && kind !== 'Deployment') return false;
  const ready = valueAt(old, ['status', 'readyReplicas']);
  return to === '' || (typeof ready === 'number' && ready > 0);
}

const changedRule: Rule = {
  code: 'queue-label-changed',
  severity: 'warning',
  says: "An object comes into a queue, changes it or leaves it only while it is suspended: else Kueue's webhook refuses the change.",
  source: 'Kueue 0.17 to 0.19, validation of the queue label',
  url: multiKueueUrl,
  check(subject) {
    const { kind, root, text } = subject;
    const move = refusedMove(subject);
    if (move === undefined) return [];
    const { from, to } = move;
    const label = [...(kind.queueMetadata ?? []), 'labels', queueLabel];
    const isIn = from === '' ? 'is in no queue' : `is in the queue '${from}'`;
    const what = from === '' ? 'put it into one' : to === '' ? 'take it out' : 'move it';
    const why = kind.suspend === undefined ? '' : " and isn't suspended";
    const message = `The stored ${kind.kind} ${isIn}${why}: Kueue refuses to ${what}.`;
    const field = `${label.slice(0, -1).join('.')}[${queueLabel}]`;
    return [{ span: placeOf(root, label, 'value', text), field, message }];
  },
};

const movedRule: Rule = {
  code: 'managed-by-moved',
  severity: 'warning',
  says: 'Where nothing enforces that managedBy stays, a change leaves behind what the controller before has made.',
  source: 'training-operator 1.9; mpi-operator 0.8',
  check({ kind, root, text, sent, old }) {
    const field = kind.managedBy;
    if (old === undefined || field?.isPromisedImmutable !== true) return [];
    const before = valueAt(old, field.path) ?? field.builtIn;
    const after = valueAt(sent, field.path) ?? field.builtIn;
    if (before === after) return [];
    const message = `Documented as immutable, but nobody refuses this: the pods that '${String(before)}' made stay, and '${String(after)}' starts anew. Delete and create the ${kind.kind} instead.`;
    return [{ span: placeOf(root, field.path, 'value', text), field: field.path.join('.'), message }];
  },
};

export const kueueRules: readonly Rule[] = [unsupportedRule, podGroupRule, rayGroupRule, changedRule, movedRule];
