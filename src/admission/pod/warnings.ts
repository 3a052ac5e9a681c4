import type { PodTemplateContext } from './context.ts';
import type { PodTemplate } from './types.ts';

/** The warnings about a template whose place the server prints as `field` (`spec.template`). */
export function podTemplateWarnings(
  _template: PodTemplate,
  _field: string,
  _context: PodTemplateContext,
): readonly string[] {
  return [];
}
