import { describe, expect, test } from 'vitest';
import { ruleCatalogue } from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { isAboutChange } from '../../src/manifest/changes.ts';
import {
  applyFixes,
  asStored,
  counterpart,
  createLiveSession,
  createManifestSession,
  type LiveCheck,
  type LiveFinding,
  type LiveSession,
  nameOf,
  rules,
} from '../../src/manifest/index.ts';
import { createLiveSession as comparingSession } from '../../src/parts/comparing.ts';

const settings = { version: '1.35', controllerName: 'delegated-jobs.dev/reconciler' } as const;

/** A Job's text; what the row writes stands at its place, nothing else differs. */
const job = ({
  name = 'train',
  image = 'r/x:1',
  spec = '',
  metadata = '',
}: {
  name?: string;
  image?: string;
  spec?: string;
  metadata?: string;
} = {}): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  namespace: a
${metadata}spec:
${spec}  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: ${image}
`;

/** What a server has stored of a text. */
function stored(text: string, change: (object: JsonObject) => JsonObject = (object) => object): readonly JsonObject[] {
  const { documents } = createManifestSession().check(text, settings);
  return documents.flatMap(({ objects }) => objects.map(({ value }) => change(asStored(value, '1.35'))));
}

/** The one door: what is found in a text against stored objects. A rule that throws fails the test. */
function findingsAgainst(
  text: string,
  live: readonly JsonObject[],
  mode: 'apply' | 'replace' = 'apply',
): readonly LiveFinding[] {
  const onRuleFailure = (code: string, error: unknown): never => {
    throw new Error(`The rule ${code} threw.`, { cause: error });
  };
  const check = createManifestSession({ onRuleFailure }).check(text, settings);
  const find = (object: JsonObject) => {
    const found = counterpart(object, live);
    return found !== undefined && nameOf(found).name === nameOf(object).name ? found : undefined;
  };
  return createLiveSession({ onRuleFailure }).check(text, check, find, { ...settings, mode }).findings;
}

const marked = (text: string, { range, code }: LiveFinding): string =>
  `${code} at ${text.slice(range.start.offset, range.end.offset)}`;

/** The same, stored by kubectl apply of that very text. */
function storedByApply(text: string): readonly JsonObject[] {
  const sent = createManifestSession().check(text, settings).documents[0]?.objects[0]?.value ?? {};
  return stored(text, (object) => ({
    ...object,
    metadata: {
      ...(isJsonObject(object['metadata']) ? object['metadata'] : {}),
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(sent) },
    },
  }));
}

describe('against what is stored', () => {
  test.each([
    ['nothing of that name', job({ image: 'r/x:2' }), stored(job({ name: 'other' })), 'apply', []],
    ['the same', job(), stored(job()), 'apply', []],
    ['a field that may change', job({ spec: '  parallelism: 3\n' }), stored(job()), 'apply', []],
    ['another image', job({ image: 'r/x:2' }), stored(job()), 'apply', ['template-immutable at r/x:2']],
    [
      'another controller',
      job({ spec: '  managedBy: example.com/b\n' }),
      stored(job({ spec: '  managedBy: example.com/a\n' })),
      'apply',
      ['managed-by-immutable at example.com/b'],
    ],
    [
      'a controller that is left out, applied',
      job(),
      stored(job({ spec: '  managedBy: example.com/a\n' })),
      'apply',
      [],
    ],
    [
      'a controller that is left out, replaced',
      job(),
      stored(job({ spec: '  managedBy: example.com/a\n' })),
      'replace',
      [
        'selector-required at spec',
        'managed-by-immutable at spec',
        'template-labels-selected at template',
        'template-immutable at template',
      ],
    ],
    [
      'a controller that was applied before and is left out now',
      job(),
      storedByApply(job({ spec: '  managedBy: example.com/a\n' })),
      'apply',
      ['managed-by-immutable at spec'],
    ],
    [
      'what is wrong with the text anyway is not said twice',
      job({ spec: '  parallelism: -1\n' }),
      stored(job()),
      'apply',
      [],
    ],
    [
      'a comment silences it',
      job({ image: 'r/x:2 # delegated-jobs: ignore template-immutable' }),
      stored(job()),
      'apply',
      [],
    ],
    [
      'a piece of an object is not judged',
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: train, namespace: a}\nspec: {managedBy: example.com/b}\n',
      stored(job({ spec: '  managedBy: example.com/a\n' })),
      'apply',
      [],
    ],
  ] as const)('%s', (_, text, live, mode, expected) => {
    const found = findingsAgainst(text, live, mode).filter(({ code }) => code !== 'selector-immutable');
    expect(found.map((finding) => marked(text, finding))).toEqual(expected);
  });

  test('both values are named, and the object', () => {
    const [finding] = findingsAgainst(job({ image: 'r/x:2' }), stored(job()));
    expect(finding?.message).toContain('Stored: r/x:1; here: r/x:2. (API server: field is immutable)');
    expect(finding?.field).toBe('spec.template');
    expect(finding?.stored).toMatchObject({ kind: 'Job', namespace: 'a', name: 'train' });
  });

  test.each([
    ['Restore image: r/x:1', job()],
    ['Use a new name: train-2', job({ name: 'train-2', image: 'r/x:2' })],
    [
      'Ignore template-immutable on this line',
      job({ image: 'r/x:2' }).replace(
        '        image',
        '        # delegated-jobs: ignore template-immutable\n        image',
      ),
    ],
  ])('%s', (title, expected) => {
    const text = job({ image: 'r/x:2' });
    const [finding] = findingsAgainst(text, stored(job()));
    expect(finding?.fixes.map((fix) => fix.title)).toContain(title);
    const fixed = applyFixes(text, finding?.fixes.filter((fix) => fix.title === title) ?? []);
    expect(fixed).toBe(expected);
    expect(findingsAgainst(fixed, stored(job()))).toEqual([]);
  });

  test('each place is that of its document, whatever stands around it', () => {
    const text = [job({ name: 'first' }), '# only a comment\n', job({ image: 'r/x:2' }), job({ name: 'last' })].join(
      '---\n',
    );
    const [finding, ...others] = findingsAgainst(text, stored(job()));
    expect(others).toEqual([]);
    expect(finding && marked(text, finding)).toBe('template-immutable at r/x:2');
    expect(finding?.document).toBe(2);
  });

  test('a row of JSON objects is read as one', () => {
    const one = (name: string, image: string): string =>
      JSON.stringify({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name, namespace: 'a' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } } },
      });
    const text = `${one('first', 'r/x:9')}\n${one('train', 'r/x:2')}\n`;
    expect(findingsAgainst(text, stored(job())).map((finding) => marked(text, finding))).toEqual([
      'template-immutable at "r/x:2"',
    ]);
  });
});

describe('a session', () => {
  /** Findings of a text, one session through, each time against what is stored then. */
  function checked(
    steps: readonly (readonly [text: string, live: readonly JsonObject[], mode?: 'apply' | 'replace'])[],
  ) {
    const session = createManifestSession();
    const live = createLiveSession();
    return steps.map(([text, stored_, mode = 'apply']) => {
      const find = (object: JsonObject) => stored_.find((one) => nameOf(one).name === nameOf(object).name);
      const { findings } = live.check(text, session.check(text, settings), find, { ...settings, mode });
      return findings.map(({ message }) => message);
    });
  }

  /** Looks at a text, so many pieces of work a call, until all is known; says what each call told. */
  function told(live: LiveSession, text: string, stored_: readonly JsonObject[], pieces: number) {
    const check = createManifestSession().check(text, settings);
    const find = (object: JsonObject) => stored_.find((one) => nameOf(one).name === nameOf(object).name);
    const calls: LiveCheck[] = [];
    do {
      let asked = 0;
      const isTimeUp = (): boolean => ++asked > pieces;
      calls.push(live.check(text, check, find, { ...settings, mode: 'apply', isTimeUp }));
      expect(asked).toBeLessThanOrEqual(pieces + 1);
    } while (calls.at(-1)?.isIncomplete);
    const findings = calls.map((one) => one.findings.map(({ stored: { name }, message }) => `${name} ${message}`));
    return findings.filter((one, index) => one.join() !== findings[index - 1]?.join());
  }

  const versioned = (text: string, resourceVersion: string): readonly JsonObject[] =>
    stored(text, (object) => ({
      ...object,
      metadata: { ...(isJsonObject(object['metadata']) ? object['metadata'] : {}), resourceVersion },
    }));

  test('judges anew what is stored in another state, or is sent in another way', () => {
    const text = job({ image: 'r/x:2' });
    const [first, same, changed, replaced, gone] = checked([
      [text, versioned(job(), '1')],
      [text, versioned(job(), '1')],
      [text, versioned(text, '2')],
      [text, versioned(text, '2'), 'replace'],
      [text, []],
    ]);
    expect(first).toHaveLength(1);
    expect(same).toEqual(first);
    expect(changed).toEqual([]);
    expect(replaced).not.toEqual([]);
    expect(gone).toEqual([]);
  });

  const several = (images: readonly string[]): string =>
    images.map((image, index) => job({ name: `job-${index}`, image })).join('---\n');
  const names = (findings: readonly string[]): readonly string[] => findings.map((one) => one.slice(0, 5));

  test('compares a long file a few documents a call, until all is done', () => {
    const live = createLiveSession();
    const before = versioned(several(['r/x:1', 'r/x:1', 'r/x:1']), '1');
    const calls = told(live, several(['r/x:2', 'r/x:2', 'r/x:2']), before, 5);
    expect(calls.map(names)).toEqual([[], ['job-0'], ['job-0', 'job-1'], ['job-0', 'job-1', 'job-2']]);
    // One has changed in the text, and then one in the cluster: what is known of the others is told at once.
    const other = several(['r/x:2', 'r/x:3', 'r/x:2']);
    const typed = told(live, other, before, 5);
    expect(typed.map(names)).toEqual([
      ['job-0', 'job-2'],
      ['job-0', 'job-1', 'job-2'],
    ]);
    expect(typed.at(-1)?.[1]).toContain('here: r/x:3');
    const changed = versioned(other, '2');
    const after = before.map((one, index) => (index === 1 ? (changed[index] ?? one) : one));
    expect(told(live, other, after, 5).map(names)).toEqual([
      ['job-0', 'job-1', 'job-2'],
      ['job-0', 'job-2'],
    ]);
    expect(told(live, other, after, 1)).toHaveLength(1);
  });

  test('judges what is stored only since then', () => {
    const live = createLiveSession();
    const text = several(['r/x:2', 'r/x:2']);
    const stored_ = versioned(several(['r/x:1', 'r/x:1']), '1');
    expect(told(live, text, stored_.slice(1), 5).map(names)).toEqual([[], ['job-1']]);
    expect(told(live, text, stored_, 5).map(names)).toEqual([['job-1'], ['job-0', 'job-1']]);
    expect(told(live, text, stored_.slice(0, 1), 1).map(names)).toEqual([['job-0']]);
  });

  test('the editor compares a stretch a call, by its clock', () => {
    const text = several(['r/x:2', 'r/x:2']);
    const stored_ = versioned(several(['r/x:1', 'r/x:1']), '1');
    const check = createManifestSession().check(text, settings);
    const find = (object: JsonObject) => stored_.find((one) => nameOf(one).name === nameOf(object).name);
    const chosen = { ...settings, clusterVersion: undefined, knownControllers: [], isPartial: false };
    const calls = (pieceMs: number): number => {
      let now = 0;
      const session = comparingSession({ monotonicMs: () => (now += pieceMs) });
      for (let count = 1; ; count++) if (!session.check(text, check, find, chosen, 'apply').isIncomplete) return count;
    };
    expect(calls(100)).toBeGreaterThan(10);
    expect(calls(1)).toBeLessThan(calls(100) / 2);
    expect(calls(0.001)).toBe(1);
  });

  test('says the same as a look at each text by itself', () => {
    const texts = ['r/x:2', 'r/x:1', 'r/x:3'].map((image) => `${job({ name: 'other' })}---\n${job({ image })}`);
    const live = versioned(job(), '1');
    expect(checked(texts.map((text) => [text, live]))).toEqual(texts.map((text) => checked([[text, live]])[0]));
  });
});

test('a comment about a change is never called useless: what is stored may not be known', () => {
  const text = job({ image: 'r/x:1 # delegated-jobs: ignore template-immutable' });
  expect(createManifestSession().check(text, settings).findings).toEqual([]);
});

test('the names of changes are names of rules', () => {
  const codes = [...ruleCatalogue(), ...rules].map(({ code }) => code);
  expect(codes.filter(isAboutChange)).toHaveLength(16);
});
