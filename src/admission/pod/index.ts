/** The pod template: its rules, defaults and warnings. Knows nothing of Jobs. */
import type { JsonObject } from '../../base/index.ts';
import type { ObjectMeta } from '../objects.ts';
import type { Check, Context } from '../rule.ts';
import { fields } from '../structure.ts';
import type { KubernetesMinor } from '../verdict.ts';

/** A container as far as the Job's own rules look into it. */
export interface Container {
  readonly name?: string;
  readonly resources?: JsonObject;
}

export interface Affinity {
  readonly nodeAffinity?: JsonObject;
  readonly podAffinity?: JsonObject;
  readonly podAntiAffinity?: JsonObject;
}

export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly restartPolicy?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly JsonObject[];
  readonly schedulingGates?: readonly JsonObject[];
  readonly affinity?: Affinity;
}

/** A pod template, decoded. */
export interface PodTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

/** What a pod template is judged in. */
export interface PodTemplateContext extends Context {
  /** The stored template, on update: what was tolerated there stays tolerated. */
  readonly oldTemplate?: PodTemplate;
}

/** Every rule of the pod template; mounted at `spec.template`, and run even where the template is absent. */
export const podTemplate: Check<PodTemplate, unknown, PodTemplateContext> = fields<PodTemplate, PodTemplateContext>({});

/** The template as the server completes it while decoding. Pure: shares what it doesn't change. */
export function defaultPodTemplate(template: PodTemplate, _version: KubernetesMinor): PodTemplate {
  return template;
}

/**
 * The template without the fields whose feature gate is off in this version, as the server drops them before it judges;
 * what the stored template already uses is kept. Pure: shares what it doesn't change.
 */
export function withoutGatedFields(
  template: PodTemplate,
  _oldTemplate: PodTemplate | undefined,
  _version: KubernetesMinor,
): PodTemplate {
  return template;
}

/** The warnings about a template whose place the server prints as `field` (`spec.template`). */
export function podTemplateWarnings(
  _template: PodTemplate,
  _field: string,
  _context: PodTemplateContext,
): readonly string[] {
  return [];
}
