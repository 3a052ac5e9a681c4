import { describe, expect, test } from 'vitest';
import { judgeMetadata, judgeWorkload, type Verdict, type WorkloadName } from '../../src/admission/index.ts';
import type { JsonObject } from '../../src/base/index.ts';

/** What is said to Pods, Deployments and StatefulSets on creation. Kubernetes' own code is asked in test/conformance. */

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

function verdictOn(kind: WorkloadName, spec: JsonObject, metadata: JsonObject): Verdict {
  const base = bases[kind];
  const own = base['spec'];
  const object = { ...base, metadata, spec: { ...(typeof own === 'object' ? own : {}), ...spec } };
  const failures: string[] = [];
  const verdict = judgeWorkload(object, kind, { version: '1.35', onRuleFailure: (code) => failures.push(code) });
  expect(failures).toEqual([]);
  return verdict;
}

function check(kind: WorkloadName, spec: JsonObject, metadata: JsonObject = { name: 'x' }): readonly string[] {
  return verdictOn(kind, spec, metadata).errors.map(({ field, type }) => `${field} ${type}`);
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
        'spec.volumeClaimTemplates[0].spec.accessModes Required',
        'spec.volumeClaimTemplates[0].spec.resources[storage] Required',
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
    ['StatefulSet', 'that keeps all its history', { revisionHistoryLimit: -1 }, []],
    [
      'Deployment',
      'that keeps less than no history',
      { revisionHistoryLimit: -1 },
      ['spec.revisionHistoryLimit Invalid'],
    ],
    ['Deployment', 'that is ready too late', { minReadySeconds: 600 }, ['spec.progressDeadlineSeconds Invalid']],
    [
      'Deployment',
      'whose template is not looked at',
      { selector: { matchExpressions: [{ key: 'app', operator: 'In' }] }, template: { ...template, spec: {} } },
      ['spec.selector.matchExpressions[0].values Required', 'spec.selector Invalid'],
    ],
    [
      'StatefulSet',
      'with claims of two minds',
      {
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: {
              accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'],
              resources: { requests: { storage: '1Gi' } },
              storageClassName: 'a/b',
            },
          },
        ],
      },
      [
        'spec.volumeClaimTemplates[0].spec.accessModes Forbidden',
        'spec.volumeClaimTemplates[0].spec.storageClassName Invalid',
      ],
    ],
    [
      'Pod',
      'with a padded image',
      { containers: [{ name: 'main', image: ' x' }] },
      ['spec.containers[0].image Invalid'],
    ],
    [
      'Pod',
      'that takes a port of its node twice',
      {
        hostNetwork: true,
        containers: [{ name: 'main', image: 'x', ports: [{ containerPort: 80 }, { containerPort: 80 }] }],
      },
      ['spec.containers[0].ports[1].hostPort Duplicate'],
    ],
    [
      'Pod',
      'whose containers request more than it',
      {
        resources: { requests: { cpu: '1' } },
        containers: [{ name: 'main', image: 'x', resources: { limits: { cpu: '2' } } }],
      },
      ['spec.resources.requests[cpu] Invalid'],
    ],
  ])('a %s %s', (kind, _, spec, expected) => {
    expect(check(kind, spec)).toEqual(expected);
  });

  test('a StatefulSet is called by a label, the others by a subdomain', () => {
    expect(check('StatefulSet', {}, { name: 'a.b' })).toEqual(['metadata.name Invalid']);
    const generated = ['metadata.name Invalid', 'metadata.generateName Invalid'];
    expect(check('StatefulSet', {}, { generateName: 'a.b-' })).toEqual(generated);
    expect(check('Deployment', {}, { name: 'a.b' })).toEqual([]);
  });
});

test('the labels of a pod become part of its selectors', () => {
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['app'] };
  const spec = { topologySpreadConstraints: [{ ...constraint, labelSelector: { matchLabels: labels } }] };
  expect(check('Pod', spec, { name: 'x', labels })).toEqual(['spec.topologySpreadConstraints[0][0] Invalid']);
  expect(check('Pod', spec)).toEqual([]);
});

test('the annotations of a pod become fields of its containers', () => {
  const metadata = { name: 'x', annotations: { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' } };
  const spec = { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } };
  expect(check('Pod', spec, metadata)).toEqual([]);
  const pods = { ...template, metadata: { ...metadata, labels }, spec: { ...template.spec, ...spec } };
  expect(check('Deployment', { template: pods })).toEqual([
    'spec.template.spec.containers[0].securityContext.appArmorProfile.type Forbidden',
  ]);
});

describe('what is accepted with a warning', () => {
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/main';
  const padded = { metadata: { labels, annotations: { [appArmor]: 'unconfined' } } };
  const label = (use: string): string =>
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]`;
  test.each<[kind: WorkloadName, what: string, spec: JsonObject, metadata: JsonObject, expected: readonly string[]]>([
    ['Pod', 'plain', {}, { name: 'x' }, []],
    ['Pod', 'with a dot in its name', {}, { name: 'a.b' }, [label("the Pod's hostname")]],
    [
      'Pod',
      'with an old annotation, and a dot in its name',
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
      { name: 'a.b', annotations: { [appArmor]: 'runtime/default' } },
      [
        `metadata.annotations[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
        label("the Pod's hostname"),
        'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      ],
    ],
    [
      'Pod',
      'for Windows, with an annotation for Linux',
      { os: { name: 'windows' } },
      { name: 'x', annotations: { [appArmor]: 'runtime/default' } },
      [],
    ],
    ['Pod', 'that ends before it is told to', { terminationGracePeriodSeconds: -1 }, { name: 'x' }, []],
    ['Deployment', 'with a dot in its name', {}, { name: 'a.b' }, [label('Pod names and hostnames')]],
    [
      'Deployment',
      'whose pods have an old annotation, and end before they are told to',
      { template: { ...template, ...padded, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } } },
      { name: 'x' },
      [
        `spec.template.metadata.annotations[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
        'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
      ],
    ],
    [
      'StatefulSet',
      'with half a byte in its claims, and all its history',
      {
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
          },
        ],
      },
      { name: 'x' },
      [
        'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
        'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
      ],
    ],
    ['Deployment', 'that is refused', { replicas: -1 }, { name: 'a.b' }, []],
  ])('a %s %s', (kind, _, spec, metadata, expected) => {
    expect(verdictOn(kind, spec, metadata).warnings).toEqual(expected);
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
