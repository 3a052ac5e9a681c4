/** The annotation that says how dear a pod is to its controller. Source: Kubernetes 1.35, core helpers. */
export const deletionCostKey = 'controller.kubernetes.io/pod-deletion-cost';

const decimal = /^(?:0|[1-9][0-9]*|-[0-9]+)$/;
const highestInt32 = 2 ** 31 - 1;

/** True if the annotation is absent or a whole number of 32 bits, without a plus sign or leading zeros. */
export function isDeletionCost(annotations: Readonly<Record<string, string>> | undefined): boolean {
  const text = annotations?.[deletionCostKey];
  if (text === undefined) return true;
  const cost = Number(text);
  return decimal.test(text) && cost <= highestInt32 && cost >= -highestInt32 - 1;
}
