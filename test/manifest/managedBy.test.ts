import { describe, expect, test } from 'vitest';
import { applyFixes } from '../../src/manifest/index.ts';
import { check, findingsOf } from './check.ts';
import { type MarkedText, mark, yaml } from './markup.ts';

/** A Job with a line of its own for `managedBy` and, below it, whatever marks the row has. */
function job(managedBy: string, marks = '', labels = '{app: x}'): MarkedText {
  return mark(`apiVersion: batch/v1
kind: Job
metadata:
  name: demo
  labels: ${labels}
spec:
  managedBy: ${managedBy}
${marks === '' ? '' : `${marks}\n`}  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: r/x:1
`);
}

const inQueue = '{kueue.x-k8s.io/queue-name: team-a}';

describe('the name of the controller', () => {
  test.each([
    ['MultiKueue, in a queue, is fine', 'kueue.x-k8s.io/multikueue', '', inQueue],
    ['our own reconciler is fine', 'delegated-jobs.dev/reconciler', '', undefined],
    ['a controller that the settings name is fine', 'acme.io/runner', '', undefined],
    ['a null is fine', 'null', '', undefined],
    [
      'a slip of the finger',
      'kueue.x-k8s.io/multikeue',
      '             ^^^^^^^^^^^^^^^^^^^^^^^^ managed-by-near-miss',
      inQueue,
    ],
    [
      'another domain',
      'kueue.sigs.k8s.io/multikueue',
      '             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ managed-by-near-miss',
      inQueue,
    ],
    ['other case', 'kueue.x-k8s.io/MultiKueue', '             ^^^^^^^^^^^^^^^^^^^^^^^^^ managed-by-near-miss', inQueue],
    ['a slip in a name of the settings', 'acme.io/runer', '             ^^^^^^^^^^^^^ managed-by-near-miss', undefined],
    [
      'nobody has heard of it',
      'example.com/other',
      '             ^^^^^^^^^^^^^^^^^ managed-by-unknown-controller',
      undefined,
    ],
    [
      'another controller in a queue',
      'example.com/other',
      '             ^^^^^^^^^^^^^^^^^ managed-by-other-in-queue',
      inQueue,
    ],
    [
      'the built-in one',
      'kubernetes.io/job-controller',
      '             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ managed-by-built-in',
      undefined,
    ],
    [
      'MultiKueue without a queue',
      'kueue.x-k8s.io/multikueue',
      '             ^^^^^^^^^^^^^^^^^^^^^^^^^ multikueue-no-queue',
      undefined,
    ],
    [
      'quoted, with quotes marked',
      "'example.com/other'",
      '             ^^^^^^^^^^^^^^^^^^^ managed-by-unknown-controller',
      undefined,
    ],
    ['no slash', 'multikueue', '             ^^^^^^^^^^ managed-by-format', inQueue],
    ['empty', '""', '             ^^ managed-by-empty', undefined],
    ['a number', '5', '             ^ wrong-type', undefined],
  ])('%s', (_, managedBy, marks, labels) => {
    check(job(managedBy, marks, labels), {
      controllerName: 'delegated-jobs.dev/reconciler',
      knownControllers: ['acme.io/runner'],
    });
  });
});

describe('the fix', () => {
  test.each([
    ['a near miss', 'kueue.x-k8s.io/multikeue # typo', 'kueue.x-k8s.io/multikueue # typo'],
    ['in its quotes', '"kueue.x-k8s.io/multi-kueue"', '"kueue.x-k8s.io/multikueue"'],
    ['a name without its domain', "'multikueue'", "'kueue.x-k8s.io/multikueue'"],
  ])('of %s changes nothing else and leaves nothing to say', (_, before, after) => {
    const { text } = job(before, '', inQueue);
    const fixes = findingsOf(text).flatMap((finding) => finding.fixes.filter((fix) => fix.isPreferred));
    const fixed = applyFixes(text, fixes);
    expect(fixed).toBe(job(after, '', inQueue).text);
    expect(findingsOf(fixed)).toEqual([]);
  });
});

describe('the queue label', () => {
  test('on a CronJob itself does nothing', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: CronJob
      metadata:
        name: nightly
        labels:
          kueue.x-k8s.io/queue-name: team-a
          ^^^^^^^^^^^^^^^^^^^^^^^^^ queue-label-misplaced
      spec:
        schedule: "0 3 * * *"
        jobTemplate:
          spec:
            managedBy: kueue.x-k8s.io/multikueue
                       ^^^^^^^^^^^^^^^^^^^^^^^^^ multikueue-no-queue
            template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}
    `);
  });

  test('of a pod template becomes the label of a Job without labels', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata: {name: demo}
      spec:
        managedBy: kueue.x-k8s.io/multikueue
        template:
          metadata: {labels: {kueue.x-k8s.io/queue-name: team-a}}
          spec: {restartPolicy: Never, containers: [{name: main, image: r}]}
    `);
  });

  test('of a pod template is lost beside labels of the Job', () => {
    check(yaml`
      apiVersion: batch/v1
      kind: Job
      metadata: {name: demo, labels: {app: x}}
      spec:
        managedBy: kueue.x-k8s.io/multikueue
                   ^^^^^^^^^^^^^^^^^^^^^^^^^ multikueue-no-queue
        template:
          metadata: {labels: {kueue.x-k8s.io/queue-name: team-a}}
                              ^^^^^^^^^^^^^^^^^^^^^^^^^ queue-label-misplaced
          spec: {restartPolicy: Never, containers: [{name: main, image: r}]}
    `);
  });
});
