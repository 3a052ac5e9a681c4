import { byteLength, dnsLabelFaults, dnsSubdomainFaults, lowerCase, unsupportedMessage } from '../formats.ts';
import { below } from '../path.ts';
import { type Check, type Context, rule } from '../rule.ts';
import { all, fields, printedAs } from '../structure.ts';
import { isAtLeast } from '../version.ts';
import { claimTemplate } from './claimTemplate.ts';
import type { PodContext } from './context.ts';
import * as disk from './diskVolumes.ts';
import { parentStepFaults } from './filePaths.ts';
import { projectedVolume } from './projectedVolume.ts';
import { parseQuantity } from './quantity.ts';
import { about, aboutEach, formattedIfSet, missingMessage, oneOfIfSet, required } from './ruleShapes.ts';
import * as shared from './sharedVolumes.ts';
import type { NameReference } from './types.ts';
import { union } from './union.ts';
import { configMapVolume, downwardVolume, secretVolume } from './volumeFiles.ts';
import type { ClaimTemplate, Volume } from './volumeTypes.ts';

/** The volumes of a pod. Source: Kubernetes 1.35, core validation, volumes. */

const source = 'G9';
const highestFolderMode = 0o1777;
const longestDriverName = 63;
const longestIscsiName = 64;

type VolumeOf<K extends keyof Volume> = NonNullable<Volume[K]>;

const emptyDir = fields<VolumeOf<'emptyDir'>>({
  sizeLimit: rule<string | number>({
    code: 'empty-dir-size',
    type: 'Forbidden',
    source,
    says: 'The size limit of an emptyDir is not negative.',
    refuses: (limit) =>
      (parseQuantity(limit)?.unscaled ?? 0n) < 0n && 'SizeLimit field must be a valid resource quantity',
  }),
  mode: rule<number>({
    code: 'empty-dir-mode',
    type: 'Invalid',
    source,
    since: '1.37',
    says: 'The mode of a folder is between 0 and 01777.',
    refuses: (mode) =>
      (mode < 0 || mode > highestFolderMode) &&
      about(mode, 'must be a number between 0 and 01777 (octal), both inclusive'),
  }),
});

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** Without a path, the server doesn't ask for more. */
const hostPath = fields<VolumeOf<'hostPath'>>({
  path: [
    required({ code: 'host-path-required', source, says: 'A hostPath volume has a path.' }),
    formattedIfSet({ code: 'host-path-format', source, says: 'A path on the host has no `..`.' }, parentStepFaults),
  ],
  type: rule<string, VolumeOf<'hostPath'>>({
    code: 'host-path-type',
    type: 'NotSupported',
    source,
    says: 'The type of a hostPath is a kind of file or folder.',
    refuses: (type, { path = '' }) =>
      path !== '' && !hostPathTypes.includes(type) && unsupportedMessage(type, hostPathTypes),
  }),
});

const persistentVolumeClaim = fields<VolumeOf<'persistentVolumeClaim'>>({
  claimName: required({ code: 'claim-name-required', source, says: 'A volume of a claim names the claim.' }),
});

const csiSecretRequired = fields<NameReference>({
  name: required({ code: 'csi-secret-required', source, says: 'A reference to a Secret has a name.' }),
});

const csi = fields<VolumeOf<'csi'>>({
  driver: [
    required({ code: 'csi-driver-required', source, says: 'A CSI volume names its driver.' }),
    formattedIfSet(
      { code: 'csi-driver-format', source, says: 'The name of a CSI driver is a DNS subdomain in any case.' },
      (name) => dnsSubdomainFaults(lowerCase(name)),
    ),
    rule<string>({
      code: 'csi-driver-format-empty',
      type: 'Invalid',
      source,
      until: '1.34',
      says: 'The name of a CSI driver is a DNS subdomain in any case.',
      evenIfAbsent: true,
      refuses: (name = '') => name === '' && aboutEach(name, dnsSubdomainFaults(name)),
    }),
    rule<string>({
      code: 'csi-driver-length',
      type: 'TooLong',
      source,
      says: 'The name of a CSI driver has at most 63 characters.',
      refuses: (name) => byteLength(name) > longestDriverName && `may not be more than ${longestDriverName} bytes`,
    }),
  ],
  nodePublishSecretRef: [
    csiSecretRequired,
    // The server files a bad name one level higher, as if it were the volume's.
    printedAs<NameReference, VolumeOf<'csi'>, Context>(
      '',
      fields<NameReference>({
        name: formattedIfSet(
          { code: 'csi-secret-format', source, says: 'The name of a Secret is a DNS subdomain.' },
          dnsSubdomainFaults,
        ),
      }),
    ),
  ],
});

const ephemeral = fields<VolumeOf<'ephemeral'>, PodContext>({
  volumeClaimTemplate: [
    rule<ClaimTemplate>({
      code: 'claim-template-required',
      type: 'Required',
      source,
      says: 'An ephemeral volume has the template of its claim.',
      evenIfAbsent: true,
      refuses: (template) => template === undefined && missingMessage,
    }),
    claimTemplate,
  ],
});

const image = fields<VolumeOf<'image'>, PodContext>({
  reference: rule<string, unknown, PodContext>({
    code: 'image-volume-reference',
    type: 'Required',
    source,
    says: 'An image volume names its image; before 1.37 that is asked of pods alone, and not of their templates.',
    evenIfAbsent: true,
    refuses: (reference = '', _image, { tolerances, isPod, version }) =>
      reference === '' &&
      (isPod === true || (isAtLeast(version, '1.37') && !tolerances.emptyImageReference)) &&
      missingMessage,
  }),
  pullPolicy: [
    required({ code: 'image-volume-pull-policy-required', source, says: 'An image volume has a pull policy.' }),
    oneOfIfSet(
      { code: 'image-volume-pull-policy', source, says: 'An image is pulled Always, IfNotPresent or Never.' },
      ['Always', 'IfNotPresent', 'Never'],
    ),
  ],
});

const content = union<Volume, PodContext>(
  {
    emptyDir: { judgedBy: emptyDir },
    hostPath: { judgedBy: hostPath },
    gitRepo: { judgedBy: shared.gitRepo },
    gcePersistentDisk: { judgedBy: disk.gcePersistentDisk, printedAs: 'persistentDisk' },
    awsElasticBlockStore: { judgedBy: disk.awsElasticBlockStore },
    secret: { judgedBy: secretVolume },
    nfs: { judgedBy: shared.nfs },
    iscsi: { judgedBy: disk.iscsi },
    glusterfs: { judgedBy: shared.glusterfs },
    flocker: { judgedBy: shared.flocker },
    persistentVolumeClaim: { judgedBy: persistentVolumeClaim },
    rbd: { judgedBy: disk.rbd },
    cinder: { judgedBy: disk.cinder },
    cephfs: { judgedBy: shared.cephfs, surplusPrintedAs: 'cephFS' },
    quobyte: { judgedBy: shared.quobyte },
    downwardAPI: { judgedBy: downwardVolume, surplusPrintedAs: 'downwarAPI' },
    fc: { judgedBy: disk.fc },
    flexVolume: { judgedBy: shared.flexVolume },
    configMap: { judgedBy: configMapVolume },
    azureFile: { judgedBy: shared.azureFile },
    vsphereVolume: { judgedBy: disk.vsphereVolume },
    photonPersistentDisk: { judgedBy: disk.photonPersistentDisk },
    portworxVolume: { judgedBy: disk.portworxVolume },
    azureDisk: { judgedBy: disk.azureDisk },
    storageos: { judgedBy: disk.storageos },
    projected: { judgedBy: projectedVolume },
    scaleIO: { judgedBy: disk.scaleIO },
    csi: { judgedBy: csi },
    ephemeral: { judgedBy: ephemeral },
    image: { judgedBy: image },
  },
  {
    surplus: rule<unknown, Volume>({
      code: 'volume-one-source',
      type: 'Forbidden',
      source,
      says: 'A volume has one source.',
      refuses: () => 'may not specify more than 1 volume type',
    }),
    missing: rule<Volume>({
      code: 'volume-source-required',
      type: 'Required',
      source,
      says: 'A volume has a source.',
      refuses: () => 'must specify a volume type',
    }),
  },
);

const name = [
  rule<string, Volume>({
    code: 'iscsi-volume-name',
    type: 'Invalid',
    source,
    says: 'With an initiator, the name of the volume and the portal have at most 64 characters together.',
    evenIfAbsent: true,
    refuses: (text = '', { iscsi }) =>
      iscsi?.initiatorName !== undefined &&
      byteLength(`${text}:${iscsi.targetPortal ?? ''}`) > longestIscsiName &&
      about(
        text,
        'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
      ),
  }),
  rule<string, Volume, PodContext>({
    code: 'claim-for-volume-name',
    type: 'Invalid',
    source,
    says: 'The claim for an ephemeral volume is called by pod and volume, and that is a DNS subdomain.',
    refuses: (text, volume, context) => {
      const claim = ownClaimName(volume, context);
      if (claim === undefined || text === '' || !isNothingElse(volume)) return false;
      return dnsSubdomainFaults(claim).map((fault) => about(text, `PVC name ${JSON.stringify(claim)}: ${fault}`));
    },
  }),
  required({ code: 'volume-name-required', source, says: 'A volume has a name.' }),
  formattedIfSet({ code: 'volume-name-format', source, says: 'The name of a volume is a DNS label.' }, dnsLabelFaults),
];

/** What the claim for an ephemeral volume of this pod will be called; a template doesn't know. */
function ownClaimName(
  { name: own = '', ephemeral: made }: Volume,
  { isPod, template }: PodContext,
): string | undefined {
  const pod = template.metadata?.name ?? '';
  return isPod === true && made !== undefined && pod !== '' ? `${pod}-${own}` : undefined;
}

/** A volume of several sources is judged by the first of them; behind ephemeral ones come images alone. */
function isNothingElse({ name: _name, ephemeral: _ephemeral, image: _image, ...others }: Volume): boolean {
  return Object.values(others).every((other) => other === undefined);
}

const claimOfOthers = fields<Volume, PodContext>({
  persistentVolumeClaim: fields<VolumeOf<'persistentVolumeClaim'>, PodContext>({
    claimName: rule<string, unknown, PodContext>({
      code: 'claim-for-volume-alone',
      type: 'Invalid',
      source,
      says: 'The claim that is made for an ephemeral volume of the pod is used by that volume alone.',
      refuses: (claim, _source, context) =>
        context.isPod === true &&
        (context.spec.volumes ?? []).some((one) => ownClaimName(one, context) === claim) &&
        about(claim, 'must not reference a PVC that gets created for an ephemeral volume'),
    }),
  }),
});

const volume = all<Volume, unknown, PodContext>(content, fields<Volume, PodContext>({ name }));

const volumeNameUnique = all(
  rule<string>({
    code: 'volume-name-unique',
    type: 'Duplicate',
    source,
    says: 'A pod has one volume of a name.',
    refuses: (text) => JSON.stringify(text),
  }),
);

/**
 * The volumes of a pod, one after the other. A volume without a fault becomes usable; one whose name is already taken
 * by a usable volume is a duplicate, while a faulty one doesn't take its name.
 */
export const volumes: Check<readonly Volume[], unknown, PodContext> = {
  run: (list, owner, context, path, judgement) => {
    if (!Array.isArray(list)) return;
    const items: readonly Volume[] = list;
    for (const [index, item] of items.entries()) {
      const errorsBefore = judgement.errors.length;
      const place = below(path, index);
      volume.run(item, owner, context, place, judgement);
      const itsName = item.name ?? '';
      if (context.usableVolumes.has(itsName)) {
        volumeNameUnique.run(itsName, item, context, below(place, 'name'), judgement);
      }
      if (judgement.errors.length === errorsBefore) context.usableVolumes.set(itsName, item);
      claimOfOthers.run(item, owner, context, place, judgement);
    }
  },
  visit(visit) {
    volume.visit(visit);
    volumeNameUnique.visit(visit);
    claimOfOthers.visit(visit);
  },
};
