import { expect, test } from 'vitest';
import { decide } from '../../src/reconciler/decide.ts';
import type { Reason } from '../../src/reconciler/reasons.ts';
import type { Candidate, Facts } from '../../src/reconciler/situation.ts';
import { JobBuilder, managementUid, ourController } from './builders.ts';

/** Which worker a Job that names none goes to: the first of the configured order that takes it, whoever looks. */

const ready = (name: string): Candidate => ({ name, uid: `uid-${name}`, blocked: undefined, liveMirrors: 0 });
const blocked = (name: string, reason: Reason): Candidate => ({ ...ready(name), blocked: { reason, message: reason } });
const full = (name: string): Candidate => ({ ...ready(name), liveMirrors: 50 });

function check(
  candidates: readonly Candidate[],
  expected: string,
  annotations: Record<string, string> = {},
  more: Partial<Facts> = {},
): void {
  const facts: Facts = {
    controllerName: ourController,
    originCluster: managementUid,
    isNamespaceEnabled: true,
    candidates,
    maxLiveMirrors: 50,
    isLeading: true,
    observedAt: 0,
    workerAheadMs: 0,
    retainMs: 0,
    othersAssignMs: 1,
    statusPauseMs: 0,
    refusal: undefined,
    strayOn: undefined,
    wasRefused: () => false,
    judge: () => [],
    ...more,
  };
  const job = new JobBuilder('a').annotations(annotations).build();
  const decision = decide({ management: { kind: 'present', job }, mirror: { kind: 'not-looked' }, facts });
  const found =
    decision.kind === 'assign' ? decision.workerName : decision.kind === 'wait' ? decision.reason : decision.kind;
  expect(found).toBe(expected);
}

const rows: readonly [string, readonly Candidate[], string][] = [
  ['the first', [ready('a'), ready('b')], 'a'],
  ['the second if the first is full', [full('a'), ready('b')], 'b'],
  ['the second if the first can not be reached', [blocked('a', 'Unreachable'), ready('b')], 'b'],
  ['the second if the first refuses the login', [blocked('a', 'LoginExpired'), ready('b')], 'b'],
  ['none while the first has merely not answered yet', [blocked('a', 'Connecting'), ready('b')], 'Connecting'],
  ['none while another process leads for the first', [blocked('a', 'NotLeading'), ready('b')], 'NotLeading'],
  ['none if there is none', [], 'NoWorker'],
  ['none if all are full', [full('a'), full('b')], 'QueuedLocally'],
];
test.each(rows)('a Job goes to %s', (_name, candidates, expected) => check(candidates, expected));

test('a Job goes to the worker that it names, and nowhere else', () => {
  const names = { 'delegated-jobs.dev/worker': 'b' };
  check([ready('a'), ready('b')], 'b', names);
  check([blocked('a', 'Connecting'), ready('b')], 'b', names);
  check([ready('a'), blocked('b', 'Unreachable')], 'NoWorkerAccepts', names);
  check([ready('a')], 'UnknownWorker', names);
});

test('a Job that those do not assign who lead for the first goes to the next', () => {
  const overdue = { othersAssignMs: 0 };
  check([blocked('a', 'NotLeading'), ready('b')], 'b', {}, overdue);
  check([blocked('a', 'NotLeading'), full('b')], 'NotLeading', {}, overdue);
  check([blocked('a', 'NotLeading'), blocked('b', 'Connecting'), ready('c')], 'Connecting', {}, overdue);
  check([blocked('a', 'NotLeading'), ready('b')], 'NotLeading', {}, { ...overdue, isLeading: false });
  check([blocked('a', 'NotLeading'), ready('b')], 'NotLeading', { 'delegated-jobs.dev/worker': 'a' }, overdue);
});
