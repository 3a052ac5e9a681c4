import { expect, test } from 'vitest';
import type { ClusterState } from '../../src/session/clusterSession.ts';
import { clustersHeading } from '../../src/session/clustersHeading.ts';

function connected(workers: readonly string[], namespaces: readonly string[]): ClusterState<undefined> {
  const target = {
    kubeconfig: '',
    management: 'hub',
    workers: workers.map((name) => ({ name, context: name })),
    namespaces,
    controllerName: 'x/y',
  };
  return { kind: 'connected', target, link: undefined };
}

const failure = new Error('no such context');
const rows: readonly [string, ClusterState<undefined>, boolean, string | undefined, unknown][] = [
  [
    'whom the window is connected to',
    connected(['gpu', 'spare'], ['default']),
    false,
    'hub → gpu, spare · default',
    undefined,
  ],
  ['that it is the sandbox', connected(['w'], ['default']), true, 'sandbox · hub → w · default', undefined],
  [
    'no more than fits of many',
    connected(['a', 'b', 'c', 'd'], ['x', 'y']),
    false,
    'hub → 4 workers · 2 namespaces',
    undefined,
  ],
  ['the management cluster alone where it only watches', connected([], ['default']), false, 'hub · default', undefined],
  ['nothing where nothing is connected', { kind: 'disconnected' }, false, undefined, undefined],
  ['why the last connection failed', { kind: 'disconnected', problem: failure }, false, undefined, failure],
];
test.each(rows)('the heading of the view says %s', (_name, state, isSandbox, description, problem) => {
  expect(clustersHeading(state, isSandbox)).toEqual({ description, problem });
});
