import { describe, expect, test } from 'vitest';
import { type Following, follow } from '../../src/reconciler/followedFields.ts';
import { mirrorKeys } from '../../src/reconciler/record.ts';
import { type JobBuilder, job } from './builders.ts';

function mirror(applied: number, corrected = 0): JobBuilder {
  return job()
    .uid('mirror')
    .managedBy(undefined)
    .annotations({
      [mirrorKeys.appliedGeneration]: String(applied),
      [mirrorKeys.correctedGeneration]: String(corrected),
    });
}

function check(origin: JobBuilder, of: JobBuilder, expected: Following): void {
  expect(follow(origin.build(), of.build())).toEqual(expected);
}

function apply(changes: object, isCorrection = false): Following {
  return { kind: 'apply', changes, isCorrection };
}

describe('an edit of the management Job', () => {
  test.each<[string, object, object]>([
    ['of parallelism', { parallelism: 5 }, { parallelism: 5 }],
    ['of suspend', { suspend: true }, { suspend: true }],
    ['of backoffLimit', { backoffLimit: 1 }, { backoffLimit: 1 }],
    ['that adds a deadline', { activeDeadlineSeconds: 60 }, { activeDeadlineSeconds: 60 }],
    ['of several at once', { parallelism: 0, suspend: true }, { suspend: true, parallelism: 0 }],
  ])('%s is carried over', (_name, spec, changes) =>
    check(
      job()
        .generation(2)
        .spec({ ...spec }),
      mirror(1),
      apply(changes),
    ),
  );
  test('that takes the deadline away is carried over', () => {
    check(job().generation(2), mirror(1).spec({ activeDeadlineSeconds: 60 }), apply({ activeDeadlineSeconds: null }));
  });
  test('of completions is carried over where they go with parallelism', () => {
    check(job().generation(2).indexed(5), mirror(1).indexed(2), apply({ parallelism: 5, completions: 5 }));
    check(job().generation(2).indexed(5, 2), mirror(1).indexed(4, 2), { kind: 'equal' });
  });
  test('of anything else is not', () => {
    const spec = { ttlSecondsAfterFinished: 5, podReplacementPolicy: 'Failed', managedBy: 'a/b', manualSelector: true };
    check(job().generation(2).spec(spec), mirror(1), { kind: 'equal' });
  });
  test('that the mirror has already is none', () => check(job().generation(2), mirror(1), { kind: 'equal' }));
  test('is void if the mirror has a later one', () => {
    check(job().generation(2).spec({ parallelism: 5 }), mirror(3), { kind: 'outdated' });
  });
});

describe('a change made on the worker', () => {
  test('of scale is left as it is', () => {
    check(job().generation(2), mirror(2).spec({ parallelism: 9 }), { kind: 'drifted', fields: ['parallelism'] });
  });
  test('that suspends is respected', () => check(job().generation(2), mirror(2).suspended(), { kind: 'held' }));
  test('that resumes against the user’s wish is undone once', () => {
    const origin = job().generation(2).suspended();
    check(origin, mirror(2), apply({ suspend: true }, true));
    check(origin, mirror(2, 2), { kind: 'drifted', fields: ['suspend'] });
    check(origin.generation(3), mirror(2, 2), apply({ suspend: true }));
  });
  test('of our notes to something unreadable counts as none', () => {
    check(
      job().generation(1).spec({ parallelism: 2 }),
      mirror(0).annotations({ [mirrorKeys.appliedGeneration]: 'x' }),
      apply({ parallelism: 2 }),
    );
  });
});
