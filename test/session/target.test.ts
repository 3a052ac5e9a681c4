import { expect, test } from 'vitest';
import { isSameTarget } from '../../src/session/target.ts';

const target = {
  kubeconfig: '',
  management: 'hub',
  workers: [{ name: 'w', context: 'gpu' }],
  namespaces: ['default'],
  controllerName: 'x.example/y',
};

test.each<[string, object, boolean]>([
  ['the same words', {}, true],
  ['no identities by hand', { clusterIds: {} }, true],
  ['an identity by hand', { clusterIds: { gpu: 'some-uid' } }, false],
  ['another worker', { workers: [{ name: 'w', context: 'cpu' }] }, false],
])('a target with %s is the same: %s', (_name, change, isSame) => {
  expect(isSameTarget(target, { ...target, ...change })).toBe(isSame);
});
