import {
  type AppsSpec,
  amountFormat,
  atMostAll,
  notNegative,
  type RollingUpdate,
  type Strategy,
  shared,
  source,
  template,
} from './apps.ts';
import { dnsLabelFaults, unsupportedMessage } from './formats.ts';
import type { ObjectMeta } from './objects.ts';
import { type PodTemplate, parseQuantity } from './pod/index.ts';
import { type Context, rule } from './rule.ts';
import { always, each, fields } from './structure.ts';

/** StatefulSets, on creation. Source: Kubernetes 1.35, apps validation. */

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

/** A StatefulSet as its rules see it. */
export interface StatefulSet {
  readonly metadata?: ObjectMeta;
  readonly spec?: StatefulSetSpec;
}

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
    spec?.resources?.requests?.['storage'] === undefined && {
      at: ['resources', { key: 'storage' }],
      message: '',
    },
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
