import { describe, expect, test } from 'vitest';
import { podReferences } from '../../../src/admission/index.ts';
import type { JsonObject } from '../../../src/base/index.ts';

/** The door: what a pod's spec refers to, as `Kind name`. */
const found = (pod: unknown): readonly string[] => podReferences(pod).map(({ kind, name }) => `${kind} ${name}`);
const volume = (source: JsonObject): JsonObject => ({ volumes: [{ name: 'v', ...source }] });
const env = (source: JsonObject): JsonObject => ({ containers: [{ env: [{ name: 'E', valueFrom: source }] }] });

describe('a pod refers to', () => {
  test.each<[string, unknown, ...string[]]>([
    ['a ConfigMap in a volume', volume({ configMap: { name: 'a' } }), 'ConfigMap a'],
    ['a Secret in a volume', volume({ secret: { secretName: 'a' } }), 'Secret a'],
    [
      'both in one volume',
      volume({ projected: { sources: [{ configMap: { name: 'a' } }, { secret: { name: 'b' } }] } }),
      'ConfigMap a',
      'Secret b',
    ],
    ['a claim', volume({ persistentVolumeClaim: { claimName: 'a' } }), 'PersistentVolumeClaim a'],
    [
      'the class of a claim of its own',
      volume({ ephemeral: { volumeClaimTemplate: { spec: { storageClassName: 'fast' } } } }),
      'StorageClass fast',
    ],
    ["a driver's Secret", volume({ csi: { driver: 'd', nodePublishSecretRef: { name: 'a' } } }), 'Secret a'],
    ['a key of a ConfigMap', env({ configMapKeyRef: { name: 'a', key: 'k' } }), 'ConfigMap a'],
    ['a key of a Secret', env({ secretKeyRef: { name: 'a', key: 'k' } }), 'Secret a'],
    ['all of a ConfigMap', { initContainers: [{ envFrom: [{ configMapRef: { name: 'a' } }] }] }, 'ConfigMap a'],
    ['a Secret for its images', { imagePullSecrets: [{ name: 'a' }] }, 'Secret a'],
    ['an account', { serviceAccountName: 'a' }, 'ServiceAccount a'],
    ['an account by the old name of the field', { serviceAccount: 'a' }, 'ServiceAccount a'],
    ['its classes', { priorityClassName: 'a', runtimeClassName: 'b' }, 'PriorityClass a', 'RuntimeClass b'],
    [
      'devices',
      {
        resourceClaims: [
          { name: 'x', resourceClaimName: 'a' },
          { name: 'y', resourceClaimTemplateName: 'b' },
        ],
      },
      'ResourceClaim a',
      'ResourceClaimTemplate b',
    ],
    ['one thing, twice', { ...env({ secretKeyRef: { name: 'a' } }), imagePullSecrets: [{ name: 'a' }] }, 'Secret a'],
    ['what it can do without', env({ configMapKeyRef: { name: 'a', key: 'k', optional: true } })],
    ['what each cluster has', { serviceAccountName: 'default', priorityClassName: 'system-node-critical' }],
    ['nothing', { containers: [{ name: 'configMap', image: 'secret' }], nodeSelector: { secretName: 'a' } }],
    ['nothing that has no name', { ...volume({ configMap: {} }), imagePullSecrets: [{}, 'a'], serviceAccountName: 3 }],
    ['nothing, being none', 'configMap'],
  ])('%s', (_, pod, ...expected) => expect(found(pod)).toEqual(expected));
});
