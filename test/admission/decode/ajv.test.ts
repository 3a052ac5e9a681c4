import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSchemaFiles } from '../../../scripts/schemas/files.ts';
import { decode } from '../../../src/admission/decode/index.ts';
import { kubernetesMinors } from '../../../src/admission/index.ts';

/**
 * A second judge of structure: AJV on the schema files, made strict. The decoder walks a table of its own, since AJV's
 * validators are eight times as large and slower to load; where both can tell (unknown fields, and values of another JSON
 * type), they must agree.
 */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const sample: Json = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'a', namespace: 'b', labels: { x: 'y' }, finalizers: ['example.com/a'] },
  spec: {
    managedBy: 'example.com/a',
    completions: 2,
    completionMode: 'Indexed',
    podFailurePolicy: {
      rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
    },
    successPolicy: { rules: [{ succeededIndexes: '0-1' }] },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        restartPolicy: 'Never',
        nodeSelector: { a: 'b' },
        tolerations: [{ key: 'a', operator: 'Exists' }],
        volumes: [{ name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } }],
        containers: [
          {
            name: 'main',
            image: 'busybox',
            args: ['a', 'b'],
            env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            resources: { limits: { cpu: '1' } },
            livenessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 3 },
            securityContext: { privileged: false, capabilities: { add: ['NET_ADMIN'] } },
          },
        ],
      },
    },
  },
};

interface Change {
  readonly path: readonly (string | number)[];
  readonly how: 'unknown-field' | 'other-type';
}

/** Every place in the sample, with what can be done to it. */
function changesOf(value: Json, path: readonly (string | number)[] = []): Change[] {
  if (Array.isArray(value))
    return [{ path, how: 'other-type' }, ...value.flatMap((item, i) => changesOf(item, [...path, i]))];
  if (typeof value !== 'object' || value === null) return [{ path, how: 'other-type' }];
  const inside = Object.entries(value).flatMap(([key, item]) => changesOf(item, [...path, key]));
  return [
    { path, how: 'unknown-field' },
    ...(path.length > 0 ? [{ path, how: 'other-type' } as const] : []),
    ...inside,
  ];
}

/** A copy in which one place is spoilt: an object gets a field that nothing has, anything else another JSON type. */
function spoil(value: Json, { path, how }: Change): Json {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (how === 'unknown-field' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ...value, nobodyHasThis: {} };
    // An object where a scalar or list stands, a list where an object stands: wrong for every type there is.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? ['x'] : { x: ['x'] };
  }
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? spoil(item, { path: rest, how }) : item));
  if (typeof value !== 'object' || value === null) throw new Error('The path leads nowhere.');
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === step ? spoil(item, { path: rest, how }) : item]),
  );
}

/** The schema with every object closed, and without what is no matter of structure. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !(key === 'enum' && Array.isArray(value)) && !(key === 'required' && Array.isArray(value)),
  );
  const copy: Record<string, unknown> = Object.fromEntries(kept.map(([key, value]) => [key, strict(value)]));
  const isClosed =
    copy['type'] === 'object' && typeof copy['properties'] === 'object' && copy['additionalProperties'] === undefined;
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

const validators = new Map<string, ValidateFunction>(
  readSchemaFiles().map((file) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    const closed = strict({ $defs: file.$defs });
    if (typeof closed !== 'object' || closed === null) throw new Error('No schema.');
    return [/1\.\d+/.exec(file.title)?.[0] ?? '', ajv.compile({ ...closed, $ref: '#/$defs/Job' })];
  }),
);

/** `unknown` or `type` with the place, for everything either judge says. */
function saysAjv(validate: ValidateFunction, object: Json): string[] {
  validate(object);
  return (validate.errors ?? []).flatMap(({ keyword, instancePath, params }) => {
    if (keyword === 'additionalProperties') return [`unknown ${instancePath}/${params['additionalProperty']}`];
    return keyword === 'type' ? [`type ${instancePath}`] : [];
  });
}

describe.each(kubernetesMinors)('AJV on the schema of %s', (version) => {
  const validate = validators.get(version);
  if (validate === undefined) throw new Error(`There is no schema of ${version}.`);
  const saysDecoder = (object: Json): string[] =>
    decode(object, { version, kind: 'Job' }).flatMap(({ type, at }) => {
      const place = at.map((step) => `/${step}`).join('');
      return type === 'Unknown' ? [`unknown ${place}`] : [`type ${place}`];
    });

  it('finds nothing in the sample, as the decoder does', () => {
    expect(saysAjv(validate, sample)).toEqual([]);
    expect(saysDecoder(sample)).toEqual([]);
  });

  it('names the place that was spoilt, as the decoder does', () => {
    const changes = changesOf(sample).filter(
      ({ path }) => path.length !== 1 || path[0] === 'spec' || path[0] === 'metadata',
    );
    fc.assert(
      fc.property(fc.constantFrom(...changes), (change) => {
        const object = spoil(sample, change);
        const places = (said: string[]): string[] => [...new Set(said)].sort();
        // Where a whole value has the wrong type, AJV goes on into it; the place itself is what both must name.
        const expected = places(saysAjv(validate, object)).filter(
          (one) => change.how === 'unknown-field' || one === `type ${change.path.map((step) => `/${step}`).join('')}`,
        );
        expect(places(saysDecoder(object))).toEqual(expected);
        expect(expected).toHaveLength(1);
      }),
      { numRuns: changes.length * 4 },
    );
  });
});
