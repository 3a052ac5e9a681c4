import { describe, test } from 'vitest';
import { check } from './check.ts';
import { yaml } from './markup.ts';

/** Where a finding of the API server is marked. */
describe('a mark stands', () => {
  test('at the value that is refused, in its quotes', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: "Report"
              ^^^^^^^^ name-format
      spec:
        parallelism: -1   # less than nothing
                     ^^ parallelism-negative
        template:
          spec:
            restartPolicy: Sometimes
                           ^^^^^^^^^ restart-policy-supported
                           ^^^^^^^^^ pod-restart-policy
            containers:
            - name: main
              image: r/x:1
    `);
  });

  test('at the key of a value over several lines, and of an unknown field', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: report
      spec:
        completions:
        ^^^^^^^^^^^ wrong-type
          first: 1
          second: 2
        colour:
        ^^^^^^ unknown-field
          - red
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: r/x:1
    `);
  });

  test('where a missing field belongs: at the key of the map that should have it', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: report
        namespace: default
      spec:
        template:
          spec:
          ^^^^ restart-policy-required
            containers:
            - name: main
              ^^^^^^^^^^ image-required
            - image: r/x:1
              ^^^^^^^^^^^^ container-name-required
    `);
  });

  test('at the kind, if there is nothing nearer', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      ^^^^^^^^^ name-required
      spec:
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: r/x:1
    `);
  });

  test('within braces as in blocks', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata: {name: report}
      spec:
        template: {spec: {restartPolicy: Never, containers: [{name: main, image: 5}]}}
                                                                                 ^ wrong-type
    `);
  });

  test('at what an alias stands for', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata: {name: report}
      spec:
        parallelism: &count -2
                            ^^ parallelism-negative
                            ^^ completions-negative
        completions: *count
        template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}
    `);
  });

  test('in the item of a list, whatever the document', () => {
    check(yaml`
      # a comment
      ---
      apiVersion: v1
      kind: List
      items:
      - apiVersion: v1
        kind: ConfigMap
      - apiVersion: batch/v1
        kind: Job
        metadata: {name: report}
        spec:
          backoffLimit: -3
                        ^^ backoff-limit-negative
          template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}
    `);
  });

  test('at the fault of the YAML', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata: {name: report}
      spec:
        parallelism: @2
                     ^ yaml-syntax
    `);
  });
});
