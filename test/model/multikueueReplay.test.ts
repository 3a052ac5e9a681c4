import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../src/base/index.ts';
import type { KubeObject } from '../../src/kube/index.ts';
import { HandFedModel } from './replayedClusters.ts';

/**
 * Three minutes of a real MultiKueue (Kueue 0.17.0, one manager, two workers, Kubernetes 1.35.4), event by event, as
 * watches brought them.
 */
type Line =
  | { readonly ms: number; readonly step: string }
  | {
      readonly ms: number;
      readonly cluster: string;
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
      readonly object: KubeObject;
    };

const startedAt = Date.parse('2026-11-29T23:21:48Z');

function readHistory(): Line[] {
  const path = join(import.meta.dirname, '../fixtures/model/multikueueHistory.ndjson.gz');
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The recording left out of pods and events what it did not need. */
function complete(object: KubeObject, line: number): KubeObject {
  const { metadata } = object;
  const creationTimestamp = metadata.creationTimestamp ?? '2026-11-29T23:21:49Z';
  return {
    ...object,
    metadata: { namespace: 'team-a', ...metadata, creationTimestamp, resourceVersion: String(line) },
  };
}

/** Plays the history; `observe` is called before and after each event with what the event may have touched. */
function play(observe: (fed: HandFedModel, line: Line, feed: () => void) => void): HandFedModel {
  const fed = new HandFedModel(['worker1', 'worker2']);
  const [worker1] = fed.workers;
  readHistory().forEach((line, index) => {
    fed.now = startedAt + line.ms;
    if ('step' in line) {
      // This window's own connection to the worker goes the way of Kueue's.
      if (worker1 !== undefined && line.step === 'worker1 paused') worker1.status = { contact: 'unreachable' };
      if (worker1 !== undefined && line.step === 'worker1 answers again') worker1.status = { contact: 'connected' };
      observe(fed, line, () => undefined);
      return;
    }
    if (!isJsonObject(line.object.metadata)) return;
    observe(fed, line, () =>
      fed.feed(line.cluster === 'manager' ? '' : line.cluster, {
        type: line.type,
        object: complete(line.object, index),
      }),
    );
  });
  return fed;
}

/** For each Job, what its row said one after the other. */
function stories(): Map<string, string[]> {
  const result = new Map<string, string[]>();
  play((fed, _line, feed) => {
    feed();
    const view = fed.view();
    for (const [name, line] of Object.entries(view)) {
      const story = result.get(name) ?? [];
      if (story.at(-1) !== line) story.push(line);
      result.set(name, story);
    }
    for (const [name, story] of result) if (!(name in view) && story.at(-1) !== 'gone') story.push('gone');
  });
  return result;
}

const queueing = [
  'Queued - NotYetSeen',
  'Queued - NotYetJudged',
  'WaitingForWorker - NoWorkerYet',
  'WaitingForWorker - NoWorkerAdmits',
];

function dispatched(worker: string): string[] {
  return [...queueing, `WorkerSelected ${worker} MirrorSuspended`, `WorkerSelected ${worker} MirrorNotStarted`];
}

function done(worker: string, end: string): string[] {
  return [
    `Finishing ${worker} Finishing`,
    `Finishing ${worker} ResultNotCopied`,
    `${end.startsWith('Failed') ? `Failed ${worker} ${end.slice(7)}` : `${end} ${worker}`}`,
  ];
}

describe('a real MultiKueue', () => {
  const told = stories();
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'plain success',
      'plain',
      [
        ...dispatched('worker2'),
        'Running worker2 ManagerNotAdmitted',
        'Running worker2',
        ...done('worker2', 'Succeeded'),
      ],
    ],
    ['Indexed', 'indexed', [...dispatched('worker1'), 'Running worker1', ...done('worker1', 'Succeeded')]],
    [
      'failure',
      'failing',
      [...dispatched('worker1'), 'Running worker1', ...done('worker1', 'Failed BackoffLimitExceeded')],
    ],
    ['no queue label: never mirrored', 'no-queue', ['Unmanaged - NoQueue']],
    ['a queue that does not exist', 'unknown-queue', [...queueing.slice(0, 2), 'Queued - Inadmissible']],
    [
      'too large for the quota, while the queue was stopped and after',
      'too-large',
      [...queueing.slice(0, 2), 'Queued - Pending', 'Queued - Inadmissible', 'Queued - Pending'],
    ],
    [
      'another controller: Kueue takes it in and rejects it',
      'other-controller',
      ['Suspended - Suspended', 'Queued - NotYetJudged', 'Queued - CheckRejected', 'Suspended - Deactivated'],
    ],
    [
      'deleted while it runs',
      'deleted',
      [...dispatched('worker1'), 'Running worker1 ManagerNotAdmitted', 'Running worker1', 'gone'],
    ],
    ['its mirror, for a moment', 'deleted (worker1)', ['Orphan worker1 NoJobHere', 'gone']],
    [
      'deactivated while it runs',
      'deactivated',
      [
        ...dispatched('worker1'),
        'Running worker1 ManagerNotAdmitted',
        'Running worker1',
        'Running worker1 Deactivated',
        'Suspended - Deactivated',
      ],
    ],
    [
      'a stopped queue takes it back; it runs again; its worker is lost and comes back',
      'held',
      [
        ...dispatched('worker1'),
        'Running worker1',
        'Running worker1 LocalQueueStopped',
        'Queued worker1 LocalQueueStopped',
        'Queued - LocalQueueStopped',
        ...dispatched('worker1').slice(2),
        'Running worker1 ManagerNotAdmitted',
        'Running worker1',
        'WorkerLost worker1 Unreachable',
        'Running worker1',
        ...done('worker1', 'Succeeded'),
      ],
    ],
    [
      'its worker is lost at the end',
      'orphaned',
      [
        ...dispatched('worker1'),
        'Running worker1 ManagerNotAdmitted',
        'Running worker1',
        'WorkerLost worker1 Unreachable',
        'Running worker1',
      ],
    ],
    [
      'no node on the worker',
      'unschedulable',
      [
        ...dispatched('worker1'),
        'WorkerSelected worker1 Unschedulable',
        'Running worker1 Unschedulable',
        'Running worker1 LocalQueueStopped',
        'Queued worker1 LocalQueueStopped',
        'Queued - LocalQueueStopped',
        ...dispatched('worker1').slice(2),
        'WorkerSelected worker1 Unschedulable',
        'Running worker1 Unschedulable',
        'WorkerLost worker1 Unreachable',
        'Running worker1 Unschedulable',
      ],
    ],
  ];
  test.each(rows)('%s', (_title, name, story) => expect(told.get(name)).toEqual(story));

  test('thirty at once all succeed, each through the same phases', () => {
    const fast = [...told].filter(([name]) => name.startsWith('fast-'));
    expect(fast.length).toBe(30);
    for (const [, story] of fast) {
      expect(story.at(-1)).toMatch(/^Succeeded worker[12]$/);
      expect(story[0]).toBe('Queued - NotYetSeen');
      expect(new Set(story.map((line) => line.split(' ')[0]))).toEqual(
        new Set(['Queued', 'WaitingForWorker', 'WorkerSelected', 'Running', 'Finishing', 'Succeeded']),
      );
    }
  });
});

test('no row changes without being named by the event that changed it', () => {
  play((fed, line, feed) => {
    const before = rowsOf(fed);
    feed();
    if ('step' in line) return;
    const after = rowsOf(fed);
    const ids = new Set([...before.keys(), ...after.keys()]);
    const changed = [...ids].filter((id) => before.get(id) !== after.get(id));
    expect([...fed.touched]).toEqual(expect.arrayContaining(changed));
  });
});

function rowsOf({ model }: HandFedModel): Map<string, string> {
  return new Map([...model.entries()].map(({ id }) => [id, JSON.stringify(model.row(id))]));
}
