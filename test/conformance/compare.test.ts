import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kubernetesMinors } from '../../src/admission/index.ts';
import { differences, printedZeros } from './fuzz/compare.ts';
import { isMap, type Json, type JsonMap } from './fuzz/json.ts';

/** How an object that the server stores differs from what the engine would store. */
function check(theirs: JsonMap, ours: JsonMap): readonly string[] {
  const nothing = { errors: [], warnings: [] };
  return differences(
    { id: '1', code: 200, unknown: [], message: '', stored: theirs, ...nothing },
    { stored: ours, ...nothing },
  );
}

/** An object with a pod spec. */
const pod = (spec: JsonMap): JsonMap => ({ spec: { template: { spec } } });
const preferred = (...terms: readonly JsonMap[]): JsonMap =>
  pod({ affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [...terms] } } });

test.each<[string, JsonMap, JsonMap]>([
  ['a weight', preferred({ weight: 0 }), preferred({})],
  ['a struct in a struct', preferred({ weight: 0, podAffinityTerm: { topologyKey: '' } }), preferred({})],
  [
    'the skew of a constraint',
    pod({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '' }] }),
    pod({ topologySpreadConstraints: [{}] }),
  ],
  ['the unit of an iSCSI disk', pod({ volumes: [{ iscsi: { lun: 0 } }] }), pod({ volumes: [{ iscsi: {} }] })],
])('%s is printed though nobody gave one', (_, theirs, ours) => expect(check(theirs, ours)).toEqual([]));

test.each<[string, JsonMap, JsonMap]>([
  ['no backoffLimit', { spec: { backoffLimit: 0 } }, { spec: {} }],
  ['no unit of an FC disk', pod({ volumes: [{ fc: { lun: 0 } }] }), pod({ volumes: [{ fc: {} }] })],
  ['another weight', preferred({ weight: 1 }), preferred({})],
  ['another term', preferred({ podAffinityTerm: { topologyKey: 'zone' } }), preferred({})],
  ['a struct that is a pointer', pod({ securityContext: {} }), pod({})],
])('%s is a difference', (_, theirs, ours) => expect(check(theirs, ours)).toHaveLength(1));

test.each(kubernetesMinors)('the zeros that are printed are the numbers that Kubernetes %s requires', (version) => {
  const file = new URL(`../../schemas/kubernetes-${version}.json`, import.meta.url);
  const { $defs }: { $defs: JsonMap } = JSON.parse(readFileSync(file, 'utf8'));
  const found = new Set<string>();
  const visited = new Set<string>();
  const visit = (schema: Json | undefined, owner: string): void => {
    if (!isMap(schema)) return;
    const reference = schema['$ref'];
    if (typeof reference === 'string') {
      const name = reference.slice('#/$defs/'.length);
      if (visited.has(`${owner} ${name}`)) return;
      visited.add(`${owner} ${name}`);
      visit($defs[name], owner);
      return;
    }
    visit(schema['items'], `${owner}[*]`);
    visit(schema['additionalProperties'], `${owner}[*]`);
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    for (const [field, value] of Object.entries(isMap(schema['properties']) ? schema['properties'] : {})) {
      const isNumber = isMap(value) && (value['type'] === 'integer' || value['$ref'] === '#/$defs/IntOrString');
      if (isNumber && required.includes(field)) found.add(`${owner}.${field}`);
      visit(value, field);
    }
  };
  visit($defs['CronJob'], '');
  // A pointer without `omitempty`: null, not 0, where it has no value.
  found.delete('evictionResponders[*].priority');
  expect([...found].sort()).toEqual(printedZeros);
});
