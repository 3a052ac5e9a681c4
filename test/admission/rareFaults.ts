import type { AdmissionRequest, KubernetesMinor } from '../../src/admission/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { create, cronJob, identity, job, statusUpdate, template, update } from './requests.ts';

/** A request that breaks one rule, and the same request mended. */
export interface RareFault {
  readonly code: string;
  readonly broken: AdmissionRequest;
  readonly mended: AdmissionRequest;
  /** 1.35 where none is named. */
  readonly version?: KubernetesMinor;
}

const labels = { app: 'a' };
const manual = { manualSelector: true, selector: { matchLabels: labels }, template: template({}, { labels }) };
const { uid, creationTimestamp } = identity;

/** A stored Job whose labels and selector are its user's own. */
function own(spec: JsonObject = {}, metadata: JsonObject = {}, status: JsonObject = {}): JsonObject {
  return job(
    { ...manual, ...spec },
    { uid, creationTimestamp, generation: 1, resourceVersion: '41', ...metadata },
    status,
  );
}

function withMetadata(metadata: JsonObject): AdmissionRequest {
  return create(job({}, metadata));
}

function withOwner(owner: JsonObject): AdmissionRequest {
  return withMetadata({ ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', ...owner }] });
}

function withPolicyRule(rule: JsonObject, count = 1): AdmissionRequest {
  return create(job({ podFailurePolicy: { rules: Array.from({ length: count }, () => rule) } }));
}

const ignored = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] };
const gang = { schedulingPolicy: { gang: { minCount: 1 } } };
const isTrue = (type: string): JsonObject => ({ type, status: 'True' });

/** Of the rules that no sample breaks, one request each. Confirmed by Kubernetes' own code. */
export const rareFaults: readonly RareFault[] = [
  { code: 'name-required', broken: withMetadata({ name: '' }), mended: withMetadata({ name: '', generateName: 'a-' }) },
  { code: 'name-immutable', broken: update(own({}, { name: 'other' }), own()), mended: update(own(), own()) },
  {
    code: 'generate-name-format',
    broken: withMetadata({ generateName: 'AB-' }),
    mended: withMetadata({ generateName: 'a-' }),
  },
  { code: 'namespace-format', broken: withMetadata({ namespace: 'a.b' }), mended: withMetadata({ namespace: 'a-b' }) },
  {
    code: 'namespace-immutable',
    broken: update(own({}, { namespace: 'team-b' }), own()),
    mended: update(own({}, { namespace: '' }), own()),
  },
  {
    code: 'uid-immutable',
    broken: update(own({}, { uid: 'other' }), own()),
    mended: update(own({}, { uid: '' }), own()),
  },
  {
    code: 'creation-immutable',
    broken: update(own(), own({}, { creationTimestamp: null })),
    mended: update(own({}, { creationTimestamp: null }), own()),
  },
  {
    code: 'deletion-immutable',
    broken: update(own({}, { deletionTimestamp: creationTimestamp }), own()),
    mended: update(own(), own({}, { deletionTimestamp: creationTimestamp })),
  },
  {
    code: 'deletion-grace-immutable',
    broken: update(own({}, { deletionGracePeriodSeconds: 1 }), own({}, { deletionGracePeriodSeconds: 2 })),
    mended: update(own(), own({}, { deletionGracePeriodSeconds: 2 })),
  },
  {
    code: 'annotations-size',
    broken: withMetadata({ annotations: { a: 'x'.repeat(262_144) } }),
    mended: withMetadata({ annotations: { a: 'x'.repeat(262_143) } }),
  },
  { code: 'owner-api-version', broken: withOwner({ apiVersion: 'a/b/c' }), mended: withOwner({ apiVersion: 'a/b' }) },
  {
    code: 'owner-api-version-required',
    broken: withOwner({ apiVersion: '' }),
    mended: withOwner({}),
    version: '1.37',
  },
  ...(['kind', 'name', 'uid'] as const).flatMap((part): readonly RareFault[] => [
    { code: `owner-${part}-empty`, broken: withOwner({ [part]: '' }), mended: withOwner({}) },
    { code: `owner-${part}-required`, broken: withOwner({ [part]: '' }), mended: withOwner({}), version: '1.37' },
  ]),
  {
    code: 'owner-not-event',
    broken: withOwner({ kind: 'Event' }),
    mended: withOwner({ kind: 'Event', apiVersion: 'v2' }),
  },
  {
    code: 'finalizers-closed',
    broken: update(own({}, { finalizers: ['a/b'] }), own({}, { deletionTimestamp: creationTimestamp })),
    mended: update(own(), own({}, { deletionTimestamp: creationTimestamp, finalizers: ['a/b'] })),
  },
  {
    code: 'finalizer-format',
    broken: withMetadata({ finalizers: ['a b/c'] }),
    mended: withMetadata({ finalizers: ['a/c'] }),
  },
  {
    code: 'finalizers-exclusive',
    broken: withMetadata({ finalizers: ['orphan', 'foregroundDeletion'] }),
    mended: withMetadata({ finalizers: ['orphan'] }),
  },
  {
    code: 'backoff-limit-negative',
    broken: create(job({ backoffLimit: -1 })),
    mended: create(job({ backoffLimit: 0 })),
  },
  { code: 'failure-policy-rules-count', broken: withPolicyRule(ignored, 21), mended: withPolicyRule(ignored, 20) },
  {
    code: 'failure-policy-conditions-count',
    broken: withPolicyRule({ ...ignored, onPodConditions: Array.from({ length: 21 }, () => ({ type: 'A' })) }),
    mended: withPolicyRule({ ...ignored, onPodConditions: Array.from({ length: 20 }, () => ({ type: 'A' })) }),
  },
  {
    code: 'scheduling-forbidden',
    broken: update(own({ scheduling: { schedulingPolicy: { gang: { minCount: 1 } } } }), own({ scheduling: {} })),
    mended: update(own({ scheduling: gang }), own({ scheduling: gang })),
    version: '1.37',
  },
  {
    code: 'scheduling-kept',
    broken: update(own(), own({ scheduling: gang })),
    mended: update(own({ scheduling: gang }), own({ scheduling: gang })),
    version: '1.37',
  },
  {
    code: 'scheduling-gang-parallelism',
    broken: update(own({ scheduling: gang, parallelism: 0 }), own({ scheduling: gang, parallelism: 0 })),
    mended: update(own({ scheduling: gang, parallelism: 1 }), own({ scheduling: gang, parallelism: 0 })),
    version: '1.37',
  },
  {
    code: 'scheduling-disruption-basic',
    broken: update(
      own({ scheduling: { disruptionMode: { all: {} } } }),
      own({ scheduling: { disruptionMode: { all: {} } } }),
    ),
    mended: update(
      own({ scheduling: { ...gang, disruptionMode: { all: {} } } }),
      own({ scheduling: { ...gang, disruptionMode: { all: {} } } }),
    ),
    version: '1.37',
  },
  {
    code: 'scheduling-policy-variant',
    broken: update(own({ scheduling: { schedulingPolicy: { basic: {} } } }), own({ scheduling: gang })),
    mended: update(own({ scheduling: gang }), own({ scheduling: gang })),
    version: '1.37',
  },
  { code: 'selector-required', broken: create(job({ manualSelector: true })), mended: create(job(manual)) },
  {
    code: 'status-success-and-failed',
    broken: statusUpdate(
      own({}, {}, { startTime: creationTimestamp, conditions: ['SuccessCriteriaMet', 'Failed'].map(isTrue) }),
      own(),
    ),
    mended: statusUpdate(
      own({}, {}, { startTime: creationTimestamp, conditions: ['FailureTarget', 'Failed'].map(isTrue) }),
      own(),
    ),
  },
  { code: 'cron-job-selector', broken: create(cronJob({}, { selector: {} })), mended: create(cronJob()) },
  {
    code: 'cron-job-manual-selector',
    broken: create(cronJob({}, { manualSelector: true })),
    mended: create(cronJob({}, { manualSelector: false })),
  },
];
