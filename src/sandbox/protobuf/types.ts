import type { Field, Message } from './decode.ts';

/**
 * Field numbers of what `kubectl create` and `kubectl run` write. Source: Kubernetes 1.35, generated.proto of meta,
 * core, batch and authorization.
 */

const field = (name: string, kind: Field['kind'], message?: Message): Field =>
  message === undefined ? { name, kind } : { name, kind, message };
const text = (name: string): Field => field(name, 'text');
const number = (name: string): Field => field(name, 'number');
const ignored: Field = { name: '', kind: 'ignored' };

const ownerReference: Message = {
  1: text('kind'),
  3: text('name'),
  4: text('uid'),
  5: text('apiVersion'),
  6: field('controller', 'switch'),
  7: field('blockOwnerDeletion', 'switch'),
};

const metadata: Field = field('metadata', 'message', {
  1: text('name'),
  2: text('generateName'),
  3: text('namespace'),
  4: ignored,
  5: text('uid'),
  6: text('resourceVersion'),
  7: ignored,
  8: ignored,
  11: field('labels', 'textMap'),
  12: field('annotations', 'textMap'),
  13: field('ownerReferences', 'messages', ownerReference),
  14: field('finalizers', 'texts'),
  17: ignored,
});

const resources: Message = { 1: field('limits', 'quantityMap'), 2: field('requests', 'quantityMap') };

const container: Message = {
  1: text('name'),
  2: text('image'),
  3: field('command', 'texts'),
  4: field('args', 'texts'),
  5: text('workingDir'),
  6: field('ports', 'messages', {
    1: text('name'),
    2: field('hostPort', 'count'),
    3: field('containerPort', 'count'),
    4: text('protocol'),
    5: text('hostIP'),
  }),
  7: field('env', 'messages', { 1: text('name'), 2: text('value') }),
  8: field('resources', 'message', resources),
  13: text('terminationMessagePath'),
  14: text('imagePullPolicy'),
  16: field('stdin', 'flag'),
  17: field('stdinOnce', 'flag'),
  18: field('tty', 'flag'),
  20: text('terminationMessagePolicy'),
};

const podSpec: Field = field('spec', 'message', {
  2: field('containers', 'messages', container),
  3: text('restartPolicy'),
  4: number('terminationGracePeriodSeconds'),
  5: number('activeDeadlineSeconds'),
  6: text('dnsPolicy'),
  7: field('nodeSelector', 'textMap'),
  8: text('serviceAccountName'),
  9: text('serviceAccount'),
  10: text('nodeName'),
  16: text('hostname'),
  17: text('subdomain'),
  19: text('schedulerName'),
  20: field('initContainers', 'messages', container),
  24: text('priorityClassName'),
});

const jobSpec: Field = field('spec', 'message', {
  1: number('parallelism'),
  2: number('completions'),
  3: number('activeDeadlineSeconds'),
  4: field('selector', 'message', { 1: field('matchLabels', 'textMap') }),
  5: field('manualSelector', 'switch'),
  6: field('template', 'message', { 1: metadata, 2: podSpec }),
  7: number('backoffLimit'),
  8: number('ttlSecondsAfterFinished'),
  9: text('completionMode'),
  10: field('suspend', 'switch'),
  12: number('backoffLimitPerIndex'),
  13: number('maxFailedIndexes'),
  14: text('podReplacementPolicy'),
  15: text('managedBy'),
});

const cronJobSpec: Field = field('spec', 'message', {
  1: text('schedule'),
  2: number('startingDeadlineSeconds'),
  3: text('concurrencyPolicy'),
  4: field('suspend', 'switch'),
  5: field('jobTemplate', 'message', { 1: metadata, 2: jobSpec }),
  6: number('successfulJobsHistoryLimit'),
  7: number('failedJobsHistoryLimit'),
  8: text('timeZone'),
});

const accessReviewSpec: Field = field('spec', 'message', {
  1: field('resourceAttributes', 'message', {
    1: text('namespace'),
    2: text('verb'),
    3: text('group'),
    4: text('version'),
    5: text('resource'),
    6: text('subresource'),
    7: text('name'),
  }),
  2: field('nonResourceAttributes', 'message', { 1: text('path'), 2: text('verb') }),
});

const messages: Readonly<Record<string, Message>> = {
  Namespace: { 1: metadata, 2: ignored, 3: ignored },
  ConfigMap: {
    1: metadata,
    2: field('data', 'textMap'),
    3: field('binaryData', 'dataMap'),
    4: field('immutable', 'switch'),
  },
  Secret: {
    1: metadata,
    2: field('data', 'dataMap'),
    3: text('type'),
    4: field('stringData', 'textMap'),
    5: field('immutable', 'switch'),
  },
  ServiceAccount: { 1: metadata },
  ResourceQuota: { 1: metadata, 2: field('spec', 'message', { 1: field('hard', 'quantityMap') }), 3: ignored },
  Pod: { 1: metadata, 2: podSpec, 3: ignored },
  Job: { 1: metadata, 2: jobSpec, 3: ignored },
  CronJob: { 1: metadata, 2: cronJobSpec, 3: ignored },
  SelfSubjectAccessReview: { 1: metadata, 2: accessReviewSpec, 3: ignored },
  SelfSubjectRulesReview: { 1: metadata, 2: field('spec', 'message', { 1: text('namespace') }), 3: ignored },
  SelfSubjectReview: { 1: metadata, 2: ignored },
  DeleteOptions: {
    1: number('gracePeriodSeconds'),
    2: field('preconditions', 'message', { 1: text('uid'), 2: text('resourceVersion') }),
    3: field('orphanDependents', 'switch'),
    4: text('propagationPolicy'),
    5: field('dryRun', 'texts'),
  },
};

/** Undefined for a kind that has no table here. */
export function protobufType(kind: string): Message | undefined {
  return Object.hasOwn(messages, kind) ? messages[kind] : undefined;
}
