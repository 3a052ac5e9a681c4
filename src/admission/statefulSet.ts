import {
  type AppsSpec,
  amountFormat,
  atMostAll,
  ifRolling,
  isZero,
  lastingPods,
  notNegative,
  type RollingUpdate,
  type Strategy,
  shared,
  source,
  template,
} from './apps.ts';
import { dnsLabelFaults, unsupportedMessage } from './formats.ts';
import type { ObjectMeta } from './objects.ts';
import { type ClaimSpec, claimSpec, isGateOn, type PodTemplate } from './pod/index.ts';
import { type Context, rule } from './rule.ts';
import { always, each, fields } from './structure.ts';
import type { KubernetesMinor } from './verdict.ts';

/** StatefulSets, on creation. Source: Kubernetes 1.35, apps validation. */

export interface StatefulSetSpec extends AppsSpec {
  readonly ordinals?: { readonly start?: number };
  readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
  readonly podManagementPolicy?: string;
  readonly serviceName?: string;
  readonly updateStrategy?: Strategy;
  readonly volumeClaimTemplates?: readonly Claim[];
}

/** A claim, as far as it is looked at here. */
interface Claim {
  readonly metadata?: ObjectMeta;
  readonly spec?: ClaimSpec;
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

const someUnavailable = rule<number | string>({
  code: 'stateful-set-rolling-update-stuck',
  type: 'Invalid',
  source,
  since: '1.37',
  says: 'While a StatefulSet is updated, some of its pods are unavailable.',
  refuses: (amount) => isZero(amount) && 'cannot be 0',
});

const rollingUpdate = fields<RollingUpdate>({
  partition: notNegative('stateful-set-partition-negative', 'partition'),
  maxUnavailable: [amountFormat, someUnavailable, atMostAll],
});

/** The server drops fields whose feature gate is off. */
export function withoutGatedUpdate(spec: StatefulSetSpec, version: KubernetesMinor): StatefulSetSpec {
  const { updateStrategy } = spec;
  if (updateStrategy?.rollingUpdate?.maxUnavailable === undefined) return spec;
  if (isGateOn('MaxUnavailableStatefulSet', version)) return spec;
  const { maxUnavailable: _dropped, ...rollingUpdate } = updateStrategy.rollingUpdate;
  return { ...spec, updateStrategy: { ...updateStrategy, rollingUpdate } };
}

/** The spec of a StatefulSet. */
export const statefulSetSpec = always<StatefulSetSpec, unknown, Context>(
  {},
  fields<StatefulSetSpec>({
    ...shared,
    template: [template(withClaims), lastingPods],
    ordinals: fields<{ readonly start?: number }>({
      start: notNegative('stateful-set-start-negative', 'ordinals.start'),
    }),
    persistentVolumeClaimRetentionPolicy: fields<{ readonly whenDeleted?: string; readonly whenScaled?: string }>({
      whenDeleted: retentionKnown,
      whenScaled: retentionKnown,
    }),
    podManagementPolicy: managementKnown,
    serviceName,
    volumeClaimTemplates: each<Claim>(fields<Claim>({ spec: always({}, claimSpec) })),
    updateStrategy: [
      updateKnown,
      fields<Strategy>({
        rollingUpdate: [onDeleteAlone, ifRolling('stateful-set-rolling-update', rollingUpdate)],
      }),
    ],
  }),
);
