import { isAtLeast, type KubernetesMinor } from '../../admission/index.ts';
import type { WorkloadKind } from '../../manifest/index.ts';

/**
 * Whether a field may change after the object was created. Source: Kubernetes 1.34 to 1.37, batch validation and object
 * metadata on update (C1 to C9).
 */

/** Sentences, chosen by the path from the object's root without indexes. */
export function tellChanges(
  kind: WorkloadKind,
  path: readonly (string | number)[],
  version: KubernetesMinor,
): string | undefined {
  const steps = path.filter((step) => typeof step === 'string');
  const [top, field] = steps;
  if (top === 'metadata') return metadataChanges(steps);
  if (kind.kind === 'CronJob' && top === 'spec') {
    return field === 'jobTemplate' ? 'May change at any time, for Jobs made from then on.' : 'May change at any time.';
  }
  if (kind.kind === 'Job' && top === 'spec' && field !== undefined) return jobChanges(field, steps.slice(2), version);
  if (steps.join('.') !== kind.managedBy?.path.join('.')) return undefined;
  return {
    always: fixed,
    'while-set': 'May be added and taken away, but not changed.',
    never: 'May change at any time.',
  }[kind.managedBy.immutable];
}

const fixed = 'Fixed once created: to change it, delete and create.';

const alwaysMutable: ReadonlySet<string> = new Set([
  'parallelism',
  'backoffLimit',
  'activeDeadlineSeconds',
  'ttlSecondsAfterFinished',
  'suspend',
  'maxFailedIndexes',
  'podReplacementPolicy',
  'manualSelector',
]);

function jobChanges(field: string, inside: readonly string[], version: KubernetesMinor): string {
  if (alwaysMutable.has(field)) return 'May change at any time.';
  if (field === 'completions')
    return 'Fixed once created. An Indexed Job may change it together with `parallelism`, to the same number.';
  if (field === 'scheduling' && inside.at(-1) === 'minCount') return 'May change at any time.';
  return field === 'template' ? templateChanges(inside, version) : fixed;
}

/** Paths within the template that a Job may change before it starts: what places its pods. */
const placing = [
  'metadata.labels',
  'metadata.annotations',
  'spec.nodeSelector',
  'spec.tolerations',
  'spec.schedulingGates',
  'spec.affinity.nodeAffinity',
];

function templateChanges(inside: readonly string[], version: KubernetesMinor): string {
  const path = inside.join('.');
  const isPausable = isAtLeast(version, '1.36');
  const when = isPausable ? 'suspended and without pods' : 'suspended and has never started';
  const resources = /^spec\.(?:initC|c)ontainers\.resources(?:\.|$)/.test(path) && isPausable;
  const isPlacing = placing.some((one) => path === one || path.startsWith(`${one}.`));
  return resources || isPlacing ? `Fixed once created, but for the time while the Job is ${when}.` : fixed;
}

function metadataChanges([, field]: readonly string[]): string | undefined {
  switch (field) {
    case 'name':
    case 'namespace':
    case 'generateName':
      return fixed;
    case 'labels':
    case 'annotations':
    case 'finalizers':
    case 'ownerReferences':
      return 'May change at any time.';
    default:
      return undefined;
  }
}
