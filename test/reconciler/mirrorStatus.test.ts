import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatIndexList, type KubernetesMinor, kubernetesMinors } from '../../src/admission/index.ts';
import type { Job, JobSpec, JobStatus } from '../../src/kube/index.ts';
import { clipIndexes } from '../../src/reconciler/indexes.ts';
import { fateOf } from '../../src/reconciler/jobState.ts';
import {
  mirrorStatus,
  type StatusOutcome,
  statusWithoutMirror,
  suspendedStatus,
} from '../../src/reconciler/mirrorStatus.ts';
import { mirrorKeys } from '../../src/reconciler/record.ts';
import { statusJudgeFor } from '../../src/reconciler/statusJudge.ts';
import { conditions, type JobBuilder, job } from './builders.ts';

const observedAt = Date.parse('2026-01-01T12:00:00Z');
const judge = statusJudgeFor('1.35');

/** The door: what becomes of the local Job's status after a look at the mirror. */
function outcomeOf(local: Job, mirror: Job, workerAheadMs?: number): StatusOutcome {
  return mirrorStatus({ local, mirror, observedAt, workerAheadMs }, judge);
}

/** Checks the parts of the new status that matter to a case; `null` stands for an absent field. */
function check(local: JobBuilder, mirror: JobBuilder, expected: Partial<Record<keyof JobStatus, unknown>>): JobStatus {
  const outcome = outcomeOf(local.build(), mirror.build());
  if (outcome.kind !== 'changed') throw new Error(`Expected a change, got ${JSON.stringify(outcome)}.`);
  for (const [field, value] of Object.entries(expected)) {
    const actual = Object.entries(outcome.status).find(([key]) => key === field)?.[1];
    expect(actual ?? null, field).toEqual(value);
  }
  return outcome.status;
}

/** A mirror that was started by us. */
function mirror(): JobBuilder {
  return job()
    .uid('mirror')
    .managedBy(undefined)
    .annotations({ [mirrorKeys.appliedGeneration]: '1' });
}

function typesOf(status: JobStatus): string[] {
  return (status.conditions ?? []).map(({ type, status: value }) => `${type}=${value}`);
}

const start = '2026-01-01T10:00:00Z';
const end = '2026-01-01T10:00:30Z';
const complete = {
  startTime: start,
  completionTime: end,
  succeeded: 1,
  conditions: conditions('SuccessCriteriaMet', 'Complete'),
};
const failed = { startTime: start, failed: 7, conditions: conditions('FailureTarget', 'Failed') };

describe('a running mirror', () => {
  test('shows its pods and start', () => {
    check(
      job(),
      mirror().status({ startTime: start, active: 1, ready: 1, terminating: 0, uncountedTerminatedPods: {} }),
      {
        startTime: start,
        active: 1,
        ready: 1,
        terminating: 0,
        uncountedTerminatedPods: null,
      },
    );
  });
  test('never shows more ready pods than active ones', () => {
    check(job(), mirror().status({ startTime: start, active: 1, ready: 2 }), { ready: 1 });
  });
  test('never moves a start that is stored', () => {
    const local = job().status({ startTime: start, active: 2 });
    check(local, mirror().status({ startTime: '2026-01-01T09:59:55Z', active: 1 }), { startTime: start, active: 1 });
  });
  test('never lowers failed and succeeded', () => {
    const local = job().status({ startTime: start, failed: 2, succeeded: 1, active: 1 });
    check(local, mirror().status({ startTime: start, failed: 0 }), { failed: 2, succeeded: 1, active: null });
  });
  test('shows a verdict to come', () => {
    const status = check(
      job(),
      mirror().status({ startTime: start, terminating: 2, conditions: conditions('FailureTarget') }),
      { terminating: 2 },
    );
    expect(typesOf(status)).toEqual(['FailureTarget=True']);
  });
  test('says nothing before its worker has', () => {
    expect(outcomeOf(job().build(), mirror().build()).kind).toBe('unchanged');
    expect(outcomeOf(job().build(), mirror().status({}).build()).kind).toBe('unchanged');
  });
  test('that is created but not yet started says nothing', () => {
    const created = job()
      .suspended()
      .status({ conditions: conditions('Suspended'), ready: 0 });
    expect(outcomeOf(job().build(), created.build()).kind).toBe('unchanged');
  });
  test('held by its worker shows that, and no start of an earlier run', () => {
    const held = mirror()
      .suspended()
      .status({ startTime: start, active: 0, conditions: conditions('Suspended') });
    const status = check(job().status({ active: 2 }), held, { active: null, startTime: null });
    expect(typesOf(status)).toEqual(['Suspended=True']);
  });
});

describe('the end', () => {
  test('comes with everything the API server asks for', () => {
    const status = check(job(), mirror().status(complete), { startTime: start, completionTime: end, succeeded: 1 });
    expect(typesOf(status)).toEqual(['SuccessCriteriaMet=True', 'Complete=True']);
  });
  test('of a failed Job has no completion time', () => {
    const status = check(job(), mirror().status(failed), { failed: 7, completionTime: null });
    expect(typesOf(status)).toEqual(['FailureTarget=True', 'Failed=True']);
  });
  test.each([
    ['Complete', ['SuccessCriteriaMet=True', 'Complete=True']],
    ['Failed', ['FailureTarget=True', 'Failed=True']],
  ])('%s of a worker before 1.31 brings its interim condition along', (type, expected) => {
    const old = {
      startTime: start,
      conditions: conditions(type),
      ...(type === 'Complete' ? { completionTime: end } : {}),
    };
    expect(typesOf(check(job(), mirror().status(old), {}))).toEqual(expected);
  });
  test('is copied although the local Job is suspended', () => {
    check(job().suspended(), mirror().status(complete), { completionTime: end, startTime: start });
  });
  test('of no completions while suspended needs no start', () => {
    const both = { completions: 0, suspend: true };
    const done = { completionTime: end, conditions: conditions('SuccessCriteriaMet', 'Complete') };
    check(job().spec(both), mirror().spec(both).status(done), { startTime: null, completionTime: end });
    check(job().spec({ completions: 0 }), mirror().spec(both).status(done), { startTime: end });
  });
  test('is not before a start that was stored from a faster clock, and the true time is told', () => {
    const local = job().status({ startTime: '2026-01-01T10:10:00Z' });
    const outcome = outcomeOf(local.build(), mirror().status(complete).build());
    expect(outcome).toMatchObject({ isTerminal: true, trueCompletionTime: end });
    check(local, mirror().status(complete), { completionTime: '2026-01-01T10:10:00Z' });
  });
  test('after a failed attempt keeps what was counted', () => {
    const local = job().status({ startTime: start, failed: 2 });
    check(local, mirror().status(complete), { failed: 2, succeeded: 1 });
  });
  test('is told in the management cluster’s time where the clocks are far apart', () => {
    const outcome = outcomeOf(job().build(), mirror().status(complete).build(), -3_600_000);
    expect(outcome).toMatchObject({
      status: { completionTime: '2026-01-01T11:00:30Z' },
      trueCompletionTime: end,
    });
    expect(outcome.kind === 'changed' && outcome.status.conditions?.[1]?.lastTransitionTime).toBe(
      '2026-01-01T11:00:30Z',
    );
  });
  test('leaves nothing to write', () => {
    const local = job().status(complete);
    expect(
      outcomeOf(
        local.build(),
        mirror()
          .status({ ...complete, ready: 0 })
          .build(),
      ).kind,
    ).toBe('unchanged');
  });
  test.each([
    ['success here, failure there', complete, failed],
    ['success to come here, failure there', { startTime: start, conditions: conditions('SuccessCriteriaMet') }, failed],
    ['failure here, still running there', failed, { startTime: start, active: 1 }],
  ])('is a conflict with %s', (_name, local, remote) => {
    expect(outcomeOf(job().status(local).build(), mirror().status(remote).build()).kind).toBe('fate-conflict');
  });
});

describe('a suspended Job', () => {
  test('says so once, and copies nothing from a mirror that still runs', () => {
    const local = job().suspended().status({ startTime: start, active: 2 });
    const status = check(local, mirror().status({ startTime: start, active: 5 }), { active: 2, startTime: start });
    expect(typesOf(status)).toEqual(['Suspended=True']);
    expect(outcomeOf(local.status(status).build(), mirror().status({ startTime: start, active: 5 }).build()).kind).toBe(
      'unchanged',
    );
  });
  test('drops to no pods with its mirror, and loses its start', () => {
    const local = job().suspended().status({ startTime: start, active: 2, ready: 2 });
    const held = mirror()
      .suspended()
      .status({ startTime: start, active: 0, ready: 0, conditions: conditions('Suspended') });
    const status = check(local, held, { active: null, ready: 0, startTime: null });
    expect(typesOf(status)).toEqual(['Suspended=True']);
  });
  test('resumes with a start and the end of the suspension in one write', () => {
    const local = job().status({ conditions: conditions('Suspended') });
    const resumed = mirror().status({
      startTime: start,
      active: 2,
      conditions: [{ type: 'Suspended', status: 'False', lastTransitionTime: start }],
    });
    const status = check(local, resumed, { startTime: start, active: 2 });
    expect(typesOf(status)).toEqual(['Suspended=False']);
  });
  test('without a mirror says so, and only once', () => {
    const local = job().suspended();
    const outcome = suspendedStatus(local.build(), observedAt, judge);
    if (outcome.kind !== 'changed') throw new Error('Expected a change.');
    expect(typesOf(outcome.status)).toEqual(['Suspended=True']);
    expect(suspendedStatus(local.status(outcome.status).build(), observedAt + 5000, judge).kind).toBe('unchanged');
  });
});

describe('other cases', () => {
  test('a mirror that is gone leaves no pods, and what was counted', () => {
    const local = job().status({ startTime: start, active: 2, ready: 1, terminating: 1, failed: 3 }).build();
    expect(statusWithoutMirror(local, judge)).toMatchObject({
      status: { ready: 0, terminating: 0, failed: 3, startTime: start },
    });
    expect(statusWithoutMirror(job().status({ startTime: start, failed: 3 }).build(), judge).kind).toBe('unchanged');
  });
  test('index lists are cut to what the local spec allows', () => {
    const remote = mirror().indexed(6).status({ startTime: start, active: 1, completedIndexes: '0,2-5', succeeded: 5 });
    check(job().indexed(4), remote, { completedIndexes: '0,2,3' });
    check(job(), remote, { completedIndexes: null });
  });
  test('index lists come from one look: those of an earlier attempt never mix with new ones', () => {
    const local = job()
      .indexed(3)
      .spec({ backoffLimitPerIndex: 1 })
      .status({ startTime: start, completedIndexes: '0,1', succeeded: 2 });
    const remote = mirror()
      .indexed(3)
      .spec({ backoffLimitPerIndex: 1 })
      .status({ startTime: start, active: 2, failedIndexes: '0' });
    check(local, remote, { completedIndexes: null, failedIndexes: '0', succeeded: 2 });
  });
  test.each([
    ['0,2-4', 5, '0,2-4'],
    ['0,2-4', 4, '0,2,3'],
    ['0,2-9', 6, '0,2-5'],
    ['0,2-4', 1, '0'],
    ['3,4', 2, ''],
    ['', 2, ''],
    ['x', 2, undefined],
    ['4,3', 5, undefined],
  ])('"%s" below %d is %s', (text, completions, expected) => {
    expect(clipIndexes(text, completions)).toBe(expected);
  });
  test('what the management cluster refuses is said, not sent', () => {
    const outcome = mirrorStatus(
      { local: job().build(), mirror: mirror().status(complete).build(), observedAt },
      () => ['no'],
    );
    expect(outcome).toEqual({ kind: 'refused', message: 'no' });
  });
});

interface HistoryEvent {
  readonly type: string;
  readonly generation: number;
  readonly suspend: boolean;
  readonly parallelism: number;
  readonly completions?: number;
  readonly status: JobStatus;
}
interface History {
  readonly id: string;
  readonly spec: Record<string, unknown>;
  readonly events: readonly HistoryEvent[];
}

const histories: readonly History[] = readFileSync(
  join(import.meta.dirname, '../fixtures/reconciler/job-histories.ndjson'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

describe('what real workers wrote, transition by transition', () => {
  /** Follows the whole history with a local Job whose spec is the mirror's or lags behind by one event. */
  function replay({ spec, events }: History, lag: number, minor: KubernetesMinor): { local: Job; changes: number } {
    const judgeOf = statusJudgeFor(minor);
    let local = job().spec(spec).build();
    let changes = 0;
    for (const [index, { status }] of events.entries()) {
      const { suspend, parallelism, completions } =
        events[index]?.type === 'DELETED' ? events[index] : (events[index] ?? events[0] ?? never());
      const now = { suspend, parallelism, completions };
      const before = events[Math.max(0, index - lag)] ?? never();
      local = withSpec(local, {
        suspend: before.suspend,
        parallelism: before.parallelism,
        completions: before.completions,
      });
      const remote = {
        ...mirror()
          .spec({ ...spec, ...now, managedBy: undefined })
          .build(),
        status,
      };
      for (const round of [1, 2]) {
        const outcome = mirrorStatus({ local, mirror: remote, observedAt: observedAt + index * 1000 + round }, judgeOf);
        expect(outcome.kind, JSON.stringify([local.status, status, outcome])).not.toBe('refused');
        if (outcome.kind === 'changed') {
          // The second look at the same mirror finds nothing left to write.
          expect(round).toBe(1);
          local = { ...local, status: outcome.status };
          changes++;
        }
      }
    }
    return { local, changes };
  }

  function withSpec(local: Job, spec: object): Job {
    const known = Object.entries({ ...local.spec, ...spec }).filter(([, value]) => value !== undefined);
    return { ...local, spec: Object.fromEntries(known) as unknown as JobSpec };
  }

  function never(): never {
    throw new Error('A history without events.');
  }

  test('there are 26 of them', () => expect(histories).toHaveLength(26));

  describe.each(kubernetesMinors)('on a management cluster of %s', (minor) => {
    test.each(histories.map((history) => [history.id, history] as const))('%s', (_id, history) => {
      const { local } = replay(history, 0, minor);
      const last = history.events.at(-1)?.status;
      expect(fateOf(local.status)).toBe(fateOf(last));
      expect(local.status?.succeeded ?? 0).toBeGreaterThanOrEqual(last?.succeeded ?? 0);
      expect(local.status?.active ?? 0).toBe(last?.active ?? 0);
      replay(history, 1, minor);
    });
  });
});

describe('C1: whatever a worker holds, the management cluster takes', () => {
  const stages = ['silent', 'suspended', 'running', 'succeeding', 'failing', 'Complete', 'Failed'] as const;
  const minute = fc.integer({ min: 0, max: 40 });
  const count = fc.integer({ min: 0, max: 4 });
  /** What a status is made of; the shape of the Job decides which parts apply. */
  const parts = fc.record({
    stage: fc.constantFrom(...stages),
    startMinute: minute,
    lastsMinutes: minute,
    active: count,
    ready: fc.option(count, { nil: undefined }),
    terminating: fc.option(count, { nil: undefined }),
    succeeded: count,
    failed: count,
    /** For each index: neither, completed, failed. */
    indexes: fc.array(fc.constantFrom(0, 1, 2), { minLength: 4, maxLength: 4 }),
    suspendedCondition: fc.constantFrom(undefined, 'True', 'False'),
    hasOther: fc.boolean(),
    isOldWorker: fc.boolean(),
    wasSuspendedKeepingStart: fc.boolean(),
  });
  type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;
  const shapes = fc.record({
    isIndexed: fc.boolean(),
    completions: fc.integer({ min: 0, max: 4 }),
    isElastic: fc.boolean(),
    hasLimitPerIndex: fc.boolean(),
    hasSuccessPolicy: fc.boolean(),
    localSuspend: fc.boolean(),
    remoteSuspend: fc.boolean(),
    remoteCompletions: fc.integer({ min: 0, max: 4 }),
    wasStarted: fc.boolean(),
  });

  function at(minutes: number): string {
    return new Date(Date.parse(start) + minutes * 60_000).toISOString().replace('.000Z', 'Z');
  }

  function listOf(indexes: readonly number[], value: number, completions: number): string {
    const found = indexes.flatMap((kind, index) => (kind === value && index < completions ? [index] : []));
    return formatIndexList(found);
  }

  /** A status that a Job of this spec can hold at this stage. */
  function statusOf(from: Parts, { spec }: Job, isWorker: boolean): JobStatus {
    const { stage } = from;
    if (stage === 'silent') return {};
    const isOver = stage === 'Complete' || stage === 'Failed';
    const active = stage === 'running' || stage === 'suspended' ? from.active : 0;
    const startTime = at(from.startMinute);
    const endTime = at(from.startMinute + from.lastsMinutes);
    const verdicts = {
      succeeding: ['SuccessCriteriaMet'],
      failing: ['FailureTarget'],
      Complete: isWorker && from.isOldWorker ? ['Complete'] : ['SuccessCriteriaMet', 'Complete'],
      Failed: isWorker && from.isOldWorker ? ['Failed'] : ['FailureTarget', 'Failed'],
      suspended: [],
      running: [],
    }[stage];
    const suspended = stage === 'suspended' ? 'True' : stage === 'running' ? undefined : from.suspendedCondition;
    const isIndexed = spec.completionMode === 'Indexed';
    return {
      ...(isOver || stage !== 'suspended' || from.wasSuspendedKeepingStart ? { startTime } : {}),
      ...(stage === 'Complete' ? { completionTime: endTime } : {}),
      active,
      ...(from.ready === undefined ? {} : { ready: Math.min(from.ready, active) }),
      ...(from.terminating === undefined ? {} : { terminating: isOver ? 0 : from.terminating }),
      succeeded: from.succeeded,
      failed: from.failed,
      ...(isIndexed ? { completedIndexes: listOf(from.indexes, 1, spec.completions ?? 0) } : {}),
      ...(isIndexed && spec.backoffLimitPerIndex !== undefined
        ? { failedIndexes: listOf(from.indexes, 2, spec.completions ?? 0) }
        : {}),
      conditions: [
        ...(suspended === undefined ? [] : [{ type: 'Suspended', status: suspended, lastTransitionTime: startTime }]),
        ...(from.hasOther ? [{ type: 'Other', status: 'True' }] : []),
        ...conditions(...verdicts).map((one) => ({ ...one, lastTransitionTime: endTime })),
      ],
    };
  }

  function pairOf(shape: typeof shapes extends fc.Arbitrary<infer T> ? T : never): { local: Job; remote: Job } {
    const { isIndexed, completions, isElastic, hasLimitPerIndex, hasSuccessPolicy } = shape;
    const build = (base: JobBuilder, size: number): JobBuilder =>
      base.spec({
        completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
        completions: size,
        parallelism: isElastic ? size : 2,
        ...(isIndexed && hasLimitPerIndex ? { backoffLimitPerIndex: 1 } : {}),
        ...(isIndexed && hasSuccessPolicy && size > 0 ? { successPolicy: { rules: [{ succeededCount: 1 }] } } : {}),
      });
    const local = build(job().suspended(shape.localSuspend), completions).build();
    const remoteSize = isElastic && isIndexed ? shape.remoteCompletions : completions;
    const remote = build(job().uid('mirror').managedBy(undefined), remoteSize)
      .suspended(shape.remoteSuspend)
      .annotations(shape.wasStarted ? { [mirrorKeys.appliedGeneration]: '1' } : {})
      .build();
    return { local, remote };
  }

  test('the statuses that are tried are such that a Job can hold', () => {
    const property = fc.property(shapes, parts, (shape, from) => {
      const { local } = pairOf(shape);
      expect(judge(local, statusOf(from, local, false))).toEqual([]);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('in a hundred thousand pairs', () => {
    const seen = { changed: 0, terminal: 0, unchanged: 0, 'fate-conflict': 0 };
    const property = fc.property(shapes, parts, parts, (shape, before, after) => {
      const { local: bare, remote: bareMirror } = pairOf(shape);
      const local = { ...bare, status: statusOf(before, bare, false) };
      const remote = { ...bareMirror, status: statusOf(after, bareMirror, true) };
      const outcome = outcomeOf(local, remote);
      expect(outcome.kind).not.toBe('refused');
      if (outcome.kind === 'refused') return;
      seen[outcome.kind]++;
      if (outcome.kind !== 'changed') return;
      if (outcome.isTerminal) seen.terminal++;
      expect(outcomeOf({ ...local, status: outcome.status }, remote).kind).toBe('unchanged');
      for (const field of ['failed', 'succeeded'] as const) {
        expect(outcome.status[field] ?? 0).toBeGreaterThanOrEqual(local.status[field] ?? 0);
      }
    });
    fc.assert(property, { numRuns: 100_000 });
    for (const kind of Object.values(seen)) expect(kind).toBeGreaterThan(5000);
  }, 300_000);
});
