import { dnsLabelFaults, unsupportedMessage } from '../formats.ts';
import { type Complaint, type Part, rule } from '../rule.ts';
import { all, each, fields, printedAs, within } from '../structure.ts';
import { type ContainerContext, containerContext, isSidecar, type PodContext } from './context.ts';
import { environment, environmentSources } from './env.ts';
import { lifecycle } from './lifecycle.ts';
import { containerPorts, hostPortsMatch, hostPortsUnique, hostPortsUniqueInOne } from './ports.ts';
import { deadlyProbe, readinessProbe } from './probe.ts';
import { containerResources } from './resources.ts';
import { initRestartPolicy, regularRestartPolicy } from './restartPolicy.ts';
import { about, formattedIfSet, missingMessage, oneOf, required, unique } from './ruleShapes.ts';
import { containerSecurityContext } from './securityContext.ts';
import type { Container, PodSpec, ResizePolicy } from './types.ts';
import { volumeDevices, volumeMounts } from './volumeMount.ts';

/** Containers of all three kinds. Source: Kubernetes 1.35, core validation, containers. */

const name = [
  required({ code: 'container-name-required', source: 'G4', says: 'A container has a name.' }),
  formattedIfSet(
    { code: 'container-name-format', source: 'G4', says: 'The name of a container is a DNS label.' },
    dnsLabelFaults,
  ),
];

const imageRequired = required({ code: 'image-required', source: 'G5', says: 'A container has an image.' });

const resizable = ['cpu', 'memory'];
const resizeActions = ['NotRequired', 'RestartContainer'];

/** The server files most of these under the list. */
const resizePolicies = all<readonly ResizePolicy[], Container, PodContext>(
  unique<ResizePolicy>(
    { code: 'resize-policy-unique', source: 'G11', says: 'A resource has one resize policy.' },
    ({ resourceName = '' }) => resourceName,
  ),
  rule<readonly ResizePolicy[]>({
    code: 'resize-policy-complete',
    type: 'Required',
    source: 'G11',
    says: 'A resize policy names its resource and what resizing does.',
    refuses: (policies) => policies.some((one) => !one.resourceName || !one.restartPolicy) && missingMessage,
  }),
  rule<readonly ResizePolicy[]>({
    code: 'resize-policy-known',
    type: 'NotSupported',
    source: 'G11',
    says: 'CPU and memory can be resized, with or without a restart.',
    refuses: (policies) =>
      policies.flatMap(({ resourceName = '', restartPolicy = '' }) => {
        const faults: string[] = [];
        if (resourceName !== '' && !resizable.includes(resourceName)) {
          faults.push(unsupportedMessage(resourceName, resizable));
        }
        if (restartPolicy !== '' && !resizeActions.includes(restartPolicy)) {
          faults.push(unsupportedMessage(restartPolicy, resizeActions));
        }
        return faults;
      }),
  }),
  rule<readonly ResizePolicy[], unknown, PodContext>({
    code: 'resize-policy-restarts',
    type: 'Invalid',
    source: 'G11',
    says: 'In a pod that never restarts, no resizing does.',
    refuses: (policies, _container, { spec, version }) => {
      if (spec.restartPolicy !== 'Never') return false;
      const whose = version === '1.34' || version === '1.35' ? '' : 'pod ';
      return policies
        .map(({ restartPolicy = '' }) => restartPolicy)
        .filter((policy) => policy !== 'NotRequired')
        .map((policy) => about(policy, `must be 'NotRequired' when ${whose}\`restartPolicy\` is 'Never'`));
    },
  }),
);

/** What holds for a container wherever it stands. */
export const common = fields<Container, ContainerContext>({
  name,
  image: imageRequired,
  terminationMessagePolicy: oneOf(
    {
      code: 'termination-message-policy',
      source: 'G5',
      says: 'terminationMessagePolicy is File or FallbackToLogsOnError.',
    },
    ['File', 'FallbackToLogsOnError'],
  ),
  ports: containerPorts,
  env: environment,
  envFrom: environmentSources,
  volumeMounts,
  volumeDevices,
  imagePullPolicy: oneOf(
    { code: 'image-pull-policy', source: 'G5', says: 'An image is pulled Always, IfNotPresent or Never.' },
    ['Always', 'IfNotPresent', 'Never'],
  ),
  resources: containerResources,
  resizePolicy: resizePolicies,
  securityContext: containerSecurityContext,
});

const running = fields<Container, ContainerContext>({
  lifecycle,
  livenessProbe: deadlyProbe,
  readinessProbe,
  startupProbe: deadlyProbe,
});

/** Judges single containers, in the context of each. */
export function inContainer(...parts: readonly Part<Container, readonly Container[], ContainerContext>[]) {
  return within<Container, readonly Container[], PodContext, ContainerContext>(
    'container',
    (container, _list, context) => container && containerContext(container, context),
    ...parts,
  );
}

const containersRequired = rule<readonly Container[]>({
  code: 'containers-required',
  type: 'Required',
  source: 'G3',
  says: 'A pod has a container.',
  evenIfAbsent: true,
  refuses: (containers = []) => containers.length === 0 && missingMessage,
});

const nameUnique = unique<Container>(
  { code: 'container-name-unique', source: 'G4', says: 'Containers have different names.' },
  ({ name: text = '' }) => text,
  'name',
);

/** The containers that do the pod's work. */
export const containers = all<readonly Container[], PodSpec, PodContext>(
  containersRequired,
  each<Container, PodContext>(inContainer(common, running, regularRestartPolicy)),
  nameUnique,
  hostPortsUnique,
  hostPortsMatch,
);

/** A rule about names among all containers that the server has met so far. */
const initNameUnique = rule<readonly Container[], PodSpec>({
  code: 'init-container-name-unique',
  type: 'Duplicate',
  source: 'G4',
  says: 'An init container has another name than all others.',
  refuses: (initContainers, spec) => {
    const taken = new Set((spec.containers ?? []).map(({ name: text = '' }) => text));
    const complaints: Complaint[] = [];
    for (const [index, { name: text = '' }] of initContainers.entries()) {
      if (taken.has(text)) complaints.push({ at: [index, 'name'], message: JSON.stringify(text) });
      else if (text !== '') taken.add(text);
    }
    return complaints;
  },
});

const onlyWhileRunning = (field: 'lifecycle' | 'livenessProbe' | 'readinessProbe' | 'startupProbe') =>
  rule<object>({
    code: `init-without-${field === 'lifecycle' ? 'lifecycle' : field.replace('Probe', '-probe')}`,
    type: 'Forbidden',
    source: 'G11',
    says: 'Only an init container that keeps running has probes and hooks.',
    refuses: () => 'may not be set for init containers without restartPolicy=Always',
  });

const ending = fields<Container, ContainerContext>({
  lifecycle: onlyWhileRunning('lifecycle'),
  livenessProbe: onlyWhileRunning('livenessProbe'),
  readinessProbe: onlyWhileRunning('readinessProbe'),
  startupProbe: onlyWhileRunning('startupProbe'),
  resizePolicy: each<ResizePolicy, ContainerContext>(
    fields<ResizePolicy, ContainerContext>({
      restartPolicy: rule<string, unknown, ContainerContext>({
        code: 'init-resize-restarts',
        type: 'Invalid',
        source: 'G11',
        since: '1.36',
        says: 'An init container that ends is not restarted to be resized.',
        refuses: (policy, _resize, { tolerances }) =>
          policy === 'RestartContainer' &&
          !tolerances.restartingInitResize &&
          about(policy, "must not be set to 'RestartContainer' for non-sidecar initContainers"),
      }),
    }),
  ),
});

const sidecarOrNot = {
  run: (container, owner, context, path, judgement) => {
    const check = container !== undefined && isSidecar(container) ? running : ending;
    check.run(container, owner, context, path, judgement);
  },
  visit: ending.visit,
} satisfies typeof running;

/** The containers that run before the others, one by one, or beside them. */
export const initContainers = all<readonly Container[], PodSpec, PodContext>(
  each<Container, PodContext>(
    inContainer(common, initRestartPolicy, sidecarOrNot),
    // The server looks at each alone, and so finds it at the beginning of a list.
    printedAs('[0]', hostPortsUniqueInOne),
  ),
  initNameUnique,
);
