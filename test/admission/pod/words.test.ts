import { describe, expect, it } from 'vitest';
import { judge, type KubernetesMinor, type Verdict } from '../../../src/admission/index.ts';
import type { JsonObject } from '../../../src/base/index.ts';

function judged(spec: JsonObject, version: KubernetesMinor): Verdict {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }], ...spec } };
  const object = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'job' }, spec: { template } };
  return judge({ operation: 'create', object }, { version });
}

/** What the server says to a Job with this pod, after the error's type: `field: message`. */
function said(spec: JsonObject, version: KubernetesMinor): readonly string[] {
  return judged(spec, version).errors.map(
    ({ field, message }) => `${field.replace('spec.template.spec.', '')}: ${message}`,
  );
}

function check(spec: JsonObject, expected: string): void {
  expect(said(spec, '1.36')).toEqual([expected]);
}

function main(fields: JsonObject): JsonObject {
  return { containers: [{ name: 'main', image: 'a:1', ...fields }] };
}

const rows: readonly (readonly [name: string, spec: JsonObject, expected: string])[] = [
  ['of what is missing nothing', main({ image: '' }), 'containers[0].image: '],
  ['a text as JSON', { hostname: 'a.b' }, 'hostname: "a.b": must not contain dots'],
  [
    'a number plainly',
    { activeDeadlineSeconds: 0 },
    'activeDeadlineSeconds: 0: must be between 1 and 2147483647, inclusive',
  ],
  [
    'what is supported',
    main({ imagePullPolicy: 'Often' }),
    'containers[0].imagePullPolicy: "Often": supported values: "Always", "IfNotPresent", "Never"',
  ],
  [
    'the name of what is not there',
    main({ volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
    'containers[0].volumeMounts[0].name: "data"',
  ],
  [
    'a quantity as it is stored',
    main({ resources: { requests: { memory: '1024Mi' }, limits: { memory: '0.5Gi' } } }),
    'containers[0].resources.requests: "1Gi": must be less than or equal to memory limit of 512Mi',
  ],
  [
    'nothing where a pair does not go together',
    main({ env: [{ name: 'A', value: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
    'containers[0].env[0].valueFrom: "": may not be specified when `value` is not empty',
  ],
  [
    'a list as JSON',
    { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
    'dnsConfig.nameservers: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
  ],
];

describe('the server says', () => {
  it.each(rows)('%s', (_name, spec, expected) => check(spec, expected));

  it('what it said in that version', () => {
    const spec = main({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] });
    expect([...said(spec, '1.35'), ...said(spec, '1.36')]).toEqual([
      "containers[0].resizePolicy: \"RestartContainer\": must be 'NotRequired' when `restartPolicy` is 'Never'",
      "containers[0].resizePolicy: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
    ]);
  });

  it('no more than anybody reads about ports that blur each other', () => {
    const ports = Array.from({ length: 2000 }, () => ({ containerPort: 80 }));
    expect(judged(main({ ports }), '1.36').warnings).toHaveLength(1000);
    // Each of these has a warning of its own before those about the others.
    const bound = ports.map((port) => ({ ...port, hostIP: '10.0.0.1' }));
    const { warnings } = judged({ ...main({ ports: bound }), terminationGracePeriodSeconds: -1 }, '1.36');
    expect(warnings).toHaveLength(1000);
    // 45 ports have 45 + 990 warnings, so the last one that is told of is the 45th.
    expect(warnings.at(-1)).toContain('.ports[44]: duplicate port definition');
  });

  it('all of what it warns of, where that is not too much', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 80 }];
    const { warnings } = judged({ ...main({ ports }), terminationGracePeriodSeconds: -1 }, '1.36');
    expect(warnings).toHaveLength(2);
  });
});
