import { describe, expect, test } from 'vitest';
import { createManifestSession, lensesOf } from '../../src/manifest/index.ts';

const settings = { version: '1.35', controllerName: 'delegated-jobs.dev/reconciler' } as const;

function checked(text: string) {
  return createManifestSession().check(text, settings);
}

/** The lenses of a text: line from 1, title, and a star where it can be dispatched. */
function lenses(text: string): readonly string[] {
  return lensesOf(checked(text), settings).map(
    ({ object, title, isDispatchable }) => `${object.range.start.line + 1} ${title}${isDispatchable ? ' *' : ''}`,
  );
}

function job(spec: string, labels = ''): string {
  return `apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, labels: {${labels}}}\nspec: {${spec}}\n`;
}

const queue = 'kueue.x-k8s.io/queue-name: team-a';

describe('above a workload stands who runs it', () => {
  test.each([
    ['nobody else', job(''), '1 Runs in the cluster it is applied to *'],
    [
      'the built-in controller by its name',
      job('managedBy: kubernetes.io/job-controller'),
      '1 Runs in the cluster it is applied to *',
    ],
    ['a queue', job('', queue), '1 Waits in the queue team-a *'],
    [
      'MultiKueue',
      job('managedBy: kueue.x-k8s.io/multikueue', queue),
      '1 MultiKueue runs it, through the queue team-a *',
    ],
    ['MultiKueue in vain', job('managedBy: kueue.x-k8s.io/multikueue'), '1 MultiKueue, but no queue *'],
    [
      'our own reconciler',
      job('managedBy: delegated-jobs.dev/reconciler'),
      "1 This workspace's reconciler runs it on a worker *",
    ],
    ['another controller', job('managedBy: acme.io/runner'), '1 acme.io/runner runs it *'],
    [
      'the Jobs of a CronJob',
      `apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec: {jobTemplate: {metadata: {labels: {${queue}}}}}\n`,
      '1 Its Jobs: Waits in the queue team-a',
    ],
    [
      'what MultiKueue does not send',
      'apiVersion: kubeflow.org/v1\nkind: MPIJob\nmetadata: {name: a}\nspec: {runPolicy: {managedBy: kueue.x-k8s.io/multikueue}}\n',
      '1 MultiKueue cannot run it',
    ],
  ])('%s', (_, text, lens) => {
    expect(lenses(text)).toEqual([lens]);
  });

  test.each([
    ['a queue that leads to MultiKueue', job('', queue), true, 'MultiKueue runs it, through the queue team-a'],
    ['a queue that leads elsewhere', job('', queue), false, 'Waits in the queue team-a'],
    [
      'MultiKueue, in a queue that leads elsewhere',
      job('managedBy: kueue.x-k8s.io/multikueue', queue),
      false,
      'MultiKueue, but the queue team-a does not lead there',
    ],
  ])('%s, as the connected cluster has it', (_, text, leadsToMultiKueue, title) => {
    const clusterQueues = { defaultNamespace: 'x', byNamespace: { x: [{ name: 'team-a', leadsToMultiKueue }] } };
    expect(lensesOf(checked(text), { ...settings, clusterQueues }).map((lens) => lens.title)).toEqual([title]);
  });

  test('one a document, none for what nobody else could run', () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n';
    expect(lenses([job(''), pod, job('managedBy: a/b')].join('---\n'))).toEqual([
      '1 Runs in the cluster it is applied to *',
      '10 a/b runs it *',
    ]);
  });

  test('above its first line, below the comments that speak of it', () => {
    expect(lenses(`# Nightly.\n${job('')}`)).toEqual(['2 Runs in the cluster it is applied to *']);
    const item = job('').trimEnd().replaceAll('\n', '\n    ');
    expect(lenses(`apiVersion: v1\nkind: List\nitems:\n  - ${item}\n`)).toEqual([
      '4 Runs in the cluster it is applied to *',
    ]);
  });
});
