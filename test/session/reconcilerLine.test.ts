import { describe, expect, test } from 'vitest';
import type { ReconcilerState } from '../../src/reconciler/index.ts';
import { clusterConcern, reconcilerLine } from '../../src/session/reconcilerLine.ts';
import type { ReconcilerPhase } from '../../src/session/reconcilerSession.ts';

type Lease = ReconcilerState['leases'][number]['lease'];
type Health = ReconcilerState['management']['health'];

const target = {
  kubeconfig: '',
  management: 'hub',
  managementServer: 'https://hub.example',
  workers: [{ name: 'w', context: 'w' }],
  workerServers: ['https://w.example'],
  namespaces: ['default'],
  controllerName: 'x.example/y',
};
const reachable: Health = { kind: 'reachable' };
const broken: Health = { kind: 'trouble', reason: 'Connecting', message: 'no route to host', since: 0 };
const leading: Lease = { kind: 'leading' };

function running(lease: Lease, management: Health = reachable, worker: Health = reachable): Running {
  const report: ReconcilerState = {
    management: { name: 'management', contextName: 'hub', health: management },
    workers: [{ name: 'w', contextName: 'w', health: worker }],
    leases: [{ namespace: 'default', worker: 'w', lease, problems: [] }],
    counts: { progress: 0, waiting: 0, attention: 0 },
    waiting: [],
    orphans: 0,
  };
  return { kind: 'running', target, report };
}

type Phase = ReconcilerPhase<ReconcilerState>;
type Running = Extract<Phase, { readonly kind: 'running' }>;

const rows: readonly [string, Phase, RegExp, RegExp][] = [
  ['that nobody reconciles here', { kind: 'off' }, /Not reconciling/, /Click to run/],
  ['that a question is open', { kind: 'asking', target }, /your answer/, /open/],
  ['for what it starts', { kind: 'starting', target }, /starts/, /default on hub/],
  ['why it stopped', { kind: 'failed', target, reason: 'Out of memory.' }, /stopped/, /^Out of memory\. Click/],
  ['that this window reconciles', running(leading), /\) Reconciling$/, /default → w: this window reconciles/],
  [
    'who else reconciles',
    running({ kind: 'standby', holder: 'ann@laptop', silentMs: 2000 }),
    /Another window/,
    /ann@laptop reconciles, last heard of 2 s ago/,
  ],
  ['which cluster is in trouble', running(leading, reachable, broken), /Reconciling.*warning/, /w: no route to host/],
  [
    'that it is out of touch, not that it starts for ever',
    running({ kind: 'campaigning' }, broken),
    /out of touch/,
    /management: no route to host/,
  ],
];
test.each(rows)('the status bar says %s', (_name, phase, text, tooltip) => {
  const line = reconcilerLine(phase, true);
  expect(line?.text).toMatch(text);
  expect(line?.tooltip).toMatch(tooltip);
});

describe('a cluster that the reconciler can not work with', () => {
  const [worker] = running(leading).report.workers;
  const report = (change: object): ReconcilerState => ({
    ...running({ kind: 'campaigning' }).report,
    workers: worker === undefined ? [] : [{ ...worker, ...change }],
  });
  const refused = 'User "ann" cannot get. Grant it.';

  test('is told in the status bar, which does not pretend that it starts', () => {
    const line = reconcilerLine({ kind: 'running', target, report: report({ problem: refused }) }, true);
    expect(line).toMatchObject({ text: expect.stringMatching(/needs help.*warning/), isWarning: true });
    expect(line?.tooltip).toContain(`w: ${refused}`);
  });
  test.each<[string, string, object, string | undefined]>([
    ['by its problem', 'w', { problem: refused }, refused],
    ['by its health', 'w', { health: broken }, 'no route to host'],
    ['not while all is well', 'w', {}, undefined],
    ['not for another', '', { problem: refused }, undefined],
  ])('has words of its own, %s', (_name, cluster, change, words) => {
    expect(clusterConcern(cluster, report(change))).toBe(words);
    expect(clusterConcern(cluster, undefined)).toBeUndefined();
  });
});

test('the status bar says nothing where nothing is connected', () => {
  expect(reconcilerLine({ kind: 'off' }, false)).toBeUndefined();
});
