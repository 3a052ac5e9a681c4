import type { KubernetesMinor } from '../verdict.ts';
import { isAtLeast, oncePerMinor } from '../version.ts';
import { absentOr, type Completions, completed, eachItem, ifPresent, textOr } from './completion.ts';
import { canonicalAmounts } from './defaultAmounts.ts';
import { defaultContainers } from './defaultContainer.ts';
import { defaultVolumes } from './defaultVolume.ts';
import { withoutInitAnnotations } from './initAnnotations.ts';
import type {
  Affinity,
  NodeAffinity,
  PodSecurityContext,
  PodSpec,
  PodTemplate,
  ResourceRequirements,
  Sysctl,
} from './types.ts';

/** How a pod template is completed. Source: Kubernetes 1.35, core v1 defaults of the pod spec. */

const graceSeconds = 30;

type PreferredNodes = NonNullable<NodeAffinity['preferredDuringSchedulingIgnoredDuringExecution']>[number];

/** Here and below, what the server writes down even if it is empty or zero. */
const sysctls = eachItem<Sysctl>({ value: absentOr('') });

const preferredNodes = eachItem<PreferredNodes>({ preference: absentOr({}) });

const affinity = ifPresent<Affinity>({
  nodeAffinity: ifPresent<NodeAffinity>({ preferredDuringSchedulingIgnoredDuringExecution: preferredNodes }),
});

const podSpec = oncePerMinor(
  (version): Completions<PodSpec> => ({
    restartPolicy: textOr('Always'),
    terminationGracePeriodSeconds: absentOr(graceSeconds),
    dnsPolicy: textOr('ClusterFirst'),
    securityContext: (context = {}) => completed<PodSecurityContext>(context, { sysctls }),
    schedulerName: textOr('default-scheduler'),
    // Two names of one field: the newer one wins, and both are stored.
    serviceAccountName: (name, { serviceAccount }) => name || serviceAccount || name,
    serviceAccount: (name, { serviceAccountName }) => serviceAccountName || name,
    volumes: (volumes) => defaultVolumes(volumes, version),
    initContainers: defaultContainers,
    containers: defaultContainers,
    ephemeralContainers: defaultContainers,
    affinity,
    overhead: canonicalAmounts,
    resources: ifPresent<ResourceRequirements>({ limits: canonicalAmounts, requests: canonicalAmounts }),
  }),
);

/** The template as the server completes it while decoding. Pure: shares what it doesn't change. */
export function defaultPodTemplate(template: PodTemplate, version: KubernetesMinor): PodTemplate {
  const decoded = isAtLeast(version, '1.37') ? template : withoutInitAnnotations(template);
  const spec = completed(decoded.spec ?? {}, podSpec(version));
  return spec === decoded.spec ? decoded : { ...decoded, spec };
}
