import { describe, expect, test } from 'vitest';
import {
  type ChosenSettings,
  createManifestSession,
  type ManifestCheck,
  type ManifestSession,
  type ManifestSettings,
  rules,
} from '../../src/manifest/index.ts';
import { createSession, rehearse, stretchMs } from '../../src/parts/authoring.ts';

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

/** Looks at a text, so many pieces of work a call, until all of it is known; says what each call told. */
function look(session: ManifestSession, text: string, pieces: number, more: Partial<ManifestSettings> = {}) {
  const told: ManifestCheck[] = [];
  do {
    let asked = 0;
    told.push(session.check(text, { version: '1.35', ...more, isTimeUp: () => ++asked > pieces }));
    // Asked once at the beginning, and once behind each piece.
    expect(asked).toBeLessThanOrEqual(pieces + 1);
  } while (told.at(-1)?.isIncomplete);
  return told;
}

/** What changed from call to call. */
function changesOf<T>(told: readonly T[]): readonly T[] {
  return told.filter((one, index) => JSON.stringify(one) !== JSON.stringify(told[index - 1]));
}

function piecesOf(text: string): number {
  let asked = 0;
  createManifestSession().check(text, { version: '1.35', isTimeUp: () => ++asked < 0 });
  return asked - 1;
}

const listOf = (names: readonly string[]): string => {
  const items = names.map((name) =>
    job(name)
      .replace('---\n', '- ')
      .replace(/\n(?=.)/g, '\n  '),
  );
  return `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
};

const longJob = (containers: number): string => {
  const container = (index: number): string =>
    ['- name: c', index, '\n  image: r\n  env:\n  - name: A\n    value: b\n  - name: B\n    value: c\n'].join('');
  const list = Array.from({ length: containers }, (_, index) => container(index).replace(/^/gm, '      ').trimEnd());
  const head = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n';
  return `${head}      restartPolicy: Never\n      containers:\n${list.join('\n')}\n`;
};

test('a long file is looked at for a time a call, until all is done', () => {
  const text = ['a', 'b', 'c', 'd', 'e'].map(job).join('');
  const session = createManifestSession();
  const told = look(session, text, 10);
  expect(changesOf(told.map(({ findings }) => findings.length))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(told.at(-1)).toEqual(createManifestSession().check(text, { version: '1.35' }));
  expect(look(session, text, 1)).toHaveLength(1);
  // One document is new.
  expect(look(session, `${job('f')}${text}`, piecesOf(job('f')) + 1)).toHaveLength(1);
});

test('a long List is looked at a few items a call, with the findings of one look', () => {
  const text = listOf(['a', 'b', 'c', 'd', 'e']);
  const session = createManifestSession();
  const told = look(session, text, 10);
  expect(told.length).toBeGreaterThan(5);
  expect(changesOf(told.map(({ findings }) => findings.length))).toEqual([0, 5]);
  expect(told.at(-1)).toEqual(createManifestSession().check(text, { version: '1.35' }));
});

describe('one document is looked at in pieces as well', () => {
  const pieces = (text: string, other: string): number => piecesOf(text) - piecesOf(other);
  test('while it is read', () => expect(pieces(longJob(400), longJob(1))).toBeGreaterThanOrEqual(10));
  test('while it is read by the full parser', () =>
    expect(pieces(`# {{\t}}\n${longJob(400)}`, longJob(400))).toBeGreaterThanOrEqual(20));
  // A piece for each object, for the verdict on it, for the error therein, and for some of the rules at a time.
  test('while its objects are made of it, and between the rules', () =>
    expect(pieces(listOf(['a', 'b', 'c']), listOf(['a']))).toBe(2 * (3 + Math.ceil(rules.length / 8))));
  test('between what is told of it', () =>
    expect(
      pieces(longJob(50).replaceAll('image: r', 'imagination: r'), longJob(50).replace('image: r', 'imagination: r')),
    ).toBeGreaterThanOrEqual(40));
});

test('however small the pieces of a call, all is found that one look finds', () => {
  const texts = [
    listOf(['a', 'b']),
    longJob(3),
    `# \t\n${longJob(3)}`,
    `${job('a')}${job('a')}`,
    'kind: Job\na: [',
    '',
  ];
  for (const text of texts) {
    const whole = createManifestSession().check(text, { version: '1.35' });
    for (const pieces of [1, 2, 7]) expect(look(createManifestSession(), text, pieces).at(-1)).toEqual(whole);
  }
});

test('what decides beside the settings says which documents are looked at, and when anew', () => {
  const session = createManifestSession();
  const text = ['a', 'b', 'a'].map(job).join('');
  const lookBeside = (...beside: readonly [number, string][]) =>
    session.check(text, { version: '1.35' }, new Map(beside)).documents.map(({ state }) => state);
  expect(lookBeside([1, 'x'])).toEqual(['waiting', 'read', 'waiting']);
  expect(lookBeside([0, 'x'], [1, 'x'])).toEqual(['read', 'read', 'waiting']);
  const asked: string[] = [];
  const against = createManifestSession({ requestFor: ({ metadata }) => void asked.push(JSON.stringify(metadata)) });
  for (const word of ['x', 'x', 'y'])
    against.check(
      text,
      { version: '1.35' },
      new Map([
        [0, word],
        [1, 'x'],
        [2, 'z'],
      ]),
    );
  // The first and the last are alike, but for what decides beside.
  expect(asked).toEqual(['{"name":"a"}', '{"name":"b"}', '{"name":"a"}', '{"name":"a"}']);
});

test('what a call told stays what was known then', () => {
  const told = look(createManifestSession(), ['a', 'b'].map(job).join(''), 1);
  const first = told.findIndex(({ documents }) => documents[0]?.state === 'read');
  expect(told[first]?.findings).toHaveLength(1);
  expect(told[first]?.isIncomplete).toBe(true);
});

test('a text that changes between two calls goes on with what is left of it', () => {
  const session = createManifestSession();
  const check = (names: readonly string[], pieces: number) => {
    let asked = 0;
    const isTimeUp = (): boolean => ++asked > pieces;
    return session.check(names.map(job).join(''), { version: '1.35', isTimeUp });
  };
  const each = piecesOf(job('a'));
  // The first two documents, and a half of the third.
  check(['a', 'b', 'c', 'd', 'e'], 2.5 * each);
  const { findings, isIncomplete } = check(['a', 'x', 'b', 'c'], 2 * each);
  expect([findings.map(({ document }) => document), isIncomplete]).toEqual([[0, 1, 2, 3], undefined]);
  check(['p', 'q'], 0.5 * each);
  expect(check(['p'], each).isIncomplete).toBeUndefined();
  check(['s', 't'], 0.6 * each);
  // Half of it is known.
  expect(check(['s'], 0.6 * each).isIncomplete).toBeUndefined();
});

test('findings of former settings stay until their document is judged by the new ones', () => {
  const session = createManifestSession();
  const text = ['a', 'b', 'c'].map((name) => job(name).replace('parallelism: -1', 'managedBy: example.com/a')).join('');
  const linesOf = (text: string, knownControllers: readonly string[]) =>
    changesOf(
      look(session, text, 5, { knownControllers }).map(({ findings }) => findings.map(({ range }) => range.start.line)),
    );
  expect(linesOf(text, [])).toEqual([[], [4], [4, 9], [4, 9, 14]]);
  expect(linesOf(`\n${text}`, ['example.com/a'])).toEqual([[5, 10, 15], [10, 15], [15], []]);
});

test('the editor looks a stretch a call, by its clock', () => {
  const text = Array.from({ length: 3 }, (_, index) => job(`job-${index}`)).join('');
  const calls = (pieceMs: number): number => {
    let now = 0;
    const session = createSession(() => undefined, { monotonicMs: () => (now += pieceMs) });
    for (let count = 1; ; count++) if (session.check(text, chosen).isIncomplete !== true) return count;
  };
  const pieces = piecesOf(text);
  // At least a piece a call, the last of which tells.
  expect(calls(100)).toBe(pieces + 1);
  expect(calls(1)).toBe(Math.ceil((pieces + 1) / (stretchMs - 1)));
  expect(calls(0.001)).toBe(1);
});

test('a rehearsal looks at all that a usual Job has, in pieces, and finds something', () => {
  const pieces = rehearse();
  let step = pieces.next();
  let count = 1;
  for (; step.done !== true; count++) step = pieces.next();
  expect(count).toBeGreaterThan(10);
  expect(step.value.findings.map(({ code }) => code)).toEqual(['restart-policy-required']);
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
