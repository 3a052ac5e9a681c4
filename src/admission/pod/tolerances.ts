import { labelValueFaults } from '../formats.ts';
import { labelSelector } from '../labelSelector.ts';
import { type Check, type Context, judgementFor } from '../rule.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { isAtLeast } from '../version.ts';
import { amountOf, isDivisible } from './amounts.ts';
import { isDeletionCost } from './deletionCost.ts';
import { filePathFaults } from './filePaths.ts';
import { isGateOn } from './gates.ts';
import { isHostSysctl } from './hostSysctls.ts';
import { labelKeys } from './matchLabelKeys.ts';
import { isHugePages } from './resourceNames.ts';
import type { Container, PodAffinityTerm, PodSpec, PodTemplate, ResourceList } from './types.ts';

/**
 * What the server lets pass although it refuses it in new templates: because a feature gate is on, or because the stored
 * template has it already and must stay editable. Source: Kubernetes 1.35 to 1.37, pod validation options.
 */
export interface Tolerances {
  readonly badDeletionCost: boolean;
  readonly indivisibleHugePages: boolean;
  readonly badAffinitySelectors: boolean;
  readonly badRequiredNodeValues: boolean;
  readonly badSpreadSelectors: boolean;
  readonly badMatchLabelKeys: boolean;
  readonly nonLocalTokenPath: boolean;
  readonly hostSysctls: boolean;
  readonly restartAllContainers: boolean;
  readonly restartingInitResize: boolean;
  readonly userNamespaceDevices: boolean;
  readonly userNamespaceHostNetwork: boolean;
  readonly emptyImageReference: boolean;
  readonly sysAdminWithoutEscalation: boolean;
  readonly anySELinuxChangePolicy: boolean;
  readonly numericTolerations: boolean;
}

/** What the gates of this version let pass in any template. */
function byGates(version: KubernetesMinor): Tolerances {
  return {
    badDeletionCost: false,
    indivisibleHugePages: false,
    badAffinitySelectors: false,
    badRequiredNodeValues: false,
    badSpreadSelectors: false,
    badMatchLabelKeys: false,
    nonLocalTokenPath: false,
    hostSysctls: false,
    restartAllContainers: isGateOn('RestartAllContainersOnContainerExits', version),
    restartingInitResize: false,
    userNamespaceDevices: false,
    userNamespaceHostNetwork: isGateOn('UserNamespacesHostNetworkSupport', version),
    emptyImageReference: false,
    sysAdminWithoutEscalation: false,
    anySELinuxChangePolicy: isGateOn('SELinuxMount', version),
    numericTolerations: isGateOn('TaintTolerationComparisonOperators', version),
  };
}

/** What may stand in a template that replaces `old`; without `old`, in a new one. */
export function tolerancesFor(version: KubernetesMinor, old: PodTemplate | undefined): Tolerances {
  const gates = byGates(version);
  if (old === undefined) return gates;
  const spec = old.spec ?? {};
  const context: Context = { version, operation: 'update' };
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const spreads = spec.topologySpreadConstraints ?? [];
  const isAtLeast135 = version !== '1.34';
  return {
    badDeletionCost: !isDeletionCost(old.metadata?.annotations),
    indivisibleHugePages: hasIndivisiblePages(spec, containers),
    badAffinitySelectors: affinityTermsOf(spec).some(
      (term) =>
        hasFault(labelSelector, term.labelSelector, context) ||
        hasFault(labelSelector, term.namespaceSelector, context),
    ),
    badRequiredNodeValues: hasBadNodeValue(spec),
    badSpreadSelectors: spreads.some((one) => hasFault(labelSelector, one.labelSelector, context)),
    badMatchLabelKeys: spreads.some((one) => hasFault(labelKeys, one, context)),
    nonLocalTokenPath: hasNonLocalToken(spec),
    hostSysctls: (spec.securityContext?.sysctls ?? []).some(({ name = '' }) => isHostSysctl(name, spec)),
    restartAllContainers: gates.restartAllContainers || (isAtLeast135 && restartsAll(spec)),
    restartingInitResize: (spec.initContainers ?? []).some(restartsToResize),
    userNamespaceDevices:
      spec.hostUsers === false && containers.some(({ volumeDevices = [] }) => volumeDevices.length > 0),
    userNamespaceHostNetwork:
      gates.userNamespaceHostNetwork || (isAtLeast135 && spec.hostUsers === false && spec.hostNetwork === true),
    emptyImageReference: (spec.volumes ?? []).some(({ image }) => image !== undefined && !image.reference),
    sysAdminWithoutEscalation: isAtLeast(version, '1.37') && containers.some(isSysAdminWithoutEscalation),
    anySELinuxChangePolicy: gates.anySELinuxChangePolicy || spec.securityContext?.seLinuxChangePolicy !== undefined,
    numericTolerations:
      gates.numericTolerations ||
      (isAtLeast135 && (spec.tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt')),
  };
}

function hasFault<Value>(check: Check<Value>, value: Value | undefined, context: Context): boolean {
  const judgement = judgementFor(context.version, () => {});
  check.run(value, undefined, context, undefined, judgement);
  return judgement.errors.length > 0;
}

function hasIndivisiblePages(spec: PodSpec, containers: readonly Container[]): boolean {
  // Reads only the amounts of huge pages, which hardly any list has.
  const isBad = (list: ResourceList = {}): boolean =>
    Object.keys(list).some((name) => {
      const amount = isHugePages(name) ? amountOf(list[name]) : undefined;
      return amount !== undefined && isDivisible(name, amount) === false;
    });
  return (
    isBad(spec.overhead) || containers.some(({ resources }) => isBad(resources?.limits) || isBad(resources?.requests))
  );
}

function affinityTermsOf({ affinity = {} }: PodSpec): readonly PodAffinityTerm[] {
  return [affinity.podAffinity, affinity.podAntiAffinity].flatMap((one) => [
    ...(one?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(one?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm = {} }) => podAffinityTerm),
  ]);
}

function hasBadNodeValue({ affinity }: PodSpec): boolean {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some((value) => labelValueFaults(value).length > 0)),
  );
}

function hasNonLocalToken({ volumes = [] }: PodSpec): boolean {
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  return sources.some(
    ({ serviceAccountToken: token }) => token !== undefined && filePathFaults(token.path ?? '').length > 0,
  );
}

function restartsAll({ containers = [], initContainers = [] }: PodSpec): boolean {
  const hasAction = ({ restartPolicyRules = [] }: Container): boolean =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers');
  return (
    containers.some(hasAction) ||
    initContainers.some(
      (one) => hasAction(one) || (one.restartPolicy === 'Always' && (one.restartPolicyRules ?? []).length > 0),
    )
  );
}

function restartsToResize({ restartPolicy, resizePolicy = [] }: Container): boolean {
  return restartPolicy !== 'Always' && resizePolicy.some((one) => one.restartPolicy === 'RestartContainer');
}

function isSysAdminWithoutEscalation({ securityContext }: Container): boolean {
  return (
    securityContext?.allowPrivilegeEscalation !== true &&
    securityContext?.capabilities?.add?.includes('CAP_SYS_ADMIN') === true
  );
}
