import { describe, expect, test } from 'vitest';
import { judgeMetadata, judgeWorkload, type WorkloadName } from '../../src/admission/index.ts';
import type { JsonObject } from '../../src/base/index.ts';

/** What is refused of Pods, Deployments and StatefulSets on creation. A real server is asked in test/cluster. */

const labels = { app: 'x' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'r/x:1' }] } };
const bases: Readonly<Record<WorkloadName, JsonObject>> = {
  Pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: template.spec },
  Deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'x' },
    spec: { selector: { matchLabels: labels }, template },
  },
  StatefulSet: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'x' },
    spec: { selector: { matchLabels: labels }, template },
  },
};

function check(kind: WorkloadName, spec: JsonObject, metadata: JsonObject = { name: 'x' }): readonly string[] {
  const base = bases[kind];
  const own = base['spec'];
  const object = { ...base, metadata, spec: { ...(typeof own === 'object' ? own : {}), ...spec } };
  const failures: string[] = [];
  const errors = judgeWorkload(object, kind, { version: '1.35', onRuleFailure: (code) => failures.push(code) });
  expect(failures).toEqual([]);
  return errors.map(({ field, type }) => `${field} ${type}`);
}

describe('on creation', () => {
  test.each<[kind: WorkloadName, what: string, spec: JsonObject, expected: readonly string[]]>([
    ['Pod', 'plain', {}, []],
    ['Pod', 'that ends', { restartPolicy: 'Never', activeDeadlineSeconds: 5 }, []],
    ['Pod', 'without containers', { containers: [] }, ['spec.containers Required']],
    ['Pod', 'with an unknown field', { container: [] }, ['spec.container Unknown']],
    ['Pod', 'with a policy that is none', { restartPolicy: 'Sometimes' }, ['spec.restartPolicy NotSupported']],
    ['Deployment', 'plain', {}, []],
    ['Deployment', 'of -1 pods', { replicas: -1 }, ['spec.replicas Invalid']],
    [
      'Deployment',
      'whose pods end',
      { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
      ['spec.template.spec.restartPolicy NotSupported'],
    ],
    [
      'Deployment',
      'without a selector',
      { selector: null },
      ['spec.selector Required', 'spec.template.metadata.labels Invalid'],
    ],
    ['Deployment', 'with an empty selector', { selector: {} }, ['spec.selector Invalid']],
    [
      'Deployment',
      'whose selector selects others',
      { selector: { matchLabels: { app: 'y' } } },
      ['spec.template.metadata.labels Invalid'],
    ],
    [
      'Deployment',
      'that can never move',
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      ['spec.strategy.rollingUpdate.maxUnavailable Invalid'],
    ],
    [
      'Deployment',
      'that is recreated by halves',
      { strategy: { type: 'Recreate', rollingUpdate: {} } },
      ['spec.strategy.rollingUpdate Forbidden'],
    ],
    ['Deployment', 'with a strategy that is none', { strategy: { type: 'Blue' } }, ['spec.strategy NotSupported']],
    [
      'Deployment',
      'with too short a deadline',
      { minReadySeconds: 10, progressDeadlineSeconds: 10 },
      ['spec.progressDeadlineSeconds Invalid'],
    ],
    [
      'Deployment',
      'with half a pod',
      { strategy: { rollingUpdate: { maxSurge: '1.5' } } },
      ['spec.strategy.rollingUpdate.maxSurge Invalid'],
    ],
    ['StatefulSet', 'plain', {}, []],
    [
      'StatefulSet',
      'with its claims',
      {
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
        template: {
          ...template,
          spec: {
            containers: [{ name: 'main', image: 'r/x:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
          },
        },
      },
      [],
    ],
    [
      'StatefulSet',
      'with a claim for nothing',
      { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] },
      [
        'spec.volumeClaimTemplates[0].spec.resources[storage] Required',
        'spec.volumeClaimTemplates[0].spec.accessModes Required',
      ],
    ],
    ['StatefulSet', 'managed strangely', { podManagementPolicy: 'Random' }, ['spec.podManagementPolicy Invalid']],
    [
      'StatefulSet',
      'updated by halves',
      { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      ['spec.updateStrategy.rollingUpdate Invalid'],
    ],
    ['StatefulSet', 'behind a service that can’t be', { serviceName: 'a.b' }, ['spec.serviceName Invalid']],
  ])('a %s %s', (kind, _, spec, expected) => {
    expect(check(kind, spec)).toEqual(expected);
  });

  test('a StatefulSet is called by a label, the others by a subdomain', () => {
    expect(check('StatefulSet', {}, { name: 'a.b' })).toEqual(['metadata.name Invalid']);
    expect(check('Deployment', {}, { name: 'a.b' })).toEqual([]);
  });
});

test('a name is made from what may stand in a path, and that is looked at last', () => {
  const metadata = { name: 'x', generateName: 'a/-' };
  for (const kind of ['Pod', 'Deployment', 'StatefulSet'] as const) {
    expect(check(kind, {}, metadata), kind).toEqual(['metadata.generateName Invalid']);
  }
  expect(check('Deployment', { replicas: -1 }, metadata)).toEqual(['spec.replicas Invalid']);
});

describe('metadata of any kind', () => {
  test.each<[what: string, metadata: JsonObject, expected: readonly string[]]>([
    ['plain', { name: 'x', namespace: 'y', labels: { a: 'b' } }, []],
    ['without a name', {}, ['metadata.name Required']],
    ['with a name to come', { generateName: 'x-' }, []],
    ['with one to come that no path may hold', { name: 'x', generateName: 'a/-' }, ['metadata.generateName Invalid']],
    ['with a name that is none', { name: 'X' }, ['metadata.name Invalid']],
    ['with an unknown field', { name: 'x', label: {} }, ['metadata.label Unknown']],
    ['with a number as a label', { name: 'x', labels: { a: 1 } }, ['metadata.labels[a] TypeInvalid']],
    ['with a label that is none', { name: 'x', labels: { a: 'b c' } }, ['metadata.labels Invalid']],
  ])('%s', (_, metadata, expected) => {
    const errors = judgeMetadata({ apiVersion: 'acme.io/v1', kind: 'Thing', metadata }, { version: '1.35' });
    expect(errors.map(({ field, type }) => `${field} ${type}`)).toEqual(expected);
  });
});
