import type { WordsByType } from './fieldWords.ts';

/** The fields of volumes and mounts. Source of the facts: Kubernetes 1.34 to 1.37, core defaults and validation. */
const modeWords = { says: 'Permissions, in octal: `0400`. JSON knows decimal alone: 256.', unset: '`0644`' };
const itemsWords = { says: 'Which keys become files, and of what name.', unset: 'all of them' };

export const volumeWords: WordsByType = {
  Volume: {
    configMap: 'Files from a config map.',
    csi: 'Storage from a driver, made with the pod and gone with it.',
    downwardAPI: "Files with fields of the pod's own.",
    emptyDir: 'A folder on the node, empty at first and gone with the pod. Retries start with an empty one.',
    ephemeral: 'A volume claim made with the pod and gone with it.',
    hostPath: "A path of the node's own. A risk for the node, and other files on each node.",
    image: { says: 'The files of an image, read-only.', since: '1.36; on by default from 1.35' },
    name: 'By which containers mount it.',
    nfs: 'A folder of an NFS server.',
    persistentVolumeClaim:
      'Storage by a claim that exists. Of a delegated Job, in the worker cluster, with its own content.',
    projected: 'Files from several sources in one folder.',
    secret: 'Files from a secret, kept in memory.',
  },
  VolumeMount: {
    mountPath: 'Where it is seen in the container.',
    mountPropagation: {
      says: 'Whether mounts made inside and outside are seen on the other side.',
      unset: '`None`',
      values: {
        None: 'Neither way.',
        HostToContainer: 'Those of the node, in the container.',
        Bidirectional: 'Both ways. For privileged containers alone.',
      },
    },
    name: 'One of `volumes` of the pod.',
    readOnly: { says: 'Whether it may only be read.', unset: '`false`' },
    recursiveReadOnly: {
      says: 'Whether mounts below it are read-only too.',
      unset: '`Disabled`',
      values: {
        Disabled: 'They are not.',
        IfPossible: 'Where the node can do that.',
        Enabled: 'They are, or the pod does not start.',
      },
    },
    subPath: 'A part of the volume instead of all. It does not follow changes of a config map or secret.',
    subPathExpr: 'The same with `$(NAME)` for variables: a folder for each index.',
  },
  VolumeDevice: { devicePath: 'Where the device is seen.', name: 'One of `volumes` of the pod.' },
  ConfigMapVolumeSource: {
    defaultMode: modeWords,
    items: itemsWords,
    name: 'Of the config map, in the namespace of the cluster that runs the pod.',
    optional: { says: 'Whether the pod starts without it.', unset: '`false`: it waits' },
  },
  SecretVolumeSource: {
    defaultMode: modeWords,
    items: itemsWords,
    optional: { says: 'Whether the pod starts without it.', unset: '`false`: it waits' },
    secretName: 'Of the secret, in the namespace of the cluster that runs the pod.',
  },
  KeyToPath: {
    key: 'The key.',
    mode: { says: 'Permissions of this file.', unset: 'those of the volume' },
    path: 'The name of the file, relative to the mount.',
  },
  EmptyDirVolumeSource: {
    medium: {
      says: 'Where it is kept.',
      unset: "the node's disk",
      values: { Memory: "In memory, which counts against the container's limit." },
    },
    sizeLimit: 'How large it may grow before the pod is evicted.',
  },
  PersistentVolumeClaimVolumeSource: {
    claimName: 'Of the claim, in the namespace of the cluster that runs the pod.',
    readOnly: { says: 'Mounts it for reading alone, in all containers.', unset: '`false`' },
  },
  HostPathVolumeSource: {
    path: 'On the node.',
    type: {
      says: 'What must be there.',
      unset: 'not looked at',
      values: {
        Directory: 'A folder.',
        DirectoryOrCreate: 'A folder, made if it is missing.',
        File: 'A file.',
        FileOrCreate: 'A file, made if it is missing.',
        Socket: 'A Unix socket.',
        BlockDevice: 'A block device.',
        CharDevice: 'A character device.',
      },
    },
  },
  ProjectedVolumeSource: { defaultMode: modeWords, sources: 'Where the files come from.' },
  VolumeProjection: {
    configMap: 'Files from a config map.',
    downwardAPI: "Files with fields of the pod's own.",
    secret: 'Files from a secret.',
    serviceAccountToken: 'A token of the service account, renewed in time.',
  },
  ServiceAccountTokenProjection: {
    audience: { says: 'Who shall accept it.', unset: 'the API server' },
    expirationSeconds: { says: 'How long it is good for; at least 600.', unset: '3600' },
    path: 'The name of the file.',
  },
  DownwardAPIVolumeSource: { defaultMode: modeWords, items: 'The files.' },
  DownwardAPIVolumeFile: {
    fieldRef: 'A field of the pod.',
    path: 'The name of the file.',
    resourceFieldRef: 'A limit or request of a container.',
  },
  EphemeralVolumeSource: { volumeClaimTemplate: 'The claim that is made.' },
  PersistentVolumeClaimSpec: {
    accessModes: {
      says: 'Who may use it at once.',
      values: {
        ReadWriteOnce: 'Pods of one node, for writing.',
        ReadOnlyMany: 'Any pods, for reading.',
        ReadWriteMany: 'Any pods, for writing.',
        ReadWriteOncePod: 'One pod alone, for writing.',
      },
    },
    resources: 'How large it must be, in `requests.storage`.',
    storageClassName: { says: 'What kind of storage.', unset: 'the default class of the cluster' },
    volumeMode: {
      says: 'How it is seen.',
      unset: '`Filesystem`',
      values: { Filesystem: 'As files.', Block: 'As a device.' },
    },
  },
  NFSVolumeSource: {
    path: 'On the server.',
    readOnly: { says: 'For reading alone.', unset: '`false`' },
    server: 'Its name or address.',
  },
  ImageVolumeSource: {
    pullPolicy: {
      says: 'When the image is fetched.',
      unset: '`Always` for the tag `latest` and for none, else `IfNotPresent`',
      values: { Always: 'At each start.', IfNotPresent: 'When the node does not have it.', Never: 'Not at all.' },
    },
    reference: 'The image.',
  },
};
