import { expect, test } from 'vitest';
import { compare } from '../../scripts/minor/rules.ts';
import { schemaChanges } from '../../scripts/minor/schemaChanges.ts';
import { minorOf, readSchemaFiles } from '../../scripts/schemas/files.ts';
import { startOracle } from './fuzz/oracle.ts';
import { seedOfThisRun } from './fuzz/seed.ts';
import { shapesFor } from './fuzz/shapes.ts';

/** What `scripts/minor.ts` lists: here for an engine that stayed at 1.36 where Kubernetes went on to 1.37. */
test('an engine that judges as the minor before is told of the rules that came and went', async () => {
  const [oracle, previous] = await Promise.all(
    (['1.37', '1.36'] as const).map((minor) => startOracle(minor, (line) => console.error(line))),
  );
  if (oracle === undefined || previous === undefined) throw new Error('An oracle is missing.');
  try {
    const shapes = await shapesFor('1.37');
    const input = {
      minor: '1.36',
      shapes,
      oracle,
      previous,
      cases: 500,
      shrunkFaults: 0,
      seed: seedOfThisRun(),
      focus: new Set(['spec.scheduling']),
    } as const;
    const { cases, disagreements } = await compare(input);
    expect(cases).toBeGreaterThan(4000);
    const found = new Map(disagreements.map((each) => [each.line, each]));
    expect(found.get('missing: spec.template.spec.shareProcessNamespace Invalid')).toMatchObject({
      kind: 'rule',
      isNew: true,
      server: { field: 'spec.template.spec.shareProcessNamespace' },
      rules: [],
    });
    expect(found.get('invented: spec.template.spec.securityContext.shareProcessNamespace Invalid')).toMatchObject({
      isNew: true,
      server: undefined,
      rules: ['share-process-namespace-context'],
    });
    expect(found.get('invented: spec.scheduling Unknown')).toMatchObject({ kind: 'decoding' });
    // One entry, whichever container or kind the case was about.
    expect([...found.keys()].filter((line) => /jobTemplate|initContainers|readinessProbe/.test(line))).toEqual([]);
  } finally {
    await Promise.all([oracle.close(), previous.close()]);
  }
});

test('what a schema has that the one before has not', () => {
  const [before, after] = ['1.36', '1.37'].map((minor) => readSchemaFiles().find((file) => minorOf(file) === minor));
  if (before === undefined || after === undefined) throw new Error('A schema is missing.');
  const changes = schemaChanges(before, after);
  expect(changes).toContainEqual({
    struct: 'EvictionResponder',
    kind: 'added',
    detail: 'a struct with name, priority',
  });
  expect(changes).toContainEqual({ struct: 'EmptyDirVolumeSource', field: 'mode', kind: 'added', detail: 'int32' });
  expect(changes).toContainEqual({
    struct: 'StatefulSetUpdateStrategy',
    field: 'type',
    kind: 'changed',
    detail: 'enum ["OnDelete","RollingUpdate"] → ["OnDelete","Recreate","RollingUpdate"]',
  });
  expect(changes).toContainEqual({ struct: 'Deployment', kind: 'changed', detail: 'required none → ["spec"]' });
  expect(schemaChanges(after, before)).toHaveLength(changes.length);
  expect(schemaChanges(after, after)).toEqual([]);
});
