import type { Context } from '../rule.ts';
import type { Tolerances } from './tolerances.ts';
import type { Container, PodSpec, PodTemplate } from './types.ts';
import type { Volume } from './volumeTypes.ts';

/** What a pod template is judged in. */
export interface PodTemplateContext extends Context {
  /** The stored template, on update: what was tolerated there stays tolerated. */
  readonly oldTemplate?: PodTemplate;
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
}

/** Every container of a pod with the list that holds it, in the order in which the server visits them. */
export function* containersOf(spec: PodSpec): Generator<{ list: ContainerList; index: number; container: Container }> {
  for (const list of containerLists) {
    for (const [index, container] of (spec[list] ?? []).entries()) yield { list, index, container };
  }
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
export type ContainerList = (typeof containerLists)[number];

/** True for a sidecar: an init container that keeps running. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}
