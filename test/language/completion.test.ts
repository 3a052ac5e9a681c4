import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { type Completion, completionsAt as completionPieces, snippetFile } from '../../src/language/index.ts';
import type { ManifestSettings } from '../../src/manifest/index.ts';

const settings: ManifestSettings = {
  version: '1.35',
  controllerName: 'delegated-jobs.dev/reconciler',
  knownControllers: ['acme.io/runner'],
};

const completionsAt = (...given: Parameters<typeof completionPieces>) => atOnce(completionPieces(...given));

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

/** An offer by its name: `?` behind its detail where it stands at the end of the list. */
function detail(marked: string, label: string): string | undefined {
  const offer = complete(marked).find((one) => one.label === label);
  return offer && `${offer.detail}${offer.sortKey.startsWith('7') ? ' ?' : ''}`;
}

const job = (spec: string): string => `${head}spec:\n${spec}`;
const pod = (spec: string): string => job(`  template:\n    spec:\n${spec}`);
const cronJob = (spec: string): string => `apiVersion: batch/v1\nkind: CronJob\nspec:\n${spec}`;

describe('what makes sense here', () => {
  test.each<[string, string, string, string | undefined]>([
    ['required fields say so', job('  ‸\n'), 'template', 'PodTemplateSpec, required'],
    ['an index limit without indexes', job('  ‸\n'), 'backoffLimitPerIndex', 'needs completionMode: Indexed ?'],
    ['an index limit with them', job('  completionMode: Indexed\n  ‸\n'), 'backoffLimitPerIndex', 'int32'],
    ['a success policy without indexes', job('  ‸\n'), 'successPolicy', 'needs completionMode: Indexed ?'],
    [
      'one limit before the other',
      job('  completionMode: Indexed\n  ‸\n'),
      'maxFailedIndexes',
      'needs backoffLimitPerIndex ?',
    ],
    [
      'a failure policy beside restarts',
      job('  template: {spec: {restartPolicy: OnFailure}}\n  ‸\n'),
      'podFailurePolicy',
      'needs restartPolicy: Never ?',
    ],
    ['what the server generates', job('  ‸\n'), 'selector', 'generated by the API server ?'],
    [
      'the same in a CronJob, where it is refused',
      cronJob('  jobTemplate:\n    spec:\n      ‸\n'),
      'selector',
      undefined,
    ],
    ['what the server sets', `${head}  ‸\n`, 'uid', undefined],
    ['a second kind of name', `${head}  ‸\n`, 'generateName', undefined],
    ['a name in a template', job('  template:\n    metadata:\n      ‸\n'), 'name', undefined],
    ['labels in a template', job('  template:\n    metadata:\n      ‸\n'), 'labels', 'map of string'],
    ['containers for debugging', pod('      ‸\n'), 'ephemeralContainers', undefined],
    [
      'a probe of what runs to its end',
      pod('      initContainers:\n        - name: a\n          ‸\n'),
      'readinessProbe',
      'needs restartPolicy: Always ?',
    ],
    [
      'a probe of a sidecar',
      pod('      initContainers:\n        - restartPolicy: Always\n          ‸\n'),
      'readinessProbe',
      'Probe',
    ],
    ['a node of one cluster', pod('      ‸\n  managedBy: a/b\n'), 'nodeName', 'a node of the worker cluster ?'],
    ['an old name', pod('      ‸\n'), 'serviceAccount', 'string, deprecated'],
    [
      'giving up an index',
      job('  podFailurePolicy:\n    rules:\n      - action: ‸\n'),
      'FailIndex',
      'needs backoffLimitPerIndex ?',
    ],
    [
      'early replacement beside a failure policy',
      job('  podFailurePolicy: {rules: []}\n  podReplacementPolicy: ‸\n'),
      'TerminatingOrFailed',
      'refused beside podFailurePolicy ?',
    ],
    ['the default', job('  completionMode: ‸\n'), 'NonIndexed', 'default'],
    [
      'comparisons that are alpha',
      pod('      tolerations:\n        - operator: ‸\n'),
      'Gt',
      'alpha: refused by most clusters ?',
    ],
  ])('%s', (_, text, label, told) => {
    expect(detail(text, label)).toBe(told);
  });

  test('required fields come first, then those that most people write', () => {
    const sorted = complete(job('  ‸\n')).toSorted((a, b) => (a.sortKey + a.label < b.sortKey + b.label ? -1 : 1));
    expect(sorted.slice(0, 5).map(({ label }) => label)).toEqual([
      'template',
      'managedBy',
      'completions',
      'parallelism',
      'completionMode',
    ]);
    expect(sorted.at(-1)?.label).toBe('successPolicy');
  });

  test('fields and values say what they mean', () => {
    const field = complete(job('  ‸\n')).find(({ label }) => label === 'backoffLimit');
    expect(field?.documentation).toMatch(/^How many failed pods.*\n\n\*Default:\* 6;/s);
    const value = complete(job('  completionMode: ‸\n')).find(({ label }) => label === 'Indexed');
    expect(value?.documentation).toMatch(/JOB_COMPLETION_INDEX/);
  });

  test.each<[string, string, readonly string[]]>([
    [
      'operators',
      job('  podFailurePolicy:\n    rules:\n      - onExitCodes:\n          operator: ‸\n'),
      ['In', 'NotIn'],
    ],
    [
      'operators that the schema does not list',
      job('  selector:\n    matchExpressions:\n      - operator: ‸\n'),
      ['DoesNotExist', 'Exists', 'In', 'NotIn'],
    ],
    ['concurrency', cronJob('  concurrencyPolicy: ‸\n'), ['Allow', 'Forbid', 'Replace']],
    [
      'words in a list',
      pod(
        '      volumes:\n        - ephemeral:\n            volumeClaimTemplate:\n              spec:\n                accessModes:\n                  - ‸\n',
      ),
      ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
    ],
    [
      'containers by name',
      job(
        '  podFailurePolicy: {rules: [{onExitCodes: {containerName: ‸}}]}\n  template: {spec: {containers: [{name: main}], initContainers: [{name: first}]}}\n',
      ),
      ['first', 'main'],
    ],
    [
      'resources',
      pod('      containers:\n        - resources:\n            requests:\n              ‸\n'),
      ['cpu', 'ephemeral-storage', 'memory', 'nvidia.com/gpu'],
    ],
    [
      'amounts',
      pod('      containers:\n        - resources:\n            requests:\n              memory: ‸\n'),
      ['1Gi', '256Mi', '4Gi', '64Mi'],
    ],
    [
      'labels of Kueue',
      `${head}  labels:\n    ‸\n`,
      ['kueue.x-k8s.io/max-exec-time-seconds', 'kueue.x-k8s.io/priority-class', 'kueue.x-k8s.io/queue-name'],
    ],
    ['labels of pods, which no queue reads', job('  template:\n    metadata:\n      labels:\n        ‸\n'), []],
    [
      'the fields of another kind',
      'apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec:\n  ‸\n',
      ['elasticPolicy', 'nprocPerNode', 'pytorchReplicaSpecs', 'runPolicy'],
    ],
    [
      'the metadata of another kind',
      'apiVersion: ray.io/v1\nkind: RayJob\nmetadata:\n  name: a\n  ‸\n',
      ['annotations', 'finalizers', 'labels', 'namespace', 'ownerReferences'],
    ],
    [
      'objects in a List',
      'apiVersion: v1\nkind: List\nitems:\n  - apiVersion: batch/v1\n    kind: Job\n    spec:\n      suspend: ‸\n',
      ['false', 'true'],
    ],
  ])('%s', (_, text, offered) => {
    expect(labels(text).toSorted()).toEqual(offered);
  });

  const jobSet = (spec: string): string =>
    `apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nspec:\n  replicatedJobs:\n    - name: a\n      template:\n        spec:\n${spec}`;

  test.each<[string, string, string, string | undefined]>([
    ['the Jobs of a JobSet', jobSet('          ‸\n'), 'backoffLimit', 'int32'],
    ['their mode', jobSet('          ‸\n'), 'backoffLimitPerIndex', 'needs completionMode: Indexed ?'],
    ['their own mode', jobSet('          completionMode: Indexed\n          ‸\n'), 'backoffLimitPerIndex', 'int32'],
    [
      'their pods',
      jobSet('          template:\n            spec:\n              restartPolicy: ‸\n'),
      'Always',
      undefined,
    ],
    [
      'pods of others',
      'apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n    Master:\n      template:\n        spec:\n          ‸\n',
      'containers',
      'list of Container, required',
    ],
    ['what hands an object on', 'apiVersion: ray.io/v1\nkind: RayJob\nspec:\n  ‸\n', 'managedBy', 'delegation'],
    ['maps of a CRD', 'apiVersion: ray.io/v1\nkind: RayJob\nspec:\n  ‸\n', 'submitterConfig', 'object'],
  ])('of the ecosystem: %s', (_, text, label, told) => {
    expect(detail(text, label)).toBe(told);
  });

  test('what is needed inside of another kind comes along', () => {
    const text = jobSet('          ‸\n');
    const offer = complete(text).find(({ label }) => label === 'template');
    expect(offer?.insertText).toMatch(/\n {14}containers:\n {16}- name: \$\{2:main\}\n/);
  });

  test.each([
    ['one of several words', job('  ‸\n'), 'completionMode', true],
    ['yes or no', job('  ‸\n'), 'suspend', true],
    ['a controller', job('  ‸\n'), 'managedBy', true],
    ['any number', job('  ‸\n'), 'parallelism', false],
    ['a map', job('  ‸\n'), 'template', false],
    ['the version of a new document', '‸', 'apiVersion', true],
    ['its metadata', '‸', 'metadata', false],
    ['a value that is there', job('  com‸: 1\n'), 'completionMode', false],
  ])('whether there is something to choose behind it: %s', (_, text, label, leadsOn) => {
    expect(complete(text).find((offer) => offer.label === label)?.leadsOn).toBe(leadsOn);
  });

  test('queues that are known, each once', () => {
    const text = `${head}  labels:\n    kueue.x-k8s.io/queue-name: ‸\n`;
    const offset = text.indexOf('‸');
    const offers = completionsAt(text.replace('‸', ''), offset, {
      ...settings,
      knownQueues: ['team-a', 'team-a', 'b'],
    });
    expect(offers.map(({ label }) => label)).toEqual(['team-a', 'b']);
  });

  test('time zones by their names', () => {
    expect(labels(cronJob('  timeZone: ‸\n'))).toEqual(expect.arrayContaining(['Etc/UTC', 'Europe/Berlin']));
  });

  test('an empty document offers whole ones, with the name of our own controller', () => {
    const documents = complete('‸').filter(({ kind }) => kind === 'document');
    expect(documents.map(({ label }) => label)).toEqual(Object.keys(snippetFile()));
    const own = completionsAt('', 0, { version: '1.35', controllerName: 'acme.io/runner' });
    expect(own.find(({ label }) => label.startsWith('Job for this'))?.insertText).toContain(
      'managedBy: acme.io/runner\n',
    );
    expect(completionsAt('', 0, { version: '1.35' }).some(({ label }) => label.startsWith('Job for this'))).toBe(false);
    expect(complete(`${head}‸`).filter(({ kind }) => kind === 'document')).toEqual([]);
  });

  test('metadata inside of a template is for labels', () => {
    const offer = complete(job('  template:\n    ‸\n')).find(({ label }) => label === 'metadata');
    expect(offer?.insertText).toMatch(/^metadata:\n {6}labels:\n {8}/);
  });

  test.each([
    ['of another tool', 'services:\n  a: {}\n‸\n'],
    ['behind the line that parts documents', '---‸'],
    ['in front of JSON', '‸{"apiVersion": "batch/v1", "kind": "Job"}'],
  ])('nothing in a document %s', (_, text) => {
    expect(labels(text)).toEqual([]);
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

test('where nothing stands yet, whole documents come first', () => {
  const sorted = [...complete('‸')].sort((x, y) => (x.sortKey + x.label < y.sortKey + y.label ? -1 : 1));
  expect(sorted.map(({ label }) => label)).toEqual([
    ...Object.keys(snippetFile()),
    ...['apiVersion', 'kind', 'metadata', 'spec'],
  ]);
});

test('a long text is read in pieces', () => {
  const container = (index: number): string => `      - name: c${index}\n        image: r\n`;
  const containers = Array.from({ length: 2000 }, (_, index) => container(index)).join('');
  const text = `apiVersion: batch/v1\nkind: Job\nspec:\n  par\n  template:\n    spec:\n      containers:\n${containers}`;
  const pieces = completionPieces(text, text.indexOf('par') + 3, settings);
  let count = 0;
  while (pieces.next().done !== true) count++;
  expect(count).toBeGreaterThan(10);
});
