import { type Complaint, rule } from '../rule.ts';
import { all, each, fields } from '../structure.ts';
import { common, inContainer } from './container.ts';
import type { ContainerContext, PodContext } from './context.ts';
import { about, isPadded } from './ruleShapes.ts';
import type { Container, PodSpec } from './types.ts';

/** Ephemeral containers. Source: Kubernetes 1.35, core validation, ephemeral containers. */

const forbiddenInEphemeral = [
  'ports',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

const ephemeralStaysSimple = rule<Container>({
  code: 'ephemeral-container-field',
  type: 'Forbidden',
  source: 'G2',
  says: 'An ephemeral container has no ports, probes, hooks, resources or restart policy.',
  refuses: (container) => {
    const set: string[] = forbiddenInEphemeral.filter((field) => container[field] !== undefined);
    if (Object.keys(container.resources ?? {}).length > 0) set.push('resources');
    return set.map((field) => ({ at: [field], message: 'cannot be set for an Ephemeral Container' }));
  },
});

const ephemeralMounts = rule<Container>({
  code: 'ephemeral-container-sub-path',
  type: 'Forbidden',
  source: 'G2',
  says: 'An ephemeral container mounts whole volumes.',
  refuses: ({ volumeMounts: mounts = [] }) =>
    mounts.flatMap(({ subPath = '', subPathExpr = '' }, index) => {
      const set = [subPath !== '' && 'subPath', subPathExpr !== '' && 'subPathExpr'].filter((field) => field !== false);
      return set.map((field) => ({
        at: ['volumeMounts', index, field],
        message: 'cannot be set for an Ephemeral Container',
      }));
    }),
});

const imageUnpadded = rule<string>({
  code: 'ephemeral-container-image',
  type: 'Invalid',
  source: 'G2',
  says: 'The image of an ephemeral container has no space around it.',
  refuses: (image) => isPadded(image) && about(image, 'must not have leading or trailing whitespace'),
});

const ephemeralNames = rule<readonly Container[], PodSpec>({
  code: 'ephemeral-container-name-unique',
  type: 'Duplicate',
  source: 'G2',
  says: 'An ephemeral container has another name than all others.',
  refuses: (list, spec) => {
    const taken = new Set(namesOf(spec));
    const complaints: Complaint[] = [];
    for (const [index, { name: text = '' }] of list.entries()) {
      if (taken.has(text)) complaints.push({ at: [index, 'name'], message: JSON.stringify(text) });
      taken.add(text);
    }
    return complaints;
  },
});

function namesOf(spec: PodSpec): string[] {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name: text = '' }) => text);
}

const ephemeralTarget = rule<string, unknown, PodContext>({
  code: 'ephemeral-container-target',
  type: 'NotFound',
  source: 'G2',
  says: 'The target of an ephemeral container is one of the others.',
  refuses: (target, _container, { spec }) => target !== '' && !namesOf(spec).includes(target) && JSON.stringify(target),
});

const noEphemeralContainers = rule<readonly Container[]>({
  code: 'ephemeral-containers-forbidden',
  type: 'Forbidden',
  source: 'G2',
  says: 'A pod template has no ephemeral containers.',
  refuses: (list) => list.length > 0 && 'ephemeral containers not allowed in pod template',
});

/** Containers that are added to running pods. A template has none, but the server judges them all the same. */
export const ephemeralContainers = all<readonly Container[], PodSpec, PodContext>(
  each<Container, PodContext>(
    inContainer(
      common,
      fields<Container, ContainerContext>({ image: imageUnpadded, targetContainerName: ephemeralTarget }),
      ephemeralStaysSimple,
      ephemeralMounts,
    ),
  ),
  ephemeralNames,
  noEphemeralContainers,
);
