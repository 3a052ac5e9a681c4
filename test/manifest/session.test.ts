import { expect, test } from 'vitest';
import { type ChosenSettings, createManifestSession } from '../../src/manifest/index.ts';
import { createSession } from '../../src/parts/authoring.ts';

const job = (name: string): string => `---
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec: {parallelism: -1, template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}}
`;

const chosen: ChosenSettings = {
  version: '1.35',
  clusterVersion: undefined,
  controllerName: 'example.com/own',
  knownControllers: [],
  isPartial: false,
};

/** Time for so many documents a call: what it counts is how often it is asked. */
function timeFor(documents: number): () => boolean {
  let asked = 0;
  return () => ++asked % documents === 0;
}

test('a long file is looked at for a time a call, until all is done', () => {
  const text = ['a', 'b', 'c', 'd', 'e'].map(job).join('');
  const session = createManifestSession();
  const check = (text: string) => session.check(text, { version: '1.35', isTimeUp: timeFor(2) });
  const counts = [1, 2, 3, 4].map(() => {
    const { findings, isIncomplete } = check(text);
    return [findings.length, isIncomplete === true];
  });
  expect(counts).toEqual([
    [2, true],
    [4, true],
    [5, false],
    [5, false],
  ]);
  expect(check(`${job('f')}${text}`)).not.toHaveProperty('isIncomplete');
});

test('a long List is looked at a few items a call, with the findings of one look', () => {
  const items = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    job(name)
      .replace('---\n', '- ')
      .replace(/\n(?=.)/g, '\n  '),
  );
  const text = `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
  const session = createManifestSession();
  const check = (text: string) => session.check(text, { version: '1.35', isTimeUp: timeFor(2) });
  const found = [check(text), check(text), check(text)];
  expect(found.map(({ findings, isIncomplete }) => [findings.length, isIncomplete === true])).toEqual([
    [0, true],
    [0, true],
    [5, false],
  ]);
  expect(found.at(-1)).toEqual(createManifestSession().check(text, { version: '1.35' }));
  check(text.replace('name: a', 'name: x'));
  expect(check(text.replace('name: a', 'name: y')).isIncomplete).toBe(true);
});

test('a text that changes between two calls goes on with what is left of it', () => {
  const session = createManifestSession();
  const check = (...names: readonly string[]) =>
    session.check(names.map(job).join(''), { version: '1.35', isTimeUp: timeFor(2) });
  check('a', 'b', 'c', 'd', 'e');
  const { findings, isIncomplete } = check('a', 'x', 'b', 'c');
  expect([findings.map(({ document }) => document), isIncomplete]).toEqual([[0, 1, 2, 3], undefined]);
});

test('findings of former settings stay until their document is judged by the new ones', () => {
  const session = createManifestSession();
  const text = ['a', 'b', 'c'].map((name) => job(name).replace('parallelism: -1', 'managedBy: example.com/a')).join('');
  const check = (text: string, knownControllers: readonly string[]) => {
    const { findings, isIncomplete } = session.check(text, { version: '1.35', knownControllers, isTimeUp: timeFor(1) });
    return [findings.map(({ range }) => range.start.line), isIncomplete === true];
  };
  expect([check(text, []), check(text, []), check(text, [])]).toEqual([
    [[4], true],
    [[4, 9], true],
    [[4, 9, 14], false],
  ]);
  const known = ['example.com/a'];
  expect([check(`\n${text}`, known), check(`\n${text}`, known), check(`\n${text}`, known)]).toEqual([
    [[10, 15], true],
    [[15], true],
    [[], false],
  ]);
});

test('the editor checks for a stretch of eight milliseconds, and at least a document', () => {
  const slow = (documentMs: number) => {
    let now = 0;
    return { monotonicMs: () => (now += documentMs) };
  };
  const text = Array.from({ length: 10 }, (_, index) => job(`job-${index}`)).join('');
  const stretches = (documentMs: number) => {
    const session = createSession(() => undefined, slow(documentMs));
    const found = [session.check(text, chosen)];
    while (found.at(-1)?.isIncomplete) found.push(session.check(text, chosen));
    return found.map(({ findings }) => findings.length);
  };
  expect(stretches(2)).toEqual([5, 8, 10]);
  // What is taken beside counts too, and looking takes as long at least.
  expect(stretches(7)).toEqual([3, 6, 9, 10]);
  expect(stretches(100)).toEqual([2, 5, 8, 10]);
  expect(stretches(0.5)).toEqual([10]);
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
