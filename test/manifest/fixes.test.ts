import { describe, expect, test } from 'vitest';
import { applyFixes } from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';
import { yaml } from './markup.ts';

/** Applies the named fix (the preferred one by default) of the finding with the code, and answers text and findings. */
function fix(text: string, code: string, title?: string): { text: string; codes: readonly string[] } {
  const finding = findingsOf(text).find((one) => one.code === code);
  const chosen = finding?.fixes.find((one) => (title === undefined ? one.isPreferred : one.title === title));
  if (chosen === undefined) {
    throw new Error(`no such fix for ${code}: ${JSON.stringify(finding?.fixes.map((one) => one.title))}`);
  }
  const fixed = applyFixes(text, [chosen]);
  return { text: fixed, codes: findingsOf(fixed).map((one) => one.code) };
}

const job = (spec: string, pod = ''): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: demo   # the name
spec:
${spec}  template:
    spec:
      restartPolicy: Never
${pod}      containers:
      - name: main
        image: r/x:1
`;

describe('each fix leaves a text about which its finding is not repeated', () => {
  test.each<[string, string, string, string | undefined, string]>([
    [
      'a mistyped field is renamed',
      job('  paralelism: 3  # three\n'),
      'unknown-field',
      undefined,
      job('  parallelism: 3  # three\n'),
    ],
    [
      'a field in other case is renamed, in its quotes',
      job('  "backofflimit": 3\n'),
      'unknown-field',
      undefined,
      job('  "backoffLimit": 3\n'),
    ],
    [
      'a field of the pod moves down to it',
      job('  serviceAccountName: builder  # who\n'),
      'unknown-field',
      undefined,
      job('', '').replace('image: r/x:1\n', 'image: r/x:1\n      serviceAccountName: builder\n'),
    ],
    [
      'a field of the Job moves up to it, with all its lines',
      job(
        '',
        '      podFailurePolicy:\n        rules:\n        # why\n        - action: Ignore\n          onPodConditions:\n          - type: DisruptionTarget\n',
      ),
      'unknown-field',
      undefined,
      `${job('')}  podFailurePolicy:\n    rules:\n    # why\n    - action: Ignore\n      onPodConditions:\n      - type: DisruptionTarget\n`,
    ],
    ['what nobody knows can be removed', job('  colour: red # no\n'), 'unknown-field', "Remove 'colour'", job('')],
    [
      'an unquoted word gets its quotes',
      job('', '      nodeSelector: {fast: yes}\n'),
      'wrong-type',
      undefined,
      job('', '      nodeSelector: {fast: "yes"}\n'),
    ],
    [
      'an amount gets a unit: 128MB',
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: 128MB}}\n'),
      'malformed-quantity',
      "Use '128M'",
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: 128M}}\n'),
    ],
    [
      'an amount gets a unit: "128mb"',
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: "128mb"}}\n'),
      'malformed-quantity',
      "Use '128Mi'",
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: "128Mi"}}\n'),
    ],
    [
      'an amount gets a unit: 1.5 gib',
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: 1.5 gib}}\n'),
      'malformed-quantity',
      "Use '1.5Gi'",
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: 1.5Gi}}\n'),
    ],
    [
      'an amount gets a unit: 64KB',
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: 64KB}}\n'),
      'malformed-quantity',
      "Use '64k'",
      job('').replace('image: r/x:1\n', 'image: r/x:1\n        resources: {limits: {memory: 64k}}\n'),
    ],
    ['a quoted number loses them', job("  parallelism: '3'\n"), 'wrong-type', undefined, job('  parallelism: 3\n')],
    [
      'a restart policy is set',
      job('').replace('      restartPolicy: Never\n', ''),
      'restart-policy-required',
      'Set restartPolicy to OnFailure',
      job('').replace('      restartPolicy: Never\n', '').concat('      restartPolicy: OnFailure\n'),
    ],
    [
      'a restart policy is replaced',
      job('').replace('Never', '"Always" # no'),
      'restart-policy-required',
      undefined,
      job('').replace('Never', '"Never" # no'),
    ],
    [
      'an Indexed Job gets its completions',
      job('  completionMode: Indexed\n  parallelism: 4\n'),
      'completions-required',
      undefined,
      `${job('  completionMode: Indexed\n  parallelism: 4\n')}  completions: 4\n`,
    ],
    [
      'a word that is nearly right is put right',
      job('  completionMode: indexed\n  completions: 2\n'),
      'completion-mode-known',
      undefined,
      job('  completionMode: Indexed\n  completions: 2\n'),
    ],
    [
      'a negative number becomes 0',
      job('  parallelism: -1\n'),
      'parallelism-negative',
      'Set parallelism to 0',
      job('  parallelism: 0\n'),
    ],
    [
      'exit codes are sorted',
      job(
        '  podFailurePolicy:\n    rules:\n    - action: FailJob\n      onExitCodes: {operator: In, values: [3, 1, 2]}\n',
      ),
      'failure-policy-exit-codes-ordered',
      undefined,
      job(
        '  podFailurePolicy:\n    rules:\n    - action: FailJob\n      onExitCodes: {operator: In, values: [1, 2, 3]}\n',
      ),
    ],
    [
      'a copied selector is removed',
      job('  selector:\n    matchLabels:\n      controller-uid: x\n'),
      'selector-generated',
      undefined,
      job(''),
    ],
    [
      'the queue label is added where Kueue looks',
      job('  managedBy: kueue.x-k8s.io/multikueue\n'),
      'multikueue-no-queue',
      "Add the label 'kueue.x-k8s.io/queue-name' (put in your LocalQueue)",
      job('  managedBy: kueue.x-k8s.io/multikueue\n').replace(
        '# the name\n',
        '# the name\n  labels:\n    kueue.x-k8s.io/queue-name: user-queue\n',
      ),
    ],
    [
      "the built-in controller's name is removed",
      job('  managedBy: kubernetes.io/job-controller\n  suspend: true\n'),
      'managed-by-built-in',
      "Remove 'managedBy'",
      job('  suspend: true\n'),
    ],
  ])('%s', (_, before, code, title, after) => {
    const { text, codes } = fix(before, code, title);
    expect(text).toBe(after);
    expect(codes).not.toContain(code);
  });

  test('an annotation that should be a label moves', () => {
    const before = yaml`
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: demo
        annotations:
          kueue.x-k8s.io/queue-name: team-a
          other: x
      spec:
        managedBy: kueue.x-k8s.io/multikueue
        template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}
    `.text;
    const { text, codes } = fix(before, 'queue-label-misplaced');
    expect(text).toContain('    other: x\n  labels:\n    kueue.x-k8s.io/queue-name: "team-a"\n');
    expect(codes).toEqual([]);
  });

  test('a time zone leaves the schedule', () => {
    const before = yaml`
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: nightly}
      spec:
        schedule: "TZ=Europe/Berlin 0 3 * * *"
        jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}}}
    `.text;
    const { text, codes } = fix(before, 'schedule-time-zone');
    expect(text).toContain('schedule: "0 3 * * *"\n');
    expect(text).toContain('timeZone: "Europe/Berlin"\n');
    expect(codes).toEqual([]);
  });

  test('in JSON, what is added is JSON', () => {
    const before = JSON.stringify(
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'demo' },
        spec: {
          completionMode: 'Indexed',
          parallelism: 2,
          template: { spec: { containers: [{ name: 'a', image: 'r' }] } },
        },
      },
      undefined,
      2,
    );
    const text = applyFixes(
      before,
      findingsOf(before).flatMap(({ fixes }) => fixes.filter(({ isPreferred }) => isPreferred)),
    );
    expect(JSON.parse(text).spec).toMatchObject({ completions: 2, template: { spec: { restartPolicy: 'Never' } } });
    expect(findingsOf(text)).toEqual([]);
  });
});

test.each([
  ['memory: 128MB', "A quantity, such as 500m or 2Gi, belongs here, but '128MB' is none."],
  ['memory: [1]', 'A quantity, such as 500m or 2Gi, belongs here, but a list stands here.'],
  ['memory: true', 'A quantity, such as 500m or 2Gi, belongs here, but a boolean stands here.'],
])('what stands in the place of an amount is told: %s', (limit, expected) => {
  const text = job('').replace('image: r/x:1\n', `image: r/x:1\n        resources: {limits: {${limit}}}\n`);
  expect(findingsOf(text).map(({ message }) => message)).toEqual([expect.stringContaining(expected)]);
});
