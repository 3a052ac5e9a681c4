import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Completion, completionsAt } from '../../src/language/index.ts';
import type { ManifestSettings } from '../../src/manifest/index.ts';

const settings: ManifestSettings = {
  version: '1.35',
  controllerName: 'delegated-jobs.dev/reconciler',
  knownControllers: ['acme.io/runner'],
};

/** What is offered where the text has a `‸`. */
function complete(marked: string, version: ManifestSettings['version'] = '1.35'): readonly Completion[] {
  const offset = marked.indexOf('‸');
  return completionsAt(marked.replace('‸', ''), offset, { ...settings, version });
}

const labels = (marked: string): readonly string[] => complete(marked).map(({ label }) => label);

const head = 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: demo\n';

describe('fields', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      'on an empty line of the spec',
      `${head}spec:\n  parallelism: 1\n  ‸\n`,
      ['managedBy', 'completions', 'template'],
      ['parallelism', 'containers'],
    ],
    ['in the middle of a word', `${head}spec:\n  comp‸\n`, ['completions', 'completionMode'], ['containers']],
    ['above other fields', `${head}spec:\n  ‸\n  template:\n    spec: {}\n`, ['managedBy'], ['template']],
    [
      'on the next level',
      `${head}spec:\n  template:\n    spec:\n      ‸\n`,
      ['containers', 'restartPolicy'],
      ['managedBy'],
    ],
    [
      'back on the level above',
      `${head}spec:\n  template:\n    spec:\n      restartPolicy: Never\n  ‸\n`,
      ['managedBy'],
      ['restartPolicy', 'template'],
    ],
    [
      'behind a dash',
      `${head}spec:\n  template:\n    spec:\n      containers:\n      - ‸\n`,
      ['name', 'image'],
      ['containers'],
    ],
    [
      'below a dash',
      `${head}spec:\n  template:\n    spec:\n      containers:\n      - name: main\n        ‸\n`,
      ['image', 'env'],
      ['name'],
    ],
    ['in braces', `${head}spec: {‸}\n`, ['managedBy', 'template'], []],
    ['in braces behind others', `${head}spec: {parallelism: 1, ‸}\n`, ['managedBy'], ['parallelism']],
    ['in the labels', `${head}  labels:\n    app: x\n    ‸\nspec: {}\n`, ['kueue.x-k8s.io/queue-name'], ['app']],
    ['of a CronJob', 'apiVersion: batch/v1\nkind: CronJob\nspec:\n  ‸\n', ['schedule', 'jobTemplate'], ['managedBy']],
    [
      'of the Jobs of a CronJob',
      'apiVersion: batch/v1\nkind: CronJob\nspec:\n  jobTemplate:\n    spec:\n      ‸\n',
      ['managedBy'],
      ['schedule'],
    ],
    [
      'of another kind',
      'apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec:\n  runPolicy:\n    ‸\n',
      ['managedBy'],
      [],
    ],
    ['of a document without a kind', 'apiVersion: batch/v1\n‸\n', ['kind', 'metadata', 'spec'], ['apiVersion']],
    ['in the second document', `${head}spec: {}\n---\n${head}spec:\n  ‸\n`, ['managedBy'], []],
    ['in a comment', `${head}spec:\n  # ‸\n`, [], ['managedBy']],
    ['of a kind that is none of ours', 'apiVersion: v1\nkind: ConfigMap\ndata:\n  ‸\n', [], ['managedBy']],
  ])('%s', (_, text, offered, others) => {
    const all = labels(text);
    for (const label of offered) expect(all).toContain(label);
    for (const label of others) expect(all).not.toContain(label);
    if (offered.length === 0) expect(all).toEqual([]);
  });

  test('only those that the version has', () => {
    const text = `${head}spec:\n  ‸\n`;
    expect(complete(text, '1.37').map(({ label }) => label)).toContain('scheduling');
    expect(labels(text)).not.toContain('scheduling');
  });
});

describe('values', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'controllers',
      `${head}spec:\n  managedBy: ‸\n`,
      ['kueue.x-k8s.io/multikueue', 'delegated-jobs.dev/reconciler', 'acme.io/runner', 'kubernetes.io/job-controller'],
    ],
    [
      'controllers of a closed set',
      'apiVersion: ray.io/v1\nkind: RayJob\nspec:\n  managedBy: ray‸\n',
      ['kueue.x-k8s.io/multikueue', 'ray.io/kuberay-operator'],
    ],
    ['a set of words', `${head}spec:\n  completionMode: ‸\n`, ['Indexed', 'NonIndexed']],
    [
      'what a Job allows of one',
      `${head}spec:\n  template:\n    spec:\n      restartPolicy: ‸\n`,
      ['Never', 'OnFailure'],
    ],
    ['booleans', `${head}spec:\n  suspend: ‸\n`, ['true', 'false']],
    ['in quotes', `${head}spec:\n  completionMode: "‸"\n`, ['Indexed', 'NonIndexed']],
    [
      'queues of the file',
      `${head}  labels:\n    kueue.x-k8s.io/queue-name: ‸\n---\nmetadata: {labels: {kueue.x-k8s.io/queue-name: team-a}}\n`,
      ['team-a'],
    ],
    ['kinds of the version', 'apiVersion: batch/v1\nkind: ‸\n', ['Job', 'CronJob']],
    ['nothing for a name', `${head}spec:\n  template:\n    spec:\n      containers:\n      - name: ‸\n`, []],
    [
      'volumes',
      `${head}spec:\n  template:\n    spec:\n      volumes: [{name: data}]\n      containers:\n      - volumeMounts:\n        - name: ‸\n`,
      ['data'],
    ],
  ])('%s', (_, text, offered) => {
    expect(labels(text)).toEqual(offered);
  });
});

test('the word that is there is replaced as a whole', () => {
  const [first] = complete(`${head}spec:\n  managedBy: kueue.x-‸k8s.io/x # c\n`);
  expect([first?.range.start.column, first?.range.end.column]).toEqual([13, 29]);
});

test('whatever the text and the place, nothing throws', () => {
  const pieces = fc.array(
    fc.constantFrom(head, 'spec:\n', '  ', '- ', 'a: ', '{', '[', '"', '\n', '---\n', '*x', '# c', 'managedBy: '),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, fc.nat(), (parts, position) => {
      const text = parts.join('');
      for (const { range } of completionsAt(text, position % (text.length + 1), settings)) {
        expect(range.end.offset).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 300 },
  );
});
