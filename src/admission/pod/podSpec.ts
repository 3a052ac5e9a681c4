import { byteLength, dnsLabelFaults, dnsSubdomainFaults, qualifiedNameFaults } from '../formats.ts';
import { labels } from '../metadata.ts';
import { type Check, type RuleFacts, rule } from '../rule.ts';
import { all, each, fields, printedAs } from '../structure.ts';
import { affinity } from './affinity.ts';
import { appArmorAgrees, seccompAgrees } from './annotations.ts';
import { containers, initContainers } from './container.ts';
import { containersOf, type PodContext } from './context.ts';
import { dnsConfig, dnsConfigRequired, hasOwnResolver, hostAliases } from './dns.ts';
import { ephemeralContainers } from './ephemeralContainer.ts';
import { evictionResponders } from './evictionResponders.ts';
import { noLinuxOnWindows, noWindowsOnLinux, osKnown, osNameRequired } from './os.ts';
import { podResources } from './podResources.ts';
import { resourceClaims } from './resourceClaims.ts';
import { overhead } from './resources.ts';
import {
  about,
  aboutEach,
  alwaysFormatted,
  formatted,
  formattedIfSet,
  missingMessage,
  oneOf,
  oneOfIfSet,
  unique,
} from './ruleShapes.ts';
import { podSecurityContext } from './securityContext.ts';
import { tolerations } from './toleration.ts';
import { topologySpread } from './topologySpread.ts';
import type { DnsConfig, PodSpec } from './types.ts';
import { volumes } from './volume.ts';
import { hostProcessAgrees, hostProcessForAll, hostProcessNeedsHostNetwork } from './windows.ts';

/** The spec of a pod. Source: Kubernetes 1.35, core validation, pod spec. */

const source = 'G12';
const longestHostname = 64;
const highestInt32 = 2147483647;

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

const activeDeadline = rule<number>({
  code: 'pod-active-deadline',
  type: 'Invalid',
  source,
  says: "A pod's deadline is between 1 and 2147483647 seconds.",
  refuses: (seconds) =>
    (seconds < 1 || seconds > highestInt32) && about(seconds, `must be between 1 and ${highestInt32}, inclusive`),
});

const preemptionKnown = oneOfIfSet(
  { code: 'preemption-policy', source, says: 'preemptionPolicy is PreemptLowerPriority or Never.' },
  ['PreemptLowerPriority', 'Never'],
);

const preemptionRequired = rule<string>({
  code: 'preemption-policy-required',
  type: 'Required',
  source,
  says: 'A preemptionPolicy is not empty.',
  refuses: (policy) => policy === '' && missingMessage,
});

const subdomain = (code: string, says: string) => formattedIfSet({ code, source, says }, dnsSubdomainFaults);
const label = (code: string, says: string) => formattedIfSet({ code, source, says }, dnsLabelFaults);

/** Through 1.36 the server filed this under the security context. */
function sharesOwnProcesses(code: string, held: Pick<RuleFacts, 'since' | 'until'>) {
  return rule<boolean, PodSpec>({
    code,
    type: 'Invalid',
    source: 'G17',
    says: 'With the processes of its host, a pod has none of its own to share.',
    ...held,
    refuses: (isShared, { hostPID }) =>
      isShared && hostPID === true && 'true: ShareProcessNamespace and HostPID cannot both be enabled',
  });
}

/** Without hostUsers, a pod has no other namespace in common with its host. */
const ownUsers = rule<PodSpec, unknown, PodContext>({
  code: 'host-users',
  type: 'Forbidden',
  source: 'G17',
  says: 'A pod with users of its own shares no namespace with its host, and has no devices.',
  refuses: (spec, _template, { tolerances }) => {
    if (spec.hostUsers !== false) return false;
    const places: (readonly (string | number)[])[] = [];
    if (spec.hostNetwork === true && !tolerances.userNamespaceHostNetwork) places.push(['hostNetwork']);
    // The server prints these two as its own fields are called.
    if (spec.hostPID === true) places.push(['HostPID']);
    if (spec.hostIPC === true) places.push(['HostIPC']);
    if (!tolerances.userNamespaceDevices) {
      for (const { list, index, container } of containersOf(spec)) {
        if ((container.volumeDevices ?? []).length > 0) places.push([list, index, 'volumeDevices']);
      }
    }
    return places.map((at) => ({ at, message: 'when `hostUsers` is false' }));
  },
});

const hostnameOverrideAlone = rule<string, PodSpec>({
  code: 'hostname-override-alone',
  type: 'Forbidden',
  source,
  says: "hostnameOverride goes neither with setHostnameAsFQDN nor with the host's network.",
  refuses: (_name, { setHostnameAsFQDN, hostNetwork }) => {
    if (setHostnameAsFQDN === true) return 'may not be specified when setHostnameAsFQDN is true';
    return hostNetwork === true && 'may not be specified when hostNetwork is true';
  },
});

const hostnameOverrideLength = rule<string>({
  code: 'hostname-override-length',
  type: 'TooLong',
  source,
  says: 'A host name has at most 64 characters.',
  refuses: (name) => byteLength(name) > longestHostname && `may not be more than ${longestHostname} bytes`,
});

const fileReferencesEmptyDir = rule<PodSpec>({
  code: 'env-file-in-empty-dir',
  type: 'Invalid',
  source: 'G7',
  says: 'A file with variables lies in an emptyDir.',
  refuses: (spec) =>
    fileReferences(spec, (volume) => volume !== undefined && volume.emptyDir === undefined).map(({ at, name }) => ({
      at,
      message: about(name, 'referenced volume must be of type emptyDir'),
    })),
});

const fileReferencesVolume = rule<PodSpec>({
  code: 'env-file-volume-exists',
  type: 'NotFound',
  source: 'G7',
  says: 'The volume of a file with variables is one of spec.volumes.',
  refuses: (spec) =>
    fileReferences(spec, (volume) => volume === undefined).map(({ at, name }) => ({
      at,
      message: JSON.stringify(name),
    })),
});

type Volume = NonNullable<PodSpec['volumes']>[number];

/** The references to files whose volume answers `isWanted`; here any volume counts, be it faulty or not. */
function fileReferences(spec: PodSpec, isWanted: (volume: Volume | undefined) => boolean) {
  const found: { readonly at: readonly (string | number)[]; readonly name: string }[] = [];
  let volumes: ReadonlyMap<string, Volume> | undefined;
  for (const { list, index, container } of containersOf(spec)) {
    for (const [envIndex, { valueFrom }] of container.env?.entries() ?? []) {
      if (valueFrom?.fileKeyRef === undefined) continue;
      const name = valueFrom.fileKeyRef.volumeName ?? '';
      volumes ??= new Map((spec.volumes ?? []).map((one) => [one.name ?? '', one]));
      const volume = volumes.get(name);
      if (!isWanted(volume)) continue;
      found.push({ at: [list, index, 'env', envIndex, 'valueFrom', 'fileKeyRef', 'volumeName'], name });
    }
  }
  return found;
}

const schedulingGateName = rule<{ readonly name?: string }>({
  code: 'scheduling-gate-name-format',
  type: 'Invalid',
  source: 'G16',
  says: 'The name of a scheduling gate is a qualified name.',
  refuses: ({ name = '' }) => aboutEach(name, qualifiedNameFaults(name)),
});

const schedulingGateUnique = unique<{ readonly name?: string }>(
  { code: 'scheduling-gate-unique', source: 'G16', says: 'A scheduling gate stands once.' },
  ({ name = '' }) => name,
);

const conditionType = alwaysFormatted(
  { code: 'readiness-gate-condition-format', source, says: 'The condition of a readiness gate is a qualified name.' },
  qualifiedNameFaults,
);

/** Where the pod's own resolver lacks a name server, the server looks no further. */
const resolver: Check<DnsConfig, PodSpec, PodContext> = {
  run: (config, spec, context, path, judgement) => {
    dnsRule.run(config, spec, context, path, judgement);
    const isIncomplete = hasOwnResolver(spec) && (config?.nameservers ?? []).length === 0;
    if (!isIncomplete) dnsConfig.run(config, spec, context, path, judgement);
  },
  visit(visit) {
    dnsRule.visit(visit);
    dnsConfig.visit(visit);
  },
};
const dnsRule = all<DnsConfig, PodSpec, PodContext>(dnsConfigRequired);

type WorkloadReference = NonNullable<PodSpec['workloadRef']>;
type SchedulingGroup = NonNullable<PodSpec['schedulingGroup']>;

const workloadRef = fields<WorkloadReference>({
  name: alwaysFormatted(
    { code: 'workload-name-format', source, says: 'The name of a Workload is a DNS subdomain.' },
    dnsSubdomainFaults,
  ),
  podGroup: alwaysFormatted(
    { code: 'workload-pod-group-format', source, says: 'The name of a pod group is a DNS label.' },
    dnsLabelFaults,
  ),
  podGroupReplicaKey: label('workload-replica-key-format', 'The key of a replica is a DNS label.'),
});

const schedulingGroup = fields<SchedulingGroup>({
  podGroupName: rule<string>({
    code: 'scheduling-group-name-format',
    type: 'Invalid',
    source,
    says: 'The name of a pod group is a DNS subdomain.',
    evenIfAbsent: true,
    refuses: (name) =>
      name === undefined ? 'null: must specify one of: `podGroupName`' : aboutEach(name, dnsSubdomainFaults(name)),
  }),
});

const groupWithoutResponders = rule<SchedulingGroup, PodSpec>({
  code: 'scheduling-group-responders',
  type: 'Forbidden',
  source: 'Kubernetes 1.37, pod spec, schedulingGroup',
  since: '1.37',
  says: 'A pod of a scheduling group has no eviction responders.',
  refuses: (_group, { evictionResponders: responders = [] }) =>
    responders.length > 0 && 'may not be set when evictionResponders is set',
});

/** The spec of a pod, field by field. Volumes come first: containers may use those that are fine. */
export const podSpec = all<PodSpec, unknown, PodContext>(
  fields<PodSpec, PodContext>({
    volumes,
    resourceClaims,
    containers,
    initContainers,
    ephemeralContainers,
    resources: podResources,
    restartPolicy: oneOf(
      { code: 'pod-restart-policy', source, says: 'A pod restarts Always, OnFailure or Never.' },
      restartPolicies,
    ),
    dnsPolicy: oneOf({ code: 'dns-policy', source, says: 'dnsPolicy is one of four.' }, dnsPolicies),
    nodeSelector: labels,
    securityContext: podSecurityContext,
    shareProcessNamespace: [
      sharesOwnProcesses('share-process-namespace', { since: '1.37' }),
      printedAs(
        '.securityContext.shareProcessNamespace',
        sharesOwnProcesses('share-process-namespace-context', { until: '1.36' }),
      ),
    ],
    affinity,
    dnsConfig: resolver,
    readinessGates: each(fields<{ readonly conditionType?: string }, PodContext>({ conditionType })),
    schedulingGates: [each<{ readonly name?: string }, PodContext>(schedulingGateName), schedulingGateUnique],
    topologySpreadConstraints: topologySpread,
    hostnameOverride: [
      hostnameOverrideAlone,
      hostnameOverrideLength,
      formatted(
        { code: 'hostname-override-format', source, says: 'A host name is a DNS subdomain.' },
        dnsSubdomainFaults,
      ),
    ],
    hostNetwork: hostProcessNeedsHostNetwork,
    serviceAccountName: subdomain('service-account-name-format', 'The name of a service account is a DNS subdomain.'),
    nodeName: subdomain('node-name-format', 'The name of a node is a DNS subdomain.'),
    activeDeadlineSeconds: activeDeadline,
    hostname: label('hostname-format', 'The host name of a pod is a DNS label.'),
    subdomain: label('pod-subdomain-format', 'The subdomain of a pod is a DNS label.'),
    tolerations,
    hostAliases,
    priorityClassName: subdomain('priority-class-name-format', 'The name of a priority class is a DNS subdomain.'),
    runtimeClassName: formatted(
      { code: 'runtime-class-name-format', source, says: 'The name of a runtime class is a DNS subdomain.' },
      dnsSubdomainFaults,
    ),
    preemptionPolicy: [preemptionRequired, preemptionKnown],
    overhead,
    os: [osNameRequired, osKnown],
    workloadRef,
    schedulingGroup: [schedulingGroup, groupWithoutResponders],
    evictionResponders,
  }),
  hostProcessAgrees,
  hostProcessForAll,
  ownUsers,
  noLinuxOnWindows,
  noWindowsOnLinux,
  fileReferencesVolume,
  fileReferencesEmptyDir,
  seccompAgrees,
  appArmorAgrees,
);
