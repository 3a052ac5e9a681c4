import type { PodTemplate } from './types.ts';

/** Annotations from the time before init containers were fields. */
const initContainerAnnotations = ['beta', 'alpha'].flatMap((stage) => [
  `pod.${stage}.kubernetes.io/init-containers`,
  `pod.${stage}.kubernetes.io/init-container-statuses`,
]);

/**
 * The template without the annotations that init containers once were. The server drops them while decoding; from 1.37
 * on only from what is sent, not from what is stored.
 */
export function withoutInitAnnotations(template: PodTemplate): PodTemplate {
  const annotations = template.metadata?.annotations;
  if (annotations === undefined || !initContainerAnnotations.some((key) => key in annotations)) return template;
  const kept = Object.entries(annotations).filter(([key]) => !initContainerAnnotations.includes(key));
  return { ...template, metadata: { ...template.metadata, annotations: Object.fromEntries(kept) } };
}
