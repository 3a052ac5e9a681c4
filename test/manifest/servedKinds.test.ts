import { describe, expect, test } from 'vitest';
import { applyFixes, type ManifestSettings, preferredFixes } from '../../src/manifest/index.ts';
import { check, findingsOf } from './check.ts';
import { yaml } from './markup.ts';

/** Kinds under a version that nobody serves, or in another spelling. */

const cronJob = (head: string): string => `${head}
metadata: {name: a}
spec: {schedule: "@daily", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: r}]}}}}}
`;

describe('what no server has is told', () => {
  test('at its version', () => {
    check(yaml`
      apiVersion: batch/v1beta1
                  ^^^^^^^^^^^^^ kind-not-served
      kind: CronJob
      metadata: {name: a}
    `);
  });

  test('at its kind', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Cronjob
            ^^^^^^^ kind-not-served
      metadata: {name: a}
    `);
  });

  test('in a List', () => {
    check(yaml`
      apiVersion: v1
      kind: List
      items:
      - apiVersion: extensions/v1beta1
                    ^^^^^^^^^^^^^^^^^^ kind-not-served
        kind: Deployment
        metadata: {name: a}
    `);
  });

  test.each([
    ['apps/v1', 'Job', 'batch/v1'],
    ['v1', 'Job', 'batch/v1'],
    ['batch/v2alpha1', 'CronJob', 'batch/v1'],
    ['Batch/v1', 'Job', 'batch/v1'],
    ['apps/v1beta2', 'StatefulSet', 'apps/v1'],
    ['v1beta1', 'Pod', 'v1'],
    ['batch/v1', 'JobSet', 'jobset.x-k8s.io/v1alpha2'],
    ['apps/v1', 'LeaderWorkerSet', 'leaderworkerset.x-k8s.io/v1'],
    ['batch/v1', 'TrainJob', 'trainer.kubeflow.org/v1alpha1'],
    ['ray.io/v1', 'Rayjob', 'RayJob'],
  ])('%s %s, with what is right', (apiVersion, kind, right) => {
    const [finding, ...others] = findingsOf(`apiVersion: ${apiVersion}\nkind: ${kind}\n`);
    expect(others).toEqual([]);
    expect(finding?.severity).toBe('error');
    expect(finding?.message).toContain(`no matches for kind "${kind}" in version "${apiVersion}"`);
    expect(finding?.fixes[0]?.title).toBe(`Use '${right}'`);
  });

  test.each([
    ["a known project's that has no such kind", 'kubeflow.org/v1', 'JobSet', ['jobset.x-k8s.io/v1alpha2']],
    ["another's of the same project", 'trainer.kubeflow.org/v1alpha1', 'PyTorchJob', ['kubeflow.org/v1']],
    ['nearly right', 'jobset.k8s.io/v1alpha2', 'JobSet', ['jobset.x-k8s.io/v1alpha2']],
    ['as others of Kubernetes are called', 'batch.k8s.io/v1', 'CronJob', ['batch/v1']],
    ["a known project's, of a kind of two", 'ray.io/v1', 'MPIJob', ['kubeflow.org/v1', 'kubeflow.org/v2beta1']],
  ])('with less certainty where the group is %s', (_, apiVersion, kind, right) => {
    const [finding, ...others] = findingsOf(`apiVersion: ${apiVersion}\nkind: ${kind}\n`);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'kind-not-served', severity: 'warning', field: 'apiVersion' });
    const fixes = finding?.fixes.filter(({ title }) => title.startsWith('Use ')) ?? [];
    expect(fixes.map(({ title }) => title)).toEqual(right.map((one) => `Use '${one}'`));
    expect(fixes.some(({ isPreferred }) => isPreferred)).toBe(false);
  });
});

describe('what may well be served is not', () => {
  test.each<[string, string, Partial<ManifestSettings>?]>([
    ["another group's Job", 'apiVersion: nomad.io/v1beta1\nkind: Job\n'],
    ["another group's kind in lower case", 'apiVersion: example.com/v1\nkind: job\n'],
    ["another group's JobSet", 'apiVersion: example.com/v1\nkind: JobSet\n'],
    ["another group's Workflow", 'apiVersion: workflows.example.com/v1\nkind: Workflow\n'],
    ['another version of its own group', 'apiVersion: kubeflow.org/v1beta1\nkind: PyTorchJob\n'],
    ["Volcano's Job", 'apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n'],
    ['a kind of no version', 'kind: cronjob\n'],
    ['a kind in lower case under another version', 'apiVersion: v3\nkind: job\n'],
    ['what an older cluster may have', 'apiVersion: batch/v1beta1\nkind: CronJob\n', { unlistedVersion: '1.24' }],
    ['a template', 'apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: {{ name }}}\n'],
  ])('%s', (_, text, settings = {}) => {
    expect(findingsOf(text, { version: '1.34', ...settings })).toEqual([]);
  });
});

describe('the fix', () => {
  const fixed = (text: string): string => applyFixes(text, preferredFixes(findingsOf(text)));

  test.each([
    ['apiVersion: "batch/v1beta1" # old\nkind: CronJob', 'apiVersion: "batch/v1" # old\nkind: CronJob'],
    ['apiVersion: batch/v1\nkind: cronjob', 'apiVersion: batch/v1\nkind: CronJob'],
  ])('makes of %j an object that is judged', (head, expected) => {
    expect(fixed(cronJob(head))).toBe(cronJob(expected));
    expect(findingsOf(cronJob(expected))).toEqual([]);
  });

  test('is left to people where the group is another', () => {
    const text = 'apiVersion: extensions/v1beta1\nkind: Deployment\n';
    expect(findingsOf(text)[0]?.fixes.map(({ isPreferred }) => isPreferred)).toEqual([false, false]);
  });
});
