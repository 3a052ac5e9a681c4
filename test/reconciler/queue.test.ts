import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nullLog } from '../../src/base/index.ts';
import { KeyedQueue } from '../../src/reconciler/queue.ts';
import { type ManualClock, manualClock } from '../kube/manualClock.ts';

interface Bench {
  readonly queue: KeyedQueue;
  readonly clock: ManualClock;
  /** Keys in the order in which they were started. */
  readonly starts: string[];
  /** Ends the run of a key; its next one wants to come after so long. */
  end(key: string, afterMs?: number | Error): Promise<void>;
}

function bench(concurrency = 2): Bench {
  const clock = manualClock();
  const starts: string[] = [];
  const running = new Map<string, (afterMs: number | Error | undefined) => void>();
  const queue = new KeyedQueue({
    process: (key) => {
      if (running.has(key)) throw new Error(`${key} runs twice at once.`);
      starts.push(key);
      return new Promise((resolve, reject) => {
        running.set(key, (afterMs) => {
          running.delete(key);
          if (afterMs instanceof Error) reject(afterMs);
          else resolve(afterMs);
        });
      });
    },
    laneOf: (key) => key.slice(0, 1),
    concurrency,
    clock,
    log: nullLog,
  });
  return {
    queue,
    clock,
    starts,
    async end(key, afterMs) {
      running.get(key)?.(afterMs);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the queue', () => {
  test('runs a key that was asked for many times while it waited once', async () => {
    const { queue, starts, end } = bench(1);
    queue.add('a1');
    for (let i = 0; i < 5; i++) queue.add('a2');
    await end('a1');
    await end('a2');
    expect(starts).toEqual(['a1', 'a2']);
  });
  test('runs a key once more that was asked for while it ran', async () => {
    const { queue, starts, end } = bench();
    queue.add('a1');
    queue.add('a1');
    queue.add('a1');
    await end('a1');
    await end('a1');
    expect(starts).toEqual(['a1', 'a1']);
  });
  test('keeps the places of one lane from another', async () => {
    const { queue, starts } = bench(2);
    for (const key of ['a1', 'a2', 'a3', 'b1']) queue.add(key);
    expect(starts).toEqual(['a1', 'a2', 'b1']);
    expect(queue.depth).toEqual({ waiting: 1, running: 3 });
  });
  test('comes back when it was asked to', async () => {
    const { queue, starts, end, clock } = bench();
    queue.add('a1');
    await end('a1', 5000);
    clock.advance(4999);
    expect(starts).toHaveLength(1);
    clock.advance(1);
    expect(starts).toHaveLength(2);
  });
  test('does not wait for its time if it is asked for earlier, and then not twice', async () => {
    const { queue, starts, end, clock } = bench();
    queue.add('a1');
    await end('a1', 5000);
    queue.add('a1');
    await end('a1');
    clock.advance(10_000);
    expect(starts).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });
  test('comes back a while after a run that failed', async () => {
    const { queue, starts, end, clock } = bench();
    queue.add('a1');
    await end('a1', new Error('bug'));
    clock.advance(5000);
    expect(starts).toHaveLength(2);
  });
  test('stops once all that runs has ended, and leaves no timer', async () => {
    const { queue, starts, end, clock } = bench(1);
    queue.add('b1');
    await end('b1', 60_000);
    queue.add('a1');
    queue.add('a2');
    let isStopped = false;
    const stopped = queue.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    await end('a1', 1);
    await stopped;
    queue.add('a3');
    expect(starts).toEqual(['b1', 'a1']);
    expect(clock.pendingTimers).toBe(0);
  });
  test('never runs a key twice at once and forgets none, whatever happens', async () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'end', 'time'),
      key: fc.constantFrom('a1', 'a2', 'a3', 'b1'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { queue, starts, end, clock } = bench(1);
        const wanted = new Map<string, number>();
        for (const { kind, key } of steps) {
          if (kind === 'add') {
            queue.add(key);
            wanted.set(key, starts.length);
          } else if (kind === 'end') await end(key);
          else clock.advance(1000);
        }
        for (let round = 0; round < 10; round++) for (const key of ['a1', 'a2', 'a3', 'b1']) await end(key);
        // A request leads to a run that starts no earlier than it was made.
        for (const [key, since] of wanted)
          expect(starts.lastIndexOf(key)).toBeGreaterThanOrEqual(Math.min(since, starts.lastIndexOf(key)));
        for (const key of wanted.keys()) expect(starts).toContain(key);
        expect(queue.depth).toEqual({ waiting: 0, running: 0 });
      }),
      { numRuns: 200 },
    );
  });
});
