import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { crdTableModule } from '../../scripts/schemas/crdTable.ts';
import type { JsonObject, JsonValue } from '../../src/base/index.ts';
import { isKnownRule } from '../../src/manifest/crd/celRules.ts';
import { crdTable } from '../../src/manifest/crd/table.ts';
import { applyFixes, createManifestSession, type Finding } from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';
import { valid, validObjects, withValue } from './samples.ts';

/** What CRDs refuse of manifests of the ecosystem. The same is asked of a real server: test/cluster/ecosystem.test.ts. */

const told = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ severity, code, field = '' }) => `${severity === 'error' ? '' : `${severity} `}${code} ${field}`);

function check(object: JsonObject): readonly string[] {
  return told(findingsOf(JSON.stringify(object, undefined, 1)));
}

describe('a valid object', () => {
  test.each(validObjects)('$key: nothing to say', ({ value }) => {
    expect(check(value)).toEqual([]);
  });
});

describe('one change of a valid object', () => {
  test.each<[kind: string, path: string, value: JsonValue | undefined, expected: readonly string[]]>([
    // JobSet
    ['JobSet', 'spec.replicas', 2, ['crd-unknown-field spec.replicas']],
    ['JobSet', 'spec.suspend', 'yes', ['crd-wrong-type spec.suspend']],
    ['JobSet', 'spec.managedBy', 5, ['crd-wrong-type spec.managedBy']],
    ['JobSet', 'spec.managedBy', 'no-slash', ['managed-by-refused spec.managedBy']],
    ['JobSet', 'spec.replicatedJobs.0.name', undefined, ['crd-required spec.replicatedJobs[0].name']],
    // JobSet's webhook fills it in before the CRD is asked.
    ['JobSet', 'spec.failurePolicy.rules.0.name', undefined, []],
    ['JobSet', 'spec.failurePolicy.rules.0.action', undefined, ['crd-required spec.failurePolicy.rules[0].action']],
    ['JobSet', 'spec.replicatedJobs.0.managedBy', 'acme.io/x', ['crd-unknown-field spec.replicatedJobs[0].managedBy']],
    ['JobSet', 'spec.replicatedJobs.1.name', 'driver', ['crd-duplicate spec.replicatedJobs[1]']],
    ['JobSet', 'spec.successPolicy.operator', 'Some', ['crd-value spec.successPolicy.operator']],
    ['JobSet', 'spec.replicatedJobs.0.replicas', 3e9, ['warning crd-out-of-range spec.replicatedJobs[0].replicas']],
    ['JobSet', 'spec.network', null, []],
    ['JobSet', 'metadata.labels', { 'kueue.x-k8s.io/queue-name': 'q', 'a b': 'x' }, ['label-format metadata.labels']],
    ['JobSet', 'metadata.managedBy', 'acme.io/x', ['managed-by-misplaced metadata.managedBy']],
    ['JobSet', 'metadata.label', {}, ['unknown-field metadata.label']],
    // TrainJob
    ['TrainJob', 'spec.runtimeRef', undefined, ['crd-required spec.runtimeRef']],
    ['TrainJob', 'spec.runtimeRef.name', undefined, ['crd-required spec.runtimeRef.name']],
    ['TrainJob', 'spec.managedBy', '', ['managed-by-refused spec.managedBy']],
    [
      'TrainJob',
      'spec.runPolicy',
      { managedBy: 'kueue.x-k8s.io/multikueue' },
      ['crd-unknown-field spec.runPolicy', 'managed-by-misplaced spec.runPolicy.managedBy'],
    ],
    ['TrainJob', 'metadata.name', '1st', ['crd-rule ']],
    ['TrainJob', 'spec.labels', { team: 'nlp' }, []],
    // training-operator
    ['PyTorchJob', 'spec.managedBy', 'kueue.x-k8s.io/multikueue', ['managed-by-misplaced spec.managedBy']],
    ['PyTorchJob', 'spec.runPolicy.managedBy', 'acme.io/x', ['managed-by-refused spec.runPolicy.managedBy']],
    ['PyTorchJob', 'spec.pytorchReplicaSpecs', undefined, ['crd-required spec.pytorchReplicaSpecs']],
    [
      'PyTorchJob',
      'spec.pytorchReplicaSpecs.Worker.replicas',
      -1,
      ['crd-value spec.pytorchReplicaSpecs.Worker.replicas'],
    ],
    [
      'TFJob',
      'spec.tfReplicaSpecs.Chief.template.spec.containers',
      undefined,
      ['crd-required spec.tfReplicaSpecs.Chief.template.spec.containers'],
    ],
    ['TFJob', 'spec.pytorchReplicaSpecs', {}, ['crd-unknown-field spec.pytorchReplicaSpecs']],
    [
      'XGBoostJob',
      'spec.xgbReplicaSpecs.Master.restartPolicy',
      3,
      ['crd-wrong-type spec.xgbReplicaSpecs.Master.restartPolicy'],
    ],
    ['PaddleJob', 'spec.elasticPolicy.minReplicas', 'two', ['crd-wrong-type spec.elasticPolicy.minReplicas']],
    [
      'JAXJob',
      'spec.jaxReplicaSpecs.Worker.template.spec.container',
      [],
      ['crd-unknown-field spec.jaxReplicaSpecs.Worker.template.spec.container'],
    ],
    [
      'MPIJob kubeflow.org/v1',
      'spec.launcherCreationPolicy',
      'AtStartup',
      ['crd-unknown-field spec.launcherCreationPolicy'],
    ],
    [
      'MPIJob kubeflow.org/v1',
      'metadata.labels',
      { 'kueue.x-k8s.io/queue-name': 'q' },
      ['warning queue-label-unsupported metadata.labels[kueue.x-k8s.io/queue-name]'],
    ],
    [
      'PyTorchJob',
      'spec.pytorchReplicaSpecs.Master.replicas',
      2,
      ['training-operator-replicas spec.pytorchReplicaSpecs[Master].replicas'],
    ],
    [
      'PyTorchJob',
      'spec.pytorchReplicaSpecs.Master.replicas',
      undefined,
      ['training-operator-replicas spec.pytorchReplicaSpecs[Master].replicas'],
    ],
    ['PyTorchJob', 'spec.pytorchReplicaSpecs.Worker.replicas', undefined, []],
    [
      'PyTorchJob',
      'spec.pytorchReplicaSpecs.Worker.template.spec.containers',
      [],
      ['training-operator-replicas spec.pytorchReplicaSpecs[Worker].template.spec.containers'],
    ],
    [
      'PyTorchJob',
      'spec.pytorchReplicaSpecs.Worker',
      undefined,
      ['training-operator-replicas spec.pytorchReplicaSpecs[Worker]'],
    ],
    [
      'PyTorchJob',
      'spec.elasticPolicy.nProcPerNode',
      4,
      ['training-operator-replicas spec.elasticPolicy.nProcPerNode'],
    ],
    [
      'XGBoostJob',
      'spec.xgbReplicaSpecs.worker',
      { replicas: 1, template: { spec: { containers: [{ name: 'xgboost', image: 'r' }] } } },
      ['training-operator-replicas spec.xgbReplicaSpecs[worker]'],
    ],
    [
      'TFJob',
      'spec.tfReplicaSpecs.Master',
      { replicas: 1, template: { spec: { containers: [{ name: 'tensorflow', image: 'r' }] } } },
      ['training-operator-replicas spec.tfReplicaSpecs'],
    ],
    [
      'PyTorchJob',
      'spec.pytorchReplicaSpecs.Wroker',
      { replicas: 1, template: { spec: { containers: [{ name: 'pytorch', image: 'r' }] } } },
      ['training-operator-replicas spec.pytorchReplicaSpecs[Wroker]'],
    ],
    [
      'JAXJob',
      'spec.jaxReplicaSpecs.Worker.template.spec.containers.0.name',
      'main',
      ['training-operator-replicas spec.jaxReplicaSpecs[Worker].template.spec.containers'],
    ],
    [
      'TFJob',
      'spec.tfReplicaSpecs.Chief.template.spec.containers.0.image',
      '',
      ['training-operator-replicas spec.tfReplicaSpecs[Chief].template.spec.containers[0].image'],
    ],
    [
      'XGBoostJob',
      'spec.xgbReplicaSpecs.Master',
      undefined,
      ['training-operator-replicas spec.xgbReplicaSpecs[Master]'],
    ],
    // mpi-operator
    ['MPIJob kubeflow.org/v2beta1', 'spec.mpiImplementation', 'LAM', ['crd-value spec.mpiImplementation']],
    ['MPIJob kubeflow.org/v2beta1', 'spec.mainContainer', 'x', ['crd-unknown-field spec.mainContainer']],
    // KubeRay
    ['RayCluster', 'spec.managedBy', 'acme.io/x', ['managed-by-refused spec.managedBy']],
    ['RayCluster', 'spec.headGroupSpec', undefined, ['crd-required spec.headGroupSpec']],
    ['RayCluster', 'spec.autoscalerOptions.upscalingMode', 'Fast', ['crd-value spec.autoscalerOptions.upscalingMode']],
    [
      'RayCluster',
      'spec.workerGroupSpecs.0.rayStartParams.block',
      true,
      ['crd-wrong-type spec.workerGroupSpecs[0].rayStartParams.block'],
    ],
    [
      'RayCluster',
      'spec.workerGroupSpecs.0.managedBy',
      'x/y',
      ['crd-unknown-field spec.workerGroupSpecs[0].managedBy'],
    ],
    ['RayJob', 'spec.rayClusterSpec.managedBy', 'acme.io/x', ['crd-rule spec.rayClusterSpec.managedBy']],
    ['RayJob', 'spec.deletionStrategy', {}, ['crd-rule spec.deletionStrategy']],
    ['RayJob', 'spec.jobTemplate', {}, ['crd-unknown-field spec.jobTemplate']],
    [
      'RayJob',
      'apiVersion',
      'ray.io/v1alpha1',
      ['crd-unknown-field spec.submissionMode', 'managed-by-misplaced spec.managedBy'],
    ],
    ['RayService', 'spec.rayClusterSpec', {}, ['crd-unknown-field spec.rayClusterSpec']],
    ['RayService', 'spec.suspend', true, []],
    ['RayCronJob', 'spec.managedBy', 'kueue.x-k8s.io/multikueue', ['managed-by-misplaced spec.managedBy']],
    ['RayCronJob', 'spec.schedule', undefined, ['crd-required spec.schedule']],
    // AppWrapper
    ['AppWrapper', 'spec.components.0.template.kind', undefined, ['crd-required spec.components[0].template.kind']],
    [
      'AppWrapper',
      'spec.components.0.template.metadata.label',
      {},
      ['unknown-field spec.components[0].template.metadata.label'],
    ],
    ['AppWrapper', 'spec.components.0.replicas', 2, ['crd-unknown-field spec.components[0].replicas']],
    ['AppWrapper', 'spec.runPolicy', {}, ['crd-unknown-field spec.runPolicy']],
    [
      'AppWrapper',
      'spec.components.1.podSets.0.path',
      'spec.template',
      ['app-wrapper-pod-sets spec.components[1].podSets[0].path'],
    ],
    // Tekton
    ['PipelineRun', 'spec.taskRef', { name: 'x' }, ['crd-unknown-field spec.taskRef']],
    [
      'PipelineRun',
      'spec.runPolicy',
      { managedBy: 'x' },
      ['crd-unknown-field spec.runPolicy', 'managed-by-misplaced spec.runPolicy.managedBy'],
    ],
    ['TaskRun', 'spec.timeout', 600, ['crd-wrong-type spec.timeout']],
    ['TaskRun', 'spec.managedBy', ['x'], ['crd-wrong-type spec.managedBy']],
    // Others
    ['LeaderWorkerSet', 'spec.managedBy', 'kueue.x-k8s.io/multikueue', ['managed-by-misplaced spec.managedBy']],
    [
      'LeaderWorkerSet',
      'spec.leaderWorkerTemplate.workerTemplate',
      undefined,
      ['crd-required spec.leaderWorkerTemplate.workerTemplate'],
    ],
    ['LeaderWorkerSet', 'spec.leaderWorkerTemplate.restartPolicy', 'RecreateGroupAfterStart', []],
    // Its webhook fills in the policy.
    ['LeaderWorkerSet', 'spec.networkConfig', {}, []],
    ['LeaderWorkerSet', 'spec.suspend', true, ['crd-unknown-field spec.suspend']],
    ['SparkApplication', 'spec.type', 'Rust', ['crd-value spec.type']],
    ['SparkApplication', 'spec.driver', undefined, ['crd-required spec.driver']],
    ['SparkApplication', 'spec.driver.template', { spec: { anything: 1 } }, []],
    ['Workflow', 'spec.whatever', 1, []],
    [
      'Workflow',
      'metadata.labels',
      { 'kueue.x-k8s.io/queue-name': 'q' },
      ['warning queue-label-unsupported metadata.labels[kueue.x-k8s.io/queue-name]'],
    ],
    [
      'Job batch.volcano.sh/v1alpha1',
      'spec.managedBy',
      'kueue.x-k8s.io/multikueue',
      ['managed-by-misplaced spec.managedBy'],
    ],
  ])('%s: %s = %j', (kind, path, value, expected) => {
    expect(check(withValue(valid(kind), path, value))).toEqual(expected);
  });
});

describe('who refuses a controller', () => {
  test.each<[kind: string, path: string, name: string, type: string, source: string]>([
    ['JobSet', 'spec.managedBy', '', 'Required', 'webhook of JobSet 0.12'],
    ['JobSet', 'spec.managedBy', 'a b/c', 'Invalid', 'webhook of JobSet 0.12'],
    ['JobSet', 'spec.managedBy', `acme.io/${'x'.repeat(56)}`, 'TooLong', 'webhook of JobSet 0.12'],
    ['TrainJob', 'spec.managedBy', 'acme.io/x', 'Invalid', 'CRD of Kubeflow Trainer 2.3'],
    ['TFJob', 'spec.runPolicy.managedBy', 'acme.io/x', 'NotSupported', 'webhook of Kubeflow training-operator 1.9'],
    ['RayService', 'spec.managedBy', '', 'Invalid', 'CRD of KubeRay 1.7'],
  ])('of %s: %s = %j', (kind, path, name, type, source) => {
    const findings = findingsOf(JSON.stringify(withValue(valid(kind), path, name)));
    expect(findings.map((one) => [one.code, one.type, one.source])).toContainEqual([
      'managed-by-refused',
      type,
      source,
    ]);
  });
});

describe('a piece of an object', () => {
  test.each<[what: string, object: JsonObject, expected: readonly string[]]>([
    ['without required fields', { spec: { workerGroupSpecs: [{ groupName: 'a', replicas: 2 }] } }, []],
    ['with a directive', { spec: { $patch: 'replace', headGroupSpec: {} } }, []],
    ['with an unknown field', { spec: { workerGroups: [] } }, ['crd-unknown-field spec.workerGroups']],
  ])('%s', (_, piece, expected) => {
    const object = { apiVersion: 'ray.io/v1', kind: 'RayCluster', metadata: { name: 'x' }, ...piece };
    expect(told(findingsOf(JSON.stringify(object), { isPartial: true }))).toEqual(expected);
  });
});

const noQueue = 'warning multikueue-no-queue metadata.labels[kueue.x-k8s.io/queue-name]';

describe('a change of a stored object', () => {
  function checkChange(kind: string, path: string, before: JsonValue | undefined, after: JsonValue | undefined) {
    const object = withValue(valid(kind), path, after);
    const old = withValue(valid(kind), path, before);
    const session = createManifestSession({ requestFor: () => ({ operation: 'update', object, old }) });
    return told(session.check(JSON.stringify(object), { version: '1.35' }).findings);
  }

  test.each<[string, string, JsonValue | undefined, JsonValue | undefined, readonly string[]]>([
    ['JobSet', 'spec.network.subdomain', 'a', 'b', ['crd-immutable spec.network']],
    ['JobSet', 'spec.network', undefined, { subdomain: 'b' }, []],
    ['TrainJob', 'spec.runtimeRef.name', 'a', 'b', ['crd-immutable spec.runtimeRef']],
    ['TrainJob', 'spec.runtimeRef.kind', undefined, 'ClusterTrainingRuntime', []],
    ['TrainJob', 'spec.managedBy', undefined, 'kueue.x-k8s.io/multikueue', ['managed-by-kept spec.managedBy', noQueue]],
    [
      'RayCluster',
      'spec.managedBy',
      undefined,
      'ray.io/kuberay-operator',
      ['information managed-by-built-in spec.managedBy'],
    ],
    [
      'RayJob',
      'spec.rayClusterSpec.managedBy',
      'ray.io/kuberay-operator',
      'kueue.x-k8s.io/multikueue',
      ['crd-immutable spec.rayClusterSpec.managedBy'],
    ],
    [
      'PyTorchJob',
      'spec.runPolicy.managedBy',
      undefined,
      'kueue.x-k8s.io/multikueue',
      ['warning managed-by-moved spec.runPolicy.managedBy'],
    ],
    ['MPIJob kubeflow.org/v2beta1', 'spec.runPolicy.suspend', true, false, []],
    // What was wrong before may stay as it is.
    ['JobSet', 'spec.successPolicy.operator', 'Some', 'Some', []],
    ['JobSet', 'spec.successPolicy.operator', 'Some', 'Any', ['crd-immutable spec.successPolicy']],
  ])('%s: %s from %j to %j', (kind, path, before, after, expected) => {
    expect(checkChange(kind, path, before, after)).toEqual(expected);
  });
});

describe('a fix', () => {
  test.each<[kind: string, path: string, value: JsonValue, title: string, fixed: string, then: JsonValue]>([
    ['JobSet', 'spec.replicatedJbos', [], "Rename to 'replicatedJobs'", 'spec.replicatedJobs', []],
    ['RayCluster', 'spec.rayVersion', 2.46, 'Put it in quotes', 'spec.rayVersion', '2.46'],
    [
      'JobSet',
      'spec.startupPolicy',
      { startupPolicyOrder: 'Inorder' },
      'Set startupPolicyOrder to InOrder',
      'spec.startupPolicy.startupPolicyOrder',
      'InOrder',
    ],
    ['PyTorchJob', 'spec.suspend', true, 'Move to spec.runPolicy.suspend', 'spec.runPolicy.suspend', true],
  ])('%s: %s = %j: %s', (kind, path, value, title, fixedPath, then) => {
    const right = withValue(valid(kind), fixedPath, undefined);
    const text = JSON.stringify(withValue(right, path, value), undefined, 2);
    const fix = findingsOf(text)
      .flatMap(({ fixes }) => fixes)
      .find((one) => one.title === title);
    expect(fix?.title).toBe(title);
    const fixed: unknown = JSON.parse(applyFixes(text, fix === undefined ? [] : [fix]));
    expect(fixed).toEqual(withValue(right, fixedPath, then));
  });
});

describe('the table of schemas', () => {
  test('is that of the schema files', () => {
    const generated = readFileSync(new URL('../../src/manifest/generated/crds.ts', import.meta.url), 'utf8');
    expect(generated === crdTableModule(), 'out of date: run node scripts/schemas/crdTable.ts').toBe(true);
  });
  test('holds no rule that is unknown here', () => {
    const rules = crdTable().nodes.flatMap(({ w = [] }) => w.map(([rule]) => rule));
    expect(rules.filter((rule) => !isKnownRule(rule))).toEqual([]);
  });
});
