import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type JobHistory, replay, shapeOf } from './replay.ts';

/**
 * What a real Kubernetes 1.35.4 wrote, transition by transition: the same Jobs, with the same fate of their pods, must go
 * through the same statuses here.
 */
function recorded(name: string): readonly JobHistory[] {
  const lines = gunzipSync(readFileSync(`test/fixtures/sandbox/${name}.ndjson.gz`))
    .toString()
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** One of every kind. */
const chosen = recorded('job-histories');

/** Specs, fates and interventions drawn at random. */
const random = recorded('random-histories');

describe('the Job controller', () => {
  function check(history: JobHistory): void {
    expect(shapeOf(replay(history))).toEqual(shapeOf(history.events));
  }

  it.each(chosen.map((history) => [history.id, history] as const))('writes what the real one wrote: %s', (_, history) =>
    check(history),
  );

  it.each(random.map((history) => [history.id, history] as const))('writes what the real one wrote: %s', (_, history) =>
    check(history),
  );

  it('is compared with all recordings', () => {
    expect([chosen.length, random.length]).toEqual([26, 147]);
  });
});
