import { portNameFaults } from '../formats.ts';
import type { Step } from '../path.ts';
import { type Complaint, rule } from '../rule.ts';
import { all, each, fields } from '../structure.ts';
import { about, aboutEach, missingMessage, oneOf, unique } from './ruleShapes.ts';
import type { Container, ContainerPort, PodSpec } from './types.ts';

/** Ports of containers. Source: Kubernetes 1.35, core validation, container ports. */

const portName = rule<string>({
  code: 'port-name-format',
  type: 'Invalid',
  source: 'G6',
  says: 'A port name has at most 15 lower case letters, digits and single dashes, and a letter among them.',
  refuses: (name) => name !== '' && aboutEach(name, portNameFaults(name)),
});

const portNameUnique = unique<ContainerPort>(
  { code: 'port-name-unique', source: 'G6', says: 'A container has one port of a name.' },
  // A malformed name is complained about once, as such.
  ({ name = '' }) => (name === '' || portNameFaults(name).length > 0 ? undefined : name),
  'name',
);

const containerPortRequired = rule<number>({
  code: 'container-port-required',
  type: 'Required',
  source: 'G6',
  says: 'A port has a number.',
  evenIfAbsent: true,
  refuses: (port = 0) => port === 0 && missingMessage,
});

const containerPortRange = rule<number>({
  code: 'container-port-range',
  type: 'Invalid',
  source: 'G6',
  says: 'A port is a number from 1 to 65535.',
  refuses: (port) => port !== 0 && portNumberFault(port),
});

const hostPortRange = rule<number>({
  code: 'host-port-range',
  type: 'Invalid',
  source: 'G6',
  says: 'A host port is a number from 1 to 65535.',
  refuses: (port) => port !== 0 && portNumberFault(port),
});

function portNumberFault(port: number): string | false {
  return (port < 1 || port > 65535) && about(port, 'must be between 1 and 65535, inclusive');
}

const protocol = oneOf({ code: 'port-protocol', source: 'G6', says: 'A port speaks SCTP, TCP or UDP.' }, [
  'SCTP',
  'TCP',
  'UDP',
]);

/** The ports of one container. */
export const containerPorts = all(
  each(
    fields<ContainerPort>({
      name: portName,
      containerPort: [containerPortRequired, containerPortRange],
      hostPort: hostPortRange,
      protocol,
    }),
  ),
  portNameUnique,
);

/** Containers that run side by side can't take the same port of their node. */
export const hostPortsUnique = rule<readonly Container[]>({
  code: 'host-port-unique',
  type: 'Duplicate',
  source: 'G6',
  says: 'A port of the node is taken once per protocol and address.',
  refuses: hostPortClashes,
});

/** Init containers run one after the other: only the ports within one of them can clash. */
export const hostPortsUniqueInOne = rule<Container>({
  code: 'init-host-port-unique',
  type: 'Duplicate',
  source: 'G6',
  says: 'An init container takes a port of the node once per protocol and address.',
  refuses: (container) => hostPortClashes([container]).map(({ at, message }) => ({ at: at.slice(1), message })),
});

function hostPortClashes(containers: readonly Container[]): (Complaint & { readonly at: readonly Step[] })[] {
  const clashes: (Complaint & { readonly at: readonly Step[] })[] = [];
  let taken: Set<string> | undefined;
  for (const [index, container] of containers.entries()) {
    for (const [portIndex, port] of container.ports?.entries() ?? []) {
      const { hostPort = 0 } = port;
      if (hostPort === 0) continue;
      taken ??= new Set();
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${hostPort}`;
      if (taken.has(key)) clashes.push({ at: [index, 'ports', portIndex, 'hostPort'], message: JSON.stringify(key) });
      taken.add(key);
    }
  }
  return clashes;
}

/** With the network of its node, a pod has no ports but the node's. */
export const hostPortsMatch = rule<readonly Container[], PodSpec>({
  code: 'host-port-matches',
  type: 'Invalid',
  source: 'G6',
  says: "In the node's network a host port equals its container port.",
  refuses: (containers, spec) => {
    if (spec.hostNetwork !== true) return false;
    const complaints: Complaint[] = [];
    for (const [index, container] of containers.entries()) {
      for (const [portIndex, { hostPort = 0, containerPort = 0 }] of container.ports?.entries() ?? []) {
        if (hostPort === 0 || hostPort === containerPort) continue;
        const message = about(hostPort, 'must match `containerPort` when `hostNetwork` is true');
        complaints.push({ at: [index, 'ports', portIndex, 'hostPort'], message });
      }
    }
    return complaints;
  },
});
