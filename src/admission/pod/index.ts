/** The pod template: its rules, defaults and warnings. Knows nothing of Jobs. */

export { claimSpec } from './claimTemplate.ts';
export type { PodTemplateContext } from './context.ts';
export { asWritten } from './defaultAmounts.ts';
export { defaultPodTemplate } from './defaults.ts';
export { withoutGatedFields } from './gatedFields.ts';
export { isGateOn } from './gates.ts';
export { ownPodSpec, preparedPod } from './ownPod.ts';
export { podTemplate } from './podTemplate.ts';
export { mostWarnings } from './portWarnings.ts';
export { compareQuantities, formatQuantity, parseQuantity, type Quantity } from './quantity.ts';
export { type PodReference, podReferences } from './references.ts';
export type { Affinity, Container, PodSpec, PodTemplate } from './types.ts';
export type { ClaimSpec } from './volumeTypes.ts';
export { claimWarnings } from './volumeWarnings.ts';
export { podTemplateWarnings, podWarnings } from './warnings.ts';
