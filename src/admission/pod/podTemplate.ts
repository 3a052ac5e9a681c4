import { annotations, labels } from '../metadata.ts';
import type { ObjectMeta } from '../objects.ts';
import type { Check } from '../rule.ts';
import { always, fields, printedAs, within } from '../structure.ts';
import { podAnnotations } from './annotations.ts';
import type { PodContext, PodTemplateContext } from './context.ts';
import { podSpec } from './podSpec.ts';
import { tolerancesFor } from './tolerances.ts';
import type { PodTemplate } from './types.ts';

const noTemplate: PodTemplate = {};

function contextOf(template: PodTemplate, context: PodTemplateContext): PodContext {
  const spec = template.spec ?? {};
  const names = (spec.resourceClaims ?? []).flatMap(({ name = '' }) => (name === '' ? [] : [name]));
  return {
    ...context,
    template,
    spec,
    tolerances: tolerancesFor(context.version, context.oldTemplate),
    usableVolumes: new Map(),
    claimNames: new Set(names),
  };
}

/** Every rule of the pod template; mounted at `spec.template`, and run even where the template is absent. */
export const podTemplate: Check<PodTemplate, unknown, PodTemplateContext> = within<
  PodTemplate,
  unknown,
  PodTemplateContext,
  PodContext
>(
  'pod-template',
  (template = noTemplate, _owner, context) => contextOf(template, context),
  always(
    noTemplate,
    fields<PodTemplate, PodContext>({
      // The server leaves this step out of the paths that it prints.
      metadata: printedAs('', fields<ObjectMeta, PodContext>({ labels, annotations: [annotations, podAnnotations] })),
      spec: always({}, podSpec),
    }),
  ),
);
