import { insertAt, renameKey, replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { multiKueue, queueLabel } from '../kinds.ts';
import { placeOf } from '../locate.ts';
import { nearMiss } from '../nearMiss.ts';
import { removeAt } from '../removals.ts';
import { entryOf, nodeAt, stringAt } from '../yaml/nodes.ts';
import { type Breach, isDelegatedByQueue, multiKueueUrl, type Rule, type RuleSubject, removalFixes } from './rule.ts';

/** Rules about Kueue's queue label and where it counts. */

/** A LocalQueue's name to start from, the one of Kueue's own examples; whoever takes the fix puts in theirs. */
const sampleQueue = 'user-queue';

function labelPath({ kind }: RuleSubject): readonly string[] | undefined {
  return kind.queueMetadata === undefined ? undefined : [...kind.queueMetadata, 'labels', queueLabel];
}

/**
 * A Job whose own labels are empty gets those of its pod template when it is stored, the queue label among them.
 * Source: E3.
 */
function takesLabelsOfTemplate({ root, kind }: RuleSubject): boolean {
  if (kind.kind !== 'Job' || kind.podTemplate === undefined) return false;
  const own = nodeAt(root, ['metadata', 'labels']);
  return (
    own === undefined ||
    (own.kind === 'scalar' && own.value === null) ||
    (own.kind === 'map' && own.entries.length === 0)
  );
}

const noQueueRule: Rule = {
  code: 'multikueue-no-queue',
  severity: 'warning',
  says: 'MultiKueue takes an object only through a queue: without the queue label nobody acts, unless the namespace has a LocalQueue named default.',
  source: 'Kueue 0.19, queue label',
  url: multiKueueUrl,
  check(subject) {
    const { root, kind, text, isPartial } = subject;
    const field = kind.managedBy;
    const path = labelPath(subject);
    if (isPartial || field === undefined || path === undefined || stringAt(root, field.path) !== multiKueue) return [];
    // Another rule says that no queue would help.
    if (!kind.isSentByMultiKueue) return [];
    // Kueue puts an object without the label into a queue of that name.
    if (stringAt(root, path) !== undefined || subject.queues?.some(({ name }) => name === 'default')) return [];
    const templateLabel = [...(kind.podTemplate ?? []), 'metadata', 'labels', queueLabel];
    if (takesLabelsOfTemplate(subject) && stringAt(root, templateLabel) !== undefined) return [];
    const edit = insertAt(root, path, sampleQueue, text);
    return [
      {
        span: placeOf(root, field.path, 'value', text),
        field: `${path.slice(0, -1).join('.')}[${queueLabel}]`,
        message: `Managed by MultiKueue, but without the label '${queueLabel}' on ${path.slice(0, -1).join('.')}: no queue takes this ${kind.kind} in, and nobody acts.`,
        fixes:
          edit === undefined
            ? []
            : [{ title: `Add the label '${queueLabel}' (put in your LocalQueue)`, edits: [edit], isPreferred: false }],
      },
    ];
  },
};

const misplacedRule: Rule = {
  code: 'queue-label-misplaced',
  severity: 'warning',
  says: 'Kueue reads the queue label of the workload itself; on a pod template, on a CronJob or as an annotation it does nothing.',
  source: 'Kueue 0.19, queue label',
  url: multiKueueUrl,
  check(subject) {
    const { root, kind, text } = subject;
    const path = labelPath(subject);
    if (path === undefined || stringAt(root, path) !== undefined) return [];
    const template = [...(kind.podTemplate ?? ['spec', 'template']), 'metadata'];
    const wrongPlaces: (readonly string[])[] = [[...path.slice(0, -2), 'annotations', queueLabel]];
    if (kind.kind === 'CronJob') {
      wrongPlaces.push(
        ['metadata', 'labels', queueLabel],
        ['spec', 'jobTemplate', 'spec', 'metadata', 'labels', queueLabel],
      );
    }
    if (kind.podTemplate !== undefined && !takesLabelsOfTemplate(subject)) {
      wrongPlaces.push([...template, 'labels', queueLabel]);
    }
    wrongPlaces.push(['spec', 'queueName'], ['metadata', queueLabel]);
    const wrong = wrongPlaces.find((place) => stringAt(root, place) !== undefined);
    if (wrong === undefined) return [];
    const fix = moveTo(subject, wrong, path);
    return [
      {
        span: placeOf(root, wrong, 'key', text),
        field: wrong.join('.'),
        message: `Kueue doesn't look here: the queue is named by the label '${queueLabel}' on ${path.slice(0, -1).join('.')}.`,
        fixes: fix === undefined ? [] : [fix],
      },
    ];
  },
};

function moveTo({ root, text }: RuleSubject, from: readonly string[], to: readonly string[]): Fix | undefined {
  const value = stringAt(root, from) ?? '';
  const insertion = insertAt(root, to, JSON.stringify(value), text);
  const removal = removeAt(root, from, text);
  if (insertion === undefined || removal === undefined) return undefined;
  // Where the two touch, the result would depend on their order.
  if (insertion.start > removal.start && insertion.start < removal.end) return undefined;
  return { title: `Move it to ${to.slice(0, -1).join('.')}`, edits: [insertion, removal], isPreferred: true };
}

/** Volcano and others name queues too, by labels of their own. */
function isOthersLabel(key: string): boolean {
  const domain = key.includes('/') ? (key.split('/', 1)[0] ?? '') : '';
  const own = queueLabel.split('/', 1);
  return domain !== '' && !own.includes(domain) && !domain.includes('kueue') && nearMiss(domain, own) === undefined;
}

/** Whether a label in Kueue's own domain speaks of a queue: on the object itself, only one such label counts. */
function isAboutQueue(key: string): boolean {
  const [domain = '', name = ''] = key.split('/');
  return domain === queueLabel.split('/', 1)[0] && /queue/i.test(name);
}

const nearMissRule: Rule = {
  code: 'queue-label-near-miss',
  severity: 'warning',
  says: 'Kueue knows one label for the queue: one that is nearly it does nothing.',
  source: 'Kueue 0.19, queue label',
  url: multiKueueUrl,
  check(subject) {
    const { root, text } = subject;
    const path = labelPath(subject);
    const labels = path === undefined ? undefined : nodeAt(root, path.slice(0, -1));
    if (path === undefined || labels?.kind !== 'map' || entryOf(labels, queueLabel) !== undefined) return [];
    return labels.entries.flatMap((entry) => {
      const isNear = nearMiss(entry.key, [queueLabel]) !== undefined && !isOthersLabel(entry.key);
      if (!isNear && !isAboutQueue(entry.key)) return [];
      const fix = { title: `Use '${queueLabel}'`, edits: [renameKey(entry, queueLabel, text)], isPreferred: true };
      const message = `Kueue doesn't know this label: did you mean '${queueLabel}'?`;
      return [{ span: entry.keySpan, field: `${path.slice(0, -1).join('.')}[${entry.key}]`, message, fixes: [fix] }];
    });
  },
};

const nameRule: Rule = {
  code: 'queue-name-format',
  severity: 'warning',
  says: "The queue label names a LocalQueue: a DNS subdomain. Kueue's webhook refuses anything else.",
  source: 'Kueue 0.19, validation of the queue label',
  url: multiKueueUrl,
  check(subject) {
    const { root, text } = subject;
    const path = labelPath(subject);
    const name = path === undefined ? undefined : stringAt(root, path);
    if (path === undefined || name === undefined) return [];
    if (/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(name) && name.length <= 253)
      return [];
    const message = `'${name}' can't be the name of a LocalQueue: lower case letters, digits, dashes and dots only.`;
    const node = nodeAt(root, path);
    const likely = likelyName(name);
    const edit = node?.kind === 'scalar' && likely !== '' ? replaceScalar(node, likely) : undefined;
    const fixes = edit === undefined ? [] : [{ title: `Use '${likely}'`, edits: [edit], isPreferred: false }];
    const field = `${path.slice(0, -1).join('.')}[${queueLabel}]`;
    return [{ span: placeOf(root, path, 'value', text), field, message, fixes }];
  },
};

/** The nearest name that a LocalQueue can have. */
function likelyName(name: string): string {
  const dashed = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .slice(0, 253);
  return dashed
    .split('.')
    .map((part) => part.replaceAll(/^-+|-+$/g, ''))
    .filter((part) => part !== '')
    .join('.');
}

const noMetadataRule: Rule = {
  code: 'queue-label-lost',
  severity: 'warning',
  says: "A RayCronJob's template has no metadata: the queue label can't be handed on to its RayJobs.",
  source: 'KubeRay 1.7, RayCronJob',
  check(subject) {
    const { root, kind, text } = subject;
    const path = ['metadata', 'labels', queueLabel];
    if (kind.kind !== 'RayCronJob' || stringAt(root, path) === undefined) return [];
    const message =
      "This label stays on the RayCronJob: its RayJobs get none, so only a LocalQueue named 'default' can take them in.";
    const fixes = removalFixes(subject, path, 'Remove the label');
    return [{ span: placeOf(root, path, 'key', text), field: `metadata.labels[${queueLabel}]`, message, fixes }];
  },
};

const unknownQueueRule: Rule = {
  code: 'queue-unknown',
  severity: 'warning',
  says: "A queue that its namespace doesn't have takes nothing in: the object waits until somebody makes the LocalQueue.",
  source: 'Kueue 0.19, LocalQueue',
  url: 'https://kueue.sigs.k8s.io/docs/concepts/local_queue/',
  check(subject) {
    const { root, text } = subject;
    const path = labelPath(subject);
    const name = path === undefined ? undefined : stringAt(root, path);
    const queues = subject.queues?.map((queue) => queue.name);
    if (path === undefined || name === undefined || name === '' || queues === undefined || queues.includes(name))
      return [];
    const node = nodeAt(root, path);
    const meant = nearMiss(name, new Set(queues));
    const edit = meant !== undefined && node?.kind === 'scalar' ? replaceScalar(node, meant) : undefined;
    const listed = queues.length > 5 ? [...queues.slice(0, 4), `${queues.length - 4} more`] : queues;
    const there = queues.length === 0 ? 'no LocalQueue at all' : listed.join(', ');
    const message = `The connected cluster has no LocalQueue '${name}' in this namespace: the object waits until there is one. It has ${there}.`;
    return [
      {
        span: placeOf(root, path, 'value', text),
        field: `${path.slice(0, -1).join('.')}[${queueLabel}]`,
        message,
        fixes: edit === undefined ? [] : [{ title: `Use '${meant}'`, edits: [edit], isPreferred: false }],
      },
    ];
  },
};

/** Where a queue leads: at the label, or without one at what else says that the object is for MultiKueue. */
function placeOfQueue(subject: RuleSubject, otherwise: readonly string[]): Pick<Breach, 'span' | 'field'> {
  const { root, text } = subject;
  const path = labelPath(subject);
  if (path === undefined || stringAt(root, path) === undefined)
    return { span: placeOf(root, otherwise, 'value', text), field: otherwise.join('.') };
  return { span: placeOf(root, path, 'value', text), field: `${path.slice(0, -1).join('.')}[${queueLabel}]` };
}

const elsewhereRule: Rule = {
  code: 'queue-not-multikueue',
  severity: 'warning',
  says: 'MultiKueue acts only behind queues whose ClusterQueue has its admission check: from another queue nobody runs what is managed by it.',
  source: 'Kueue 0.17 to 0.19, MultiKueue admission check',
  url: multiKueueUrl,
  check(subject) {
    const { root, kind, text, queue, queues = [] } = subject;
    const field = kind.managedBy;
    if (field === undefined || stringAt(root, field.path) !== multiKueue || !kind.isSentByMultiKueue) return [];
    if (queue?.leadsToMultiKueue !== false) return [];
    const path = labelPath(subject);
    const better = queues.filter(({ leadsToMultiKueue }) => leadsToMultiKueue === true).slice(0, 3);
    const fixes = better.flatMap(({ name }): Fix[] => {
      const node = path === undefined ? undefined : nodeAt(root, path);
      const edit =
        node?.kind === 'scalar'
          ? replaceScalar(node, name)
          : path === undefined
            ? undefined
            : insertAt(root, path, name, text);
      const title = `Use the queue '${name}', which leads to MultiKueue`;
      return edit === undefined ? [] : [{ title, edits: [edit], isPreferred: false }];
    });
    const title = `Remove 'managedBy', so that the ${kind.kind} runs in this cluster`;
    return [
      {
        ...placeOfQueue(subject, field.path),
        message: `The queue '${queue.name}' doesn't lead to MultiKueue: Kueue lets the ${kind.kind} start in this cluster, where with '${multiKueue}' as its manager nobody runs it.`,
        fixes: [...fixes, ...removalFixes(subject, field.path, title)],
      },
    ];
  },
};

const delegatingRule: Rule = {
  code: 'queue-delegates',
  severity: 'hint',
  says: 'What enters a queue that leads to MultiKueue gets its managedBy from Kueue at creation, and runs on a worker cluster.',
  source: 'Kueue 0.17 to 0.19, defaulting of managedBy',
  url: multiKueueUrl,
  check(subject) {
    const { root, kind, text, isPartial } = subject;
    const field = kind.managedBy;
    if (field === undefined || isPartial || !isDelegatedByQueue(subject) || nodeAt(root, field.path) !== undefined)
      return [];
    const edit = insertAt(root, field.path, multiKueue, text);
    const title = `Write managedBy: ${multiKueue}`;
    return [
      {
        ...placeOfQueue(subject, ['kind']),
        message: `The queue '${subject.queue?.name}' leads to MultiKueue: Kueue sets ${field.path.join('.')} to '${multiKueue}' at creation, and a worker cluster runs this ${kind.kind}.`,
        fixes: edit === undefined ? [] : [{ title, edits: [edit], isPreferred: false }],
      },
    ];
  },
};

export const queueRules: readonly Rule[] = [
  noQueueRule,
  misplacedRule,
  nearMissRule,
  nameRule,
  unknownQueueRule,
  elsewhereRule,
  delegatingRule,
  noMetadataRule,
];
