import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/index.ts';
import { check, findingsOf } from './check.ts';
import { yaml } from './markup.ts';
import { valid, withValue } from './samples.ts';

/** What is said of the objects that an AppWrapper wraps, and of the Jobs that a JobSet makes. */

function told(object: JsonObject): readonly string[] {
  return findingsOf(JSON.stringify(object)).map(({ severity, code, field = '' }) => `${severity} ${code} ${field}`);
}

const job = 'spec.components.1.template';

describe('a wrapped object', () => {
  test.each<[what: string, path: string, value: JsonValue | undefined, expected: readonly string[]]>([
    [
      'with an unknown field',
      `${job}.spec.paralelism`,
      4,
      ['warning unknown-field spec.components[1].template.spec.paralelism'],
    ],
    [
      'that its rules refuse',
      `${job}.spec.template.spec.restartPolicy`,
      'Always',
      ['warning restart-policy-required spec.components[1].template.spec.template.spec.restartPolicy'],
    ],
    [
      'in another namespace',
      `${job}.metadata.namespace`,
      'elsewhere',
      ['error app-wrapper-component spec.components[1].template.metadata.namespace'],
    ],
    [
      'with labels that no object can have',
      `${job}.metadata.labels`,
      { 'a b': 'c' },
      ['error label-format spec.components[1].template.metadata.labels'],
    ],
    ['of a kind that is unknown here', 'spec.components.0.template.spec.whatever', 1, []],
    ['with advice to give', `${job}.spec.activeDeadlineSeconds`, 0, []],
    [
      'whose pods are refused',
      `${job}.spec.template.spec.priority`,
      5,
      ['warning priority-without-class spec.components[1].template.spec.template.spec.priority'],
    ],
  ])('%s', (_, path, value, expected) => {
    expect(told(withValue(valid('AppWrapper'), path, value))).toEqual(expected);
  });

  test('is judged by its own CRD, where it stands', () => {
    check(yaml`
      apiVersion: workload.codeflare.dev/v1beta2
      kind: AppWrapper
      metadata:
        name: outer
      spec:
        components:
        - template:
            apiVersion: kubeflow.org/v1
            kind: PyTorchJob
            metadata:
              name: inner
            spec:
              suspended: true
              ^^^^^^^^^ crd-unknown-field
              runPolicy:
                managedBy: acme.io/runner
                           ^^^^^^^^^^^^^^ managed-by-nested
              pytorchReplicaSpecs:
                Master:
                  replicas: 1
                  template:
                    spec:
                      containers:
                      - name: pytorch
                        image: 5
                               ^ crd-wrong-type
    `);
  });

  test('may not be another AppWrapper', () => {
    const inner = { apiVersion: 'workload.codeflare.dev/v1beta2', kind: 'AppWrapper', metadata: { name: 'inner' } };
    expect(told(withValue(valid('AppWrapper'), 'spec.components.0.template', inner))).toEqual([
      'error app-wrapper-component spec.components[0].template.kind',
    ]);
  });
});

describe('a Job that a JobSet makes', () => {
  const template = 'spec.replicatedJobs.0.template';
  test.each<[what: string, path: string, value: JsonValue | undefined, expected: readonly string[]]>([
    ['gets its restart policy from JobSet', `${template}.spec.template.spec.restartPolicy`, undefined, []],
    [
      'is refused for its restart policy',
      `${template}.spec.template.spec.restartPolicy`,
      'Always',
      ['warning restart-policy-required spec.replicatedJobs[0].template.spec.template.spec.restartPolicy'],
    ],
    [
      'is refused for its counts',
      `${template}.spec.parallelism`,
      -1,
      ['warning parallelism-negative spec.replicatedJobs[0].template.spec.parallelism'],
    ],
    [
      'is said to have a wrong type once',
      `${template}.spec.parallelism`,
      'two',
      ['error crd-wrong-type spec.replicatedJobs[0].template.spec.parallelism'],
    ],
    [
      'is refused for a volume that is not there',
      `${template}.spec.template.spec.containers.0.volumeMounts`,
      [{ name: 'none', mountPath: '/none' }],
      [
        'warning mount-volume-exists spec.replicatedJobs[0].template.spec.template.spec.containers[0].volumeMounts[0].name',
      ],
    ],
  ])('%s', (_, path, value, expected) => {
    expect(told(withValue(valid('JobSet'), path, value))).toEqual(expected);
  });

  test.each([
    ['data', []],
    [
      'dat',
      [
        `warning mount-volume-exists ${template.replace('.0.', '[0].')}.spec.template.spec.containers[0].volumeMounts[0].name`,
      ],
    ],
  ])('mounts a claim that JobSet makes for all: %s', (name, expected) => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const mounts = `${template}.spec.template.spec.containers.0.volumeMounts`;
    const mounting = withValue(valid('JobSet'), mounts, [{ name, mountPath: '/data' }]);
    const claimed = withValue(mounting, 'spec.volumeClaimPolicies', [
      { templates: [{ metadata: { name: 'data' }, spec }] },
    ]);
    expect(told(claimed).filter((line) => line.includes('mount'))).toEqual(expected);
  });
});
