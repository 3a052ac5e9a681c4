import { dnsLabelFaults, dnsSubdomainFaults, unsupportedMessage } from '../formats.ts';
import { labelSelector } from '../labelSelector.ts';
import { annotations, labels } from '../metadata.ts';
import { type Context, rule } from '../rule.ts';
import { all, always, fields, printedAs } from '../structure.ts';
import { amountsOf } from './amounts.ts';
import type { PodContext } from './context.ts';
import { formatQuantity } from './quantity.ts';
import { about, formattedIfSet, missingMessage, oneOf, required } from './ruleShapes.ts';
import type { ClaimDataSource, ClaimSpec, ClaimTemplate } from './volumeTypes.ts';

/** Claims made for one pod. Source: Kubernetes 1.35, core validation, persistent volume claim template. */

const source = 'G9';
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Zero values of plain fields don't count as set, whatever stands behind a pointer or is a list does. */
const notSettable = rule<unknown>({
  code: 'claim-template-metadata',
  type: 'Forbidden',
  source,
  says: 'The template of a claim has labels and annotations and no other metadata.',
  refuses: (value) => value !== '' && value !== 0 && 'cannot be set',
});

const neverSettable = rule<unknown>({
  code: 'claim-template-metadata-pointer',
  type: 'Forbidden',
  source,
  says: 'The template of a claim has labels and annotations and no other metadata.',
  refuses: () => 'cannot be set',
});

type ClaimMetadata = NonNullable<ClaimTemplate['metadata']>;

const claimMetadata = fields<ClaimMetadata, PodContext>({
  annotations,
  labels,
  name: notSettable,
  generateName: notSettable,
  namespace: notSettable,
  selfLink: notSettable,
  // The server derives the printed name from its own field's.
  uid: printedAs('.uID', notSettable),
  resourceVersion: notSettable,
  generation: notSettable,
  creationTimestamp: notSettable,
  deletionTimestamp: neverSettable,
  deletionGracePeriodSeconds: neverSettable,
  ownerReferences: neverSettable,
  finalizers: neverSettable,
  managedFields: neverSettable,
});

const modesRequired = rule<readonly string[]>({
  code: 'claim-access-modes-required',
  type: 'Required',
  source,
  says: 'A claim has an access mode.',
  evenIfAbsent: true,
  refuses: (modes = []) => modes.length === 0 && 'at least 1 access mode is required',
});

const modesKnown = rule<readonly string[]>({
  code: 'claim-access-mode-known',
  type: 'NotSupported',
  source,
  says: 'The access modes are ReadWriteOnce, ReadOnlyMany, ReadWriteMany and ReadWriteOncePod.',
  refuses: (modes) =>
    modes.filter((mode) => !accessModes.includes(mode)).map((mode) => unsupportedMessage(mode, accessModes)),
});

const oneModeForOnePod = rule<readonly string[]>({
  code: 'claim-access-mode-alone',
  type: 'Forbidden',
  source,
  says: 'ReadWriteOncePod stands alone.',
  refuses: (modes) =>
    modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode)) &&
    'may not use ReadWriteOncePod with other access modes',
});

const storageRequired = rule<ClaimSpec>({
  code: 'claim-storage-required',
  type: 'Required',
  source,
  says: 'A claim requests storage.',
  refuses: ({ resources }) =>
    resources?.requests?.['storage'] === undefined && [
      { at: ['resources', { key: 'storage' }], message: missingMessage },
    ],
});

const storagePositive = rule<ClaimSpec>({
  code: 'claim-storage-positive',
  type: 'Invalid',
  source,
  says: 'A claim requests more than nothing.',
  refuses: ({ resources }) => {
    const storage = amountsOf(resources?.requests).get('storage');
    if (storage === undefined || storage.unscaled > 0n) return false;
    const message = about(formatQuantity(storage), 'must be greater than zero');
    return [{ at: ['resources', { key: 'storage' }], message }];
  },
});

const dataSource = all(
  fields<ClaimDataSource>({
    name: required({ code: 'claim-source-name', source, says: 'A source of data has a name.' }),
    kind: required({ code: 'claim-source-kind', source, says: 'A source of data has a kind.' }),
    apiGroup: formattedIfSet(
      { code: 'claim-source-group-format', source, says: 'An API group is a DNS subdomain.' },
      dnsSubdomainFaults,
    ),
  }),
  rule<ClaimDataSource>({
    code: 'claim-source-core-kind',
    type: 'Invalid',
    source,
    says: 'The only source of data in the core group is a claim.',
    refuses: ({ apiGroup = '', kind = '' }) =>
      apiGroup === '' &&
      kind !== 'PersistentVolumeClaim' &&
      about(kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"),
  }),
);

const dataSourceRef = all(
  dataSource,
  fields<ClaimDataSource>({
    namespace: formattedIfSet(
      { code: 'claim-source-namespace-format', source, says: 'A namespace is a DNS label.' },
      dnsLabelFaults,
    ),
  }),
);

const sourcesAgree = rule<ClaimSpec>({
  code: 'claim-sources-agree',
  type: 'Invalid',
  source,
  says: 'dataSource and dataSourceRef name the same; with a namespace there is no dataSource.',
  refuses: ({ dataSource: plain, dataSourceRef: reference }) => {
    if (plain === undefined || reference === undefined) return false;
    if ((reference.namespace ?? '') !== '') return 'may not be specified when dataSourceRef.namespace is specified';
    const isSame =
      plain.apiGroup === reference.apiGroup &&
      (plain.kind ?? '') === (reference.kind ?? '') &&
      (plain.name ?? '') === (reference.name ?? '');
    return !isSame && 'must match dataSourceRef';
  },
});

const className = (code: string, says: string) => formattedIfSet({ code, source, says }, dnsSubdomainFaults);

/** The spec of a claim, whoever makes it. */
export const claimSpec = all<ClaimSpec, unknown, Context>(
  fields<ClaimSpec, Context>({
    accessModes: [modesRequired, modesKnown, oneModeForOnePod],
    selector: labelSelector,
    storageClassName: className('claim-storage-class-format', 'The name of a storage class is a DNS subdomain.'),
    volumeMode: oneOf({ code: 'claim-volume-mode', source, says: 'A volume is a Block or a Filesystem.' }, [
      'Block',
      'Filesystem',
    ]),
    dataSource,
    dataSourceRef,
    volumeAttributesClassName: className(
      'claim-attributes-class-format',
      'The name of a class of volume attributes is a DNS subdomain.',
    ),
  }),
  storageRequired,
  storagePositive,
  sourcesAgree,
);

/** The template of the claim that a pod gets for an ephemeral volume. */
export const claimTemplate = fields<ClaimTemplate, PodContext>({
  metadata: claimMetadata,
  spec: always({}, claimSpec),
});
