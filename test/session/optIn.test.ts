import { describe, expect, test } from 'vitest';
import { consentKey, type OptInFacts, optInFor, questionFor } from '../../src/session/optIn.ts';
import type { ResolvedTarget } from '../../src/session/target.ts';

const target: ResolvedTarget = {
  kubeconfig: '',
  management: 'hub',
  managementServer: 'https://hub.example:6443',
  workers: [
    { name: 'gpu', context: 'team-gpu' },
    { name: 'spare', context: 'spare' },
  ],
  workerServers: ['https://gpu.example:6443', 'https://spare.example:6443'],
  namespaces: ['team-a', 'team-b'],
  controllerName: 'delegated-jobs.dev/reconciler',
};
const agreed: OptInFacts = { isTrusted: true, isEnabled: true, target, consents: [consentKey(target)] };

function check(facts: Partial<OptInFacts>, kind: string): void {
  expect(optInFor({ ...agreed, ...facts }).kind).toBe(kind);
}

describe('a window reconciles', () => {
  const rows: readonly [string, Partial<OptInFacts>, string][] = [
    ['if setting, trust and answer agree', {}, 'go'],
    ['not while the setting is off, whatever was answered', { isEnabled: false }, 'off'],
    ['not in an untrusted workspace', { isTrusted: false }, 'untrusted'],
    ['not because the repository carries the setting: it asks', { consents: [] }, 'ask'],
    ['not without a management cluster', { target: undefined }, 'incomplete'],
    ['not without a worker', { target: { ...target, workers: [] } }, 'incomplete'],
    [
      'only after another question for another server behind the same context',
      { target: { ...target, managementServer: 'https://other.example' } },
      'ask',
    ],
    [
      'only after another question for another worker',
      { target: { ...target, workers: target.workers.slice(0, 1) } },
      'ask',
    ],
    [
      'only after another question for another address of a worker',
      { target: { ...target, workerServers: ['https://evil.example', 'https://spare.example:6443'] } },
      'ask',
    ],
    [
      'only after another question for one more namespace',
      { target: { ...target, namespaces: [...target.namespaces, 'prod'] } },
      'ask',
    ],
    [
      'only after another question for another controller name',
      { target: { ...target, controllerName: 'x.example/y' } },
      'ask',
    ],
    [
      'without a new question if the namespaces only change places',
      { target: { ...target, namespaces: ['team-b', 'team-a'] } },
      'go',
    ],
  ];
  test.each(rows)('%s', (_name, facts, kind) => check(facts, kind));
});

test('the question names every cluster, address and namespace, and the controller', () => {
  const { detail } = questionFor(target);
  for (const word of [
    'hub',
    'https://hub.example:6443',
    'gpu',
    'team-gpu',
    'https://gpu.example:6443',
    'spare',
    'team-a',
    'team-b',
    target.controllerName,
  ]) {
    expect(detail).toContain(word);
  }
});
