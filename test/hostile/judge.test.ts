import { describe, expect, it } from 'vitest';
import { admit, judge } from '../../src/admission/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { identity } from '../admission/requests.ts';
import { withinEffort } from './effort.ts';

/** Objects that no person writes: each gets an answer, in about the time that it takes to read it. */
interface Row {
  readonly object: unknown;
  /** The rules that refuse it, in order and each once; none: it is accepted. */
  readonly refusedBy: readonly string[];
}

const version = '1.35';
const megabyte = 1 << 20;

async function check({ object, refusedBy }: Row): Promise<void> {
  const failed: string[] = [];
  const options = { version, isBeyondDecoding: true, onRuleFailure: (code: string) => failed.push(code) } as const;
  const length = lengthOf(object);
  const create = await withinEffort({ length, times: 200, parser: 'json' }, () =>
    judge({ operation: 'create', object }, options),
  );
  expect([...new Set(create.errors.map(({ rule }) => rule))]).toEqual(refusedBy);
  expect(create.allowed).toBe(refusedBy.length === 0);
  for (const operation of ['update', 'status-update'] as const) {
    await withinEffort({ length: 2 * length, times: 200, parser: 'json' }, () =>
      admit({ operation, object, old: object }, { ...options, identity }),
    );
  }
  expect(failed).toEqual([]);
}

/** Of what can't be written as JSON, a guess. */
function lengthOf(object: unknown): number {
  try {
    return JSON.stringify(object).length;
  } catch {
    return megabyte;
  }
}

function job(spec: object = {}, metadata: object = {}): Record<string, unknown> {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'a', namespace: 'b', ...metadata },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] } }, ...spec },
  };
}

function pod(spec: object): Record<string, unknown> {
  return job({ template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }], ...spec } } });
}

function container(fields: object): Record<string, unknown> {
  return pod({ containers: [{ name: 'main', image: 'x', ...fields }] });
}

function many<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

function inItself(): object {
  const circle: Record<string, unknown> = {};
  circle['again'] = circle;
  return circle;
}

describe('a verdict on', () => {
  const deep = nested(100_000, (a) => ({ a }));
  const rows: Readonly<Record<string, Row>> = {
    'a field unknown to the API, of any depth': { object: job({ foo: deep }), refusedBy: ['unknown-field'] },
    'managed fields of any depth': {
      object: job({}, { managedFields: [{ manager: 'a', operation: 'Update', fieldsV1: deep }] }),
      refusedBy: [],
    },
    'a deep object in the place of a text': { object: job({}, { labels: { a: deep } }), refusedBy: ['wrong-type'] },
    'lists in lists in the place of containers': {
      object: pod({ containers: nested(100_000, (inner) => [inner]) }),
      refusedBy: ['wrong-type', 'container-name-required', 'image-required'],
    },
    'an unknown field that holds itself': { object: job({ foo: inItself() }), refusedBy: ['unknown-field'] },
    'managed fields that hold themselves': {
      object: job({}, { managedFields: [{ fieldsV1: inItself() }] }),
      refusedBy: [],
    },
    'keys that every object inherits': {
      object: JSON.parse(
        '{"apiVersion":"batch/v1","kind":"Job","__proto__":{"kind":"Pod"},"metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y","toString":"z"}},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"x"}]}}}}',
      ),
      refusedBy: ['unknown-field', 'label-format'],
    },
    'numbers that JSON does not have': {
      object: job({ parallelism: Number.NaN, completions: Number.POSITIVE_INFINITY, backoffLimit: -0 }),
      refusedBy: ['wrong-type'],
    },
    'an integer of thirty digits': { object: job({ parallelism: 10n ** 30n }), refusedBy: ['out-of-range'] },
    'an object without a prototype': { object: Object.assign(Object.create(null), job()), refusedBy: [] },
    'a list with holes': { object: container({ args: new Array(1000) }), refusedBy: [] },
    'a text': { object: 'kind: Job', refusedBy: ['unsupported-request'] },
    'a list': { object: [job()], refusedBy: ['unsupported-request'] },
    'nothing at all': { object: undefined, refusedBy: ['unsupported-request'] },
    'a hundred thousand arguments': { object: container({ args: many(100_000, () => 'x') }), refusedBy: [] },
    'twenty thousand numbers for arguments': {
      object: container({ args: many(20_000, (index) => index) }),
      refusedBy: ['wrong-type'],
    },
    'twenty thousand containers': {
      object: pod({ containers: many(20_000, (index) => ({ name: `c-${index}`, image: 'x' })) }),
      refusedBy: [],
    },
    'twenty thousand containers of one name': {
      object: pod({ containers: many(20_000, () => ({ name: 'c', image: 'x' })) }),
      refusedBy: ['container-name-unique'],
    },
    'twenty thousand volumes of one name': {
      object: pod({ volumes: many(20_000, () => ({ name: 'v', emptyDir: {} })) }),
      refusedBy: ['volume-name-unique'],
    },
    'twenty thousand ports that are one': {
      object: container({ ports: many(20_000, () => ({ name: 'http', containerPort: 80, hostPort: 80 })) }),
      refusedBy: ['port-name-unique', 'host-port-unique'],
    },
    'thirty thousand labels': {
      object: job({}, { labels: Object.fromEntries(many(30_000, (index) => [`l${index}`, '!'])) }),
      refusedBy: ['label-format'],
    },
    'thirty thousand unknown fields': {
      object: job(Object.fromEntries(many(30_000, (index) => [`f${index}`, 1]))),
      refusedBy: ['unknown-field'],
    },
    'amounts of a megabyte of digits each': {
      object: container({
        resources: {
          limits: {
            cpu: '9'.repeat(megabyte),
            memory: `1${'0'.repeat(megabyte)}`,
            'ephemeral-storage': `0.${'0'.repeat(megabyte)}1Gi`,
            'hugepages-2Mi': `-0.${'9'.repeat(megabyte)}`,
          },
        },
      }),
      refusedBy: ['resource-not-negative', 'huge-pages-divisible'],
    },
    'ten megabytes of annotation': {
      object: job({}, { annotations: { a: 'x'.repeat(10 * megabyte) } }),
      refusedBy: ['annotations-size'],
    },
  };
  it.each(Object.entries(rows))('%s', async (_, row) => check(row));

  // Patterns that go back and forth over a text take a minute for one of these.
  it.each(['a', '/', '.', '-', ':', ' ', 'a.', 'a-', 'a/', '0', '1,', '\u00e9', '{{'])(
    'a megabyte of %j wherever a text may stand',
    async (unit) => {
      const text = `${unit.repeat(megabyte / unit.length)}!`;
      const object = {
        ...job(
          {
            managedBy: text,
            template: {
              metadata: { labels: { a: text }, annotations: { [text]: 'a' } },
              spec: {
                restartPolicy: text,
                hostname: text,
                serviceAccountName: text,
                nodeSelector: { a: text },
                dnsConfig: { searches: [text], nameservers: [text] },
                hostAliases: [{ ip: text, hostnames: [text] }],
                securityContext: { sysctls: [{ name: text, value: 'a' }] },
                containers: [
                  {
                    name: text,
                    image: text,
                    env: [{ name: text, valueFrom: { fieldRef: { fieldPath: text } } }],
                    ports: [{ name: text, hostIP: text, containerPort: 1 }],
                    volumeMounts: [{ name: text, mountPath: text, subPath: text }],
                    resources: { limits: { cpu: text } },
                  },
                ],
                volumes: [{ name: text, hostPath: { path: text } }],
              },
            },
          },
          { name: text, labels: { [text]: text } },
        ),
        status: { completedIndexes: text, failedIndexes: text, startTime: text },
      };
      const cron: JsonObject = {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'a' },
        spec: { schedule: text, timeZone: text },
      };
      for (const each of [object, cron]) {
        const request = { operation: 'create', object: each } as const;
        const limit = { length: lengthOf(each), times: 200, parser: 'json' } as const;
        const { allowed } = await withinEffort(limit, () => judge(request, { version, isBeyondDecoding: true }));
        expect(allowed).toBe(false);
      }
    },
  );

  it('what is no JSON and throws when it is read', () => {
    const failed: string[] = [];
    const object = {
      ...job(),
      get spec(): never {
        throw new Error('no');
      },
    };
    const verdict = judge({ operation: 'create', object }, { version, onRuleFailure: (code) => failed.push(code) });
    expect(verdict.errors.map(({ rule }) => rule)).toEqual(['unsupported-request']);
    expect(failed).toEqual(['engine']);
  });
});
