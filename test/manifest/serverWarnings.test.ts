import { describe, expect, test } from 'vitest';
import { check, findingsOf } from './check.ts';
import { yaml } from './markup.ts';

/** What the API server accepts with a warning, at its place in the text. */

describe('the warnings of the API server', () => {
  test('about a pod', () => {
    const [first, second] = check(yaml`
      apiVersion: v1
      kind: Pod
      metadata:
        name: a.b
              ^^^ api-server-warning
      spec:
        nodeSelector:
          beta.kubernetes.io/os: linux
                                 ^^^^^ api-server-warning
        containers: [{name: main, image: x}]
    `);
    expect(first?.message).toContain("this is used in the Pod's hostname");
    expect(second).toMatchObject({ severity: 'warning', field: 'spec.nodeSelector[beta.kubernetes.io/os]' });
  });

  test('about the template of a Deployment', () => {
    check(yaml`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - name: main
              image: x
              env:
              - {name: A, value: one}
              - {name: A, value: two}
                ^^^^^^^^^^^^^^^^^^^^^ api-server-warning
    `);
  });

  test('about the claims of a StatefulSet, where the server leaves out a step', () => {
    const [finding] = check(yaml`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: db}
      spec:
        selector: {matchLabels: {app: db}}
        template:
          metadata: {labels: {app: db}}
          spec: {containers: [{name: main, image: x}]}
        volumeClaimTemplates:
        - metadata: {name: data}
          spec:
            accessModes: [ReadWriteOnce]
            resources: {requests: {storage: 1500m}}
                                            ^^^^^ api-server-warning
    `);
    expect(finding?.field).toBe('spec.volumeClaimTemplates[0].spec.resources.requests[storage]');
  });

  test('not about what is refused, nor about a piece of an object', () => {
    const deployment = (rest: string): string => `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: a.b}
      spec: {${rest}}`;
    const template = 'template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: x}]}}';
    const whole = deployment(`selector: {matchLabels: {app: web}}, ${template}`);
    const codes = (text: string, isPartial = false): readonly string[] =>
      findingsOf(text, { isPartial }).map(({ code }) => code);
    expect(codes(whole)).toEqual(['api-server-warning']);
    expect(codes(whole, true)).toEqual([]);
    expect(codes(deployment(template))).toEqual(['apps-selector-required']);
    expect(codes(deployment('replicas: 2'))).toEqual([]);
  });
});
