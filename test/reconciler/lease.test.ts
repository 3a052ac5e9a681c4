import { afterEach, describe, expect, test } from 'vitest';
import { nullLog } from '../../src/base/index.ts';
import { leases } from '../../src/kube/index.ts';
import { LeaseElector, type LeaseState, leaseNameFor, leaseTimes } from '../../src/reconciler/lease.ts';
import { manualClock } from '../kube/manualClock.ts';
import { FakeCluster, type Fate } from './fakeCluster.ts';

const never = new AbortController().signal;

/** Lets answers arrive. */
async function settled(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** One Lease and those who want it. Each has a clock of its own; `pass` moves them all. */
class Bench {
  readonly cluster: FakeCluster;
  readonly #clocks = new Map<string, ReturnType<typeof manualClock>>();
  readonly #electors: LeaseElector[] = [];
  /** What becomes of the requests of each; carried out where it says nothing. */
  readonly fates = new Map<string, Fate>();
  readonly #lags = new Map<string, number>();
  #nowMs = Date.parse('2026-01-01T10:00:00Z');

  constructor() {
    this.cluster = new FakeCluster('management', () => this.#nowMs);
  }

  /** A process; `skewMs` is how far its wall clock is off. */
  join(identity: string, skewMs = 0): LeaseElector {
    const clock = manualClock();
    this.#clocks.set(identity, clock);
    const gate = async (): Promise<Fate> => this.fates.get(identity) ?? 'carried-out';
    const elector = new LeaseElector({
      api: this.cluster.client(identity, gate),
      namespace: 'default',
      name: leaseNameFor('Worker_1'),
      identity,
      clock: { ...clock, now: () => clock.now() + skewMs, after: clock.after },
      random: () => 0.5,
      log: nullLog,
      onChange: () => {},
    });
    this.#electors.push(elector);
    elector.start();
    return elector;
  }

  /** Lets time pass in small steps for all; those who are frozen find out when they go on. */
  async pass(ms: number, frozen: readonly string[] = []): Promise<void> {
    for (let done = 0; done < ms; done += 500) {
      this.#nowMs += 500;
      for (const [identity, clock] of this.#clocks) {
        const lag = this.#lags.get(identity) ?? 0;
        if (frozen.includes(identity)) {
          this.#lags.set(identity, lag + 500);
          continue;
        }
        if (lag > 0) this.wakeWithoutTimers(identity, lag);
        this.#lags.delete(identity);
        clock.advance(500);
      }
      await settled();
    }
  }

  /** A frozen process wakes up: its wall clock has gone on, its timers have not fired. */
  wakeWithoutTimers(identity: string, ms: number): void {
    const clock = this.#clocks.get(identity);
    if (clock === undefined) throw new Error(`Nobody is called ${identity}.`);
    const { now } = clock;
    Object.assign(clock, { now: () => now() + ms });
  }

  get pendingTimers(): number {
    return [...this.#clocks.values()].reduce((sum, { pendingTimers }) => sum + pendingTimers, 0);
  }

  async holder(): Promise<unknown> {
    const lease = await this.cluster
      .client('test')
      .get(leases, { namespace: 'default', name: leaseNameFor('Worker_1') }, never);
    return 'spec' in lease && typeof lease.spec === 'object'
      ? Object.entries(lease.spec ?? {}).find(([key]) => key === 'holderIdentity')?.[1]
      : undefined;
  }

  async stop(): Promise<void> {
    const stopping = Promise.all(this.#electors.map((elector) => elector.stop()));
    await settled();
    await stopping;
  }
}

const benches: Bench[] = [];
function bench(): Bench {
  const made = new Bench();
  benches.push(made);
  return made;
}
afterEach(async () => {
  for (const one of benches.splice(0)) {
    await one.stop();
    expect(one.pendingTimers).toBe(0);
  }
});

function check(elector: LeaseElector, kind: LeaseState['kind']): void {
  expect(elector.state.kind).toBe(kind);
  expect(elector.term !== undefined).toBe(kind === 'leading');
}

describe('a lease', () => {
  test('is timed so that a leader has stopped before another can begin', () => {
    const { renewDeadlineMs, requestTimeoutMs, retryMs, durationMs } = leaseTimes;
    expect(renewDeadlineMs + requestTimeoutMs + retryMs).toBeLessThan(durationMs);
  });
  test('has a name that the API server takes', () => {
    expect(leaseNameFor('3B32_b4')).toBe('delegated-jobs-3b32-b4');
  });
  test('goes to the first, and stays with it', async () => {
    const { join, pass } = bound(bench());
    const first = join('first');
    await pass(500);
    const second = join('second');
    await pass(60_000);
    check(first, 'leading');
    check(second, 'standby');
    expect(second.state).toMatchObject({ holder: 'first' });
  });
  test('goes on at once when it is given back', async () => {
    const one = bench();
    const first = one.join('first');
    await one.pass(500);
    const second = one.join('second');
    await one.pass(3000);
    await first.stop();
    await one.pass(3000);
    check(second, 'leading');
    check(first, 'stopped');
  });
  test('goes on when its holder falls silent, after a lease time as the other saw it', async () => {
    const one = bench();
    one.join('first');
    await one.pass(500);
    const second = one.join('second', -3_600_000);
    await one.pass(14_000, ['first']);
    check(second, 'standby');
    await one.pass(4_000, ['first']);
    check(second, 'leading');
  });
  test('is not taken from a holder that renews, however far the clocks are apart', async () => {
    const one = bench();
    const first = one.join('first', 3_600_000);
    await one.pass(500);
    const second = one.join('second', -3_600_000);
    await one.pass(60_000);
    check(first, 'leading');
    check(second, 'standby');
  });
  test('that can not be renewed in time ends the term, and aborts what runs in it', async () => {
    const one = bench();
    const first = one.join('first');
    await one.pass(500);
    const { term } = first;
    one.fates.set('first', 'timeout');
    await one.pass(9_000);
    check(first, 'leading');
    await one.pass(1_500);
    check(first, 'campaigning');
    expect(term?.aborted).toBe(true);
    one.fates.delete('first');
    await one.pass(3_000);
    check(first, 'leading');
  });
  test('is not believed after a sleep, before any timer has fired', async () => {
    const one = bench();
    const first = one.join('first');
    await one.pass(500);
    one.wakeWithoutTimers('first', 3_600_000);
    expect(first.term).toBeUndefined();
  });
  test('survives an answer that was lost', async () => {
    const one = bench();
    const first = one.join('first');
    await one.pass(500);
    one.fates.set('first', 'lost-after');
    await one.pass(2_500);
    one.fates.delete('first');
    await one.pass(10_000);
    check(first, 'leading');
  });
  test('that may not be written leaves the process reading only, with the reason', async () => {
    const one = bench();
    one.fates.set('first', 'forbidden');
    const first = one.join('first');
    await one.pass(30_000);
    check(first, 'read-only');
    expect(first.state).toMatchObject({ message: 'Injected: forbidden.' });
    one.fates.delete('first');
    await one.pass(3_000);
    check(first, 'leading');
  });
  test('is given back without a holder, since an empty one is refused', async () => {
    const one = bench();
    const first = one.join('first');
    await one.pass(500);
    expect(await one.holder()).toBe('first');
    await first.stop();
    expect(await one.holder()).toBeUndefined();
  });
  test('is held by at most one while everybody’s requests fail now and then', async () => {
    const one = bench();
    const all = ['a', 'b', 'c'].map((identity) => one.join(identity));
    const fates: Fate[] = [
      'carried-out',
      'timeout',
      'lost-after',
      'carried-out',
      'server-error',
      'carried-out',
      'carried-out',
    ];
    for (let second = 0; second < 240; second++) {
      for (const [index, identity] of ['a', 'b', 'c'].entries()) {
        one.fates.set(identity, fates[(second * 5 + index * 3) % fates.length] ?? 'carried-out');
      }
      const isFrozen = second % 60 > 30;
      await one.pass(1000, isFrozen ? ['a'] : []);
      const awake = isFrozen ? all.slice(1) : all;
      expect(awake.filter(({ term }) => term !== undefined).length).toBeLessThanOrEqual(1);
    }
  });
});

function bound(one: Bench): { join: (identity: string) => LeaseElector; pass: (ms: number) => Promise<void> } {
  return { join: (identity) => one.join(identity), pass: (ms) => one.pass(ms) };
}
