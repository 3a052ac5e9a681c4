import { valueAt } from '../../base/index.ts';
import { queueLabel } from '../kinds.ts';
import { placeOf } from '../locate.ts';
import { nodeAt, numberAt, stringAt } from '../yaml/nodes.ts';
import { refusedMove } from './kueue.ts';
import { multiKueueUrl, numberFixes, type Rule, removalFixes } from './rule.ts';

/** What the API server lets a Job or CronJob say although it comes to nothing, delegated or not. */

const perIndexRestartRule: Rule = {
  code: 'per-index-restart-policy',
  severity: 'warning',
  says: 'backoffLimitPerIndex counts failed pods: containers that are restarted in place are not counted.',
  source: 'Kubernetes, batch/v1 JobSpec, backoffLimitPerIndex; B10',
  check(subject) {
    const { root, kind, text } = subject;
    if (kind.podTemplate === undefined) return [];
    const limit = [...kind.podTemplate.slice(0, -1), 'backoffLimitPerIndex'];
    const policy = [...kind.podTemplate, 'spec', 'restartPolicy'];
    if (numberAt(root, limit) === undefined || stringAt(root, policy) !== 'OnFailure') return [];
    const node = nodeAt(root, policy);
    const isPlain = node?.kind === 'scalar' && node.style === 'plain';
    return [
      {
        span: placeOf(root, policy, 'value', text),
        field: policy.join('.'),
        message:
          'With backoffLimitPerIndex the pods should end when they fail: OnFailure restarts the container in place, and the index hardly ever reaches its limit.',
        fixes: isPlain
          ? [{ title: 'Set restartPolicy to Never', edits: [{ ...node.span, newText: 'Never' }], isPreferred: false }]
          : [],
      },
    ];
  },
};

const deadlineRule: Rule = {
  code: 'deadline-zero',
  severity: 'warning',
  says: 'A deadline of 0 seconds is over at the start: the Job fails before a pod has run.',
  source: 'B7; the Job controller of Kubernetes 1.35',
  check(subject) {
    const { root, kind, text } = subject;
    if (kind.podTemplate === undefined) return [];
    const path = [...kind.podTemplate.slice(0, -1), 'activeDeadlineSeconds'];
    if (numberAt(subject.root, path) !== 0) return [];
    const message = 'The Job fails with DeadlineExceeded as soon as it starts. Leave the field out for no deadline.';
    const fixes = removalFixes(subject, path);
    return [{ span: placeOf(root, path, 'value', text), field: path.join('.'), message, fixes }];
  },
};

const startingDeadlineRule: Rule = {
  code: 'starting-deadline-short',
  severity: 'warning',
  says: 'The CronJob controller looks every ten seconds: with a shorter starting deadline it misses its times.',
  source: 'Kubernetes, CronJob documentation, startingDeadlineSeconds',
  url: 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#starting-deadline',
  check(subject) {
    const { root, kind, text } = subject;
    const path = ['spec', 'startingDeadlineSeconds'];
    const seconds = numberAt(subject.root, path);
    if (kind.kind !== 'CronJob' || seconds === undefined || seconds < 0 || seconds >= 10) return [];
    const message = `Jobs that could not start within ${seconds} s are skipped, and the controller looks only every ten seconds: many will be.`;
    const fixes = numberFixes(subject, path, 60);
    return [{ span: placeOf(root, path, 'value', text), field: path.join('.'), message, fixes }];
  },
};

const lateQueueRule: Rule = {
  code: 'queue-label-late',
  severity: 'information',
  says: 'Kueue sets managedBy when an object is created, never later: one that is queued afterwards stays on its cluster.',
  source: 'Kueue 0.19, defaulting of managedBy',
  url: multiKueueUrl,
  check(subject) {
    const { root, kind, text, old, queue } = subject;
    if (
      queue?.leadsToMultiKueue === false ||
      old === undefined ||
      refusedMove(subject) !== undefined ||
      kind.managedBy?.immutable !== 'always' ||
      kind.queueMetadata === undefined
    )
      return [];
    const label = [...kind.queueMetadata, 'labels', queueLabel];
    if (
      stringAt(root, label) === undefined ||
      valueAt(old, label) !== undefined ||
      valueAt(old, kind.managedBy.path) !== undefined
    )
      return [];
    const lead =
      queue?.leadsToMultiKueue === true ? 'The queue leads to MultiKueue' : 'If the queue leads to MultiKueue';
    const message = `The stored ${kind.kind} has neither this label nor a managedBy, and gets none now. ${lead}: delete and create it.`;
    return [
      { span: placeOf(root, label, 'key', text), field: `${label.slice(0, -1).join('.')}[${queueLabel}]`, message },
    ];
  },
};

export const jobRules: readonly Rule[] = [perIndexRestartRule, deadlineRule, startingDeadlineRule, lateQueueRule];
