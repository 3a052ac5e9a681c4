import { expect, test } from 'vitest';
import { KubeError, type KubeErrorKind, type ReflectorState } from '../../src/kube/index.ts';
import { type Contact, clusterStatus } from '../../src/model/index.ts';

const now = 1_000_000;
const longAgo = now - 40_000;
const justNow = now - 2_000;

function error(kind: KubeErrorKind): KubeError {
  return new KubeError('text', { kind, contextName: 'c', request: 'GET /apis/batch/v1/jobs' });
}

function waiting(kind: KubeErrorKind, staleSince = justNow): ReflectorState {
  return { kind: 'waiting', staleSince, error: error(kind), retryAt: now + 1000 };
}

const watching: ReflectorState = { kind: 'watching' };
const rows: readonly (readonly [string, readonly ReflectorState[], boolean, Contact])[] = [
  ['all watched', [watching, watching], true, 'connected'],
  ['the first list', [{ kind: 'listing', staleSince: justNow }], false, 'connecting'],
  ['a list after an expired version', [{ kind: 'listing', staleSince: justNow }], true, 'stale'],
  ['polling', [{ kind: 'polling', error: error('forbidden') }], true, 'connected'],
  ['a reset just now', [waiting('unreachable')], true, 'stale'],
  ['a reset long ago', [waiting('unreachable', longAgo)], true, 'unreachable'],
  ['a timeout long ago', [waiting('timeout', longAgo)], true, 'unreachable'],
  ['a failing server long ago', [waiting('server-error', longAgo)], true, 'unreachable'],
  [
    'another attempt after a long time',
    [{ kind: 'listing', staleSince: longAgo, error: error('unreachable') }],
    true,
    'unreachable',
  ],
  ['never in touch', [waiting('unreachable')], false, 'unreachable'],
  ['a certificate that is not trusted', [waiting('certificate')], true, 'unreachable'],
  ['something else that answers', [waiting('bad-answer')], true, 'unreachable'],
  ['a busy server', [waiting('too-many-requests')], true, 'stale'],
  ['no right to list', [waiting('forbidden')], false, 'forbidden'],
  ['a right that was taken away', [waiting('forbidden')], true, 'forbidden'],
  [
    'an expired login',
    [{ kind: 'unauthorized', staleSince: longAgo, error: error('unauthorized') }],
    true,
    'auth-needed',
  ],
  [
    'a login command that fails',
    [{ kind: 'unauthorized', staleSince: justNow, error: error('credentials') }],
    false,
    'auth-needed',
  ],
  ['a kubeconfig that can not be used', [waiting('kubeconfig')], false, 'misconfigured'],
  ['a kubeconfig that could be used before', [waiting('kubeconfig')], true, 'misconfigured'],
  ['closed', [{ kind: 'stopped' }], true, 'closed'],
  ['the worst of several namespaces', [watching, waiting('forbidden'), watching], true, 'forbidden'],
];

test.each(rows)('%s', (_name, states, isComplete, contact) => {
  const status = clusterStatus(states, isComplete, now);
  expect(status.contact).toBe(contact);
  // Whatever is wrong says so, and what to do.
  const isWrong = contact !== 'connected' && contact !== 'connecting' && contact !== 'closed';
  if (isWrong && states[0]?.kind !== 'listing')
    expect([status.what, status.remedy]).toEqual([expect.stringMatching(/cluster c/), expect.stringMatching(/\.$/)]);
  if (contact !== 'connected' && contact !== 'closed') expect(status.staleSince).toBeLessThan(now);
  if (states.some(({ kind }) => kind === 'polling')) expect(status.what).toMatch(/may list but not watch/);
});
