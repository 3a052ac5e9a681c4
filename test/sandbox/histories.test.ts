import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type HistoryEvent, type JobHistory, replay, shapeOf } from './replay.ts';

/**
 * What a real Kubernetes 1.35.4 wrote, transition by transition, for Jobs of every kind: the same Jobs, with the same
 * fate of their pods, must go through the same statuses here.
 */
const histories: readonly JobHistory[] = gunzipSync(readFileSync('test/fixtures/sandbox/job-histories.ndjson.gz'))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

describe('the Job controller', () => {
  function check(history: JobHistory): void {
    const expected = shapeOf(history.events);
    const actual: readonly HistoryEvent[] = replay(history);
    expect(shapeOf(actual)).toEqual(expected);
  }

  it.each(histories.map((history) => [history.id, history] as const))(
    'writes what the real one wrote: %s',
    (_, history) => {
      check(history);
    },
  );

  it('is compared with every recorded kind of Job', () => {
    expect(histories).toHaveLength(26);
  });
});
