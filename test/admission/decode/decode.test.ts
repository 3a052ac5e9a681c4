import { describe, expect, it } from 'vitest';
import { type DecodedKind, decode } from '../../../src/admission/decode/index.ts';
import type { KubernetesMinor } from '../../../src/admission/index.ts';

interface Case {
  readonly kind?: DecodedKind;
  readonly version?: KubernetesMinor;
  readonly object: unknown;
  /** `Type field: message` of each error, in order. */
  readonly errors?: readonly string[];
}

function check({ kind = 'Job', version = '1.35', object, errors = [] }: Case): void {
  const found = decode(object, { version, kind });
  expect(found.map(({ type, field, message }) => `${type} ${field}: ${message}`)).toEqual(errors);
}

const job = (spec: unknown): unknown => ({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec });
const podSpec = (spec: unknown): unknown => job({ template: { spec } });
const container = (fields: object): unknown => podSpec({ containers: [{ name: 'main', ...fields }] });
const status = (fields: object): unknown => ({ apiVersion: 'batch/v1', kind: 'Job', status: fields });

const into = (value: string, place: string, type: string): string =>
  `json: cannot unmarshal ${value} into Go struct field ${place} of type ${type}`;

describe('decode', () => {
  const rows: Record<string, Case> = {
    'accepts a plain Job': { object: job({ parallelism: 2, managedBy: 'a.dev/b' }) },
    'takes null for absent, everywhere': {
      object: {
        apiVersion: null,
        kind: null,
        metadata: { labels: { a: null }, creationTimestamp: null, managedFields: [null] },
        spec: { parallelism: null, suspend: null, template: { spec: { containers: [null], overhead: { cpu: null } } } },
      },
    },
    'takes nothing at all for an empty object': { object: null },
    'takes apiVersion and kind from the request where they are missing': { object: { metadata: {} } },
    'takes whole numbers however they were written': { object: job({ parallelism: 1.0, backoffLimit: -0 }) },
    'takes any JSON as managed fields': { object: { metadata: { managedFields: [{ fieldsV1: { 'f:a': {} } }] } } },
    'takes names and numbers of ports': {
      object: container({ livenessProbe: { httpGet: { port: 'http' } }, readinessProbe: { tcpSocket: { port: 80 } } }),
    },

    'names an unknown field at every level': {
      object: { foo: 1, ...Object(container({ envFrom: [{}, { configMapRef: { Name: 'x' } }] })) },
      errors: [
        'Unknown foo: unknown field "foo"',
        'Unknown spec.template.spec.containers[0].envFrom[1].configMapRef.Name: unknown field "spec.template.spec.containers[0].envFrom[1].configMapRef.Name"',
      ],
    },
    'tells fields apart by case': {
      object: job({ managedby: 'x', ManagedBy: 'x' }),
      errors: [
        'Unknown spec.managedby: unknown field "spec.managedby"',
        'Unknown spec.ManagedBy: unknown field "spec.ManagedBy"',
      ],
    },
    'looks no further below an unknown field': {
      object: job({ scheduling: { disruptionMode: 5 } }),
      errors: ['Unknown spec.scheduling: unknown field "spec.scheduling"'],
    },
    'knows a field that a later minor has': { version: '1.37', object: job({ scheduling: { disruptionMode: {} } }) },
    'knows a field that a later minor lost': { object: podSpec({ workloadRef: { name: 'a' } }) },
    'names a field that this minor lost': {
      version: '1.36',
      object: podSpec({ workloadRef: { name: 'a' } }),
      errors: ['Unknown spec.template.spec.workloadRef: unknown field "spec.template.spec.workloadRef"'],
    },
    'knows no field by the names that every object inherits': {
      object: job(JSON.parse('{"__proto__":{},"constructor":{},"toString":1}')),
      errors: [
        'Unknown spec.__proto__: unknown field "spec.__proto__"',
        'Unknown spec.constructor: unknown field "spec.constructor"',
        'Unknown spec.toString: unknown field "spec.toString"',
      ],
    },
    'knows no field by a piece of what the engine itself knows of fields': {
      object: job({ suspend: true, 'suspend:bool template': {}, 'suspend:bool': true }),
      errors: [
        'Unknown spec.suspend:bool template: unknown field "spec.suspend:bool template"',
        'Unknown spec.suspend:bool: unknown field "spec.suspend:bool"',
      ],
    },
    'quotes a strange key as Go does': {
      object: { 'a"\n\u007f😀\u2028': 1 },
      errors: ['Unknown a"\n\u007f😀\u2028: unknown field "a\\"\\n\\x7f😀\\u2028"'],
    },

    'refuses a text for a number': {
      object: job({ parallelism: '2' }),
      errors: [`TypeInvalid spec.parallelism: ${into('string', 'JobSpec.spec.parallelism', 'int32')}`],
    },
    'refuses a number for a text, without the number': {
      object: job({ managedBy: 15 }),
      errors: [`TypeInvalid spec.managedBy: ${into('number', 'JobSpec.spec.managedBy', 'string')}`],
    },
    'says the name of a named type': {
      object: job({ completionMode: true }),
      errors: [`TypeInvalid spec.completionMode: ${into('bool', 'JobSpec.spec.completionMode', 'v1.CompletionMode')}`],
    },
    'refuses a fraction': {
      object: job({ parallelism: 1.5 }),
      errors: [`TypeInvalid spec.parallelism: ${into('number 1.5', 'JobSpec.spec.parallelism', 'int32')}`],
    },
    'refuses what an int32 does not hold': {
      object: job({ parallelism: 2147483648, completions: -2147483649, backoffLimit: -2147483648 }),
      errors: [
        `TypeInvalid spec.parallelism: ${into('number 2147483648', 'JobSpec.spec.parallelism', 'int32')}`,
        `TypeInvalid spec.completions: ${into('number -2147483649', 'JobSpec.spec.completions', 'int32')}`,
      ],
    },
    'takes more digits than a number holds as a bigint': {
      object: job({ activeDeadlineSeconds: 9223372036854775808n, ttlSecondsAfterFinished: 5n }),
      errors: [
        `TypeInvalid spec.activeDeadlineSeconds: ${into('number 9223372036854775808', 'JobSpec.spec.activeDeadlineSeconds', 'int64')}`,
      ],
    },
    'holds the largest int64': { object: job({ activeDeadlineSeconds: 9223372036854775807n }) },
    'holds the largest number below 2⁶³': { object: job({ activeDeadlineSeconds: 2 ** 63 - 1024 }) },
    'refuses 2⁶³': {
      object: job({ activeDeadlineSeconds: 2 ** 63 }),
      errors: [
        `TypeInvalid spec.activeDeadlineSeconds: ${into('number 9223372036854776000', 'JobSpec.spec.activeDeadlineSeconds', 'int64')}`,
      ],
    },
    'refuses numbers that JSON lacks': {
      object: job({ parallelism: Number.NaN, completions: Number.POSITIVE_INFINITY }),
      errors: [
        `TypeInvalid spec.parallelism: ${into('number NaN', 'JobSpec.spec.parallelism', 'int32')}`,
        `TypeInvalid spec.completions: ${into('number Infinity', 'JobSpec.spec.completions', 'int32')}`,
      ],
    },
    'refuses an object for a list': {
      object: podSpec({ containers: { name: 'main' } }),
      errors: [
        `TypeInvalid spec.template.spec.containers: ${into('object', 'PodSpec.spec.template.spec.containers', '[]v1.Container')}`,
      ],
    },
    'refuses a list for an object': {
      object: job([]),
      errors: [`TypeInvalid spec: ${into('array', 'Job.spec', 'v1.JobSpec')}`],
    },
    'says the index of an item, which the server leaves out': {
      object: container({ args: ['a', 1] }),
      errors: [
        `TypeInvalid spec.template.spec.containers[0].args[1]: ${into('number', 'Container.spec.template.spec.containers.args', 'string')}`,
      ],
    },
    'says the key of a label, which the server leaves out': {
      object: { metadata: { labels: { 'a/b~c': 1 } } },
      errors: [`TypeInvalid metadata.labels[a/b~c]: ${into('number', 'ObjectMeta.metadata.labels', 'string')}`],
    },
    'says the embedded struct of a field': {
      object: container({ readinessProbe: { grpc: { port: 'x' } } }),
      errors: [
        `TypeInvalid spec.template.spec.containers[0].readinessProbe.grpc.port: ${into('string', 'GRPCAction.spec.template.spec.containers.readinessProbe.ProbeHandler.grpc.port', 'int32')}`,
      ],
    },
    'says no embedded struct before 1.35': {
      version: '1.34',
      object: container({ readinessProbe: { grpc: { port: 'x' } } }),
      errors: [
        `TypeInvalid spec.template.spec.containers[0].readinessProbe.grpc.port: ${into('string', 'GRPCAction.spec.template.spec.containers.readinessProbe.grpc.port', 'int32')}`,
      ],
    },

    'goes on after the first type error, and then names the unknown fields': {
      object: job({ foo: 1, parallelism: 'x', completions: 'y' }),
      errors: [
        `TypeInvalid spec.parallelism: ${into('string', 'JobSpec.spec.parallelism', 'int32')}`,
        'Unknown spec.foo: unknown field "spec.foo"',
        `TypeInvalid spec.completions: ${into('string', 'JobSpec.spec.completions', 'int32')}`,
      ],
    },
    'puts the type first at which the server stops reading': {
      object: { spec: { parallelism: 'x' }, status: { startTime: 'soon' } },
      errors: [
        'TypeInvalid status.startTime: parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
        `TypeInvalid spec.parallelism: ${into('string', 'JobSpec.spec.parallelism', 'int32')}`,
      ],
    },
    'goes by the order of the document': {
      object: { spec: { template: { spec: { hostname: 1 } }, completions: 'x' }, metadata: 1 },
      errors: [
        `TypeInvalid spec.template.spec.hostname: ${into('number', 'PodSpec.spec.template.spec.hostname', 'string')}`,
        `TypeInvalid spec.completions: ${into('string', 'JobSpec.spec.completions', 'int32')}`,
        `TypeInvalid metadata: ${into('number', 'Job.metadata', 'v1.ObjectMeta')}`,
      ],
    },
    'puts a kind of the wrong type before everything': {
      object: { spec: 1, kind: 5 },
      errors: [
        `TypeInvalid kind: couldn't get version/kind; json parse error: ${into('number', '.kind', 'string')}`,
        `TypeInvalid spec: ${into('number', 'Job.spec', 'v1.JobSpec')}`,
      ],
    },
    'refuses a list for the whole': {
      object: [],
      errors: [
        'TypeInvalid : couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
      ],
    },
    'refuses another kind than the one asked for': {
      object: { apiVersion: 'batch/v1', kind: 'CronJob' },
      errors: ['TypeInvalid kind: CronJob cannot be handled as a Job'],
    },
    'refuses another version of the kind': {
      object: { apiVersion: 'batch/v2', kind: 'Job' },
      errors: ['TypeInvalid apiVersion: no kind "Job" is registered for version "batch/v2"'],
    },
    'refuses an apiVersion of three parts': {
      object: { apiVersion: 'a/b/c', kind: 'Job' },
      errors: ['TypeInvalid apiVersion: unexpected GroupVersion string: a/b/c'],
    },
    'refuses a group without a version of another group': {
      kind: 'Pod',
      object: { apiVersion: 'batch/', kind: 'Pod' },
      errors: ["TypeInvalid apiVersion: Object 'apiVersion' is missing"],
    },

    'refuses a time of the wrong type as a text': {
      object: status({ startTime: 5 }),
      errors: [`TypeInvalid status.startTime: ${into('number', 'JobStatus.status.startTime', 'string')}`],
    },
    'refuses a port of the wrong type as a number': {
      object: container({ livenessProbe: { httpGet: { port: true } } }),
      errors: [
        `TypeInvalid spec.template.spec.containers[0].livenessProbe.httpGet.port: ${into('bool', 'HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.port', 'int32')}`,
      ],
    },
    'refuses a list for a quantity': {
      object: container({ resources: { requests: { cpu: [1] } } }),
      errors: [
        "TypeInvalid spec.template.spec.containers[0].resources.requests[cpu]: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
    },
    'refuses a text for a map of quantities': {
      object: container({ resources: { limits: 'x' } }),
      errors: [
        `TypeInvalid spec.template.spec.containers[0].resources.limits: ${into('string', 'ResourceRequirements.spec.template.spec.containers.resources.limits', 'v1.ResourceList')}`,
      ],
    },
    'reads the template of a CronJob': {
      kind: 'CronJob',
      object: { spec: { jobTemplate: { spec: { restart_policy: 1, suspend: 1 } } } },
      errors: [
        `TypeInvalid spec.jobTemplate.spec.suspend: ${into('number', 'JobSpec.spec.jobTemplate.spec.suspend', 'bool')}`,
        'Unknown spec.jobTemplate.spec.restart_policy: unknown field "spec.jobTemplate.spec.restart_policy"',
      ],
    },
    'reads a Pod': {
      kind: 'Pod',
      object: { apiVersion: 'v1', kind: 'Pod', spec: { nodeSelector: { a: 1 } }, status: { podIPs: [{ ip: 4 }] } },
      errors: [
        `TypeInvalid spec.nodeSelector[a]: ${into('number', 'PodSpec.spec.nodeSelector', 'string')}`,
        `TypeInvalid status.podIPs[0].ip: ${into('number', 'PodIP.status.podIPs.ip', 'string')}`,
      ],
    },
  };

  it.each(Object.entries(rows))('%s', (_name, row) => check(row));

  it('says where the fault sits and by which rule', () => {
    const object = container({
      livenessProbe: { initialDelaySeconds: 3000000000 },
      resources: { claims: [{ foo: 1 }] },
    });
    const places = decode(object, { version: '1.35', kind: 'Job' }).map(({ at, rule }) => [rule, ...at]);
    const main = ['spec', 'template', 'spec', 'containers', 0];
    expect(places).toEqual([
      ['out-of-range', ...main, 'livenessProbe', 'initialDelaySeconds'],
      ['unknown-field', ...main, 'resources', 'claims', 0, 'foo'],
    ]);
  });
});
