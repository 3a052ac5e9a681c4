import { byteLength, dnsLabelFaults } from '../formats.ts';
import { type Complaint, rule } from '../rule.ts';
import { all, fields, printedAs } from '../structure.ts';
import { descendingPathFaults } from './filePaths.ts';
import { between, formatted, formattedIfSet, missingMessage, oneOf, required } from './ruleShapes.ts';
import type { NameReference } from './types.ts';
import type { AzureDiskVolume, IscsiVolume, Volume } from './volumeTypes.ts';

/**
 * Volumes of storage systems that the API has fields of its own for, most of them superseded by CSI drivers.
 * Source: Kubernetes 1.35, core validation, volume sources.
 */

const source = 'G9';

type VolumeOf<K extends keyof Volume> = NonNullable<Volume[K]>;

/** A required text of a volume; the code says of which. */
const needed = (code: string, says: string) => required({ code, source, says });

const secretNamed = fields<NameReference>({
  name: needed('volume-secret-name', 'A reference to a Secret has a name.'),
});

const diskPartition = between({ code: 'disk-partition', source, says: 'A partition is between 0 and 255.' }, 0, 255);

const monitors = rule<readonly string[]>({
  code: 'ceph-monitors',
  type: 'Required',
  source,
  says: 'Ceph is found by its monitors.',
  evenIfAbsent: true,
  refuses: (list = []) => list.length === 0 && missingMessage,
});

export const gcePersistentDisk = fields<VolumeOf<'gcePersistentDisk'>>({
  pdName: needed('gce-disk-name', 'A GCE disk has a name.'),
  partition: diskPartition,
});

export const awsElasticBlockStore = fields<VolumeOf<'awsElasticBlockStore'>>({
  volumeID: needed('ebs-volume', 'An EBS volume has an id.'),
  partition: diskPartition,
});

export const gitRepo = fields<VolumeOf<'gitRepo'>>({
  repository: needed('git-repository', 'A git volume names its repository.'),
  directory: formattedIfSet(
    { code: 'git-directory', source, says: 'The directory is relative, without `..`.' },
    descendingPathFaults,
  ),
});

export const nfs = fields<VolumeOf<'nfs'>>({
  server: needed('nfs-server', 'An NFS volume names its server.'),
  path: [
    needed('nfs-path', 'An NFS volume has a path.'),
    rule<string>({
      code: 'nfs-path-absolute',
      type: 'Invalid',
      source,
      says: 'The path on an NFS server is absolute.',
      evenIfAbsent: true,
      refuses: (path = '') => !path.startsWith('/') && `${JSON.stringify(path)}: must be an absolute path`,
    }),
  ],
});

const iqn = /iqn\.\d{4}-\d{2}\.[-.a-zA-Z0-9]+:[^,;*&$|\t\n\f\r ]+$/;
const eui = /^eui.[a-zA-Z0-9]{16}$/u;
const naa = /^naa.[a-zA-Z0-9]{32}$/u;

function iscsiNameFaults(name: string): readonly string[] {
  if (name.startsWith('iqn')) return iqn.test(name) ? [] : ['must be valid format'];
  if (name.startsWith('eui')) return eui.test(name) ? [] : ['must be valid format'];
  if (name.startsWith('naa')) return naa.test(name) ? [] : ['must be valid format'];
  return ['must be valid format starting with iqn, eui, or naa'];
}

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
      { code: 'iscsi-initiator', source, says: 'The name of an initiator is of the form iqn, eui or naa.' },
      iscsiNameFaults,
    ),
  ),
});

export const glusterfs = fields<VolumeOf<'glusterfs'>>({
  endpoints: needed('gluster-endpoints', 'A Gluster volume names its endpoints.'),
  path: needed('gluster-path', 'A Gluster volume has a path.'),
});

export const flocker = all(
  rule<VolumeOf<'flocker'>>({
    code: 'flocker-dataset',
    type: 'Required',
    source,
    says: 'A Flocker volume names its dataset.',
    refuses: ({ datasetName = '', datasetUUID = '' }) =>
      datasetName === '' && datasetUUID === '' && 'one of datasetName and datasetUUID is required',
  }),
  rule<VolumeOf<'flocker'>>({
    code: 'flocker-one-dataset',
    type: 'Invalid',
    source,
    says: 'A Flocker volume has the name or the UUID of its dataset.',
    refuses: ({ datasetName = '', datasetUUID = '' }) =>
      datasetName !== '' && datasetUUID !== '' && 'datasetName and datasetUUID can not be specified simultaneously',
  }),
  fields<VolumeOf<'flocker'>>({
    datasetName: rule<string>({
      code: 'flocker-dataset-name',
      type: 'Invalid',
      source,
      says: 'The name of a dataset has no slash.',
      refuses: (name) => name.includes('/') && `${JSON.stringify(name)}: must not contain '/'`,
    }),
  }),
);

export const rbd = fields<VolumeOf<'rbd'>>({ monitors, image: needed('rbd-image', 'An RBD volume has an image.') });

export const cephfs = fields<VolumeOf<'cephfs'>>({ monitors });

export const cinder = fields<VolumeOf<'cinder'>>({
  volumeID: needed('cinder-volume', 'A Cinder volume has an id.'),
  secretRef: secretNamed,
});

/** `host:port` as the server's network library splits it. */
function isHostAndPort(text: string): boolean {
  const bracketed = /^\[[^[\]]*\]:[^:[\]]*$/;
  return bracketed.test(text) || /^[^:[\]]*:[^:[\]]*$/.test(text);
}

const longestTenant = 64;

export const quobyte = fields<VolumeOf<'quobyte'>>({
  registry: [
    needed('quobyte-registry', 'A Quobyte volume names its registry.'),
    rule<string, VolumeOf<'quobyte'>>({
      code: 'quobyte-registry-format',
      type: 'Invalid',
      source,
      says: 'A registry is one or several pairs of host and port.',
      refuses: (registry, { tenant = '' }) =>
        registry !== '' &&
        byteLength(tenant) <= longestTenant &&
        !registry.split(',').every(isHostAndPort) &&
        `${JSON.stringify(registry)}: must be a host:port pair or multiple pairs separated by commas`,
    }),
  ],
  tenant: rule<string, VolumeOf<'quobyte'>>({
    code: 'quobyte-tenant',
    type: 'Required',
    source,
    says: 'The id of a tenant has at most 64 characters.',
    refuses: (tenant, { registry = '' }) =>
      registry !== '' &&
      byteLength(tenant) > longestTenant &&
      'must be a UUID and may not exceed a length of 64 characters',
  }),
  volume: needed('quobyte-volume', 'A Quobyte volume has a name.'),
});

type FibreChannel = VolumeOf<'fc'>;

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
        targets.length > 0 && wwids.length > 0 && 'targetWWNs and wwids can not be specified simultaneously',
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
        targetWWNs.length > 0 && (lun < 0 || lun > 255) && `${lun}: must be between 0 and 255, inclusive`,
    }),
  ],
});

export const flexVolume = fields<VolumeOf<'flexVolume'>>({
  driver: needed('flex-driver', 'A flex volume names its driver.'),
  options: rule<Readonly<Record<string, string>>>({
    code: 'flex-options',
    type: 'Invalid',
    source,
    says: 'The option names of kubernetes.io and k8s.io are reserved.',
    refuses: (options) => {
      const complaints: Complaint[] = [];
      for (const key in options) {
        const domain = `.${(key.split('/', 1)[0] ?? '').toLowerCase()}`;
        if (!domain.endsWith('.kubernetes.io') && !domain.endsWith('.k8s.io')) continue;
        complaints.push({ at: [{ key }], message: 'kubernetes.io and k8s.io namespaces are reserved' });
      }
      return complaints;
    },
  }),
});

export const azureFile = fields<VolumeOf<'azureFile'>>({
  secretName: needed('azure-file-secret', 'An Azure share names its Secret.'),
  shareName: needed('azure-file-share', 'An Azure share has a name.'),
});

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
        const start = kind === 'Managed' ? '/subscriptions/' : 'https://';
        return !uri.startsWith(start) && `${JSON.stringify(uri)}: must start with ${start}`;
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

export const vsphereVolume = fields<VolumeOf<'vsphereVolume'>>({
  volumePath: needed('vsphere-path', 'A vSphere volume has a path.'),
});

export const photonPersistentDisk = fields<VolumeOf<'photonPersistentDisk'>>({
  pdID: needed('photon-disk', 'A Photon disk has an id.'),
});

export const portworxVolume = fields<VolumeOf<'portworxVolume'>>({
  volumeID: needed('portworx-volume', 'A Portworx volume has an id.'),
});

export const storageos = fields<VolumeOf<'storageos'>>({
  volumeName: [
    needed('storageos-volume', 'A StorageOS volume has a name.'),
    formattedIfSet({ code: 'storageos-volume-format', source, says: 'The name is a DNS label.' }, dnsLabelFaults),
  ],
  volumeNamespace: formattedIfSet(
    { code: 'storageos-namespace', source, says: 'The namespace is a DNS label.' },
    dnsLabelFaults,
  ),
  secretRef: secretNamed,
});

export const scaleIO = fields<VolumeOf<'scaleIO'>>({
  gateway: needed('scale-io-gateway', 'A ScaleIO volume has a gateway.'),
  system: needed('scale-io-system', 'A ScaleIO volume has a system.'),
  volumeName: needed('scale-io-volume', 'A ScaleIO volume has a name.'),
});
