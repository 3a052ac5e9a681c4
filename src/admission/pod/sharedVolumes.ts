import { byteLength } from '../formats.ts';
import { type Complaint, rule } from '../rule.ts';
import { all, fields } from '../structure.ts';
import { descendingPathFaults } from './filePaths.ts';
import { about, formattedIfSet, missingMessage, required } from './ruleShapes.ts';
import type { Volume } from './volumeTypes.ts';

/**
 * Shared file systems that the API has fields of its own for, most of them superseded by CSI drivers.
 * Source: Kubernetes 1.35, core validation, volume sources.
 */

const source = 'G9';

type VolumeOf<K extends keyof Volume> = NonNullable<Volume[K]>;

/** A required text of a volume; the code says of which. */
const needed = (code: string, says: string) => required({ code, source, says });

/** Where a Ceph cluster is found. */
export const monitors = rule<readonly string[]>({
  code: 'ceph-monitors',
  type: 'Required',
  source,
  says: 'Ceph is found by its monitors.',
  evenIfAbsent: true,
  refuses: (list = []) => list.length === 0 && missingMessage,
});

/** A clone of a git repository; insecure, and off by default since 1.33. */
export const gitRepo = fields<VolumeOf<'gitRepo'>>({
  repository: needed('git-repository', 'A git volume names its repository.'),
  directory: formattedIfSet(
    { code: 'git-directory-format', source, says: 'The directory is relative, without `..`.' },
    descendingPathFaults,
  ),
});

/** A folder of an NFS server. An absent path is refused twice, as missing and as not absolute. */
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
      refuses: (path = '') => !path.startsWith('/') && about(path, 'must be an absolute path'),
    }),
  ],
});

/** A Gluster volume; no kubelet since 1.26 mounts it. */
export const glusterfs = fields<VolumeOf<'glusterfs'>>({
  endpoints: needed('gluster-endpoints', 'A Gluster volume names its endpoints.'),
  path: needed('gluster-path', 'A Gluster volume has a path.'),
});

/** A Flocker dataset, which no kubelet mounts any more. */
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
      datasetName !== '' &&
      datasetUUID !== '' &&
      about('resource', 'datasetName and datasetUUID can not be specified simultaneously'),
  }),
  fields<VolumeOf<'flocker'>>({
    datasetName: rule<string>({
      code: 'flocker-dataset-name-format',
      type: 'Invalid',
      source,
      says: 'The name of a dataset has no slash.',
      refuses: (name) => name.includes('/') && about(name, "must not contain '/'"),
    }),
  }),
);

/** A Ceph file system; no kubelet since 1.31 mounts it. */
export const cephfs = fields<VolumeOf<'cephfs'>>({ monitors });

/** `host:port` as the server's network library splits it. */
function isHostAndPort(text: string): boolean {
  const bracketed = /^\[[^[\]]*\]:[^:[\]]*$/;
  return bracketed.test(text) || /^[^:[\]]*:[^:[\]]*$/.test(text);
}

const longestTenant = 64;
const registryForm = 'must be a host:port pair or multiple pairs separated by commas';

/** A Quobyte volume, which no kubelet mounts any more. */
export const quobyte = fields<VolumeOf<'quobyte'>>({
  registry: [
    rule<string>({
      code: 'quobyte-registry',
      type: 'Required',
      source,
      says: 'A Quobyte volume names its registry.',
      evenIfAbsent: true,
      refuses: (registry = '') => registry === '' && registryForm,
    }),
    rule<string, VolumeOf<'quobyte'>>({
      code: 'quobyte-registry-format',
      type: 'Invalid',
      source,
      says: 'A registry is one or several pairs of host and port.',
      refuses: (registry, { tenant = '' }) =>
        registry !== '' &&
        byteLength(tenant) <= longestTenant &&
        !registry.split(',').every(isHostAndPort) &&
        about(registry, registryForm),
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

/** A volume of a driver that is a program on the node; superseded by CSI. */
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
        complaints.push({ at: [{ key }], message: about(key, 'kubernetes.io and k8s.io namespaces are reserved') });
      }
      return complaints;
    },
  }),
});

/** An Azure file share; served by the driver file.csi.azure.com. */
export const azureFile = fields<VolumeOf<'azureFile'>>({
  secretName: needed('azure-file-secret', 'An Azure share names its Secret.'),
  shareName: needed('azure-file-share', 'An Azure share has a name.'),
});
