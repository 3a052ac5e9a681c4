import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atOnce } from '../../src/base/index.ts';
import { hoverAt as hoverPieces } from '../../src/language/index.ts';
import type { ManifestSettings } from '../../src/manifest/index.ts';

const hoverAt = (...given: Parameters<typeof hoverPieces>) => atOnce(hoverPieces(...given));

/** What is said where the text has a `‸`, and the word that it is said of. */
function hover(marked: string, version: ManifestSettings['version'] = '1.35') {
  const offset = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  const found = hoverAt(text, offset, { version, controllerName: 'delegated-jobs.dev/reconciler' });
  return (
    found && {
      word: text.slice(found.range.start.offset, found.range.end.offset),
      markdown: found.markdown,
      field: found.field?.path.join('.'),
    }
  );
}

const job = (spec: string): string =>
  `# first\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: demo, labels: {‸kueue.x-k8s.io/queue-name: a}}\nspec:\n${spec}`;
const plain = (spec: string): string => job(spec).replace('‸', '');
const apps = (kind: string, spec: string): string =>
  `apiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: demo}\nspec:\n  ${spec}\n`;
const pod = (spec: string): string => plain(`  template:\n    spec:\n      ${spec}\n`);

describe('a hover on managedBy tells where the queue of the connected cluster leads', () => {
  test.each([
    ['kueue.x-k8s.io/multikueue', true, 'MultiKueue runs it on a worker cluster. Queue: `a`.'],
    ['kueue.x-k8s.io/multikueue', false, 'nobody runs it: its queue does not lead to MultiKueue.'],
    ['kubernetes.io/job-controller', true, "Kueue makes it MultiKueue's at creation"],
    ['kubernetes.io/job-controller', false, 'the built-in controller runs it'],
  ])('%s in a queue: %s', (name, leadsToMultiKueue, told) => {
    const text = plain(`  managedBy: ${name}\n`);
    const clusterQueues = { defaultNamespace: 'x', byNamespace: { x: [{ name: 'a', leadsToMultiKueue }] } };
    const found = hoverAt(text, text.indexOf('managedBy'), { version: '1.35', clusterQueues });
    expect(found?.markdown).toContain(`**Here:** ${told}`);
  });
});

test.each([
  ['completionTime: x', /A failed Job has none/],
  ['conditions: []', /`Failed` follows.*kubectl wait --for=condition=complete/s],
])('a hover tells how a Job ends, at %s', (line, words) => {
  const text = `${plain('  suspend: true\nstatus:\n  ')}${line}\n`;
  const found = hoverAt(text, text.indexOf(line), { version: '1.35' });
  expect(found?.markdown).toMatch(words);
});

describe('a hover tells of', () => {
  test.each([
    [
      'a field of the Job',
      plain('  man‸agedBy: a/b\n'),
      'managedBy',
      /^\*\*managedBy\*\* · string\n\nNames the controller/,
    ],
    ['a field of the pod', pod('‸restartPolicy: Never'), 'restartPolicy', /Always/],
    ['MultiKueue', plain('  managedBy: kueue.x-k8s.io/‸multikueue\n'), 'kueue.x-k8s.io/multikueue', /^MultiKueue/],
    [
      'our own reconciler',
      plain('  managedBy: delegated-jobs.dev/‸reconciler\n'),
      'delegated-jobs.dev/reconciler',
      /this extension/,
    ],
    ['a name that nobody knows', plain('  managedBy: example.com/‸a\n'), 'example.com/a', /stays idle without a sign/],
    ['the queue label', job('  suspend: true\n'), 'kueue.x-k8s.io/queue-name', /LocalQueue/],
    [
      'the field of another kind',
      'apiVersion: ray.io/v1\nkind: RayJob\nspec:\n  ‸managedBy: x\n',
      'managedBy',
      /Either `ray.io\/kuberay-operator` or `kueue.x-k8s.io\/multikueue`.*refused/,
    ],
    [
      'a field deep inside of another kind',
      'apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nspec:\n  replicatedJobs:\n    - template: {spec: {template: {spec: {containers: [{‸image: x}]}}}}\n',
      'image',
      /never moves.*#container-v1-core/s,
    ],
    [
      'a field of a CRD that has no words of ours',
      'apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nspec:\n  ‸network: {}\n',
      'network',
      /^\*\*network\*\* · object$/,
    ],
    ['a field in a faulty text', plain('  man‸agedBy: a/b\n  x: [\n'), 'managedBy', /controller/],
    ['a field without words of ours', pod('volumes: [{name: a, ‸rbd: {}}]'), 'rbd', /RBDVolumeSource, deprecated/],
    ['one of several values', plain('  completionMode: Ind‸exed\n'), 'Indexed', /JOB_COMPLETION_INDEX/],
    [
      'a field in JSON',
      '{"apiVersion": "batch/v1", "kind": "Job", "spec": {"‸suspend": true}}',
      '"suspend"',
      /paused|pods/,
    ],
  ])('%s', (_, text, word, markdown) => {
    expect(hover(text)).toEqual(expect.objectContaining({ word, markdown: expect.stringMatching(markdown) }));
  });

  test.each([
    ['the default', plain('  ‸backoffLimit: 1\n'), '*Default:* 6;'],
    ['the age', plain('  ‸managedBy: a/b\n'), '*Since Kubernetes* 1.35; on by default from 1.32'],
    ['the first version that has it', plain('  ‸scheduling: {}\n'), '*Since Kubernetes* 1.37'],
    ['whether it may change', plain('  ‸managedBy: a/b\n'), '*Later:* Fixed once created'],
    ['the reference', plain('  ‸suspend: true\n'), 'kubernetes-api/v1.37/#jobspec-v1-batch'],
    ['the reference of the pod', pod('‸tolerations: []'), '#podspec-v1-core'],
    ['the reference of the metadata', plain('').replace('{name', '{‸name'), '#objectmeta-v1-meta'],
    ['the reference of a Deployment', apps('Deployment', '‸strategy: {}'), '#deploymentspec-v1-apps'],
    [
      'the reference of a rolling update',
      apps('StatefulSet', 'updateStrategy: {rollingUpdate: {‸partition: 1}}'),
      '#rollingupdatestatefulsetstrategy-v1-apps',
    ],
    [
      'the reference of how a Job is scheduled',
      plain('  scheduling: {‸schedulingPolicy: {}}\n'),
      '#jobschedulingconfiguration-v1-batch',
    ],
    [
      'the reference of a gang',
      plain('  scheduling: {schedulingPolicy: {‸gang: {}}}\n'),
      '#workloadpodgroupschedulingpolicy-v1alpha3-scheduling-k8s-io',
    ],
    [
      'the reference of a topology',
      plain('  scheduling: {schedulingConstraints: {topology: [{‸key: x}]}}\n'),
      '#topologyconstraint-v1alpha3-scheduling-k8s-io',
    ],
    [
      'the reference of spreading',
      pod('topologySpreadConstraints: [{‸maxSkew: 1}]'),
      '#topologyspreadconstraint-v1-core',
    ],
  ])('%s of a field', (_, text, part) => {
    expect(hover(text, '1.37')?.markdown).toContain(part);
  });

  test('the field itself, for those who know more about it', () => {
    expect(hover(pod('containers: [{‸image: x}]'))?.field).toBe('spec.template.spec.containers.image');
    expect(hover(job(''))?.field).toBeUndefined();
  });

  test.each([
    ['other kinds', 'apiVersion: v1\nkind: ConfigMap\ndata:\n  ‸managedBy: Job\n'],
    ['blank lines', plain('  suspend: true\n‸\n')],
    ['fields that do not exist', plain('  ‸paralelism: 1\n')],
    ['fields of a later version', plain('  ‸scheduling: {}\n')],
    ["the author's own labels", job('').replace('kueue.x-k8s.io/queue-name', 'app')],
    ['what an author wrote', pod('containers: [{image: ‸x}]')],
    ['JSON keys of every object', '{"apiVersion": "batch/v1", "kind": "Job", "spec": {"‸constructor": 1}}'],
  ])('nothing for %s', (_, text) => {
    expect(hover(text)).toBeUndefined();
  });
});

/** The sentence about the very object. */
function here(marked: string): string | undefined {
  return /\*\*Here:\*\* (.*)/.exec(hover(marked)?.markdown ?? '')?.[1];
}

describe('a hover says what a field comes to', () => {
  test.each<[string, string, string]>([
    ['retries', '  ‸backoffLimit: 6\n', 'the 7th failed pod fails the Job.'],
    ['no retries', '  ‸backoffLimit: 0\n', 'the first failed pod fails the Job.'],
    [
      'restarts',
      '  ‸backoffLimit: 2\n  template: {spec: {restartPolicy: OnFailure}}\n',
      '2 restarts of containers, in all pods together, fail the Job.',
    ],
    ['one pod', '  ‸completions: 1\n', '1 pod must succeed.'],
    [
      'rounds',
      '  completions: 10\n  ‸parallelism: 3\n',
      '10 pods must succeed, at most 3 at a time. That makes 4 rounds at least.',
    ],
    [
      'indexes',
      '  completions: 5\n  parallelism: 8\n  ‸completionMode: Indexed\n',
      'each index from 0 to 4 must succeed once, all at the same time.',
    ],
    [
      'a work queue',
      '  ‸parallelism: 2\n',
      '2 pods work on a queue of their own; once one has succeeded no more are started, and the Job is done when all have ended.',
    ],
    ['nothing at all', '  ‸parallelism: 0\n', 'no pods run until `parallelism` is raised.'],
    [
      'an Indexed Job without indexes',
      '  parallelism: 1\n  ‸completionMode: Indexed\n',
      'refused: an Indexed Job must say how many indexes it has.',
    ],
    ['a deadline', '  ‸activeDeadlineSeconds: 5400\n', 'it fails unless it has finished 1 h 30 min after its start.'],
    [
      'a deadline of a delegated Job',
      '  managedBy: a/b\n  ‸activeDeadlineSeconds: 60\n',
      'it fails unless it has finished 1 min after the start of its mirror: waiting for a worker does not count, and another attempt starts anew.',
    ],
    [
      'a time to live',
      '  ‸ttlSecondsAfterFinished: 86400\n',
      'it is deleted 1 d after it has finished, and with it its pods and their logs.',
    ],
    [
      'the mirror of a Job that vanishes',
      '  managedBy: a/b\n  ‸ttlSecondsAfterFinished: 0\n',
      'it is deleted as soon as it has finished, and with it its mirror on the worker, the pods and their logs.',
    ],
    ['MultiKueue', '  ‸managedBy: kueue.x-k8s.io/multikueue\n', 'MultiKueue runs it on a worker cluster. Queue: `a`.'],
    [
      "the built-in controller's name",
      '  ‸managedBy: kubernetes.io/job-controller\n',
      'the built-in controller runs it, as if the field were left out.',
    ],
    ['waiting in a queue', '  ‸suspend: true\n', 'it waits until Kueue lets it start, through the queue `a`.'],
    [
      'failures of an index',
      '  completionMode: Indexed\n  ‸backoffLimitPerIndex: 1\n',
      'the 2nd failed pod of an index gives that index up.',
    ],
    ['what needs an Indexed Job', '  ‸backoffLimitPerIndex: 1\n', 'refused, as the Job is not Indexed.'],
    [
      'failed indexes',
      '  completions: 9\n  completionMode: Indexed\n  ‸maxFailedIndexes: 2\n',
      'the Job fails once 3 of 9 indexes were given up.',
    ],
    [
      'success rules',
      '  completions: 9\n  completionMode: Indexed\n  ‸successPolicy: {rules: [{succeededIndexes: "0-2,4", succeededCount: 3}, {succeededCount: 8}]}\n',
      'the Job succeeds once 3 of the 4 indexes `0-2,4` have succeeded, or any 8 of 9 indexes have succeeded.',
    ],
    [
      'one success rule',
      '  completions: 9\n  completionMode: Indexed\n  successPolicy: {rules: [{‸succeededIndexes: "0"}]}\n',
      'the Job succeeds once index `0` has succeeded.',
    ],
    [
      'a failure policy',
      '  ‸podFailurePolicy: {rules: []}\n  template: {spec: {restartPolicy: Never}}\n',
      'for what no rule says otherwise, the 7th failed pod fails the Job.',
    ],
    [
      'tries of their own',
      '  template: {spec: {‸restartPolicy: Never}}\n',
      'each try is a new pod; the 7th failed pod fails the Job.',
    ],
  ])('%s', (_, spec, sentence) => {
    expect(here(plain(spec))).toBe(sentence);
  });

  test.each<[string, string]>([
    ['0 3 * * *', 'at 03:00, every day.'],
    ['*/5 * * * *', 'every 5 minutes.'],
    ['30 * * * mon-fri', 'at minute 30 of each hour, on Monday to Friday.'],
    ['0 6,18 1,15 * *', 'at 06:00 and 18:00, on day 1 and 15 of the month.'],
    ['5 4 * jan sun', 'at 04:05, on Sunday, in January.'],
    ['0 0 13 * 5', 'at 00:00, on day 13 of the month and on Friday.'],
    ['@hourly', 'at the start of each hour.'],
    ['@every 90m', 'every 90m.'],
  ])('the schedule %s', (schedule, sentence) => {
    const text = `apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec:\n  ‸schedule: "${schedule}"\n`;
    const template = '  jobTemplate: {spec: {template: {spec: {}}}}\n';
    expect(here(text + template)).toBe(sentence);
  });

  test('names of pods, but not where the name is of something else', () => {
    expect(here(plain('  suspend: false\n').replace('{name', '{‸name'))).toMatch(/`demo-…`/);
    const indexed = plain('  completions: 3\n  completionMode: Indexed\n').replace('{name', '{‸name');
    expect(here(indexed)).toMatch(/`demo-0` to `demo-2`/);
    expect(here(plain('  template: {metadata: {‸name: x}}\n'))).toBeUndefined();
  });

  test('what a text quotes can end no quotation', () => {
    expect(here(plain('  ‸managedBy: "a`[x](http://x)`/b"\n'))).toContain('`a[x](http://x)/b`');
  });
});

test('whatever the text and the place, nothing throws', () => {
  const sample = plain('  completions: 3\n  managedBy: a/b\n  template:\n    spec:\n      containers: [{name: a}]\n');
  fc.assert(
    fc.property(fc.nat(sample.length), fc.nat(sample.length), (end, offset) => {
      const text = sample.slice(0, end);
      const found = hoverAt(text, Math.min(offset, end), { version: '1.37' });
      if (found !== undefined) expect(found.range.end.offset).toBeLessThanOrEqual(end);
    }),
    { numRuns: 300 },
  );
});

test('a word is known up to the place behind its last letter, where a keyboard leaves the cursor', () => {
  const text = plain('  parallelism: 2\n');
  const at = text.indexOf('parallelism: 2');
  const ends = ['parallelism'.length, 'parallelism: 2'.length].map((length) =>
    hoverAt(text, at + length, { version: '1.35' }),
  );
  expect(ends[0]).toEqual(hoverAt(text, at, { version: '1.35' }));
  expect(ends[1]).toEqual(hoverAt(text, at + 'parallelism: '.length, { version: '1.35' }));
  expect(ends[0]).toBeDefined();
  expect(hoverAt(text, at + 'parallelism:'.length, { version: '1.35' })).toBeUndefined();
});

test('a long text is read in pieces', () => {
  const container = (index: number): string => `      - name: c${index}\n        image: r\n`;
  const containers = Array.from({ length: 2000 }, (_, index) => container(index)).join('');
  const text = `apiVersion: batch/v1\nkind: Job\nspec:\n  parallelism: 2\n  template:\n    spec:\n      containers:\n${containers}`;
  const pieces = hoverPieces(text, text.indexOf('parallelism'), { version: '1.35' });
  let count = 0;
  while (pieces.next().done !== true) count++;
  expect(count).toBeGreaterThan(10);
});
