import { describe, expect, test } from 'vitest';
import { nullLog } from '../../src/base/index.ts';
import { type Job, type KubeApi, KubeError, type KubeList } from '../../src/kube/index.ts';
import { ClusterLink } from '../../src/reconciler/clusterLink.ts';
import { GarbageRounds } from '../../src/reconciler/garbageRound.ts';
import { GarbageCollector } from '../../src/reconciler/gc.ts';
import { assignmentAnnotations, mirrorKeys } from '../../src/reconciler/record.ts';
import { manualClock } from '../kube/manualClock.ts';
import { type JobBuilder, job, managementUid, manifest } from './builders.ts';
import { FakeCluster, type Fate } from './fakeCluster.ts';

const never = new AbortController().signal;

class Bench {
  readonly clock = manualClock();
  readonly management = new FakeCluster('management', () => this.clock.now());
  managementFate: Fate = 'carried-out';
  mirrors: Job[] = [];
  /** Pages of one mirror each; the one with this number fails. */
  failingPage: number | undefined;
  readonly #collector = new GarbageCollector({
    management: this.management.client('gc', async () => this.managementFate),
    originCluster: managementUid,
    clock: this.clock,
    isNamespaceEnabled: (namespace) => namespace === 'default',
  });

  /** UIDs of what one pass finds. */
  async look(): Promise<string[]> {
    const { orphans } = await this.#collector.look(this.#worker(), 'default', never);
    return orphans.map(({ metadata }) => metadata.uid);
  }

  /** What several passes find in the end, half a minute apart. */
  async after(passes: number): Promise<string[]> {
    let found: string[] = [];
    for (let pass = 0; pass < passes; pass++) {
      found = await this.look();
      this.clock.advance(30_000);
    }
    return found;
  }

  #worker(): KubeApi {
    const list = async (_type: unknown, scope: { readonly continueToken?: string }): Promise<KubeList<Job>> => {
      const page = Number(scope.continueToken ?? 0);
      if (page === this.failingPage) throw new KubeError('gone', { kind: 'gone', contextName: 'w', request: 'LIST' });
      const hasMore = page + 1 < this.mirrors.length;
      const next = hasMore ? { continueToken: String(page + 1) } : {};
      return { items: this.mirrors.slice(page, page + 1), resourceVersion: '1', ...next };
    };
    return { ...this.management.client('gc'), list: list as unknown as KubeApi['list'] };
  }
}

function mirror(uid: string, origin = 'gone'): JobBuilder {
  return job(origin)
    .uid(uid)
    .labels({ [mirrorKeys.originCluster]: managementUid, [mirrorKeys.originUid]: `uid-of-${origin}` })
    .annotations({ [mirrorKeys.originName]: `default/${origin}` });
}

describe('garbage collection', () => {
  test('finds a mirror whose Job is gone, seen twice and old enough', async () => {
    const bench = new Bench();
    bench.mirrors = [mirror('m').build()];
    expect(await bench.after(4)).toEqual([]);
    expect(await bench.look()).toEqual(['m']);
  });
  test('finds the mirror of an earlier Job of the same name', async () => {
    const bench = new Bench();
    bench.management.add('user', manifest('a'));
    bench.mirrors = [mirror('m', 'a').build()];
    expect(await bench.after(6)).toEqual(['m']);
  });
  test('finds what a given-up attempt left, as long as it never ran', async () => {
    const bench = new Bench();
    const attemptLog = [{ attempt: 1, worker: 'w', workerUid: 'u', reason: 'QuotaExceeded' }];
    const annotations = assignmentAnnotations({
      workerUid: 'v',
      workerName: 'v',
      attempt: 2,
      mirrorName: 'a',
      attemptLog,
    });
    const { uid } = bench.management.add('user', manifest('a', {}, { annotations })).metadata;
    const left = (attempt: string, name: string): JobBuilder =>
      mirror(name, 'a').labels({ [mirrorKeys.originUid]: uid, [mirrorKeys.attempt]: attempt });
    bench.mirrors = [
      left('1', 'given-up').suspended().build(),
      left('1', 'ran').build(),
      left('2', 'current').suspended().build(),
    ];
    expect(await bench.after(6)).toEqual(['given-up']);
  });
  test.each<[string, (bench: Bench) => JobBuilder]>([
    [
      'whose Job is there',
      (bench) =>
        mirror('m', 'a').labels({ [mirrorKeys.originUid]: bench.management.add('user', manifest('a')).metadata.uid }),
    ],
    ['that was to be left running', () => mirror('m').labels({ [mirrorKeys.detached]: 'true' })],
    ['that is going already', () => mirror('m').deleting()],
    ['of another namespace', () => mirror('m').annotations({ [mirrorKeys.originName]: 'other/gone' })],
    ['that does not say whose it is', () => mirror('m').annotations({ [mirrorKeys.originName]: '' })],
  ])('leaves a mirror %s', async (_name, build) => {
    const bench = new Bench();
    bench.mirrors = [build(bench).build()];
    expect(await bench.after(8)).toEqual([]);
  });
  test.each<Fate>(['forbidden', 'unauthorized', 'timeout', 'server-error', 'gone', 'namespace-missing', 'not-served'])(
    'concludes nothing where the management cluster answers %s',
    async (fate) => {
      const bench = new Bench();
      bench.mirrors = [mirror('m').build()];
      await bench.after(8);
      bench.managementFate = fate;
      await expect(bench.look()).rejects.toThrow();
    },
  );
  test('concludes nothing from a part of the list', async () => {
    const bench = new Bench();
    bench.mirrors = [mirror('m').build(), mirror('n').build()];
    expect(await bench.after(6)).toEqual(['m', 'n']);
    bench.failingPage = 1;
    await expect(bench.look()).rejects.toThrow();
  });
  test('starts to count anew when the Job was seen in between', async () => {
    const bench = new Bench();
    bench.mirrors = [mirror('m', 'a').build()];
    await bench.after(4);
    const { uid } = bench.management.add('user', manifest('a')).metadata;
    bench.mirrors = [
      mirror('m', 'a')
        .labels({ [mirrorKeys.originUid]: uid })
        .build(),
    ];
    expect(await bench.look()).toEqual([]);
    bench.management.remove('user', 'jobs', 'default', 'a');
    expect(await bench.look()).toEqual([]);
    bench.clock.advance(59_000);
    expect(await bench.look()).toEqual([]);
    bench.clock.advance(1_000);
    expect(await bench.look()).toEqual(['m']);
  });
});

describe('rounds of garbage collection', () => {
  test.each([
    ['delete what is left in the cluster itself', true],
    ['delete nothing once another cluster answers for it', false],
  ])('%s', async (_name, isStillItself) => {
    const clock = manualClock();
    const management = new FakeCluster('management', () => clock.now());
    const worker = new FakeCluster('worker-1', () => clock.now());
    const labels = { [mirrorKeys.originCluster]: managementUid, [mirrorKeys.originUid]: 'uid-of-gone' };
    const annotations = { [mirrorKeys.originName]: 'default/gone' };
    worker.add('us', manifest('gone', { managedBy: undefined }, { labels, annotations }));
    const rounds = new GarbageRounds({
      management: management.client('gc'),
      namespaces: ['default'],
      mode: 'delete',
      clock,
      log: nullLog,
      signal: never,
      onAction: () => {},
    });
    const link = new ClusterLink('worker-1', worker.client('gc'), { clock, random: () => 0.5, onChange: () => {} });
    const scope = {
      namespace: 'default',
      worker: link,
      term: never,
      isStillItself: async () => isStillItself,
    };
    for (let round = 0; round < 8; round++) {
      await rounds.run(new Map([['default/worker-1', scope]]), managementUid);
      clock.advance(60_000);
    }
    expect(worker.job('default', 'gone') === undefined).toBe(isStillItself);
    expect(rounds.orphans).toBe(0);
  });
});
