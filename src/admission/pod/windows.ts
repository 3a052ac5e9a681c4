import { byteLength, dnsSubdomainFaults } from '../formats.ts';
import { type Complaint, rule } from '../rule.ts';
import { fields } from '../structure.ts';
import { containersOf, type PodContext } from './context.ts';
import { about, formatted } from './ruleShapes.ts';
import type { PodSpec, WindowsOptions } from './types.ts';

/** Options of Windows containers. Source: Kubernetes 1.35, core validation, Windows security context. */

const source = 'G17';
const longestCredentialSpec = 64 * 1024;
const longestDomain = 255;
const longestUser = 104;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const controlCharacter = /[\x00-\x1f\x7f]/;
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const dnsDomain = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const onlyDotsAndSpaces = /^[. ]+$/;
const forbiddenInUser = /["/\\:;|=,+*?<>@[\]]/;

function userNameFaults(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (controlCharacter.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts[parts.length - 1] ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const faults: string[] = [];
  if (domain !== undefined && byteLength(domain) > longestDomain) {
    faults.push("runAsUserName's Domain length must be under 256 characters");
  }
  if (domain !== undefined && !netBiosDomain.test(domain) && !dnsDomain.test(domain)) {
    faults.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') faults.push("runAsUserName's User cannot be empty");
  if (byteLength(user) > longestUser) {
    faults.push("runAsUserName's User length must not be longer than 104 characters");
  }
  if (onlyDotsAndSpaces.test(user)) faults.push("runAsUserName's User cannot contain only periods or spaces");
  if (forbiddenInUser.test(user)) {
    faults.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return faults;
}

/** The Windows options of a pod or container. */
export const windowsOptions = fields<WindowsOptions>({
  gmsaCredentialSpecName: formatted(
    { code: 'windows-credential-name-format', source, says: 'The name of a credential spec is a DNS subdomain.' },
    dnsSubdomainFaults,
  ),
  gmsaCredentialSpec: rule<string>({
    code: 'windows-credential-spec',
    type: 'Invalid',
    source,
    says: 'A credential spec has between one byte and 64 KiB.',
    refuses: (spec) => {
      if (spec === '') return about(spec, 'gmsaCredentialSpec cannot be an empty string');
      return byteLength(spec) > longestCredentialSpec && about(spec, 'gmsaCredentialSpec size must be under 64 KiB');
    },
  }),
  runAsUserName: formatted(
    { code: 'windows-user-name-format', source, says: 'A Windows user is `user` or `domain\\user`.' },
    userNameFaults,
  ),
});

/** Where each container runs as a process of its host, counted; undefined as long as none does. */
function hostProcesses(spec: PodSpec): { readonly all: number; readonly onHost: number } {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let all = 0;
  let onHost = 0;
  for (const { container } of containersOf(spec)) {
    all++;
    if (container.securityContext?.windowsOptions?.hostProcess ?? ofPod ?? false) onHost++;
  }
  return { all, onHost };
}

/** A pod and its containers agree on hostProcess. */
export const hostProcessAgrees = rule<PodSpec>({
  code: 'host-process-agrees',
  type: 'Invalid',
  source,
  says: 'A container says the same about hostProcess as its pod.',
  refuses: (spec) => {
    const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
    if (ofPod === undefined) return false;
    const complaints: Complaint[] = [];
    for (const { list, index, container } of containersOf(spec)) {
      const own = container.securityContext?.windowsOptions?.hostProcess;
      if (own === undefined || own === ofPod) continue;
      complaints.push({
        at: [list, index, 'securityContext', 'windowsOptions', 'hostProcess'],
        message: about(own, `pod hostProcess value must be identical if both are specified, was ${ofPod}`),
      });
    }
    return complaints;
  },
});

/** Either all containers of a pod run as processes of the host, or none. */
export const hostProcessForAll = rule<PodSpec>({
  code: 'host-process-for-all',
  type: 'Invalid',
  source,
  says: 'Either all containers of a pod run as processes of the host, or none.',
  refuses: (spec) => {
    const { all, onHost } = hostProcesses(spec);
    return (
      onHost > 0 &&
      onHost !== all &&
      about('', 'If pod contains any hostProcess containers then all containers must be HostProcess containers')
    );
  },
});

/** Processes of the host use its network. */
export const hostProcessNeedsHostNetwork = rule<boolean, PodSpec, PodContext>({
  code: 'host-process-needs-host-network',
  type: 'Invalid',
  source,
  says: 'A pod of host processes uses the network of the host.',
  evenIfAbsent: true,
  refuses: (hostNetwork, spec) =>
    hostNetwork !== true &&
    hostProcesses(spec).onHost > 0 &&
    about(false, 'hostNetwork must be true if pod contains any hostProcess containers'),
});
