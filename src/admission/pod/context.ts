import type { Context } from '../rule.ts';
import type { Tolerances } from './tolerances.ts';
import type { Container, PodSpec, PodTemplate } from './types.ts';
import type { Volume } from './volumeTypes.ts';

/** What a pod template is judged in. */
export interface PodTemplateContext extends Context {
  /** The stored template, on update: what was tolerated there stays tolerated. */
  readonly oldTemplate?: PodTemplate;
  /** True for a pod itself: it has a name, and some things are asked of it that no template is asked for. */
  readonly isPod?: true;
}

/** What the parts of a template are judged in, derived once for each template. */
export interface PodContext extends PodTemplateContext {
  readonly template: PodTemplate;
  readonly spec: PodSpec;
  readonly tolerances: Tolerances;
  /**
   * The volumes without a fault of their own, by name: only those can be mounted. Filled while the volumes are judged,
   * which is before the containers are.
   */
  readonly usableVolumes: Map<string, Volume>;
  /** Names of the pod's resource claims. */
  readonly claimNames: ReadonlySet<string>;
}

/** What the parts of one container are judged in. */
export interface ContainerContext extends PodContext {
  readonly container: Container;
  readonly mounts: VolumeUses;
  readonly devices: VolumeUses;
}

/** Which volumes a container uses in one of the two ways, and where. */
export interface VolumeUses {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

const noUses: VolumeUses = { names: new Set(), paths: new Set() };

/** The context of one container. The uses of volumes matter only where there are both kinds. */
export function containerContext(container: Container, context: PodContext): ContainerContext {
  const { volumeMounts = [], volumeDevices = [] } = container;
  if (volumeMounts.length === 0 || volumeDevices.length === 0) {
    return { ...context, container, mounts: noUses, devices: noUses };
  }
  return {
    ...context,
    container,
    mounts: usesOf(volumeMounts.map(({ name = '', mountPath = '' }) => [name, mountPath])),
    devices: usesOf(volumeDevices.map(({ name = '', devicePath = '' }) => [name, devicePath])),
  };
}

/** Of several uses of a volume, the last one counts. */
function usesOf(uses: readonly (readonly [name: string, path: string])[]): VolumeUses {
  const paths = new Map(uses);
  return { names: new Set(paths.keys()), paths: new Set(paths.values()) };
}

/** A container and where it stands. */
export interface PlacedContainer {
  readonly list: ContainerList;
  readonly index: number;
  readonly container: Container;
}

/** Every container of a pod with the list that holds it, in the order in which the server visits them. */
export function containersOf(spec: PodSpec): readonly PlacedContainer[] {
  const found: PlacedContainer[] = [];
  for (const list of containerLists) {
    spec[list]?.forEach((container, index) => {
      found.push({ list, index, container });
    });
  }
  return found;
}

/** The lists of containers, in the order in which the server visits them. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The name of a list of containers. */
export type ContainerList = (typeof containerLists)[number];

/** Changes the containers of each list by `change`; the same spec if none changed. */
export function withContainers(
  spec: PodSpec,
  change: (container: Container, list: ContainerList) => Container,
): PodSpec {
  let changed = spec;
  for (const list of containerLists) {
    const before = spec[list];
    if (before === undefined) continue;
    const after = before.map((container) => change(container, list));
    if (after.some((container, index) => container !== before[index])) changed = { ...changed, [list]: after };
  }
  return changed;
}

/** True for a sidecar: an init container that keeps running. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}
