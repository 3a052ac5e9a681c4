import { isJsonObject, type JsonObject, textAt } from '../../base/index.ts';

/**
 * Another object without which the pods of a template don't start. Classes and StorageClasses are the cluster's own, all
 * others stand in the pods' namespace.
 */
export interface PodReference {
  readonly kind:
    | 'ConfigMap'
    | 'PersistentVolumeClaim'
    | 'PriorityClass'
    | 'ResourceClaim'
    | 'ResourceClaimTemplate'
    | 'RuntimeClass'
    | 'Secret'
    | 'ServiceAccount'
    | 'StorageClass';
  readonly name: string;
}

/** Fields, wherever they stand in a pod's spec, that hold the name of another object, and what that object is. */
const holders: Readonly<Record<string, readonly (readonly [field: string, kind: PodReference['kind']])[]>> = {
  azureFile: [['secretName', 'Secret']],
  configMap: [['name', 'ConfigMap']],
  configMapKeyRef: [['name', 'ConfigMap']],
  configMapRef: [['name', 'ConfigMap']],
  nodePublishSecretRef: [['name', 'Secret']],
  persistentVolumeClaim: [['claimName', 'PersistentVolumeClaim']],
  secret: [
    ['secretName', 'Secret'],
    ['name', 'Secret'],
  ],
  secretKeyRef: [['name', 'Secret']],
  secretRef: [['name', 'Secret']],
};

/** Made by each cluster for itself. Source: Kubernetes 1.35, scheduling; the ServiceAccount controller. */
const alwaysThere: ReadonlySet<string> = new Set([
  'PriorityClass system-cluster-critical',
  'PriorityClass system-node-critical',
  'ServiceAccount default',
]);

/** What a pod's spec refers to, each once, save what is optional and what each cluster has. Takes any value. */
export function podReferences(pod: unknown): readonly PodReference[] {
  const found = new Map<string, PodReference>();
  const note = (kind: PodReference['kind'], name: unknown): void => {
    const key = `${kind} ${String(name)}`;
    if (typeof name === 'string' && name !== '' && !alwaysThere.has(key)) found.set(key, { kind, name });
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    if (!isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      if (Object.hasOwn(holders, key) && isJsonObject(member) && member['optional'] !== true)
        for (const [field, kind] of holders[key] ?? []) note(kind, member[field]);
      walk(member);
    }
  };
  walk(pod);
  note('ServiceAccount', textAt(pod, ['serviceAccountName']) ?? textAt(pod, ['serviceAccount']));
  for (const secret of objectsAt(pod, 'imagePullSecrets')) note('Secret', secret['name']);
  for (const volume of objectsAt(pod, 'volumes'))
    note('StorageClass', textAt(volume, ['ephemeral', 'volumeClaimTemplate', 'spec', 'storageClassName']));
  for (const claim of objectsAt(pod, 'resourceClaims')) {
    note('ResourceClaim', claim['resourceClaimName']);
    note('ResourceClaimTemplate', claim['resourceClaimTemplateName']);
  }
  note('PriorityClass', textAt(pod, ['priorityClassName']));
  note('RuntimeClass', textAt(pod, ['runtimeClassName']));
  return [...found.values()];
}

function objectsAt(value: unknown, key: string): readonly JsonObject[] {
  const list = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
