import { type KubernetesMinor, kubernetesMinors } from '../verdict.ts';
import { absentOr, type Completions, completed, ifPresent, textOr } from './completion.ts';
import { canonicalAmounts } from './defaultAmounts.ts';
import { defaultContainers } from './defaultContainer.ts';
import { defaultVolumes } from './defaultVolume.ts';
import type { PodSpec, PodTemplate, ResourceRequirements } from './types.ts';

/** How a pod template is completed. Source: Kubernetes 1.35, core v1 defaults of the pod spec. */

const graceSeconds = 30;

function podSpecOf(version: KubernetesMinor): Completions<PodSpec> {
  return {
    restartPolicy: textOr('Always'),
    terminationGracePeriodSeconds: absentOr(graceSeconds),
    dnsPolicy: textOr('ClusterFirst'),
    securityContext: absentOr({}),
    schedulerName: textOr('default-scheduler'),
    // Two names of one field: the newer one wins, and both are stored.
    serviceAccountName: (name, { serviceAccount }) => name || serviceAccount || name,
    serviceAccount: (name, { serviceAccountName }) => serviceAccountName || name,
    volumes: (volumes) => defaultVolumes(volumes, version),
    initContainers: defaultContainers,
    containers: defaultContainers,
    ephemeralContainers: defaultContainers,
    overhead: canonicalAmounts,
    resources: ifPresent<ResourceRequirements>({ limits: canonicalAmounts, requests: canonicalAmounts }),
  };
}

const completions: ReadonlyMap<KubernetesMinor, Completions<PodSpec>> = new Map(
  kubernetesMinors.map((version) => [version, podSpecOf(version)]),
);

/** The template as the server completes it while decoding. Pure: shares what it doesn't change. */
export function defaultPodTemplate(template: PodTemplate, version: KubernetesMinor): PodTemplate {
  const before = template.spec ?? {};
  const spec = completed(before, completions.get(version) ?? {});
  return spec === template.spec ? template : { ...template, spec };
}
