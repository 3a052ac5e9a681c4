import { goQuote } from '../decode/goQuote.ts';
import { containersOf } from './context.ts';
import type { ContainerPort, PodSpec } from './types.ts';

/** Warnings about ports that repeat or blur others. Source: Kubernetes 1.35, pod warnings (H4). */

/**
 * A list of warnings ends here. The server sends four KiB of them at most, and each port may blur each other one: more
 * than these nobody reads.
 */
export const mostWarnings = 1000;

interface PlacedPort {
  readonly port: ContainerPort;
  readonly at: string;
}

/** Ports that say the same twice, or can't be told apart; nothing that stands behind `mostWarnings`. */
export function portWarnings(spec: PodSpec, place: string): string[] {
  const warnings: string[] = [];
  const ports: PlacedPort[] = [];
  for (const { list, index, container } of containersOf(spec)) {
    for (const [portIndex, port] of container.ports?.entries() ?? []) {
      ports.push({ port, at: `${place}.${list}[${index}].ports[${portIndex}]` });
    }
  }
  const byNumber = new Map<string, PlacedPort[]>();
  for (const placed of ports) {
    const { port, at } = placed;
    if ((port.hostIP ?? '') !== '' && (port.hostPort ?? 0) === 0) {
      warnings.push(`${at}: hostIP set without hostPort: ${described(port)}`);
    }
    const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
    const others = byNumber.get(key) ?? [];
    byNumber.set(key, others);
    for (const other of others) {
      const relation = relationOf(port, other.port);
      if (relation !== undefined) warnings.push(`${at}: ${relation} port definition with ${other.at}`);
      if (warnings.length >= mostWarnings) return warnings;
    }
    others.push(placed);
  }
  const byName = new Map<string, string>();
  for (const { port, at } of ports) {
    const { name = '' } = port;
    if (name === '') continue;
    const first = byName.get(name);
    if (first === undefined) byName.set(name, at);
    else {
      warnings.push(
        `${at}: duplicate port name ${goQuote(name)} with ${first}, services and probes that select ports by name will use ${first}`,
      );
    }
  }
  return warnings;
}

function relationOf(one: ContainerPort, other: ContainerPort): string | undefined {
  const [address = '', otherAddress = ''] = [one.hostIP, other.hostIP];
  const [port = 0, otherPort = 0] = [one.hostPort, other.hostPort];
  if (address === otherAddress && port === otherPort) return 'duplicate';
  if (port === 0 || otherPort === 0) return 'overlapping';
  const isEitherOpen = (address === '') !== (otherAddress === '');
  return port === otherPort && isEitherOpen ? 'dangerously ambiguous' : undefined;
}

/** A port as the server prints its own struct. */
function described({ name = '', hostPort = 0, containerPort = 0, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
