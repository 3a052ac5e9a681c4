import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kubernetesMinors } from '../../src/admission/index.ts';
import type { ManifestSettings } from '../../src/manifest/index.ts';
import { readYaml } from '../../src/manifest/yaml/readYaml.ts';
import { findingsOf } from '../manifest/check.ts';
import { choose, offersAt, type Typing, take, typing, typingSettings, write } from './typing.ts';

const head = 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: demo\n';

/** Accepts offers and types letters in turn: `'+x'` types, anything else is the name of an offer. */
function follow(start: string, steps: readonly string[], settings: Partial<ManifestSettings> = {}): string {
  let state = typing(start);
  for (const step of steps) state = step.startsWith('+') ? write(state, step.slice(1)) : choose(state, step, settings);
  return state.text;
}

/** What keeps the API server from taking a text. */
function errorsIn(text: string, settings: Partial<ManifestSettings> = {}): readonly string[] {
  const found = findingsOf(text, { ...typingSettings, ...settings });
  return found.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`);
}

describe('from nothing, by completion alone', () => {
  const header = ['apiVersion', 'batch/v1', '+\n', 'kind'];

  test.each(kubernetesMinors)('a Job, for Kubernetes %s', (version) => {
    const text = follow('‸', [...header, 'Job', '+\n', 'metadata', '+\n', 'spec'], { version });
    expect(errorsIn(text, { version })).toEqual([]);
    expect(text).toBe(`apiVersion: batch/v1
kind: Job
metadata:
  name: name
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: registry.example/image:tag`);
  });

  test('a Job for MultiKueue', () => {
    const labels = ['+\n  ', 'labels', 'kueue.x-k8s.io/queue-name', '+user-queue\n'];
    const spec = ['spec', '+\n  ', 'managedBy', 'kueue.x-k8s.io/multikueue', '+\n  ', 'suspend', 'true'];
    const text = follow('‸', [...header, 'Job', '+\n', 'metadata', ...labels, ...spec]);
    expect(errorsIn(text)).toEqual([]);
    expect(text).toContain('  labels:\n    kueue.x-k8s.io/queue-name: user-queue\nspec:\n');
    expect(text).toMatch(/tag\n {2}managedBy: kueue\.x-k8s\.io\/multikueue\n {2}suspend: true$/);
  });

  test('a CronJob', () => {
    const text = follow('‸', [...header, 'CronJob', '+\n', 'metadata', '+\n', 'spec', '+\n  ', 'timeZone', 'Etc/UTC']);
    expect(errorsIn(text)).toEqual([]);
    expect(text).toContain('spec:\n  schedule: "0 3 * * *"\n  jobTemplate:\n    spec:\n      template:\n');
  });

  test('an Indexed Job with policies', () => {
    const text = follow(`${head}spec:\n  ‸\n`, [
      'template',
      '+\n  ',
      'completionMode',
      'Indexed',
      '+\n  ',
      'completions',
      '+5\n  ',
      'backoffLimitPerIndex',
      '+1\n  ',
      'successPolicy',
      '+\n  ',
      'podFailurePolicy',
      '+\n  ',
      'podReplacementPolicy',
      'Failed',
    ]);
    expect(errorsIn(text)).toEqual([]);
  });

  test('the rest of a container', () => {
    const text = follow(`${head}spec:\n  ‸\n`, [
      'template',
      '+\n          ',
      'resources',
      '+\n          ',
      'env',
      '+\n          ',
      'command',
      '+sh\n          ',
      'volumeMounts',
      '+\n      ',
      'volumes',
      '+\n          ',
      'emptyDir',
      '+\n      ',
      'nodeSelector',
      'kubernetes.io/arch',
      '+arm64',
    ]);
    expect(errorsIn(text)).toEqual([]);
    expect(text).toContain('resources:\n            requests:\n              cpu: 500m\n              memory: 256Mi\n');
  });

  test('a Job as JSON', () => {
    const text = follow('{"apiVersion": "batch/v1", "kind": "Job", ‸}', ['metadata', '+, "', 'spec']);
    expect(JSON.parse(text)).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'name' },
      spec: {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/image:tag' }] },
        },
      },
    });
    expect(errorsIn(text)).toEqual([]);
  });
});

describe('what is inserted looks like the text around it', () => {
  test.each<[string, string, string, string]>([
    [
      'deeper levels',
      'spec:\n    parallelism: 1\n    ‸\n',
      'podFailurePolicy',
      '    podFailurePolicy:\n        rules:\n            - action: ',
    ],
    [
      'dashes below the key',
      'spec:\n  template:\n    spec:\n      volumes:\n      - name: a\n      ‸\n',
      'containers',
      '      containers:\n      - name: main\n        image: ',
    ],
    [
      'behind a dash',
      'spec:\n  template:\n    spec:\n      containers:\n        - ‸\n',
      'resources',
      '        - resources:\n            requests:\n              cpu: 500m\n',
    ],
    ['in braces', 'spec: {‸}\n', 'template', 'spec: {template: {spec: {restartPolicy: Never, containers: [{name: '],
    ['in braces in front of others', 'spec: {‸ suspend: true}\n', 'backoffLimit', 'spec: {backoffLimit: '],
    ['a key in quotes', 'spec:\n  "par‸"\n', 'parallelism', '\n  parallelism: '],
    ['a key with a colon', 'spec:\n  par‸: 1\n', 'parallelism', '\n  parallelism: 1'],
    [
      'an item of an empty list',
      'spec:\n  template:\n    spec:\n      containers:\n        ‸\n',
      '- name',
      '\n        - name: main\n          image: ',
    ],
    [
      'a further item',
      'spec:\n  template:\n    spec:\n      containers:\n        - name: a\n          image: i\n        ‸\n',
      '- name',
      'image: i\n        - name: main\n          image: ',
    ],
    [
      'what reads as something else',
      'spec:\n  podFailurePolicy:\n    rules:\n      - onPodConditions:\n          - type: x\n            status: ‸',
      'True',
      'status: "True"',
    ],
  ])('%s', (_, spec, label, expected) => {
    const text = choose(typing(head + spec), label).text;
    expect(text).toContain(expected);
    expect(findingsOf(text).filter(({ code }) => code.startsWith('yaml'))).toEqual([]);
  });

  test('with the line breaks of the text', () => {
    const text = choose(typing(`${head}spec:\n  ‸\n`.replaceAll('\n', '\r\n')), 'template').text;
    expect(text).toContain('template:\r\n    spec:\r\n');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test.each<[string, string, string, object]>([
    ['in an empty object', '{"apiVersion":"batch/v1","kind":"Job","spec":{‸}}', 'suspend', { suspend: '' }],
    ['in quotes', '{"apiVersion":"batch/v1","kind":"Job","spec":{"‸"}}', 'managedBy', { managedBy: '' }],
    [
      'in front of others',
      '{"apiVersion":"batch/v1","kind":"Job","spec":{‸ "suspend":true}}',
      'managedBy',
      { managedBy: '', suspend: true },
    ],
    [
      'on lines of their own',
      '{\n  "apiVersion": "batch/v1",\n  "kind": "Job",\n  "spec": {\n    "‸"\n  }\n}\n',
      'template',
      {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/image:tag' }] },
        },
      },
    ],
    [
      'a value',
      '{"apiVersion":"batch/v1","kind":"Job","spec":{"completionMode": ‸}}',
      'Indexed',
      { completionMode: 'Indexed' },
    ],
    [
      'a value in quotes',
      '{"apiVersion":"batch/v1","kind":"Job","spec":{"completionMode": "‸"}}',
      'Indexed',
      { completionMode: 'Indexed' },
    ],
  ])('JSON %s', (_, marked, label, spec) => {
    const { text } = choose(typing(marked), label);
    expect(JSON.parse(text.replace('"suspend": }', '"suspend": ""}')).spec).toEqual(spec);
  });
});

const samples = [
  `${head}spec:
  completionMode: Indexed
  completions: 3
  managedBy: kueue.x-k8s.io/multikueue
  podFailurePolicy:
    rules:
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
  template:
    metadata:
      labels: {app: x}
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: busybox
          resources:
            limits: {cpu: 1}
          env:
            - name: A
              value: b
          volumeMounts: [{name: data, mountPath: /data}]
      volumes:
        - name: data
          emptyDir: {}
`,
  `# a comment
apiVersion: batch/v1
kind: CronJob
metadata: {name: a}
spec:
  schedule: "@daily"
  jobTemplate:
    metadata:
      labels:
        kueue.x-k8s.io/queue-name: a
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers:
          - name: main
            image: busybox
            command: [sh, -c, "echo \\"x\\""]
---
apiVersion: ray.io/v1
kind: RayJob
metadata:
  name: b
spec:
  managedBy: ray.io/kuberay-operator
`,
  JSON.stringify(
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } },
    },
    undefined,
    2,
  ),
];

/** Offers that, once taken, make a key stand twice. */
function doubles(state: Typing): readonly string[] {
  return offersAt(state)
    .filter((offer) => readYaml(take(state, offer).text).problems.some(({ code }) => code === 'duplicate-key'))
    .map(({ label }) => label);
}

describe.each(samples.map((sample, index) => [index, sample] as const))(
  'whatever is typed in sample %i',
  (_, sample) => {
    test('no key is offered twice', () => {
      fc.assert(
        fc.property(fc.nat(sample.length), (offset) => {
          expect(doubles({ text: sample, offset })).toEqual([]);
        }),
        { numRuns: 50 },
      );
    });

    test('nor in a text that ends at the cursor', () => {
      fc.assert(
        fc.property(fc.nat(sample.length), (offset) => {
          const state = { text: sample.slice(0, offset), offset };
          const labels = offersAt(state).map(({ label, kind }) => `${kind} ${label}`);
          expect(new Set(labels).size).toBe(labels.length);
          expect(doubles(state)).toEqual([]);
        }),
        { numRuns: 50 },
      );
    });
  },
);

test('on a new line of any depth, each offer leaves a text that can be read', () => {
  const [sample = ''] = samples;
  const lines = sample.split('\n');
  fc.assert(
    fc.property(fc.integer({ min: 3, max: lines.length - 1 }), fc.nat(7), (line, level) => {
      // Above deeper lines a new key takes them for its own: that is a change of mind, not a new field.
      fc.pre((/^ */.exec(lines[line] ?? '')?.[0].length ?? 0) <= level * 2);
      const state = typing([...lines.slice(0, line), `${'  '.repeat(level)}‸`, ...lines.slice(line)].join('\n'));
      for (const offer of offersAt(state)) {
        const { text } = take(state, offer);
        const unread = findingsOf(text).filter(({ code }) => code.startsWith('yaml') || code === 'unknown-field');
        expect(unread, `${offer.label}:\n${text}`).toEqual([]);
      }
    }),
    { numRuns: 30 },
  );
});
