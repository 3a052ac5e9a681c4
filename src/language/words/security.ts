import type { WordsByType } from './fieldWords.ts';

const profileTypes = {
  RuntimeDefault: "The container runtime's own profile.",
  Localhost: 'A profile on the node, named by `localhostProfile`.',
  Unconfined: 'None.',
};

/** The fields of security contexts. Source of the facts: Kubernetes 1.34 to 1.37, core validation. */
export const securityWords: WordsByType = {
  SecurityContext: {
    allowPrivilegeEscalation: {
      says: 'Whether a program may gain more rights than its parent had, as with setuid. `false` is asked for by the restricted pod security standard.',
      unset: '`true`',
    },
    appArmorProfile: 'The AppArmor profile.',
    capabilities: 'Single rights of root, given or taken.',
    privileged: { says: 'Root on the node, in all but name.', unset: '`false`' },
    procMount: {
      says: 'How `/proc` is seen.',
      unset: '`Default`',
      values: { Default: 'With the usual parts hidden.', Unmasked: 'As a whole. Needs `hostUsers: false`.' },
    },
    readOnlyRootFilesystem: {
      says: "Whether the image's own files are read-only. What the program writes then needs a volume.",
      unset: '`false`',
    },
    runAsGroup: { says: 'The group, by its number.', unset: "the image's own" },
    runAsNonRoot: { says: 'Refuses to start as root.', unset: '`false`' },
    runAsUser: { says: 'The user, by its number.', unset: "the image's own" },
    seLinuxOptions: 'The SELinux context.',
    seccompProfile: 'Which system calls are allowed.',
    windowsOptions: 'For containers on Windows.',
  },
  PodSecurityContext: {
    appArmorProfile: 'The AppArmor profile of all containers.',
    fsGroup: 'The group that volumes are given to.',
    fsGroupChangePolicy: {
      says: 'When the files of a volume are given to `fsGroup`.',
      unset: '`Always`',
      values: {
        Always: 'At each mount, file by file: slow for large volumes.',
        OnRootMismatch: 'When its top folder belongs to another group.',
      },
    },
    runAsGroup: { says: 'The group, by its number.', unset: "the image's own" },
    runAsNonRoot: { says: 'Refuses to start containers as root.', unset: '`false`' },
    runAsUser: { says: 'The user, by its number.', unset: "the image's own" },
    seLinuxOptions: 'The SELinux context of all containers.',
    seccompProfile: 'Which system calls are allowed.',
    supplementalGroups: 'Further groups, by number.',
    supplementalGroupsPolicy: {
      says: "Whether groups of the image's own count.",
      unset: '`Merge`',
      values: { Merge: 'They do.', Strict: 'They do not.' },
    },
    sysctls: 'Kernel settings of the pod.',
    windowsOptions: 'For containers on Windows.',
  },
  Capabilities: {
    add: 'Given: `NET_ADMIN` and the like.',
    drop: 'Taken. `ALL` takes all.',
  },
  SeccompProfile: {
    localhostProfile: 'A file below the folder that the node keeps them in. For `Localhost` alone.',
    type: { says: 'Which profile.', values: profileTypes },
  },
  AppArmorProfile: {
    localhostProfile: 'Its name on the node. For `Localhost` alone.',
    type: { says: 'Which profile.', values: profileTypes },
  },
  SELinuxOptions: {
    level: 'The level.',
    role: 'The role.',
    type: 'The type.',
    user: 'The user.',
  },
  Sysctl: { name: 'Of the setting.', value: 'As text.' },
};
