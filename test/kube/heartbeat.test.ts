import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Heartbeat } from '../../src/kube/heartbeat.ts';
import { KubeError, type KubeErrorKind } from '../../src/kube/index.ts';
import { type ManualClock, manualClock } from './manualClock.ts';

let clock: ManualClock;
let questions: PromiseWithResolvers<void>[];
let heartbeat: Heartbeat;
let lost: (KubeErrorKind | undefined)[];

beforeEach(() => {
  clock = manualClock();
  questions = [];
  lost = [];
  heartbeat = new Heartbeat(clock, 20_000, (signal) => {
    const question = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => question.reject(signal.reason));
    questions.push(question);
    return question.promise;
  });
});
afterEach(() => expect(clock.pendingTimers).toBe(0));

const wait = () => heartbeat.wait((error) => lost.push(error?.kind));
const answered = (kind: KubeErrorKind): KubeError => new KubeError('', { kind, contextName: 'c', request: 'GET /' });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a stream on which nothing comes', () => {
  test('is given up when a question is not answered either', () => {
    wait();
    clock.advance(19_999);
    expect(questions).toHaveLength(0);
    clock.advance(1);
    expect(questions).toHaveLength(1);
    clock.advance(9_999);
    expect(lost).toEqual([]);
    clock.advance(1);
    expect(lost).toEqual([undefined]);
  });
  test('is kept while the server answers', async () => {
    const waiting = wait();
    for (let round = 1; round < 10; round++) {
      clock.advance(20_000);
      questions.at(-1)?.resolve();
      await settled();
      expect(questions).toHaveLength(round);
    }
    expect(lost).toEqual([]);
    waiting.dispose();
  });
  test('is kept while anything else comes from the server', () => {
    const waiting = wait();
    for (let round = 0; round < 10; round++) {
      clock.advance(15_000);
      heartbeat.heard();
    }
    expect(questions).toHaveLength(0);
    clock.advance(25_000);
    heartbeat.heard();
    clock.advance(15_000);
    expect(lost).toEqual([]);
    waiting.dispose();
  });
  test.each<[KubeErrorKind, boolean]>([
    ['unauthorized', true],
    ['credentials', true],
    ['certificate', true],
    ['unreachable', true],
    ['timeout', true],
    ['server-error', true],
    ['forbidden', false],
    ['not-served', false],
    ['bad-answer', false],
    ['too-many-requests', false],
  ])('given up on the answer %s: %s', async (kind, isLost) => {
    const waiting = wait();
    clock.advance(20_000);
    questions[0]?.reject(answered(kind));
    await settled();
    expect(lost).toEqual(isLost ? [kind] : []);
    waiting.dispose();
  });
  test('is told to all that wait, once', () => {
    wait();
    wait();
    clock.advance(60_000);
    expect(lost).toEqual([undefined, undefined]);
  });
});

test('however long the process slept, that is one moment', () => {
  // A timer that comes an hour late is one that was slept through.
  let delayMs = 3_600_000;
  const late = { ...clock, after: (ms: number, run: () => void) => clock.after(Math.max(ms, delayMs), run) };
  heartbeat = new Heartbeat(late, 20_000, async () => {});
  const waiting = wait();
  clock.advance(3_600_000);
  delayMs = 0;
  clock.advance(10_000);
  expect(lost).toEqual([]);
  waiting.dispose();
});

test('nobody waits: nothing is asked', () => {
  wait().dispose();
  clock.advance(3_600_000);
  expect(questions).toHaveLength(0);
});
