import { unsupportedMessage } from '../formats.ts';
import { type Complaint, rule } from '../rule.ts';
import { containersOf } from './context.ts';
import { missingMessage } from './ruleShapes.ts';
import type { PodSecurityContext, PodSpec, SecurityContext } from './types.ts';

/** What the operating system of a pod forbids. Source: Kubernetes 1.35, core validation, OS. */

const source = 'G18';
const systems = ['linux', 'windows'];

type OperatingSystem = NonNullable<PodSpec['os']>;

/** `os: {}` is not the same as no `os`. */
export const osNameRequired = rule<OperatingSystem>({
  code: 'os-name-required',
  type: 'Required',
  source,
  says: 'An operating system has a name.',
  refuses: ({ name = '' }) => name === '' && [{ at: ['name'], message: missingMessage }],
});

/** Any other name is refused, also in another case. */
export const osKnown = rule<OperatingSystem>({
  code: 'os-known',
  type: 'NotSupported',
  source,
  says: 'The operating system of a pod is linux or windows.',
  refuses: ({ name = '' }) => name !== '' && !systems.includes(name) && unsupportedMessage(name, systems),
});

/** Fields of the security context that mean nothing on Windows. An empty list of sysctls is fine. */
const linuxOfPod = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const satisfies readonly (keyof PodSecurityContext)[];

const linuxOfContainer = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const satisfies readonly (keyof SecurityContext)[];

/** Windows pods have no Linux settings. */
export const noLinuxOnWindows = rule<PodSpec>({
  code: 'os-windows-fields',
  type: 'Forbidden',
  source,
  says: 'A Windows pod has no Linux settings.',
  refuses: (spec) => {
    if (spec.os?.name !== 'windows') return false;
    const { securityContext: ofPod = {} } = spec;
    const places: (readonly (string | number)[])[] = linuxOfPod
      .filter((field) => ofPod[field] !== undefined)
      .map((field) => ['securityContext', field]);
    if ((ofPod.sysctls ?? []).length > 0) places.push(['securityContext', 'sysctls']);
    if (spec.hostUsers !== undefined) places.push(['hostUsers']);
    if (spec.hostPID === true) places.push(['hostPID']);
    if (spec.hostIPC === true) places.push(['hostIPC']);
    if (spec.shareProcessNamespace !== undefined) places.push(['shareProcessNamespace']);
    for (const { list, index, container } of containersOf(spec)) {
      const { securityContext = {} } = container;
      for (const field of linuxOfContainer) {
        if (securityContext[field] !== undefined) places.push([list, index, 'securityContext', field]);
      }
    }
    return places.map((at) => ({ at, message: 'cannot be set for a windows pod' }));
  },
});

/** Linux pods have no Windows settings. */
export const noWindowsOnLinux = rule<PodSpec>({
  code: 'os-linux-fields',
  type: 'Forbidden',
  source,
  says: 'A Linux pod has no Windows settings.',
  refuses: (spec) => {
    if (spec.os?.name !== 'linux') return false;
    const message = 'windows options cannot be set for a linux pod';
    const complaints: Complaint[] = [];
    if (spec.securityContext?.windowsOptions !== undefined) {
      complaints.push({ at: ['securityContext', 'windowsOptions'], message });
    }
    for (const { list, index, container } of containersOf(spec)) {
      if (container.securityContext?.windowsOptions === undefined) continue;
      complaints.push({ at: [list, index, 'securityContext', 'windowsOptions'], message });
    }
    return complaints;
  },
});
