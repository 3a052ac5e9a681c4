import { dnsLabelFaults, unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { fields, printedAs } from '../structure.ts';
import { about, between, formatted, formattedIfSet, missingMessage, oneOf, required } from './ruleShapes.ts';
import { monitors } from './sharedVolumes.ts';
import type { NameReference } from './types.ts';
import type { AzureDiskVolume, IscsiVolume, Volume } from './volumeTypes.ts';

/**
 * Disks of storage systems that the API has fields of its own for, most of them superseded by CSI drivers.
 * Source: Kubernetes 1.35, core validation, volume sources.
 */

const source = 'G9';

type VolumeOf<K extends keyof Volume> = NonNullable<Volume[K]>;

/** A required text of a volume; the code says of which. */
const needed = (code: string, says: string) => required({ code, source, says });

const secretNamed = fields<NameReference>({
  name: needed('volume-secret-name', 'A reference to a Secret has a name.'),
});

/** The server names another lower bound than the one that it goes by. */
const diskPartition = rule<number>({
  code: 'disk-partition',
  type: 'Invalid',
  source,
  says: 'A partition is between 0 and 255.',
  refuses: (partition) =>
    (partition < 0 || partition > 255) && about(partition, 'must be between 1 and 255, inclusive'),
});

/** A disk of Google Compute Engine; served by the driver pd.csi.storage.gke.io. */
export const gcePersistentDisk = fields<VolumeOf<'gcePersistentDisk'>>({
  pdName: needed('gce-disk-name', 'A GCE disk has a name.'),
  partition: diskPartition,
});

/** A volume of Amazon EBS; served by the driver ebs.csi.aws.com. */
export const awsElasticBlockStore = fields<VolumeOf<'awsElasticBlockStore'>>({
  volumeID: needed('ebs-volume', 'An EBS volume has an id.'),
  partition: diskPartition,
});

const eui = /^eui.[a-zA-Z0-9]{16}$/u;
const naa = /^naa.[a-zA-Z0-9]{32}$/u;

const iqnAuthority = /[-.a-zA-Z0-9]+/g;
const iqnStart = /iqn\.\d{4}-\d{2}\../;
const forbiddenInIqn = [...',;*&$|\t\n\f\r '];

/** `iqn.2001-04.com.example:disk`, whatever stands in front. Found without looking at any character twice. */
function isQualified(name: string): boolean {
  const lastForbidden = Math.max(...forbiddenInIqn.map((one) => name.lastIndexOf(one)));
  for (const { 0: authority, index } of name.matchAll(iqnAuthority)) {
    const colon = index + authority.length;
    const hasName = name[colon] === ':' && colon > lastForbidden && colon + 1 < name.length;
    if (hasName && iqnStart.test(authority)) return true;
  }
  return false;
}

function iscsiNameFaults(name: string): readonly string[] {
  if (name.startsWith('iqn')) return isQualified(name) ? [] : ['must be valid format'];
  if (name.startsWith('eui')) return eui.test(name) ? [] : ['must be valid format'];
  if (name.startsWith('naa')) return naa.test(name) ? [] : ['must be valid format'];
  return ['must be valid format starting with iqn, eui, or naa'];
}

/** A disk behind an iSCSI portal. */
export const iscsi = fields<IscsiVolume>({
  targetPortal: needed('iscsi-portal', 'An iSCSI volume names its portal.'),
  iqn: [
    needed('iscsi-iqn', 'An iSCSI volume has a qualified name.'),
    formattedIfSet(
      { code: 'iscsi-iqn-format', source, says: 'A name is of the form iqn, eui or naa.' },
      iscsiNameFaults,
    ),
  ],
  lun: between({ code: 'iscsi-lun', source, says: 'A LUN is between 0 and 255.' }, 0, 255),
  secretRef: rule<NameReference, IscsiVolume>({
    code: 'iscsi-secret',
    type: 'Required',
    source,
    says: 'CHAP needs a secret.',
    evenIfAbsent: true,
    refuses: (secret, { chapAuthDiscovery, chapAuthSession }) =>
      secret === undefined && (chapAuthDiscovery === true || chapAuthSession === true) && missingMessage,
  }),
  // The server prints this field in lower case.
  initiatorName: printedAs(
    '.initiatorname',
    formatted(
      { code: 'iscsi-initiator-format', source, says: 'The name of an initiator is of the form iqn, eui or naa.' },
      iscsiNameFaults,
    ),
  ),
});

/** A Ceph block device; no kubelet since 1.31 mounts it. */
export const rbd = fields<VolumeOf<'rbd'>>({ monitors, image: needed('rbd-image', 'An RBD volume has an image.') });

/** A volume of OpenStack; served by the driver cinder.csi.openstack.org. */
export const cinder = fields<VolumeOf<'cinder'>>({
  volumeID: needed('cinder-volume', 'A Cinder volume has an id.'),
  secretRef: secretNamed,
});

type FibreChannel = VolumeOf<'fc'>;

/** A Fibre Channel disk, found by its target and number or by its world wide id. */
export const fc = fields<FibreChannel>({
  targetWWNs: [
    rule<readonly string[], FibreChannel>({
      code: 'fc-target',
      type: 'Required',
      source,
      says: 'A Fibre Channel volume has targets or ids.',
      evenIfAbsent: true,
      refuses: (targets = [], { wwids = [] }) =>
        targets.length === 0 && wwids.length === 0 && 'must specify either targetWWNs or wwids, but not both',
    }),
    rule<readonly string[], FibreChannel>({
      code: 'fc-one-target',
      type: 'Invalid',
      source,
      says: 'A Fibre Channel volume has targets or ids, not both.',
      refuses: (targets, { wwids = [] }) =>
        targets.length > 0 &&
        wwids.length > 0 &&
        `${JSON.stringify(targets)}: targetWWNs and wwids can not be specified simultaneously`,
    }),
  ],
  lun: [
    rule<number, FibreChannel>({
      code: 'fc-lun-required',
      type: 'Required',
      source,
      says: 'A target of Fibre Channel has a LUN.',
      evenIfAbsent: true,
      refuses: (lun, { targetWWNs = [] }) =>
        targetWWNs.length > 0 && lun === undefined && 'lun is required if targetWWNs is specified',
    }),
    rule<number, FibreChannel>({
      code: 'fc-lun',
      type: 'Invalid',
      source,
      says: 'A LUN is between 0 and 255.',
      refuses: (lun, { targetWWNs = [] }) =>
        targetWWNs.length > 0 && (lun < 0 || lun > 255) && about(lun, 'must be between 0 and 255, inclusive'),
    }),
  ],
});

const managedDiskUri =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** An Azure disk; served by the driver disk.csi.azure.com. */
export const azureDisk = fields<AzureDiskVolume>({
  diskName: needed('azure-disk-name', 'An Azure disk has a name.'),
  diskURI: [
    needed('azure-disk-uri', 'An Azure disk has a URI.'),
    rule<string, AzureDiskVolume>({
      code: 'azure-disk-uri-format',
      type: 'NotSupported',
      source,
      says: 'The URI of a managed Azure disk starts with /subscriptions/, that of others with https://.',
      evenIfAbsent: true,
      refuses: (uri = '', { kind }) => {
        if (kind === undefined) return false;
        const form = kind === 'Managed' ? managedDiskUri : blobUri;
        return !uri.startsWith(form.slice(0, form.indexOf('{'))) && unsupportedMessage(uri, [form]);
      },
    }),
  ],
  cachingMode: oneOf({ code: 'azure-disk-caching', source, says: 'Caching is None, ReadOnly or ReadWrite.' }, [
    'None',
    'ReadOnly',
    'ReadWrite',
  ]),
  kind: oneOf({ code: 'azure-disk-kind', source, says: 'An Azure disk is Shared, Dedicated or Managed.' }, [
    'Dedicated',
    'Managed',
    'Shared',
  ]),
});

/** A vSphere disk; served by the driver csi.vsphere.vmware.com. */
export const vsphereVolume = fields<VolumeOf<'vsphereVolume'>>({
  volumePath: needed('vsphere-path', 'A vSphere volume has a path.'),
});

/** A disk of Photon Controller, which no kubelet mounts any more. */
export const photonPersistentDisk = fields<VolumeOf<'photonPersistentDisk'>>({
  pdID: needed('photon-disk', 'A Photon disk has an id.'),
});

/** A Portworx volume; served by the driver pxd.portworx.com. */
export const portworxVolume = fields<VolumeOf<'portworxVolume'>>({
  volumeID: needed('portworx-volume', 'A Portworx volume has an id.'),
});

/** A StorageOS volume, which no kubelet mounts any more. */
export const storageos = fields<VolumeOf<'storageos'>>({
  volumeName: [
    needed('storageos-volume', 'A StorageOS volume has a name.'),
    formattedIfSet({ code: 'storageos-volume-format', source, says: 'The name is a DNS label.' }, dnsLabelFaults),
  ],
  volumeNamespace: formattedIfSet(
    { code: 'storageos-namespace-format', source, says: 'The namespace is a DNS label.' },
    dnsLabelFaults,
  ),
  secretRef: secretNamed,
});

/** A ScaleIO volume, which no kubelet mounts any more. */
export const scaleIO = fields<VolumeOf<'scaleIO'>>({
  gateway: needed('scale-io-gateway', 'A ScaleIO volume has a gateway.'),
  system: needed('scale-io-system', 'A ScaleIO volume has a system.'),
  volumeName: needed('scale-io-volume', 'A ScaleIO volume has a name.'),
});
