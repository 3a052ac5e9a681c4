import { expect, test } from 'vitest';
import { namesUsed } from '../../src/language/index.ts';
import { createManifestSession } from '../../src/manifest/index.ts';

const job = (spec: string, queue: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, labels: {kueue.x-k8s.io/queue-name: ${queue}}}\nspec: {${spec}}\n`;

test('names that other manifests use are known, but for those that mean nothing elsewhere', () => {
  const texts = [
    job('managedBy: acme.io/runner', 'team-a'),
    job('managedBy: acme.io/runner', 'team-a'),
    job('managedBy: kubernetes.io/job-controller', 'team-b'),
    'apiVersion: ray.io/v1\nkind: RayJob\nspec: {managedBy: some/thing}\n',
  ];
  const checks = texts.map((text) => createManifestSession().check(text, { version: '1.35' }));
  expect(namesUsed(checks)).toEqual({ controllers: ['acme.io/runner'], queues: ['team-a', 'team-b'] });
});
