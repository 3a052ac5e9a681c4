import { type Complaint, type Context, judgementFor, rule } from '../rule.ts';
import { all } from '../structure.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { isAtLeast } from '../version.ts';
import { amountsOf } from './amounts.ts';
import { appArmorPrefix } from './annotations.ts';
import { containersOf, withContainers } from './context.ts';
import { totalOf } from './podResources.ts';
import { compareQuantities, formatQuantity } from './quantity.ts';
import { canBeOvercommitted, isHugePages, isPodResource } from './resourceNames.ts';
import { about, isPadded } from './ruleShapes.ts';
import { appArmorProfile } from './securityProfiles.ts';
import type {
  Container,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  PodTemplate,
  ResourceList,
  SecurityProfile,
} from './types.ts';

/**
 * What the server does to a pod itself, and asks of it, on its creation: a template is spared.
 * Source: Kubernetes 1.35, core v1 defaults of pods, the strategy of pods, core validation of pods.
 */

/** A pod, completed and freed of gated fields as its template would be, as it is judged on creation. */
export function preparedPod(pod: PodTemplate, version: KubernetesMinor): PodTemplate {
  const { spec = {}, metadata: { labels = {}, annotations = {} } = {} } = pod;
  const { terminationGracePeriodSeconds: grace = 0 } = spec;
  const prepared: PodSpec = {
    ...withProfiles(withRequests(spec), annotations, version),
    ...(grace < 0 && { terminationGracePeriodSeconds: 1 }),
    ...(spec.affinity !== undefined && { affinity: withOwnLabels(spec.affinity, labels) }),
    ...(spec.topologySpreadConstraints !== undefined && {
      topologySpreadConstraints: spec.topologySpreadConstraints.map((one) => selectingOwn(one, labels)),
    }),
  };
  return { ...pod, spec: withHostPorts(withPodResources(prepared, version)) };
}

type Texts = Readonly<Record<string, string>>;
type ContainerChange = (container: Container) => Container;

/** Ephemeral containers, which come later, are left as they are. */
function withOwnContainers(spec: PodSpec, change: ContainerChange): PodSpec {
  return withContainers(spec, (container, list) => (list === 'ephemeralContainers' ? container : change(container)));
}

/** A container requests what it is limited to. */
function withRequests(spec: PodSpec): PodSpec {
  return withOwnContainers(spec, (container) => {
    const { limits, requests } = container.resources ?? {};
    if (limits === undefined) return container;
    return { ...container, resources: { ...container.resources, requests: { ...limits, ...requests } } };
  });
}

/** An AppArmor annotation becomes the field that it once stood for, where that says something else than the pod's. */
function withProfiles(spec: PodSpec, annotations: Texts, version: KubernetesMinor): PodSpec {
  if (spec.os?.name === 'windows' || !Object.keys(annotations).some((key) => key.startsWith(appArmorPrefix)))
    return spec;
  return withOwnContainers(spec, (container) => {
    const annotation = annotations[`${appArmorPrefix}${container.name ?? ''}`];
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return container;
    const profile = profileIn(annotation);
    if (profile === undefined || isFaulty(profile, version)) return container;
    const { type, localhostProfile } = spec.securityContext?.appArmorProfile ?? {};
    if (profile.type === type && profile.localhostProfile === localhostProfile) return container;
    return { ...container, securityContext: { ...container.securityContext, appArmorProfile: profile } };
  });
}

function profileIn(annotation: string): SecurityProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const file = annotation.startsWith('localhost/') ? annotation.slice('localhost/'.length) : '';
  return file === '' ? undefined : { type: 'Localhost', localhostProfile: file };
}

function isFaulty(profile: SecurityProfile, version: KubernetesMinor): boolean {
  const judgement = judgementFor(version, () => {});
  appArmorProfile.run(profile, undefined, { version, operation: 'create' }, undefined, judgement);
  return judgement.errors.length > 0;
}

/** On its node's network, a pod has no ports but the node's. */
function withHostPorts(spec: PodSpec): PodSpec {
  if (spec.hostNetwork !== true) return spec;
  return withOwnContainers(spec, (container) => {
    const { ports } = container;
    if (ports === undefined) return container;
    return {
      ...container,
      ports: ports.map((port) => ({ ...port, hostPort: port.hostPort || (port.containerPort ?? 0) })),
    };
  });
}

/** A pod that is given anything as a whole is given the rest as well, from what its containers have. */
function withPodResources(spec: PodSpec, version: KubernetesMinor): PodSpec {
  const { resources } = spec;
  if (resources === undefined || (isEmpty(resources.limits) && isEmpty(resources.requests))) return spec;
  const isComplete = isAtLeast(version, '1.37');
  const limits: Record<string, string | number> = { ...resources.limits };
  const requests: Record<string, string | number> = { ...resources.requests };
  const add = (list: ResourceList, to: Record<string, string | number>, isWanted: (name: string) => boolean): void => {
    for (const [name, amount] of Object.entries(list)) if (!(name in to) && isWanted(name)) to[name] = amount;
  };
  const inContainers = (kind: 'limits' | 'requests'): ResourceList =>
    Object.fromEntries([...totalOf(spec, kind)].map(([name, amount]) => [name, formatQuantity(amount)]));
  const mostInContainers = inContainers('limits');
  add(mostInContainers, limits, (name) => isHugePages(name) && !(name in requests));
  if (isComplete || !isEmpty(limits)) {
    add(inContainers('requests'), requests, (name) => isPodResource(name) && canBeOvercommitted(name));
    add(limits, requests, isPodResource);
  }
  if (isComplete) {
    const isLimitedEverywhere = (name: string): boolean =>
      containersOf(spec).every(({ container }) => name in (container.resources?.limits ?? {}));
    const needed = largerOf(mostInContainers, requests);
    add(needed, limits, (name) => name in requests && isPodResource(name) && isLimitedEverywhere(name));
  }
  return {
    ...spec,
    resources: {
      ...resources,
      ...(!isEmpty(limits) && { limits }),
      ...(!isEmpty(requests) && { requests }),
    },
  };
}

/** The amounts of the first list, raised to those of the other. */
function largerOf(list: ResourceList, other: ResourceList): ResourceList {
  const others = amountsOf(other);
  const larger = [...amountsOf(list)].map(([name, amount]): [string, string] => {
    const least = others.get(name);
    return [name, formatQuantity(least !== undefined && compareQuantities(least, amount) > 0 ? least : amount)];
  });
  return Object.fromEntries(larger);
}

function isEmpty(list: ResourceList | undefined): boolean {
  return Object.keys(list ?? {}).length === 0;
}

type Affinity = NonNullable<PodSpec['affinity']>;

function withOwnLabels({ podAffinity, podAntiAffinity, ...affinity }: Affinity, labels: Texts): Affinity {
  return {
    ...affinity,
    ...(podAffinity !== undefined && { podAffinity: termsWithOwnLabels(podAffinity, labels) }),
    ...(podAntiAffinity !== undefined && { podAntiAffinity: termsWithOwnLabels(podAntiAffinity, labels) }),
  };
}

function termsWithOwnLabels(affinity: PodAffinity, labels: Texts): PodAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  return {
    ...(required !== undefined && {
      requiredDuringSchedulingIgnoredDuringExecution: required.map((term) => selectingOwn(term, labels)),
    }),
    ...(preferred !== undefined && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((one) => ({
        ...one,
        ...(one.podAffinityTerm !== undefined && { podAffinityTerm: selectingOwn(one.podAffinityTerm, labels) }),
      })),
    }),
  };
}

type Selecting = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>;

/** The pod's own values of the keys become part of the selector. */
function selectingOwn<T extends Selecting>(term: T, labels: Texts): T {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  if (labelSelector === undefined || matchLabelKeys.length + mismatchLabelKeys.length === 0) return term;
  const requirements = (keys: readonly string[], operator: string) =>
    keys.flatMap((key) => {
      const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const { matchExpressions = [] } = labelSelector;
  const added = [...requirements(matchLabelKeys, 'In'), ...requirements(mismatchLabelKeys, 'NotIn')];
  return { ...term, labelSelector: { ...labelSelector, matchExpressions: [...matchExpressions, ...added] } };
}

const imageUnpadded = rule<PodSpec>({
  code: 'pod-image-padded',
  type: 'Invalid',
  source: 'G2',
  says: 'The image of a container in a pod has no space around it.',
  refuses: (spec) =>
    containersOf(spec).flatMap(({ list, index, container: { image = '' } }): Complaint[] => {
      // Ephemeral containers have a rule of their own.
      if (list === 'ephemeralContainers' || !isPadded(image)) return [];
      return [{ at: [list, index, 'image'], message: about(image, 'must not have leading or trailing whitespace') }];
    }),
});

const nodeNameAfterGates = rule<PodSpec>({
  code: 'pod-node-name-gated',
  type: 'Forbidden',
  source: 'G16',
  says: 'A pod is put on no node while something gates its scheduling.',
  refuses: ({ nodeName = '', schedulingGates = [] }) =>
    nodeName !== '' &&
    schedulingGates.length > 0 && [
      { at: ['nodeName'], message: 'cannot be set until all schedulingGates have been cleared' },
    ],
});

/** What is asked of the spec of a pod itself, beside all that is asked of a template's. */
export const ownPodSpec = all<PodSpec, unknown, Context>(imageUnpadded, nodeNameAfterGates);
