import { labelValueFaults } from '../formats.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { isAtLeast } from '../version.ts';
import type { NodeSelectorTerm, PodAffinity, PodSpec } from './types.ts';

/** Warnings about where pods run. Source: Kubernetes 1.35, pod warnings (H4). */

const deprecatedNodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

const matchesNoPod = 'a null labelSelector results in matching no pod';

/** Labels of nodes that nothing sets any more, and values that no label has. */
export function nodeLabelWarnings(spec: PodSpec, place: string, version: KubernetesMinor): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const message = deprecatedNodeLabels.get(key);
    if (message !== undefined) warnings.push(`${place}.nodeSelector[${key}]: ${message}`);
  }
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution } =
    spec.affinity?.nodeAffinity ?? {};
  const affinityPlace = `${place}.affinity.nodeAffinity`;
  for (const [index, term] of required?.nodeSelectorTerms?.entries() ?? []) {
    const at = `${affinityPlace}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`;
    warnings.push(...nodeTermWarnings(term, at, () => []));
  }
  for (const [index, { preference = {} }] of preferredDuringSchedulingIgnoredDuringExecution?.entries() ?? []) {
    const at = `${affinityPlace}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
    warnings.push(...nodeTermWarnings(preference, at, (value) => valueFaults(value, version)));
  }
  return warnings;
}

/** Since 1.35 the server counts the length of a label value in bytes, and says so. */
function valueFaults(value: string, version: KubernetesMinor): readonly string[] {
  const faults = labelValueFaults(value);
  if (!isAtLeast(version, '1.35')) return faults;
  return faults.map((fault) => fault.replace('no more than 63 characters', 'no more than 63 bytes'));
}

function nodeTermWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  place: string,
  faultsOf: (value: string) => readonly string[],
): string[] {
  const warnings: string[] = [];
  for (const [index, { key = '', values = [] }] of matchExpressions.entries()) {
    const message = deprecatedNodeLabels.get(key);
    const at = `${place}.matchExpressions[${index}]`;
    if (message !== undefined) warnings.push(`${at}.key: ${key} is ${message}`);
    for (const [valueIndex, value] of values.entries()) {
      for (const fault of faultsOf(value)) warnings.push(`${at}.values[${valueIndex}]: ${value} is invalid, ${fault}`);
    }
  }
  return warnings;
}

/** Spread constraints over old labels, or of no pods. */
export function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, place: string): string[] {
  const warnings: string[] = [];
  for (const [index, { topologyKey = '', labelSelector }] of topologySpreadConstraints.entries()) {
    const message = deprecatedNodeLabels.get(topologyKey);
    if (message !== undefined) warnings.push(`${place}[${index}].topologyKey: ${topologyKey} is ${message}`);
    if (labelSelector === undefined) warnings.push(`${place}[${index}].labelSelector: ${matchesNoPod}`);
  }
  return warnings;
}

/** Affinity terms that match no pod. */
export function podAffinityWarnings(affinity: PodAffinity | undefined, place: string): string[] {
  const warnings: string[] = [];
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required = [],
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
  } = affinity ?? {};
  for (const [index, { labelSelector }] of required.entries()) {
    if (labelSelector !== undefined) continue;
    warnings.push(`${place}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${matchesNoPod}`);
  }
  for (const [index, { podAffinityTerm }] of preferred.entries()) {
    if (podAffinityTerm?.labelSelector !== undefined) continue;
    warnings.push(
      `${place}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${matchesNoPod}`,
    );
  }
  return warnings;
}
