import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/base/index.ts';
import { applyFixes, createManifestSession, type Finding, workloadKinds } from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';
import { valid, withValue } from './samples.ts';

/** Manifests of every kind, whose file names say what is to be said of them. */
const folder = new URL('../fixtures/manifest/ecosystem/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

const severities = (findings: readonly Finding[]): readonly string[] => findings.map(({ severity }) => severity);

describe('manifests of the ecosystem', () => {
  test.each(files.filter((name) => /-valid\./.test(name)))('%s: nothing to say', (name) => {
    expect(findingsOf(read(name))).toEqual([]);
  });
  test.each(files.filter((name) => /-warn-/.test(name)))('%s: accepted, but wrong', (name) => {
    expect(severities(findingsOf(read(name)))).toContain('warning');
    expect(severities(findingsOf(read(name)))).not.toContain('error');
  });
  test.each(files.filter((name) => /-invalid-/.test(name)))('%s: refused', (name) => {
    expect(severities(findingsOf(read(name)))).toContain('error');
  });
});

describe('a change of the controller', () => {
  test.each([
    ['jobset', ['spec.managedBy']],
    ['trainjob', ['spec.managedBy']],
    ['raycluster', ['spec.managedBy']],
    ['pipelinerun', ['spec.managedBy']],
    ['pytorchjob', []],
    ['mpijob-v2beta1', []],
  ])('of a %s', (name, fields) => {
    const [old] = createManifestSession().check(read(`updates/${name}-change.old.yaml`), { version: '1.35' }).documents;
    const session = createManifestSession({
      requestFor: (object) => ({ operation: 'update', object, old: old?.objects[0]?.value }),
    });
    const { findings } = session.check(read(`updates/${name}-change.new.yaml`), { version: '1.35' });
    expect(findings.filter(({ severity }) => severity === 'error').map(({ field }) => field)).toEqual(fields);
  });
});

/**
 * What MultiKueue takes to a worker. Each copy of a kind that Kueue integrates bears the label of its Workload, which
 * Kueue's webhook on the worker allows on these kinds alone. Source: Kueue 0.17 to 0.19, supportedPrebuiltWlJobGVKs in
 * pkg/controller/jobframework/validation.go; the adapters in pkg/controller/jobs.
 */
const takenByWorkers = [
  ...['batch/v1 Job', 'jobset.x-k8s.io/v1alpha2 JobSet', 'trainer.kubeflow.org/v1alpha1 TrainJob'],
  ...['TFJob', 'PaddleJob', 'PyTorchJob', 'XGBoostJob'].map((kind) => `kubeflow.org/v1 ${kind}`),
  ...['kubeflow.org/v2beta1 MPIJob', 'workload.codeflare.dev/v1beta2 AppWrapper', 'v1 Pod'],
  ...['RayJob', 'RayCluster', 'RayService'].map((kind) => `ray.io/v1 ${kind}`),
];
/** By what they make, or by Kueue's adapter for kinds of others, which copies an object without that label. */
const sentOtherwise = [
  ...['batch/v1 CronJob', 'ray.io/v1 RayCronJob', 'apps/v1 Deployment', 'apps/v1 StatefulSet'],
  ...['leaderworkerset.x-k8s.io/v1 LeaderWorkerSet'],
  ...['PipelineRun', 'TaskRun'].flatMap((kind) => [`tekton.dev/v1 ${kind}`, `tekton.dev/v1beta1 ${kind}`]),
];

describe('MultiKueue', () => {
  test('is said to send what a worker takes, and no other kind', () => {
    const sent = workloadKinds
      .filter(({ isSentByMultiKueue }) => isSentByMultiKueue)
      .flatMap(({ apiVersions, kind }) => apiVersions.map((apiVersion) => `${apiVersion} ${kind}`));
    expect(sent.sort()).toEqual([...takenByWorkers, ...sentOtherwise].sort());
  });

  test.each([
    ['JAXJob', '{kueue.x-k8s.io/queue-name: team-a}', 'waits here for ever'],
    ['JAXJob', '{team: x}', 'runs here'],
    ['MPIJob', '{kueue.x-k8s.io/queue-name: team-a}', 'nobody acts'],
    ['PyTorchJob', '{kueue.x-k8s.io/queue-name: team-a}', undefined],
  ])('and a %s with the labels %s', (kind, labels, outcome) => {
    const text = `apiVersion: kubeflow.org/v1
kind: ${kind}
metadata: {name: train, labels: ${labels}}
spec: {runPolicy: {managedBy: kueue.x-k8s.io/multikueue}}
`;
    const told = findingsOf(text).filter(({ code }) => code.startsWith('multikueue-'));
    expect(told.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      outcome === undefined ? [] : ['warning multikueue-unsupported'],
    );
    if (outcome !== undefined) expect(told[0]?.message).toContain(outcome);
  });
});

describe("the name of a kind's own controller", () => {
  const queue = 'labels: {kueue.x-k8s.io/queue-name: team-a}';
  test.each<[kind: string, apiVersion: string, path: readonly string[], name: string, metadata: string, said: string]>([
    ['JobSet', 'jobset.x-k8s.io/v1alpha2', [], 'jobset.sigs.k8s.io/jobset-controller', queue, 'Kueue replaces it'],
    ['JobSet', 'jobset.x-k8s.io/v1alpha2', [], 'jobset.sigs.k8s.io/jobset-controller', '', 'changed later.'],
    ['PipelineRun', 'tekton.dev/v1', [], 'tekton.dev/pipeline', queue, 'Kueue leaves it here'],
    ['RayCluster', 'ray.io/v1', [], 'ray.io/kuberay-operator', '', 'leaving the field out.'],
    ['RayCronJob', 'ray.io/v1', ['jobTemplate'], 'ray.io/kuberay-operator', queue, 'leaving the field out.'],
    ['CronJob', 'batch/v1', ['jobTemplate', 'spec'], 'kubernetes.io/job-controller', '', 'leaving the field out.'],
    ['TrainJob', 'trainer.kubeflow.org/v1alpha1', [], 'trainer.kubeflow.org/trainjob-controller', '', 'field out.'],
    ['MPIJob', 'kubeflow.org/v1', ['runPolicy'], 'kubeflow.org/training-operator', queue, 'leaving the field out.'],
  ])('on a %s of %s', (kind, apiVersion, path, name, metadata, said) => {
    const open = path.map((step) => `{${step}: `).join('');
    const text = `apiVersion: ${apiVersion}
kind: ${kind}
metadata: {name: a, ${metadata}}
spec: ${open}{managedBy: ${name}}${'}'.repeat(path.length)}
`;
    const told = findingsOf(text, { isPartial: true }).filter(({ code }) => code === 'managed-by-built-in');
    expect(told.map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
  });
});

test('a queue label on a kind that Kueue does not know leads to no MultiKueue', () => {
  const text = `apiVersion: kubeflow.org/v1
kind: MPIJob
metadata: {name: a, labels: {kueue.x-k8s.io/queue-name: team-a}}
spec: {runPolicy: {managedBy: example.com/runner}}
`;
  const codes = findingsOf(text, { isPartial: true }).map(({ code }) => code);
  expect(codes.sort()).toEqual(['managed-by-unknown-controller', 'queue-label-unsupported']);
});

describe('what an operator asks of a name', () => {
  const names = 'operator-name';
  test.each<[kind: string, name: string, expected: readonly string[]]>([
    ['JobSet', 'llama-3.1', [`error ${names} spec.replicatedJobs[1].name`]],
    ['JobSet', 'a'.repeat(30), []],
    ['JobSet', 'a'.repeat(57), [`error ${names} spec.replicatedJobs[1].name`]],
    ['LeaderWorkerSet', '3-llamas', [`error ${names} metadata.name`]],
    ['PyTorchJob', 'resnet.50', [`error ${names} metadata.name`]],
    ['JAXJob', 'a'.repeat(63), []],
    ['JAXJob', 'a'.repeat(64), [`error ${names} metadata.name`]],
    ['SparkApplication', '2026-11-report', [`error ${names} metadata.name`]],
    ['PipelineRun', '2026.11-report', []],
    ['TaskRun', 'a'.repeat(64), [`error ${names} metadata.name`]],
    ['RayJob', 'a'.repeat(47), []],
    ['RayJob', 'a'.repeat(48), [`warning ${names} metadata.name`]],
    ['RayCluster', 'a'.repeat(53), []],
    ['RayCluster', 'team.shared', [`warning ${names} metadata.name`]],
    ['MPIJob kubeflow.org/v2beta1', 'a'.repeat(55), [`warning ${names} metadata.name`]],
    ['MPIJob kubeflow.org/v2beta1', 'a'.repeat(54), []],
    ['MPIJob kubeflow.org/v1', 'resnet.50', []],
    ['AppWrapper', '3.wrapped', []],
    ['LeaderWorkerSet', 'No_Name', ['error name-format metadata.name']],
  ])('of a %s: %s', (kind, name, expected) => {
    const findings = findingsOf(JSON.stringify(withValue(valid(kind), 'metadata.name', name)));
    expect(findings.map(({ severity, code, field }) => `${severity} ${code} ${field}`)).toEqual(expected);
  });

  test('holds for what the server makes of a prefix', () => {
    const { metadata: _, ...rest } = valid('RayJob');
    const codes = (generateName: string) =>
      findingsOf(JSON.stringify({ ...rest, metadata: { generateName, labels: { 'kueue.x-k8s.io/queue-name': 'q' } } }))
        .filter(({ code }) => code === names)
        .map(({ field }) => field);
    expect([codes(`${'a'.repeat(41)}-`), codes(`${'a'.repeat(42)}-`)]).toEqual([[], ['metadata.name']]);
  });

  test('is not asked anew of a stored object', () => {
    const object = withValue(valid('LeaderWorkerSet'), 'metadata.name', '3-llamas');
    const session = createManifestSession({ requestFor: () => ({ operation: 'update', object, old: object }) });
    expect(session.check(JSON.stringify(object), { version: '1.35' }).findings).toEqual([]);
  });
});

describe('the names within a JobSet', () => {
  const jobSet = (spec: string, second = '') => `apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train}
spec:
  replicatedJobs:
  - name: driver
    template: {spec: {completions: 2, parallelism: 2, template: {spec: {containers: [{name: c, image: i}]}}}}
  - name: worker
    replicas: 3
    template: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}
    ${second}
  ${spec}
`;
  const told = (text: string) => findingsOf(text).map(({ code, field }) => `${code} ${field}`);
  test.each<[spec: string, second: string, field?: string]>([
    ['successPolicy: {operator: Any, targetReplicatedJobs: [worker]}', ''],
    [
      'successPolicy: {operator: Any, targetReplicatedJobs: [worker, workers]}',
      '',
      'successPolicy.targetReplicatedJobs[1]',
    ],
    [
      'failurePolicy: {rules: [{name: a, action: FailJobSet, targetReplicatedJobs: [drivers]}]}',
      '',
      'failurePolicy.rules[0].targetReplicatedJobs[0]',
    ],
    ['', 'dependsOn: [{name: driver, status: Ready}]'],
    ['', 'dependsOn: [{name: loader, status: Ready}]', 'replicatedJobs[1].dependsOn[0].name'],
    ['coordinator: {replicatedJob: driver, podIndex: 1}', ''],
    ['coordinator: {replicatedJob: driver, podIndex: 2}', '', 'coordinator.podIndex'],
    ['coordinator: {replicatedJob: driver, jobIndex: 1}', '', 'coordinator.jobIndex'],
    ['coordinator: {replicatedJob: worker, jobIndex: 2}', '', 'coordinator.replicatedJob'],
    ['coordinator: {replicatedJob: drivr}', '', 'coordinator.replicatedJob'],
  ])('%s %s', (spec, second, field) => {
    expect(told(jobSet(spec, second))).toEqual(field === undefined ? [] : [`job-set-references spec.${field}`]);
  });

  test('of which the first depends on none, and none on one below it', () => {
    const text = jobSet('').replace('- name: driver', '- name: driver\n    dependsOn: [{name: worker, status: Ready}]');
    expect(told(text)).toEqual(['job-set-references spec.replicatedJobs[0].dependsOn']);
    const [removal] = findingsOf(text)[0]?.fixes ?? [];
    expect(removal && applyFixes(text, [removal])).toBe(jobSet(''));
    const below = jobSet(
      '',
      `dependsOn: [{name: late, status: Ready}]
  - name: late
    template: {spec: {template: {spec: {containers: [{name: c, image: i}]}}}}`,
    );
    const [finding] = findingsOf(below);
    expect(finding?.message).toContain("'late' stands below 'worker'");
  });

  test('and the number of a job that is filled in later', () => {
    const text = jobSet('coordinator: {replicatedJob: driver, jobIndex: 1}');
    expect(told(text.replace('- name: driver', `- name: driver\n    replicas: '\${N}'`))).toEqual([]);
  });

  test('are put right by their neighbours', () => {
    const text = jobSet('coordinator: {replicatedJob: drivr}');
    const fix = findingsOf(text)[0]?.fixes.find(({ isSuppression }) => isSuppression !== true);
    expect(fix && applyFixes(text, [fix])).toBe(jobSet('coordinator: {replicatedJob: driver}'));
  });
});

describe('a value that only the operator refuses', () => {
  const group = 'spec.leaderWorkerTemplate';
  const rollout = 'spec.rolloutStrategy.rollingUpdateConfiguration';
  const rules = 'spec.failurePolicy.rules';
  test.each<[kind: string, path: string, value: JsonValue, expected: readonly string[]]>([
    ['LeaderWorkerSet', `${group}.size`, 0, [`error ${group}.size`]],
    ['LeaderWorkerSet', `${group}.size`, 5, []],
    ['LeaderWorkerSet', `${group}.size`, `\${SIZE}`, []],
    ['LeaderWorkerSet', `${group}.size`, 1, [`error ${group}.subGroupPolicy.subGroupSize`]],
    ['LeaderWorkerSet', `${group}.subGroupPolicy.subGroupSize`, 3, []],
    ['LeaderWorkerSet', `${group}.subGroupPolicy.subGroupSize`, 8, [`error ${group}.subGroupPolicy.subGroupSize`]],
    [
      'LeaderWorkerSet',
      `${group}.subGroupPolicy`,
      { subGroupSize: 2, subGroupPolicyType: 'LeaderExcluded' },
      [`error ${group}.subGroupPolicy.subGroupSize`],
    ],
    ['LeaderWorkerSet', rollout, { maxUnavailable: 0, maxSurge: 1 }, []],
    ['LeaderWorkerSet', rollout, { maxUnavailable: '0%', maxSurge: 0 }, [`error ${rollout}.maxUnavailable`]],
    ['LeaderWorkerSet', rollout, { maxUnavailable: 0 }, [`error ${rollout}.maxUnavailable`]],
    ['JobSet', rules, [{ action: 'FailJobSet' }, { action: 'FailJobSet' }], []],
    ['JobSet', rules, [{ name: '1st', action: 'FailJobSet' }], [`error ${rules}[0].name`]],
    ['JobSet', rules, ['a', 'a'].map((name) => ({ name, action: 'FailJobSet' })), [`error ${rules}[1].name`]],
    [
      'JobSet',
      rules,
      [{ action: 'FailJobSet', onJobFailureReasons: ['DeadlineExceeded', 'OutOfMemory'] }],
      [`error ${rules}[0].onJobFailureReasons[1]`],
    ],
    ['RayCluster', 'spec.workerGroupSpecs.0.minReplicas', 2000, ['warning spec.workerGroupSpecs[0].minReplicas']],
  ])('of a %s: %s = %j', (kind, path, value, expected) => {
    const findings = findingsOf(JSON.stringify(withValue(valid(kind), path, value)));
    const told = findings.filter(({ code }) => code === 'operator-value');
    expect(told.map(({ severity, field }) => `${severity} ${field}`)).toEqual(expected);
    expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(
      expected.filter((one) => one.startsWith('error')).map(() => 'operator-value'),
    );
  });
});

/** Source: Kueue 0.17, its webhook asked. */
test.each([
  [{ 'kueue.x-k8s.io/queue-name': 'team-a' }, ['ray-autoscaling']],
  [{}, []],
])('a RayCluster that scales by itself elsewhere, with the labels %j', (labels, expected) => {
  const delegated = withValue(valid('RayCluster'), 'spec.managedBy', 'kueue.x-k8s.io/multikueue');
  const findings = findingsOf(JSON.stringify(withValue(delegated, 'metadata.labels', labels)));
  expect(findings.filter(({ code }) => code.startsWith('ray-')).map(({ code }) => code)).toEqual(expected);
});

test.each([
  ['kueue.x-k8s.io/queue', ['queue-label-near-miss']],
  ['kueue.x-k8s.io/local-queue-name', ['queue-label-near-miss']],
  ['kueue.x-k8s.io/priority-class', []],
  ['scheduling.example.com/queue', []],
])('the label %s in the place of the one for the queue', (label, expected) => {
  const findings = findingsOf(JSON.stringify(withValue(valid('RayCluster'), 'metadata.labels', { [label]: 'team-a' })));
  const told = findings.filter(({ code }) => code === 'queue-label-near-miss');
  expect(told.map(({ code }) => code)).toEqual(expected);
});
