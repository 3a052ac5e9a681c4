import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecodedKind, decode } from '../../../src/admission/decode/index.ts';
import { type KubernetesMinor, kubernetesMinors } from '../../../src/admission/index.ts';

const kinds: readonly DecodedKind[] = ['Job', 'CronJob', 'Pod', 'Deployment', 'StatefulSet'];
const options = { version: '1.35', kind: 'Job' } as const;

const podTemplate = {
  metadata: { labels: { app: 'a' }, annotations: { 'a.dev/b': '{}' } },
  spec: {
    restartPolicy: 'Never',
    initContainers: [{ name: 'init', image: 'i', restartPolicy: 'Always' }],
    containers: [
      {
        name: 'main',
        image: 'registry.example/app:1',
        command: ['sh', '-c'],
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        resources: { requests: { cpu: '100m', memory: 128 }, limits: { cpu: 1.5 } },
        livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
        securityContext: { runAsUser: 1000, capabilities: { drop: ['ALL'] } },
      },
    ],
    volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's', items: [{ key: 'k', path: 'p' }] } }] } }],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    tolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds: 30 }],
  },
};
const jobSpec = { parallelism: 2, completions: 4, suspend: true, selector: {}, template: podTemplate };
const validObjects: Record<DecodedKind, unknown> = {
  Job: {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'a', creationTimestamp: '2026-01-02T15:04:05Z', ownerReferences: [{ name: 'o', uid: 'u' }] },
    spec: jobSpec,
    status: { active: 1, startTime: '2026-01-02T15:04:05Z', conditions: [{ type: 'Complete', status: 'True' }] },
  },
  CronJob: { apiVersion: 'batch/v1', kind: 'CronJob', spec: { schedule: '@daily', jobTemplate: { spec: jobSpec } } },
  Pod: { apiVersion: 'v1', kind: 'Pod', ...podTemplate, status: { phase: 'Running', podIP: '10.0.0.1' } },
  Deployment: { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 2, selector: {}, template: podTemplate } },
  StatefulSet: { apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { serviceName: 's', template: podTemplate } },
};

/** A copy of a tree with another value at one of its places, counted from the root. */
function withValueAt(tree: unknown, place: number, value: unknown): unknown {
  const copy: unknown = structuredClone(tree);
  const places: (() => void)[] = [];
  collect(copy);
  places[place % places.length]?.();
  return copy;

  function collect(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      places.push(() => Object.assign(node, { [key]: value }));
      collect(child);
    }
  }
}

describe('decode', () => {
  it.each(kubernetesMinors)('takes a rich object of each kind in %s', (version) => {
    for (const kind of kinds) expect(decode(validObjects[kind], { version, kind })).toEqual([]);
  });

  it('answers whatever it is given', () => {
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true, maxDepth: 3 });
    fc.assert(
      fc.property(anything, fc.nat(), fc.constantFrom(...kinds), fc.constantFrom(...kubernetesMinors), answers),
      { numRuns: 3000 },
    );

    function answers(value: unknown, place: number, kind: DecodedKind, version: KubernetesMinor): void {
      for (const object of [value, withValueAt(validObjects[kind], place, value)]) {
        for (const { message, rule } of decode(object, { version, kind })) {
          expect(message).not.toBe('');
          expect(rule).toMatch(/^[a-z-]+$/);
        }
      }
    }
  });

  it('leaves an object as it was, and says the same again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('metadata', 'spec', 'foo'), fc.jsonValue()), (object) => {
        const before = structuredClone(object);
        const errors = decode(object, options);
        expect(object).toEqual(before);
        expect(decode(object, options)).toEqual(errors);
      }),
    );
  });

  it('refuses each wrong item of a long list, at its index', () => {
    const args = Array.from({ length: 100_000 }, (_, index) => index);
    const errors = decode({ spec: { template: { spec: { containers: [{ args }] } } } }, options);
    expect(errors).toHaveLength(args.length);
    expect(errors.at(-1)?.at.at(-1)).toBe(99_999);
  });

  it('names a hundred unknown fields at most, as the server does', () => {
    const containers = Array.from({ length: 100_000 }, () => ({ foo: 1 }));
    const errors = decode({ spec: { template: { spec: { containers } } } }, options);
    expect(errors).toHaveLength(100);
    expect(errors.at(-1)?.field).toBe('spec.template.spec.containers[99].foo');
  });

  it('looks past an unknown field, however deep it is', () => {
    const deep: unknown = JSON.parse(`${'{"spec":'.repeat(5000)}1${'}'.repeat(5000)}`);
    expect(decode({ spec: { foo: deep } }, options).map(({ field }) => field)).toEqual(['spec.foo']);
    expect(decode(deep, options).map(({ field }) => field)).toEqual(['spec.spec']);
  });

  it('reads an object that contains itself', () => {
    const spec: Record<string, unknown> = {};
    spec['template'] = { spec };
    spec['spec'] = spec;
    const errors = decode({ spec }, options).map(({ field }) => field);
    expect(errors).toEqual(['spec.template.spec.template', 'spec.template.spec.spec', 'spec.spec']);
  });

  it.each(['1', ' ', '.', 'a', '/', 'é', '"'])('answers about a megabyte of %j', (unit) => {
    const text = unit.repeat(1 << 20);
    const errors = decode(
      {
        metadata: { creationTimestamp: text, [text]: text },
        spec: { template: { spec: { overhead: { a: `${text}x`, b: `x${text}x`, c: `1${text}x` } } } },
      },
      options,
    );
    expect(errors.map(({ type }) => type)).toEqual([
      'TypeInvalid',
      'Unknown',
      'TypeInvalid',
      'TypeInvalid',
      'TypeInvalid',
    ]);
  });
});
