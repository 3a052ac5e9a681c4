import { describe, expect, test } from 'vitest';
import { applyFixes, type ManifestSettings, preferredFixes } from '../../src/manifest/index.ts';
import { check, findingsOf } from './check.ts';
import { yaml } from './markup.ts';

/** Kubernetes' own kinds under a version that it doesn't serve, or in another spelling. */

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
  ])('%s %s, with what is right', (apiVersion, kind, right) => {
    const [finding, ...others] = findingsOf(`apiVersion: ${apiVersion}\nkind: ${kind}\n`);
    expect(others).toEqual([]);
    expect(finding?.message).toContain(`no matches for kind "${kind}" in version "${apiVersion}"`);
    expect(finding?.fixes[0]?.title).toBe(`Use '${right}'`);
  });
});

describe('what may well be served is not', () => {
  test.each<[string, string, Partial<ManifestSettings>?]>([
    ["another group's Job", 'apiVersion: nomad.io/v1beta1\nkind: Job\n'],
    ["another group's kind in lower case", 'apiVersion: example.com/v1\nkind: job\n'],
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
