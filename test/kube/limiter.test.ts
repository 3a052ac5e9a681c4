import { describe, expect, test } from 'vitest';
import { tokenBucket } from '../../src/kube/index.ts';
import { manualClock } from './manualClock.ts';

const never = new AbortController().signal;

function scene(options = { ratePerSecond: 10, burst: 5, reserve: 2 }) {
  const clock = manualClock();
  const limiter = tokenBucket(clock, options);
  const gone: string[] = [];
  const take = (name: string, priority: 'normal' | 'urgent' = 'normal', signal = never): void =>
    void limiter.take(priority, signal).then(
      () => gone.push(name),
      (reason: unknown) => gone.push(`${name} ${reason instanceof Error ? reason.name : reason}`),
    );
  /** Who has gone after so much more time. */
  const goneAfter = async (ms: number): Promise<string> => {
    clock.advance(ms);
    await Promise.resolve().then(() => undefined);
    return gone.splice(0).join(' ');
  };
  return { clock, limiter, take, goneAfter };
}

describe('a token bucket', () => {
  test('lets a burst through save the reserve, then one a tick', async () => {
    const { take, goneAfter } = scene();
    for (const name of ['a', 'b', 'c', 'd', 'e']) take(name);
    expect(await goneAfter(0)).toBe('a b c');
    expect(await goneAfter(99)).toBe('');
    expect(await goneAfter(1)).toBe('d');
    expect(await goneAfter(100)).toBe('e');
  });

  test('lets the urgent pass from the reserve and before those who wait', async () => {
    const { take, goneAfter } = scene();
    for (const name of ['a', 'b', 'c', 'd']) take(name);
    for (const name of ['A', 'B', 'C']) take(name, 'urgent');
    expect(await goneAfter(0)).toBe('a b c A B');
    expect(await goneAfter(100)).toBe('C');
    expect(await goneAfter(300)).toBe('d');
  });

  test('fills up to its size and no further', async () => {
    const { take, goneAfter } = scene();
    await goneAfter(3_600_000);
    for (const name of ['a', 'b', 'c', 'd']) take(name);
    expect(await goneAfter(0)).toBe('a b c');
  });

  test('waits as long as the server asks, then goes at half the rate for a minute', async () => {
    const { limiter, take, goneAfter } = scene();
    limiter.slowDown(5000);
    take('a', 'urgent');
    expect(await goneAfter(4999)).toBe('');
    expect(await goneAfter(1)).toBe('a');
    for (const name of ['b', 'c', 'd', 'e']) take(name);
    expect(await goneAfter(0)).toBe('b c');
    expect(await goneAfter(100)).toBe('');
    expect(await goneAfter(100)).toBe('d');
    await goneAfter(60_000);
    for (const name of ['f', 'g', 'h', 'i']) take(name);
    expect(await goneAfter(0)).toBe('f g h');
    expect(await goneAfter(100)).toBe('i');
  });

  test('forgets who aborts, and keeps no timer for nobody', async () => {
    const { clock, take, goneAfter } = scene();
    const controller = new AbortController();
    for (const name of ['a', 'b', 'c']) take(name);
    take('d', 'normal', controller.signal);
    expect(clock.pendingTimers).toBe(1);
    controller.abort();
    expect(await goneAfter(0)).toBe('a b c d AbortError');
    expect(clock.pendingTimers).toBe(0);
  });

  test('rejects those who wait when it is disposed', async () => {
    const { clock, limiter, take, goneAfter } = scene();
    for (const name of ['a', 'b', 'c', 'd']) take(name);
    limiter.dispose();
    expect(await goneAfter(0)).toBe('a b c d AbortError');
    expect(clock.pendingTimers).toBe(0);
  });
});
