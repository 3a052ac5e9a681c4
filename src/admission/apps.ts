import { dnsLabelFaults, negativeMessage, unsupportedMessage } from './formats.ts';
import { labelSelector, selects } from './labelSelector.ts';
import type { LabelSelector, ObjectMeta } from './objects.ts';
import { type PodSpec, type PodTemplate, parseQuantity, podTemplate } from './pod/index.ts';
import { type Context, rule } from './rule.ts';
import { all, always, each, fields, within } from './structure.ts';

/** Deployments and StatefulSets, on creation. Source: Kubernetes 1.35, apps validation. */

const source = 'Kubernetes 1.35, apps validation';

interface RollingUpdate {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly partition?: number;
}

interface Strategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdate;
}

/** What both have. */
interface AppsSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector?: LabelSelector;
  readonly template?: PodTemplate;
}

interface DeploymentSpec extends AppsSpec {
  readonly progressDeadlineSeconds?: number;
  readonly strategy?: Strategy;
}

interface StatefulSetSpec extends AppsSpec {
  readonly ordinals?: { readonly start?: number };
  readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
  readonly podManagementPolicy?: string;
  readonly serviceName?: string;
  readonly updateStrategy?: Strategy;
  readonly volumeClaimTemplates?: readonly Claim[];
}

/** A claim, as far as its form is looked at here. */
interface Claim {
  readonly metadata?: ObjectMeta;
  readonly spec?: ClaimSpec;
}

interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly resources?: { readonly requests?: Readonly<Record<string, string | number>> };
}

/** A Deployment as its rules see it. */
export interface Deployment {
  readonly metadata?: ObjectMeta;
  readonly spec?: DeploymentSpec;
}

/** A StatefulSet as its rules see it. */
export interface StatefulSet {
  readonly metadata?: ObjectMeta;
  readonly spec?: StatefulSetSpec;
}

function notNegative(code: string, name: string) {
  return rule<number>({
    code,
    type: 'Invalid',
    source,
    says: `${name} is not negative.`,
    refuses: (value) => value < 0 && negativeMessage,
  });
}

const selectorRequired = rule<LabelSelector, AppsSpec>({
  code: 'apps-selector-required',
  type: 'Required',
  source,
  says: 'A Deployment or StatefulSet needs a selector for its pods.',
  evenIfAbsent: true,
  refuses: (selector) => selector === undefined && '',
});

const selectorNotEmpty = rule<LabelSelector, AppsSpec>({
  code: 'apps-selector-empty',
  type: 'Invalid',
  source,
  says: 'The selector of a Deployment or StatefulSet names at least one label.',
  refuses: ({ matchLabels = {}, matchExpressions = [] }) =>
    Object.keys(matchLabels).length + matchExpressions.length === 0 && 'empty selector is invalid',
});

const selectorReadable = rule<LabelSelector, AppsSpec>({
  code: 'apps-selector-readable',
  type: 'Invalid',
  source,
  says: 'The selector of a Deployment or StatefulSet can be understood.',
  refuses: (selector) => selects(selector, {}) === undefined && 'invalid label selector',
});

const templateSelected = rule<PodTemplate, AppsSpec>({
  code: 'apps-template-selected',
  type: 'Invalid',
  source,
  says: 'The selector of a Deployment or StatefulSet matches the labels of its template.',
  evenIfAbsent: true,
  // Without a selector nothing is selected.
  refuses: (template, { selector }) =>
    selects(selector, template?.metadata?.labels ?? {}) === false && {
      message: '`selector` does not match template `labels`',
      at: ['metadata', 'labels'],
    },
});

const restartAlways = rule<string, PodSpec>({
  code: 'apps-restart-policy',
  type: 'NotSupported',
  source,
  says: 'The pods of a Deployment or StatefulSet are restarted always.',
  refuses: (policy) => policy !== 'Always' && unsupportedMessage(policy, ['Always']),
});

const noDeadline = rule<number, PodSpec>({
  code: 'apps-active-deadline',
  type: 'Forbidden',
  source,
  says: 'The pods of a Deployment or StatefulSet have no deadline.',
  refuses: () => 'activeDeadlineSeconds is not supported here',
});

function template<C extends Context>(podsOf: (own: PodTemplate, spec: AppsSpec) => PodTemplate) {
  return all<PodTemplate, AppsSpec, C>(
    templateSelected,
    {
      judgesAbsent: true,
      run: (value, spec, context, path, judgement) =>
        podTemplate.run(podsOf(value ?? {}, spec), spec, context, path, judgement),
      visit: podTemplate.visit,
    },
    always<PodTemplate, AppsSpec, C>(
      {},
      fields<PodTemplate, C>({
        spec: fields<PodSpec, C>({ restartPolicy: restartAlways, activeDeadlineSeconds: noDeadline }),
      }),
    ),
  );
}

const shared = {
  replicas: notNegative('apps-replicas-negative', 'replicas'),
  minReadySeconds: notNegative('apps-min-ready-negative', 'minReadySeconds'),
  revisionHistoryLimit: notNegative('apps-history-negative', 'revisionHistoryLimit'),
  selector: [selectorRequired, labelSelector, selectorNotEmpty, selectorReadable],
} as const;

const percent = /^[0-9]+%$/;

/** Numbers of pods: a whole number, or a share of all. */
function amountFaults(amount: number | string): string | false {
  if (typeof amount === 'number') return amount < 0 && negativeMessage;
  return !percent.test(amount) && "a valid percent string must be a numeric string followed by an ending '%'";
}

const amountFormat = rule<number | string>({
  code: 'apps-amount',
  type: 'Invalid',
  source,
  says: 'How many pods may be replaced at once is a whole number or a percentage.',
  refuses: amountFaults,
});

const atMostAll = rule<number | string>({
  code: 'apps-amount-all',
  type: 'Invalid',
  source,
  says: 'No more than all pods can be unavailable.',
  refuses: (amount) =>
    typeof amount === 'string' &&
    percent.test(amount) &&
    Number.parseInt(amount, 10) > 100 &&
    'must not be greater than 100%',
});

/** As the server counts: a text that is no percentage is a number, or else nothing. */
function isZero(amount: number | string): boolean {
  if (typeof amount === 'number') return amount === 0;
  return percent.test(amount) || /^[+-]?[0-9]+$/.test(amount) ? Number.parseInt(amount, 10) === 0 : true;
}

const someMove = rule<number | string, RollingUpdate>({
  code: 'apps-rolling-update-stuck',
  type: 'Invalid',
  source,
  says: 'A rolling update either goes above the number of pods or below it.',
  refuses: (amount, { maxSurge }) => isZero(amount) && isZero(maxSurge ?? '25%') && 'may not be 0 when `maxSurge` is 0',
});

const strategyKnown = rule<Strategy>({
  code: 'deployment-strategy',
  type: 'NotSupported',
  source,
  says: 'The strategy of a Deployment is Recreate or RollingUpdate.',
  refuses: ({ type = '' }) =>
    type !== '' &&
    type !== 'Recreate' &&
    type !== 'RollingUpdate' &&
    unsupportedMessage(type, ['Recreate', 'RollingUpdate']),
});

const recreateAlone = rule<RollingUpdate, Strategy>({
  code: 'deployment-recreate-alone',
  type: 'Forbidden',
  source,
  says: 'Only the strategy RollingUpdate has a rollingUpdate.',
  refuses: (_update, { type }) => type === 'Recreate' && "may not be specified when strategy `type` is 'Recreate'",
});

const deadlineAboveReady = rule<number, DeploymentSpec>({
  code: 'deployment-deadline',
  type: 'Invalid',
  source,
  says: 'progressDeadlineSeconds is greater than minReadySeconds.',
  refuses: (seconds, { minReadySeconds = 0 }) => seconds <= minReadySeconds && 'must be greater than minReadySeconds',
});

const rollingUpdate = fields<RollingUpdate>({
  maxUnavailable: [amountFormat, someMove, atMostAll],
  maxSurge: amountFormat,
});

/** The spec of a Deployment. */
export const deploymentSpec = always<DeploymentSpec, unknown, Context>(
  {},
  fields<DeploymentSpec>({
    ...shared,
    template: template((own) => own),
    strategy: [
      strategyKnown,
      fields<Strategy>({
        rollingUpdate: [
          recreateAlone,
          within<RollingUpdate, Strategy, Context, Context>(
            'deployment-rolling-update',
            (_update, { type = 'RollingUpdate' }, context) => (type === 'RollingUpdate' ? context : undefined),
            rollingUpdate,
          ),
        ],
      }),
    ],
    progressDeadlineSeconds: [
      notNegative('deployment-deadline-negative', 'progressDeadlineSeconds'),
      deadlineAboveReady,
    ],
  }),
);

const retentionKnown = rule<string>({
  code: 'stateful-set-retention',
  type: 'NotSupported',
  source,
  says: 'What becomes of the claims of a StatefulSet is Retain or Delete.',
  refuses: (policy) =>
    policy !== '' && policy !== 'Retain' && policy !== 'Delete' && unsupportedMessage(policy, ['Retain', 'Delete']),
});

const managementKnown = rule<string>({
  code: 'stateful-set-management',
  type: 'Invalid',
  source,
  says: 'podManagementPolicy is OrderedReady or Parallel.',
  refuses: (policy) =>
    policy !== '' &&
    policy !== 'OrderedReady' &&
    policy !== 'Parallel' &&
    `${JSON.stringify(policy)}: must be 'OrderedReady' or 'Parallel'`,
});

const updateKnown = rule<Strategy>({
  code: 'stateful-set-update',
  type: 'Invalid',
  source,
  says: 'The updateStrategy of a StatefulSet is RollingUpdate or OnDelete.',
  refuses: ({ type = '' }) =>
    type !== '' && type !== 'RollingUpdate' && type !== 'OnDelete' && "must be 'RollingUpdate' or 'OnDelete'",
});

const onDeleteAlone = rule<RollingUpdate, Strategy>({
  code: 'stateful-set-on-delete-alone',
  type: 'Invalid',
  source,
  says: 'Only the updateStrategy RollingUpdate has a rollingUpdate.',
  refuses: (_update, { type }) => type === 'OnDelete' && "only allowed for updateStrategy 'RollingUpdate'",
});

const serviceName = rule<string>({
  code: 'stateful-set-service-name',
  type: 'Invalid',
  source,
  says: 'The serviceName of a StatefulSet is a DNS label.',
  refuses: (name) => name !== '' && dnsLabelFaults(name),
});

const claimModes = rule<readonly string[]>({
  code: 'stateful-set-claim-modes',
  type: 'Required',
  source,
  says: 'A claim has an access mode.',
  evenIfAbsent: true,
  refuses: (modes = []) => modes.length === 0 && 'at least 1 access mode is required',
});

const claimStorage = rule<ClaimSpec>({
  code: 'stateful-set-claim-storage',
  type: 'Required',
  source,
  says: 'A claim requests storage.',
  evenIfAbsent: true,
  refuses: (spec) =>
    spec?.resources?.requests?.['storage'] === undefined && { at: ['resources', { key: 'storage' }], message: '' },
});

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const claimModeKnown = rule<readonly string[]>({
  code: 'stateful-set-claim-mode',
  type: 'NotSupported',
  source,
  says: 'The access modes are ReadWriteOnce, ReadOnlyMany, ReadWriteMany and ReadWriteOncePod.',
  refuses: (own) => own.filter((mode) => !modes.includes(mode)).map((mode) => unsupportedMessage(mode, modes)),
});

const claimPositive = rule<ClaimSpec>({
  code: 'stateful-set-claim-positive',
  type: 'Invalid',
  source,
  says: 'A claim requests more than nothing.',
  refuses: ({ resources }) => {
    const storage = parseQuantity(String(resources?.requests?.['storage'] ?? ''));
    if (storage === undefined || storage.unscaled > 0n) return false;
    return { at: ['resources', { key: 'storage' }], message: 'must be greater than zero' };
  },
});

const claim = fields<Claim>({
  spec: [claimStorage, claimPositive, always({}, fields<ClaimSpec>({ accessModes: [claimModes, claimModeKnown] }))],
});

/** The controller brings the volumes of the claim templates, and sets hostname and subdomain. */
function withClaims(own: PodTemplate, { volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplate {
  const { subdomain: _subdomain, hostname: _hostname, volumes = [], ...spec } = own.spec ?? {};
  const names = [...new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ''))];
  const claims = names.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return {
    ...own,
    spec: { ...spec, volumes: [...claims, ...volumes.filter(({ name = '' }) => !names.includes(name))] },
  };
}

/** The spec of a StatefulSet. */
export const statefulSetSpec = always<StatefulSetSpec, unknown, Context>(
  {},
  fields<StatefulSetSpec>({
    ...shared,
    template: template(withClaims),
    ordinals: fields<{ readonly start?: number }>({
      start: notNegative('stateful-set-start-negative', 'ordinals.start'),
    }),
    persistentVolumeClaimRetentionPolicy: fields<{ readonly whenDeleted?: string; readonly whenScaled?: string }>({
      whenDeleted: retentionKnown,
      whenScaled: retentionKnown,
    }),
    podManagementPolicy: managementKnown,
    serviceName,
    volumeClaimTemplates: each<Claim>(claim),
    updateStrategy: [
      updateKnown,
      fields<Strategy>({
        rollingUpdate: [
          onDeleteAlone,
          fields<RollingUpdate>({
            partition: notNegative('stateful-set-partition-negative', 'partition'),
            maxUnavailable: [amountFormat, atMostAll],
          }),
        ],
      }),
    ],
  }),
);
