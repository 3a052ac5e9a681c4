import { describe, expect, test } from 'vitest';
import {
  assignmentAnnotations,
  mirrorFinalizer,
  mirrorKeys,
  type Ownership,
  ownershipOf,
  readAttemptLog,
  readRecord,
  recordKeys,
} from '../../src/reconciler/record.ts';
import { job, managementUid, workerUid } from './builders.ts';

const assignment = { workerUid, workerName: 'w', attempt: 2, mirrorName: 'a', attemptLog: [] };

describe('a record', () => {
  test('is read as it was written', () => {
    const attemptLog = [{ attempt: 1, worker: 'v', workerUid: 'first', reason: 'QuotaExceeded' }];
    const annotations = assignmentAnnotations({ ...assignment, attemptLog });
    expect(readRecord(job().annotations(annotations).finalizers(mirrorFinalizer).build())).toEqual({
      kind: 'assigned',
      record: {
        workerUid,
        workerName: 'w',
        attempt: 2,
        mirrorName: 'a',
        mirrorUid: undefined,
        phaseReason: 'Assigned',
        refusedBy: ['first'],
        hasFinalizer: true,
      },
    });
  });
  test('is none where only the user asked for something', () => {
    const asked = {
      [recordKeys.requestedWorker]: 'w',
      [recordKeys.onDelete]: 'detach',
      [recordKeys.phaseReason]: 'NoWorker',
    };
    expect(readRecord(job().annotations(asked).build())).toEqual({ kind: 'none' });
  });
  test.each([recordKeys.version, recordKeys.workerUid, recordKeys.mirrorName, recordKeys.attempt])(
    'without %s is corrupt',
    (key) => {
      const { [key]: _gone, ...rest } = assignmentAnnotations(assignment);
      expect(readRecord(job().annotations(rest).build()).kind).toBe('corrupt');
    },
  );
  test.each(['[', '{}', '[1]', '[{"attempt":"1"}]', ''])('has an attempt log that may be anything: %s', (text) => {
    expect(readAttemptLog(text)).toEqual([]);
  });
});

describe('the Job on the worker', () => {
  const ours = {
    [mirrorKeys.originCluster]: managementUid,
    [mirrorKeys.originUid]: 'origin',
    [mirrorKeys.attempt]: '1',
  };

  function check(labels: Record<string, string>, mirrorUid: string | undefined, expected: Ownership): void {
    const mirror = job().uid('mirror').labels(labels).build();
    expect(ownershipOf(mirror, 'origin', managementUid, { attempt: 1, mirrorUid })).toBe(expected);
  }

  test.each<[string, Record<string, string>, string | undefined, Ownership]>([
    ['is ours by its labels', ours, undefined, 'ours'],
    ['is ours by its labels and UID', ours, 'mirror', 'ours'],
    ['is a copy of our labels on another object', ours, 'another', 'stale'],
    ['belongs to an earlier attempt', { ...ours, [mirrorKeys.attempt]: '2' }, undefined, 'stale'],
    ['belongs to another Job of this cluster', { ...ours, [mirrorKeys.originUid]: 'x' }, undefined, 'stale'],
    ['belongs to another cluster', { ...ours, [mirrorKeys.originCluster]: 'x' }, undefined, 'foreign'],
    ['is a stranger’s', {}, undefined, 'foreign'],
    ['lost our labels', {}, 'mirror', 'disowned'],
    ['lost one of our labels', { ...ours, [mirrorKeys.originCluster]: 'x' }, 'mirror', 'disowned'],
  ])('%s', (_name, labels, mirrorUid, expected) => check(labels, mirrorUid, expected));
});
