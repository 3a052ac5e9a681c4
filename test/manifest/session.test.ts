import { expect, test } from 'vitest';
import { createManifestSession } from '../../src/manifest/index.ts';

const job = (name: string): string => `---
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec: {parallelism: -1, template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}}
`;

test('a long file is looked at a few documents a call, until all are done', () => {
  const text = ['a', 'b', 'c', 'd', 'e'].map(job).join('');
  const session = createManifestSession();
  const settings = { version: '1.35', newDocumentsLimit: 2 } as const;
  const counts = [1, 2, 3, 4].map(() => {
    const { findings, isIncomplete } = session.check(text, settings);
    return [findings.length, isIncomplete === true];
  });
  expect(counts).toEqual([
    [2, true],
    [4, true],
    [5, false],
    [5, false],
  ]);
  expect(session.check(`${job('f')}${text}`, settings)).not.toHaveProperty('isIncomplete');
});

test('documents of other kinds do not count', () => {
  const others = '---\nkind: ConfigMap\n'.repeat(50);
  const { findings, isIncomplete } = createManifestSession().check(others + job('a'), {
    version: '1.35',
    newDocumentsLimit: 1,
  });
  expect([findings.length, isIncomplete]).toEqual([1, undefined]);
});

test('objects are told with their place, for whoever hangs something on them', () => {
  const text = `# first\n${job('a')}---\nkind: ConfigMap\n`;
  const { documents } = createManifestSession().check(text, { version: '1.35' });
  expect(documents.map(({ index, state }) => [index, state])).toEqual([
    [0, 'read'],
    [1, 'read'],
  ]);
  expect(documents[0]?.objects).toMatchObject([
    {
      document: 0,
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: 'a',
      kindRange: { start: { line: 3, column: 6 }, end: { column: 9 } },
    },
  ]);
  expect(documents[1]?.objects).toEqual([]);
});

test('settings decide anew, also for a text that was seen', () => {
  const session = createManifestSession();
  const text = job('a').replace('parallelism: -1', 'managedBy: example.com/a');
  expect(session.check(text, { version: '1.35' }).findings).toHaveLength(1);
  expect(session.check(text, { version: '1.35', knownControllers: ['example.com/a'] }).findings).toEqual([]);
});
