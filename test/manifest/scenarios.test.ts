import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import {
  applyFixes,
  asStored,
  createManifestSession,
  type ManifestSettings,
  requestAgainst,
} from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';

/** What people have run into with delegated Jobs, and what they are told while they write one. */

const queued = '{kueue.x-k8s.io/queue-name: team-a}';
const multiKueue = 'managedBy: kueue.x-k8s.io/multikueue';
const ours = 'managedBy: delegated-jobs.dev/reconciler';

interface Parts {
  readonly name?: string;
  readonly labels?: string;
  /** Lines of the Job's spec. */
  readonly spec?: readonly string[];
  /** Lines of the pod's spec. */
  readonly pod?: readonly string[];
  readonly restartPolicy?: string;
}

function job({ name = 'train', labels = '{team: x}', spec = [], pod = [], restartPolicy = 'Never' }: Parts): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  labels: ${labels}
spec:
${spec.map((line) => `  ${line}\n`).join('')}  template:
    spec:
      restartPolicy: ${restartPolicy}
${pod.map((line) => `      ${line}\n`).join('')}      containers:
      - name: main
        image: r/x:1
`;
}

const cronJob = (
  spec: readonly string[],
  jobSpec: readonly string[],
  labels = '{team: x}',
): string => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: "0 3 * * *"
${spec.map((line) => `  ${line}\n`).join('')}  jobTemplate:
    metadata:
      labels: ${labels}
    spec:
${jobSpec.map((line) => `      ${line}\n`).join('')}      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: r/x:1
`;

type Row = readonly [behaviour: string, text: string, ...findings: string[]];

/** The findings, as `severity code`, are these and no others. */
function check(text: string, expected: readonly string[], settings: Partial<ManifestSettings> = {}): void {
  const findings = findingsOf(text, { controllerName: 'delegated-jobs.dev/reconciler', ...settings });
  expect(findings.map(({ severity, code }) => `${severity} ${code}`).sort()).toEqual([...expected].sort());
}

const words = 'a'.repeat(53);
const long = 'a'.repeat(61);

describe('who is to run it', () => {
  test.each<Row>([
    [
      'a slip in the name',
      job({ labels: queued, spec: ['managedBy: kueue.x-k8s.io/multikeue'] }),
      'warning managed-by-near-miss',
    ],
    ['a name without a domain', job({ labels: queued, spec: ['managedBy: multikueue'] }), 'error managed-by-format'],
    ['a name that is too long', job({ spec: [`managedBy: example.com/${words}`] }), 'error managed-by-length'],
    [
      'a name as long as it may be',
      job({ spec: [`managedBy: example.com/${words.slice(2)}`] }),
      'information managed-by-unknown-controller',
    ],
    [
      'the built-in one, which a queue replaces',
      job({ labels: queued, spec: ['managedBy: kubernetes.io/job-controller'] }),
      'information managed-by-built-in',
    ],
    ['our own, in a queue of MultiKueue', job({ labels: queued, spec: [ours] }), 'warning managed-by-other-in-queue'],
    ['our own, in none', job({ spec: [ours] })],
    ['MultiKueue, without a queue', job({ spec: [multiKueue] }), 'warning multikueue-no-queue'],
    ['MultiKueue, in a queue', job({ labels: queued, spec: [multiKueue] })],
    [
      'a copy that a worker is to run',
      job({ labels: '{kueue.x-k8s.io/multikueue-origin: hub, kueue.x-k8s.io/queue-name: a}', spec: [multiKueue] }),
      'warning delegated-mirror',
    ],
    [
      'a copy of our own',
      job({ labels: '{delegated-jobs.dev/origin-uid: 0a}', spec: [ours] }),
      'warning delegated-mirror',
    ],
    [
      'a copy as it should be',
      job({ labels: '{kueue.x-k8s.io/multikueue-origin: hub, kueue.x-k8s.io/queue-name: a}' }),
    ],
  ])('%s', (_, text, ...findings) => check(text, findings));
});

describe('where it says so', () => {
  test.each<Row>([
    ['the Job of a CronJob', cronJob(['concurrencyPolicy: Forbid'], [multiKueue], queued)],
    ['the CronJob itself', cronJob([multiKueue], [], queued), 'error unknown-field'],
    ['the Job of a CronJob, without a queue', cronJob([], [multiKueue]), 'warning multikueue-no-queue'],
    ['the pod', job({ labels: queued, pod: [multiKueue] }), 'error unknown-field'],
    ["a CronJob's time zone, in its Job", cronJob([], ['timeZone: Etc/UTC']), 'error unknown-field'],
    ["a Job's backoffLimit, in its pod", job({ pod: ['backoffLimit: 3'] }), 'error unknown-field'],
    ["a pod's restartPolicy, in its Job", job({ spec: ['restartPolicy: Never'] }), 'error unknown-field'],
  ])('%s', (_, text, ...findings) => check(text, findings));
});

describe('what a worker makes of it', () => {
  test.each<Row>([
    [
      'removed at once, with MultiKueue',
      job({ labels: queued, spec: [multiKueue, 'ttlSecondsAfterFinished: 0'] }),
      'warning multikueue-short-ttl',
    ],
    [
      'removed soon, with MultiKueue',
      job({ labels: queued, spec: [multiKueue, 'ttlSecondsAfterFinished: 299'] }),
      'warning multikueue-short-ttl',
    ],
    [
      'removed late enough, with MultiKueue',
      job({ labels: queued, spec: [multiKueue, 'ttlSecondsAfterFinished: 300'] }),
    ],
    [
      'removed at once, with ours',
      job({ spec: [ours, 'ttlSecondsAfterFinished: 0'] }),
      'information delegated-short-ttl',
    ],
    ['removed late enough, with ours', job({ spec: [ours, 'ttlSecondsAfterFinished: 60'] })],
    ['removed at once, delegated to nobody', job({ spec: ['ttlSecondsAfterFinished: 0'] })],
    [
      'a selector of its own',
      job({ labels: '{a: b}', spec: [ours, 'manualSelector: true', 'selector: {matchLabels: {a: b}}'] }).replace(
        'template:\n',
        'template:\n    metadata: {labels: {a: b}}\n',
      ),
      'warning delegated-manual-selector',
    ],
    ['a node of this cluster', job({ spec: [ours], pod: ['nodeName: n1'] }), 'warning delegated-node-name'],
    [
      'a node of this cluster, by its label',
      job({ spec: [ours], pod: ['nodeSelector: {kubernetes.io/hostname: n1}'] }),
      'warning delegated-node-name',
    ],
    ['nodes of any cluster', job({ spec: [ours], pod: ['nodeSelector: {disk: fast}'] })],
    [
      'what must be there already',
      job({ spec: [ours], pod: ['serviceAccountName: builder', 'volumes: [{name: a, secret: {secretName: s}}]'] }),
      'hint delegated-references',
    ],
    [
      'what is there always',
      job({ spec: [ours], pod: ['serviceAccountName: default', 'volumes: [{name: a, emptyDir: {}}]'] }),
    ],
  ])('%s', (_, text, ...findings) => check(text, findings));

  test('what must be there is listed', () => {
    const text = job({
      spec: [ours],
      pod: ['serviceAccountName: builder', 'volumes: [{name: a, configMap: {name: c}}]'],
    });
    const [finding] = findingsOf(text, { controllerName: 'delegated-jobs.dev/reconciler' });
    expect(finding?.message).toContain("ConfigMap 'c'");
    expect(finding?.message).toContain("ServiceAccount 'builder'");
  });
});

describe('names and numbers that only a cluster would have refused', () => {
  test.each<Row>([
    [
      'a host name of two digits more',
      job({ name: long, spec: ['completionMode: Indexed', 'completions: 10', 'parallelism: 1'] }),
    ],
    [
      'a host name that becomes too long',
      job({ name: long, spec: ['completionMode: Indexed', 'completions: 11', 'parallelism: 1'] }),
      'error name-for-indexes',
    ],
    [
      'an Indexed Job of no known length',
      job({ spec: ['completionMode: Indexed', 'parallelism: 3'] }),
      'error completions-required',
    ],
    [
      'limits for indexes without indexes',
      job({ spec: ['backoffLimitPerIndex: 1'] }),
      'error backoff-limit-per-index-indexed',
    ],
    [
      'a failure policy with pods that restart in place',
      job({
        restartPolicy: 'OnFailure',
        spec: ['podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}'],
      }),
      'error restart-policy-failure-policy',
    ],
    ['pods that are never done', job({ restartPolicy: 'Always' }), 'error restart-policy-required'],
    [
      'a selector that nobody asked for',
      job({ spec: ['selector: {matchLabels: {a: b}}'] }),
      'error selector-generated',
      'error template-labels-selected',
    ],
    [
      'a success policy without indexes',
      job({ spec: ['successPolicy: {rules: [{succeededCount: 1}]}'] }),
      'error success-policy-indexed',
    ],
    ['a Job that is suspended', job({ labels: queued, spec: ['suspend: true'] })],
  ])('%s', (_, text, ...findings) => check(text, findings));
});

describe('with what the connected cluster has', () => {
  const clusterQueues = {
    defaultNamespace: 'a',
    byNamespace: { a: [{ name: 'team-a' }, { name: 'gpu' }], empty: [], other: [{ name: 'default' }] },
  };
  const inNamespace = (namespace: string, text: string): string =>
    text.replace('metadata:\n', `metadata:\n  namespace: ${namespace}\n`);
  const elsewhere = job({ labels: '{kueue.x-k8s.io/queue-name: team-b}' });

  test.each<Row>([
    ['a queue that is there', job({ labels: queued, spec: [multiKueue] })],
    ['a queue that is not there', elsewhere, 'warning queue-unknown'],
    ['a queue of another namespace', inNamespace('empty', job({ labels: queued })), 'warning queue-unknown'],
    ['a namespace of which nothing is known', inNamespace('b', elsewhere)],
    ['a CronJob whose Jobs go nowhere', cronJob([], [], '{kueue.x-k8s.io/queue-name: x}'), 'warning queue-unknown'],
    ['no queue, where one takes everything in', inNamespace('other', job({ spec: [multiKueue] }))],
    ['no queue, where none does', job({ spec: [multiKueue] }), 'warning multikueue-no-queue'],
  ])('%s', (_, text, ...findings) => check(text, findings, { clusterQueues }));

  test('what is nearly a queue becomes it', () => {
    const text = job({ labels: '{kueue.x-k8s.io/queue-name: teem-a}' });
    const [finding] = findingsOf(text, { clusterQueues });
    const fixes = finding?.fixes.filter(({ isSuppression }) => isSuppression !== true) ?? [];
    expect(applyFixes(text, fixes)).toBe(job({ labels: queued }));
  });
});

describe('with where the queues of the connected cluster lead', () => {
  const far = { name: 'team-a', leadsToMultiKueue: true };
  const near = { name: 'cpu', leadsToMultiKueue: false };
  const byNamespace = { a: [far, near], far: [{ ...far, name: 'default' }], near: [{ ...near, name: 'default' }] };
  const clusterQueues = { defaultNamespace: 'a', byNamespace };
  const here = '{kueue.x-k8s.io/queue-name: cpu}';
  const in_ = (namespace: string, text: string): string =>
    text.replace('metadata:\n', `metadata:\n  namespace: ${namespace}\n`);
  const builtIn = 'managedBy: kubernetes.io/job-controller';
  const ttl = 'ttlSecondsAfterFinished: 10';

  test.each<Row>([
    ['MultiKueue, to MultiKueue', job({ labels: queued, spec: [multiKueue] })],
    ['MultiKueue, elsewhere', job({ labels: here, spec: [multiKueue] }), 'warning queue-not-multikueue'],
    ['a CronJob, elsewhere', cronJob([], [multiKueue], here), 'warning queue-not-multikueue'],
    ['nobody, to MultiKueue', job({ labels: queued }), 'hint queue-delegates'],
    ['a CronJob, to MultiKueue', cronJob([], [], queued), 'hint queue-delegates'],
    ['nobody, elsewhere', job({ labels: here })],
    ['nobody, in no queue', job({})],
    ['the built-in one, to MultiKueue', job({ labels: queued, spec: [builtIn] }), 'information managed-by-built-in'],
    ['another one, to MultiKueue', job({ labels: queued, spec: [ours] }), 'warning managed-by-other-in-queue'],
    ['another one, elsewhere', job({ labels: here, spec: [ours] })],
    ['MultiKueue, by the queue that takes all in', in_('far', job({ spec: [multiKueue] }))],
    ['nobody, by the queue that takes all in', in_('far', job({})), 'hint queue-delegates'],
    ['MultiKueue, by another such queue', in_('near', job({ spec: [multiKueue] })), 'warning queue-not-multikueue'],
    ['nobody, where nothing is known', in_('b', job({ labels: queued }))],
    [
      'what a worker makes of a Job that its queue delegates',
      job({ labels: queued, spec: [ttl], pod: ['nodeName: n1'] }),
      ...['hint queue-delegates', 'warning delegated-node-name', 'warning multikueue-short-ttl'],
    ],
    ['the same Job where it stays', job({ labels: here, spec: [ttl], pod: ['nodeName: n1'] })],
  ])('%s', (_, text, ...findings) => check(text, findings, { clusterQueues }));

  test('either the queue or the controller is put right', () => {
    const text = job({ labels: here, spec: [multiKueue] });
    const [finding] = findingsOf(text, { clusterQueues });
    const fixes = finding?.fixes.filter(({ isSuppression }) => isSuppression !== true) ?? [];
    expect(fixes.map((fix) => applyFixes(text, [fix]))).toEqual([
      job({ labels: queued, spec: [multiKueue] }),
      job({ labels: here }),
    ]);
  });

  test('what the queue does can be written down', () => {
    const text = job({ labels: queued });
    const [fix] = findingsOf(text, { clusterQueues })[0]?.fixes ?? [];
    const written = applyFixes(text, fix === undefined ? [] : [fix]);
    expect(written).toContain(`\n  ${multiKueue}\n`);
    check(written, [], { clusterQueues });
  });

  test('a pipeline of Tekton, which Kueue leaves as it is', () => {
    check(
      `apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: a, labels: ${queued}}\nspec: {pipelineRef: {name: b}}\n`,
      [],
      { clusterQueues },
    );
  });
});

describe('labels and annotations on their way to a worker', () => {
  const tracked = (key: string, holder = 'labels', controller = multiKueue): string =>
    job({ labels: queued, spec: [controller] }).replace(
      `labels: ${queued}`,
      holder === 'labels'
        ? `labels: {kueue.x-k8s.io/queue-name: team-a, ${key}: a}`
        : `labels: ${queued}\n  annotations: {${key}: a}`,
    );
  test.each<Row>([
    ['the mark of Argo CD', tracked('argocd.argoproj.io/tracking-id', 'annotations'), 'information multikueue-tracked'],
    ['the mark of Flux', tracked('kustomize.toolkit.fluxcd.io/name'), 'information multikueue-tracked'],
    ['what may be a mark', tracked('app.kubernetes.io/instance'), 'hint multikueue-tracked'],
    ['what is none', tracked('app.kubernetes.io/name')],
    [
      'a mark that our reconciler leaves behind',
      tracked('kustomize.toolkit.fluxcd.io/name', 'labels', ours),
      'warning managed-by-other-in-queue',
    ],
    [
      'a mark on the Jobs of a CronJob',
      cronJob([], [multiKueue], '{kueue.x-k8s.io/queue-name: a, argocd.argoproj.io/instance: b}'),
      'information multikueue-tracked',
    ],
  ])('%s', (_, text, ...findings) => check(text, findings));
});

describe('an edit of a Job that is stored', () => {
  const queue = '{kueue.x-k8s.io/queue-name: team-a}';
  const far = { defaultNamespace: 'a', byNamespace: { a: [{ name: 'team-a', leadsToMultiKueue: true }] } };
  const near = { defaultNamespace: 'a', byNamespace: { a: [{ name: 'team-a', leadsToMultiKueue: false }] } };
  const failed = {
    conditions: [
      { type: 'FailureTarget', status: 'True' },
      { type: 'Failed', status: 'True' },
    ],
  };

  /** What is told of the text beyond what is told of it as a new object. */
  function told(stored: string, text: string, status: JsonObject = {}, settings: Partial<ManifestSettings> = {}) {
    const all = { version: '1.35', controllerName: 'delegated-jobs.dev/reconciler', ...settings } as const;
    const value = createManifestSession().check(stored, all).documents[0]?.objects[0]?.value ?? {};
    const old = { ...asStored(value, all.version), status };
    const session = createManifestSession({ requestFor: (object) => requestAgainst(old, object, 'apply') });
    const known = findingsOf(text, all).map(({ code }) => code);
    const { findings } = session.check(text, all);
    return findings
      .filter(({ code }) => !known.includes(code))
      .map(({ severity, code, field }) => `${severity} ${code} ${field}`);
  }

  const label = (value: string, spec: readonly string[]): string => job({ labels: `{team: ${value}}`, spec });
  test.each<[string, string, string, ...string[]]>([
    ['a label', label('x', [ours]), label('y', [ours]), 'information delegated-edit metadata.labels[team]'],
    [
      'one more label',
      label('x', [ours]),
      job({ labels: '{team: x, more: y}', spec: [ours] }),
      'information delegated-edit metadata.labels[more]',
    ],
    ['a label of a Job that runs here', label('x', []), label('y', [])],
    ['a label of a Job that waits', label('x', [ours, 'suspend: true']), label('y', [ours, 'suspend: true'])],
    ['a label of a Job of somebody else', label('x', ['managedBy: a/b']), label('y', ['managedBy: a/b'])],
    [
      'the priority',
      job({ labels: '{kueue.x-k8s.io/priority-class: low}', spec: [ours] }),
      job({ labels: '{kueue.x-k8s.io/priority-class: high}', spec: [ours] }),
    ],
    ['the parallelism', job({ spec: [ours, 'parallelism: 2'] }), job({ spec: [ours, 'parallelism: 4'] })],
    [
      'the parallelism, with MultiKueue',
      job({ labels: queue, spec: [multiKueue, 'parallelism: 2'] }),
      job({ labels: queue, spec: [multiKueue, 'parallelism: 4'] }),
      'warning multikueue-restart spec.parallelism',
    ],
    [
      'a parallelism that comes to the same, with MultiKueue',
      job({ labels: queue, spec: [multiKueue, 'parallelism: 2', 'completions: 1'] }),
      job({ labels: queue, spec: [multiKueue, 'parallelism: 4', 'completions: 1'] }),
    ],
    [
      'the parallelism of an elastic Job, with MultiKueue',
      ...([2, 4] as const).map((pods) =>
        job({
          labels: `${queue}\n  annotations: {kueue.x-k8s.io/elastic-job: "true"}`,
          spec: [multiKueue, `parallelism: ${pods}`],
        }),
      ),
    ] as [string, string, string],
  ])('%s', (_, stored, text, ...expected) => expect(told(stored, text)).toEqual(expected));

  test('that has failed is no edit of a mirror', () => {
    expect(told(label('x', [ours]), label('y', [ours]), failed)).toEqual([]);
  });

  test.each([
    ['not known', undefined, ['information queue-label-late metadata.labels[kueue.x-k8s.io/queue-name]']],
    ['MultiKueue', far, ['information queue-label-late metadata.labels[kueue.x-k8s.io/queue-name]']],
    ['elsewhere', near, []],
  ])('which puts it into a queue that leads to: %s', (_, clusterQueues, expected) => {
    const [stored, queued] = ['{}', queue].map((labels) => job({ labels, spec: ['suspend: true'] }));
    expect(told(stored ?? '', queued ?? '', {}, { clusterQueues })).toEqual(expected);
  });
});

describe('a script that waits for the end of a Job', () => {
  const info = 'information wait-for-success-only';
  const running = (...lines: readonly string[]): string =>
    job({}).replace('image: r/x:1\n', `image: r/x:1\n${lines.map((line) => `        ${line}\n`).join('')}`);
  test.each<Row>([
    ['for success', running('command: [kubectl, wait, --for=condition=complete, job/a]'), info],
    ['for success, in two words', running('command: [kubectl, wait, job/a, --for, condition=Complete]'), info],
    [
      'for success, in a script',
      running('args:', '- |', '  set -e', "  kubectl wait --for='condition=complete' job/a"),
      info,
    ],
    ['for the time of success', running('args: ["kubectl wait --for=jsonpath={.status.completionTime} job/a"]'), info],
    [
      'for either end',
      running('args: ["kubectl wait --for=condition=complete job/a & kubectl wait --for=condition=failed job/a"]'),
    ],
    ['for failure', running('command: [kubectl, wait, --for=condition=failed, job/a]')],
    ['for something else', running('command: [kubectl, wait, --for=condition=Ready, pod/a]')],
    ['by other means', running('command: [wait-for, --for=condition=complete, job/a]')],
    ['and says so elsewhere', running('env: [{name: A, value: kubectl wait --for=condition=complete}]')],
    [
      'in a step of a pipeline',
      'apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: a}\nspec:\n  taskSpec:\n    steps:\n    - name: b\n      image: c\n      script: kubectl wait --for=condition=complete job/a\n',
      info,
    ],
  ])('%s', (_, text, ...findings) => check(text, findings));

  test('is marked where it says so', () => {
    const text = running('args:', '- |', '  set -e', '  kubectl wait --for=condition=complete job/a');
    const [finding] = findingsOf(text);
    expect(text.slice(finding?.range.start.offset, finding?.range.end.offset)).toBe('condition=complete');
    expect(finding?.field).toBe('spec.template.spec.containers[0]');
  });
});

test('a warning about delegation is gone with its fix', () => {
  const texts = [
    job({ labels: queued, spec: ['managedBy: kueue.x-k8s.io/multikeue'] }),
    job({ labels: queued, spec: [ours] }),
    job({ spec: [multiKueue] }),
    job({ labels: '{delegated-jobs.dev/origin-uid: 0a}', spec: [ours] }),
    job({ labels: queued, spec: [multiKueue, 'ttlSecondsAfterFinished: 0'] }),
    job({ spec: [ours, 'manualSelector: true', 'selector: {matchLabels: {a: b}}'] }),
    job({ spec: [ours], pod: ['nodeName: n1'] }),
    job({ spec: [ours], pod: ['nodeSelector: {kubernetes.io/hostname: n1}'] }),
    job({ labels: '{kueue.x-k8s.io/queue-name: Team_A}', spec: [multiKueue] }),
    job({ labels: '{kueue.x-k8s.io/queuename: team-a}' }),
    cronJob(['startingDeadlineSeconds: 5'], []),
    job({ spec: ['activeDeadlineSeconds: 0'] }),
  ];
  for (const text of texts) {
    const warning = findingsOf(text).find(({ severity }) => severity === 'warning');
    const fix = warning?.fixes.find(({ isSuppression }) => isSuppression !== true);
    expect(fix, text).toBeDefined();
    if (fix === undefined) continue;
    const left = findingsOf(applyFixes(text, [fix])).map(({ code }) => code);
    expect(left).not.toContain(warning?.code);
    expect(left.filter((code) => code.startsWith('yaml-'))).toEqual([]);
  }
});
