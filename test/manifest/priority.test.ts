import { describe, expect, test } from 'vitest';
import { check, findingsOf } from './check.ts';
import { yaml } from './markup.ts';

/** Priorities that the API server works out itself. Against a real server: test/cluster/priority.test.ts. */

const code = 'priority-without-class';

/** The codes of what is said of a Job whose pods have these fields. */
function codesOf(fields: string, settings: Parameters<typeof findingsOf>[1] = {}): readonly string[] {
  const text = `
    apiVersion: batch/v1
    kind: Job
    metadata: {name: report}
    spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}], ${fields}}}}`;
  return findingsOf(text, settings).map((finding) => finding.code);
}

describe('a priority', () => {
  test('and a policy that the server would work out otherwise are told', () => {
    const [first, second] = check(yaml`
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: nightly}
      spec:
        schedule: '@daily'
        jobTemplate:
          spec:
            template:
              spec:
                restartPolicy: Never
                priority: 1000
                          ^^^^ priority-without-class
                preemptionPolicy: Never
                                  ^^^^^ priority-without-class
                containers: [{name: main, image: x}]
    `);
    expect(first?.message).toMatch(/^No pod is ever made of this: .* without a class it is 0, unless/);
    expect(second?.message).toContain('it is PreemptLowerPriority, unless');
    expect(first?.fixes?.[0]?.title).toBe("Remove 'priority'");
  });

  test('is told of a Pod and of a Deployment', () => {
    const [pod] = check(yaml`
      apiVersion: v1
      kind: Pod
      metadata: {name: one}
      spec:
        priority: 1
                  ^ priority-without-class
        containers: [{name: main, image: x}]
    `);
    expect(pod?.message).toMatch(/^The API server refuses this pod: /);
    check(yaml`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            priority: -1
                      ^^ priority-without-class
            containers: [{name: main, image: x}]
    `);
  });

  test('is told of the Jobs of a JobSet, where it stands', () => {
    const [finding] = check(yaml`
      apiVersion: jobset.x-k8s.io/v1alpha2
      kind: JobSet
      metadata: {name: set}
      spec:
        replicatedJobs:
        - name: workers
          template:
            spec:
              template:
                spec:
                  priority: 5
                            ^ priority-without-class
                  containers: [{name: main, image: x}]
    `);
    expect(finding?.message).toMatch(/^No pod is ever made of this: /);
    expect(finding?.field).toBe('spec.replicatedJobs[0].template.spec.template.spec.priority');
  });

  test.each<[what: string, fields: string, expected: readonly string[]]>([
    ['of no class, as the server works it out', 'priority: 0, preemptionPolicy: PreemptLowerPriority', []],
    ['of an empty class', "priority: 7, priorityClassName: ''", [code]],
    ['of a class that only the cluster knows', 'priority: 7, preemptionPolicy: Never, priorityClassName: urgent', []],
    ['of a class that is filled in later', 'priority: 7, priorityClassName: $CLASS', []],
    ['of a class of every cluster', 'priority: 2000001000, priorityClassName: system-node-critical', []],
    ['of another class of every cluster', 'priority: 2000001000, priorityClassName: system-cluster-critical', [code]],
    ['and a policy against such a class', 'preemptionPolicy: Never, priorityClassName: system-node-critical', [code]],
    ['that is no number', 'priority: high', ['wrong-type']],
    ['and a policy that is none', 'preemptionPolicy: Sometimes', ['preemption-policy']],
    ['that is nothing', 'priority: null', []],
  ])('%s', (_, fields, expected) => {
    expect(codesOf(fields)).toEqual(expected);
  });

  test('in a piece of an object may have its class elsewhere', () => {
    expect(codesOf('priority: 5', { isPartial: true })).toEqual([]);
  });
});
