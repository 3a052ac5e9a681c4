import { unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { all, each, fields } from '../structure.ts';
import type { PodContext } from './context.ts';
import { isHostSysctl, namespaceOf } from './hostSysctls.ts';
import { about, missingMessage, oneOf, unique, userOrGroupId } from './ruleShapes.ts';
import { appArmorProfile, seccompProfile } from './securityProfiles.ts';
import type { PodSecurityContext, SecurityContext, Sysctl } from './types.ts';
import { windowsOptions } from './windows.ts';

/** Security contexts of pods and containers. Source: Kubernetes 1.35, core validation, security context. */

const source = 'G17';

const user = userOrGroupId({ code: 'run-as-user', source, says: 'A user id is between 0 and 2147483647.' });
const group = userOrGroupId({ code: 'run-as-group', source, says: 'A group id is between 0 and 2147483647.' });

const procMountKnown = oneOf({ code: 'proc-mount-known', source, says: 'procMount is Default or Unmasked.' }, [
  'Default',
  'Unmasked',
]);

const unmaskedNeedsUserNamespace = rule<string, unknown, PodContext>({
  code: 'proc-mount-unmasked',
  type: 'Invalid',
  source,
  says: 'An unmasked /proc needs hostUsers: false.',
  refuses: (procMount, _owner, { spec }) =>
    procMount === 'Unmasked' &&
    spec.hostUsers !== false &&
    about(procMount, '`hostUsers` must be false to use `Unmasked`'),
});

const privilegedEscalates = rule<SecurityContext>({
  code: 'privileged-escalates',
  type: 'Invalid',
  source,
  says: 'A privileged container can not be kept from escalating.',
  refuses: ({ privileged, allowPrivilegeEscalation }) =>
    privileged === true &&
    allowPrivilegeEscalation === false &&
    'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
});

const sysAdminEscalates = rule<SecurityContext, unknown, PodContext>({
  code: 'sys-admin-escalates',
  type: 'Invalid',
  source,
  says: 'A container with CAP_SYS_ADMIN can not be kept from escalating.',
  refuses: ({ capabilities, allowPrivilegeEscalation }, _container, { tolerances }) =>
    allowPrivilegeEscalation === false &&
    !tolerances.sysAdminWithoutEscalation &&
    capabilities?.add?.includes('CAP_SYS_ADMIN') === true &&
    'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
});

/** The security context of one container. */
export const containerSecurityContext = all(
  fields<SecurityContext, PodContext>({
    runAsUser: user,
    runAsGroup: group,
    procMount: [procMountKnown, unmaskedNeedsUserNamespace],
    seccompProfile,
    windowsOptions,
    appArmorProfile,
  }),
  privilegedEscalates,
  sysAdminEscalates,
);

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlPattern = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlName = new RegExp(sysctlPattern);
const longestSysctl = 253;

function isSysctlName(name: string): boolean {
  return name.length <= longestSysctl && sysctlName.test(name);
}

const sysctlNameRequired = rule<string>({
  code: 'sysctl-name-required',
  type: 'Required',
  source,
  says: 'A sysctl has a name.',
  evenIfAbsent: true,
  refuses: (name = '') => name === '' && missingMessage,
});

const sysctlNameFormat = rule<string>({
  code: 'sysctl-name-format',
  type: 'Invalid',
  source,
  says: 'The name of a sysctl has segments of lower case letters and digits, with dots or slashes between.',
  refuses: (name) =>
    name !== '' &&
    !isSysctlName(name) &&
    about(name, `must have at most ${longestSysctl} characters and match regex ${sysctlPattern}`),
});

const sysctlUnique = unique<Sysctl>(
  { code: 'sysctl-unique', source, says: 'A sysctl is set once.' },
  ({ name = '' }) => (isSysctlName(name) ? name : undefined),
  'name',
);

const notHostSysctl = rule<string, unknown, PodContext>({
  code: 'sysctl-of-host',
  type: 'Invalid',
  source,
  says: 'A pod in a namespace of its host does not set the sysctls of that namespace.',
  refuses: (name, _sysctl, { spec, tolerances }) => {
    if (tolerances.hostSysctls || !isHostSysctl(name, spec)) return false;
    const shared = namespaceOf(name) === 'net' ? 'hostNetwork' : 'hostIPC';
    return about(name, `may not be specified when '${shared}' is true`);
  },
});

const seLinuxChangePolicies = ['MountOption', 'Recursive'];

const seLinuxChangePolicy = rule<string, unknown, PodContext>({
  code: 'selinux-change-policy',
  type: 'NotSupported',
  source,
  says: 'SELinux labels are changed recursively or, from 1.37 on, by a mount option.',
  refuses: (policy, _owner, { tolerances }) => {
    const known = tolerances.anySELinuxChangePolicy ? seLinuxChangePolicies : ['Recursive'];
    return !known.includes(policy) && unsupportedMessage(policy, known);
  },
});

/** The security context of the pod. */
export const podSecurityContext = fields<PodSecurityContext, PodContext>({
  fsGroup: userOrGroupId({ code: 'fs-group', source, says: 'A group id is between 0 and 2147483647.' }),
  runAsUser: user,
  runAsGroup: group,
  supplementalGroups: each<number, PodContext>(
    userOrGroupId({ code: 'supplemental-group', source, says: 'A group id is between 0 and 2147483647.' }),
  ),
  sysctls: [
    each(fields<Sysctl, PodContext>({ name: [sysctlNameRequired, sysctlNameFormat, notHostSysctl] })),
    sysctlUnique,
  ],
  fsGroupChangePolicy: oneOf(
    { code: 'fs-group-change-policy', source, says: 'fsGroupChangePolicy is Always or OnRootMismatch.' },
    ['Always', 'OnRootMismatch'],
  ),
  seccompProfile,
  windowsOptions,
  appArmorProfile,
  supplementalGroupsPolicy: oneOf(
    { code: 'supplemental-groups-policy', source, says: 'supplementalGroupsPolicy is Merge or Strict.' },
    ['Merge', 'Strict'],
  ),
  seLinuxChangePolicy,
});
