import { describe, expect, test } from 'vitest';
import type { Job, KubeObject } from '../../src/kube/index.ts';
import {
  type ClusterStatus,
  Outline,
  type OutlineNode,
  type OutlineOptions,
  type WatchedCluster,
} from '../../src/model/index.ts';
import { type FedEvent, HandFedModel } from './replayedClusters.ts';

const ours = 'delegated-jobs.dev/reconciler';
let version = 0;

interface Shape {
  readonly namespace?: string;
  readonly managedBy?: string | undefined;
  readonly createdAt?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: Job['status'];
}

function job(
  name: string,
  {
    namespace = 'default',
    managedBy = ours,
    createdAt = '2026-01-01T00:00:00Z',
    labels = {},
    annotations = {},
    status,
  }: Shape = {},
): FedEvent {
  const metadata = {
    uid: `uid-${name}`,
    name,
    namespace,
    resourceVersion: String(++version),
    creationTimestamp: createdAt,
    labels,
    annotations,
  };
  const spec = { template: {}, completions: 3, ...(managedBy === '' ? {} : { managedBy }) };
  return {
    type: 'ADDED',
    object: { apiVersion: 'batch/v1', kind: 'Job', metadata, spec, ...(status === undefined ? {} : { status }) },
  };
}

function mirror(name: string, status: NonNullable<Job['status']> = {}, namespace = 'default'): FedEvent {
  const labels = { 'delegated-jobs.dev/origin-uid': `uid-${name}`, 'delegated-jobs.dev/origin-cluster': 'm-uid' };
  const { type, object } = job(name, { namespace, managedBy: '', labels, status });
  return { type, object: { ...(object as Job), metadata: { ...object.metadata, uid: `mirror-${name}` } } };
}

function pod(name: string, owner: string, status: KubeObject['status'] & object): FedEvent {
  const ownerReferences = [
    { apiVersion: 'batch/v1', kind: 'Job', name: owner, uid: `mirror-${owner}`, controller: true },
  ];
  const metadata = {
    uid: `pod-${name}`,
    name,
    namespace: 'default',
    resourceVersion: String(++version),
    creationTimestamp: '2026-01-01T00:00:00Z',
    ownerReferences,
  };
  return { type: 'ADDED', object: { apiVersion: 'v1', kind: 'Pod', metadata, status } };
}

const running = { active: 1, succeeded: 1, startTime: '2026-01-01T00:00:05Z' };
const complete = {
  succeeded: 3,
  conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' }],
};

/** The outline of what was fed, in lines: two spaces a level. */
function draw(events: readonly (readonly [string, FedEvent])[], options?: OutlineOptions): string[] {
  return sketch(outlineOf(events, options).roots());
}

function outlineOf(events: readonly (readonly [string, FedEvent])[], options?: OutlineOptions): Outline {
  return new Outline(modelOf(feedAll(events)), options);
}

function feedAll(events: readonly (readonly [string, FedEvent])[]): HandFedModel {
  const fed = new HandFedModel(['w1', 'w2']);
  fed.now = Date.parse('2026-01-01T00:00:30Z');
  for (const [cluster, feed] of events) fed.feed(cluster, feed);
  return fed;
}

function modelOf(fed: HandFedModel): ConstructorParameters<typeof Outline>[0] {
  return {
    get clusters(): WatchedCluster[] {
      return [fed.management, ...fed.workers].map(({ name, status }) => ({
        name,
        contextName: `context-${name}`,
        status,
      }));
    },
    entries: () => fed.model.entries(),
    entry: (id) => fed.model.entry(id),
    row: (id) => fed.model.row(id),
  };
}

/** The time of day on this machine, wherever the tests run. */
function clockHere(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function sketch(nodes: readonly OutlineNode[], indent = ''): string[] {
  return nodes.flatMap(({ kind, label, description, children }) => [
    `${indent}${kind} ${label} | ${description}`,
    ...sketch(children, `${indent}  `),
  ]);
}

describe('the outline', () => {
  test('shows a Job, its mirror and its pods', () => {
    expect(
      draw([
        ['', job('a')],
        ['w1', mirror('a', running)],
        ['w1', pod('a-2', 'a', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })],
        ['w1', pod('a-1', 'a', { phase: 'Succeeded' })],
        [
          'w1',
          pod('a-10', 'a', {
            phase: 'Pending',
            containerStatuses: [
              { restartCount: 2, state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } } },
            ],
          }),
        ],
      ]),
    ).toEqual([
      'job a | Running on w1 · 1/3 · Pod a-10 on w1: no such image',
      '  mirror w1 | mirror · Running · 1/3',
      '    pod a-1 | Succeeded',
      '    pod a-2 | Running',
      '    pod a-10 | ImagePullBackOff · 2 restarts',
    ]);
  });

  test('says how long it has been so, by the clock of whoever says it, and when that reads otherwise', () => {
    const alarms: number[] = [];
    const fed = new HandFedModel(['w1'], { judgeAgainAt: (_row, at) => void alarms.push(at) });
    fed.feed('', job('a'));
    fed.feed('w1', mirror('a', running));
    const [w1] = fed.workers;
    if (w1 !== undefined) w1.clockOffsetMs = 5_000;
    const line = (): string | undefined => sketch(new Outline(modelOf(fed)).roots())[0];
    const spoken = (): string | undefined => new Outline(modelOf(fed)).roots()[0]?.accessibilityLabel;
    // It started at 00:00:05 by a clock that is five seconds ahead.
    const startedAt = Date.parse('2026-01-01T00:00:00Z');
    fed.now = startedAt + 59_000;
    expect([line(), alarms.at(-1)]).toEqual(['job a | Running on w1 · 1/3', startedAt + 60_000]);
    fed.now = startedAt + 60_000;
    expect([line(), alarms.at(-1)]).toEqual(['job a | Running on w1 · 1/3 · 1m', startedAt + 120_000]);
    expect(spoken()).toContain(', for 1 minute');
    fed.now = startedAt + 5 * 3_600_000;
    expect([line(), alarms.at(-1)]).toEqual(['job a | Running on w1 · 1/3 · 5h', fed.now + 3_600_000]);
    fed.feed('', job('a', { status: complete }));
    fed.now = Date.parse('2026-01-03T00:01:00Z');
    expect([line(), spoken()]).toEqual(['job a | Succeeded on w1 · 3/3 · 2d', expect.stringContaining(', 2 days ago')]);
  });

  test('groups by namespace if there is more than one', () => {
    expect(
      draw([
        ['', job('a', { namespace: 'team-b' })],
        ['', job('b', { namespace: 'team-a' })],
      ]),
    ).toEqual([
      'namespace team-a | 1 Job',
      '  job b | Waiting for a worker · No reconciler has taken it yet',
      'namespace team-b | 1 Job',
      '  job a | Waiting for a worker · No reconciler has taken it yet',
    ]);
  });

  test('puts what is unfinished first, then the newest', () => {
    expect(
      draw([
        ['', job('done', { createdAt: '2026-01-01T00:00:09Z', status: complete })],
        ['', job('old', { createdAt: '2026-01-01T00:00:01Z' })],
        ['', job('new', { createdAt: '2026-01-01T00:00:05Z' })],
      ]).map((line) => line.split(' ')[1]),
    ).toEqual(['new', 'old', 'done']);
  });

  test('leaves Jobs out that run on the management cluster itself, unless asked', () => {
    const events = [['', job('local', { managedBy: '' })]] as const;
    expect(draw(events)).toEqual(['note No delegated Jobs here | context-']);
    expect(draw(events, { showLocalJobs: true })).toEqual(['job local | Queued · The cluster has not started it yet']);
  });

  test('says how many it does not show', () => {
    expect(
      draw(
        [
          ['', job('a')],
          ['', job('b')],
          ['', job('c')],
        ],
        { limit: 2 },
      ).at(-1),
    ).toBe('note 1 more | finished or older ones');
  });

  test('shows a mirror without its Job, with what can be done', () => {
    const [node] = outlineOf([['w2', mirror('a', running)]]).roots();
    expect(node).toMatchObject({ kind: 'mirror', label: 'a', subject: { worker: 'w2', uid: 'mirror-a' } });
    expect(node?.description).toContain('Mirror without a Job on w2');
    expect(node?.actions).toContain('delete');
  });
});

describe('clusters', () => {
  const cases: readonly (readonly [string, ClusterStatus, string | undefined])[] = [
    ['connected', { contact: 'connected' }, undefined],
    ['connecting', { contact: 'connecting', staleSince: 0 }, 'cluster Worker w1 | Connecting…'],
    [
      'stale',
      { contact: 'stale', staleSince: Date.parse('2026-01-01T12:34:00Z') },
      `cluster Worker w1 | Out of touch · since ${clockHere('2026-01-01T12:34:00Z')}`,
    ],
    [
      'unreachable',
      {
        contact: 'unreachable',
        staleSince: Date.parse('2026-01-01T12:34:00Z'),
        what: 'Nothing answers (cluster x, while trying to list)',
        remedy: 'Start it.',
      },
      `cluster Worker w1 | Unreachable · since ${clockHere('2026-01-01T12:34:00Z')} · Nothing answers`,
    ],
    [
      'auth-needed',
      { contact: 'auth-needed', what: 'Expired', remedy: 'Log in.' },
      'cluster Worker w1 | Login needed · Expired',
    ],
    [
      'misconfigured',
      { contact: 'misconfigured', what: 'config, user "u": No file', remedy: 'Create it.' },
      'cluster Worker w1 | Kubeconfig problem · config, user "u": No file',
    ],
    ['forbidden', { contact: 'forbidden', what: 'No', remedy: 'Ask.' }, 'cluster Worker w1 | Not allowed · No'],
    ['polling', { contact: 'connected', what: 'Polls', remedy: 'Ask.' }, 'cluster Worker w1 | Connected · Polls'],
  ];
  test.each(cases)('%s', (_name, status, line) => {
    const fed = feedAll([['', job('a')]]);
    const [w1] = fed.workers;
    if (w1 !== undefined) w1.status = status;
    const [first] = new Outline(modelOf(fed)).roots();
    expect(first?.kind === 'cluster' ? sketch([first])[0] : undefined).toBe(line);
    if (line !== undefined && status.remedy !== undefined) expect(first?.tooltip).toContain(status.remedy);
  });

  test('one that can be read says why the reconciler can not work with it', () => {
    const model = modelOf(feedAll([['', job('a')]]));
    const refused = 'User "ann" cannot get it (cluster x, while trying to read it). Grant it.';
    const concerned = model.clusters.map((one) => (one.name === 'w1' ? { ...one, concern: refused } : one));
    const [first] = new Outline({ ...model, clusters: concerned }).roots();
    expect(sketch(first === undefined ? [] : [first])).toEqual([
      `cluster Worker w1 | Out of use for the reconciler · ${refused}`,
    ]);
    expect(first).toMatchObject({ tooltip: expect.arrayContaining([refused]), actions: ['retry'] });
  });

  test('a worker out of touch marks its rows and leaves the others alone', () => {
    const fed = feedAll([
      ['', job('a')],
      ['w1', mirror('a', running)],
      ['', job('b')],
      ['w2', mirror('b', running)],
    ]);
    const [w1] = fed.workers;
    if (w1 !== undefined) w1.status = { contact: 'stale', staleSince: 0 };
    const lines = sketch(new Outline(modelOf(fed)).roots()).filter((line) => line.startsWith('job'));
    expect(lines.filter((line) => line.includes('out of date')).map((line) => line.split(' ')[1])).toEqual(['a']);
  });

  test('an empty tree always says why', () => {
    const fed = feedAll([]);
    fed.management.status = { contact: 'unreachable', what: 'Nothing answers', remedy: 'Start it.' };
    expect(sketch(new Outline(modelOf(fed)).roots())).toEqual(['cluster Management | Unreachable · Nothing answers']);
  });

  test.each(['misconfigured', 'unreachable', 'auth-needed', 'forbidden'] as const)(
    'a narrow side bar shows what is wrong: %s',
    (contact) => {
      const fed = feedAll([]);
      const what = 'some-file.yaml, user "ann-from-the-other-team": it is not there';
      fed.management.status = { contact, what, remedy: 'Look.' };
      const [row] = new Outline(modelOf(fed)).roots();
      const [words = ''] = row?.description.split(' · ') ?? [];
      expect(words).not.toBe('');
      // Of a line of 300 pixels as many characters are left beside icon and indent.
      expect(`${row?.label} ${words}`.length).toBeLessThanOrEqual(33);
      expect(row?.tooltip[0]).toMatch(/^Management cluster ./);
    },
  );
});

describe('nodes', () => {
  test('stay the same objects until their row changes', () => {
    const fed = feedAll([
      ['', job('a')],
      ['', job('b')],
    ]);
    const outline = new Outline(modelOf(fed));
    const before = outline.roots();
    expect(outline.roots()).toBe(before);
    fed.feed('w1', mirror('a', running));
    outline.invalidate({ rows: fed.touched, isEverything: false });
    const after = outline.roots();
    const find = (nodes: readonly OutlineNode[], label: string): OutlineNode | undefined =>
      nodes.find((node) => node.label === label);
    expect(find(after, 'b')).toBe(find(before, 'b'));
    expect(find(after, 'a')?.description).toContain('Running on w1');
  });

  test('have unique ids and say their state in words', () => {
    const events = [
      ['', job('a')],
      ['w1', mirror('a', running)],
      ['w2', mirror('a')],
      ['w1', pod('a-1', 'a', { phase: 'Running' })],
      ['', job('b', { status: complete })],
    ] as const;
    const all = flatten(outlineOf(events).roots());
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { label, accessibilityLabel, tooltip } of all) {
      expect(accessibilityLabel).toContain(label);
      expect(accessibilityLabel).toMatch(/, (Running|Queued|Succeeded)/);
      expect(tooltip.length).toBeGreaterThan(0);
    }
  });
});

function flatten(nodes: readonly OutlineNode[]): OutlineNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}
