import type { JsonObject, JsonValue } from '../../src/base/index.ts';
import { valid, withValue } from './samples.ts';

/**
 * Changes of valid objects, and what is said of each: by the linter (test/manifest/operators.test.ts), and by the
 * operators' own code as to whether it is refused (test/conformance/webhooks).
 */
export interface OperatorCase {
  /** `JobSet`, or with the version where one kind has several. */
  readonly kind: string;
  /** Values by path, as `withValue` takes them. */
  readonly changes: Readonly<Record<string, JsonValue | undefined>>;
  /** The fields of the findings that a webhook's or operator's refusal is told by; empty for what is accepted. */
  readonly told: readonly string[];
}

/** The object of a case. */
export function objectOf({ kind, changes }: OperatorCase): JsonObject {
  return Object.entries(changes).reduce((object, [path, value]) => withValue(object, path, value), valid(kind));
}

type Changes = OperatorCase['changes'];

function casesOf(kind: string, rows: readonly (readonly [Changes, ...string[]])[]): readonly OperatorCase[] {
  return rows.map(([changes, ...told]) => ({ kind, changes, told }));
}

const a = (count: number): string => 'a'.repeat(count);
const containers = (name: string): JsonValue => [{ name, image: 'registry.example/a' }];
const pods = (name: string): JsonValue => ({ replicas: 1, template: { spec: { containers: containers(name) } } });
const step = { name: 'say', image: 'registry.example/alpine' };

const jobSets = casesOf('JobSet', [
  [{ 'spec.network.subdomain': 'net' }],
  [{ 'spec.network.subdomain': '' }],
  [{ 'spec.network.subdomain': 'net.work' }, 'spec.network.subdomain'],
  [{ 'spec.network.subdomain': a(64) }, 'spec.network.subdomain'],
  [{ 'spec.replicatedJobs.1.groupName': 'compute' }],
  [{ 'spec.replicatedJobs.1.groupName': '1st' }, 'spec.replicatedJobs[1].groupName'],
  [
    { 'spec.failurePolicy.rules': [{ action: 'FailJobSet', name: 'failurePolicyRule1' }, { action: 'FailJobSet' }] },
    'spec.failurePolicy.rules[1].name',
  ],
  [{ 'spec.coordinator': { replicatedJob: 'driver' } }],
  [{ 'spec.coordinator': { replicatedJob: 'driver' }, 'spec.network.subdomain': undefined, 'metadata.name': a(25) }],
  [
    { 'spec.coordinator': { replicatedJob: 'driver' }, 'spec.network.subdomain': undefined, 'metadata.name': a(26) },
    'spec.coordinator',
  ],
  [{ 'spec.coordinator': { replicatedJob: 'driver' }, 'metadata.name': a(26) }],
  [
    { 'spec.coordinator': { replicatedJob: 'driver' }, 'spec.replicatedJobs.0.template.spec.completions': null },
    'spec.coordinator.replicatedJob',
  ],
]);

const claimOf = (name: string): JsonValue => [
  {
    templates: [
      { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    ],
  },
];
const mounts = 'spec.replicatedJobs.0.template.spec.template.spec.containers.0.volumeMounts';
const jobSetsWithMore = casesOf('JobSet', [
  [{ 'spec.failurePolicy.rules': [{ action: 'RestartJobSet' }] }],
  [{ 'spec.failurePolicy.rules': [{ action: 'RestartJob' }] }, 'spec.failurePolicy.rules[0].action'],
  [{ 'spec.failurePolicy.restartStrategy': 'BlockingRecreate' }],
  [{ 'spec.failurePolicy.restartStrategy': 'InPlaceRestart' }, 'spec.failurePolicy.restartStrategy'],
  [{ 'spec.volumeClaimPolicies': claimOf('data'), [mounts]: [{ name: 'data', mountPath: '/data' }] }],
  [{ 'spec.volumeClaimPolicies': claimOf('data') }, 'spec.volumeClaimPolicies[0].templates[0].metadata.name'],
  [
    { 'spec.volumeClaimPolicies': claimOf('scratch') },
    'spec.replicatedJobs[1].template.spec.template.spec.volumes[0].name',
  ],
  [
    {
      'metadata.name': '3.d',
      'spec.replicatedJobs': [],
      'spec.failurePolicy': undefined,
      'spec.successPolicy': undefined,
    },
  ],
]);

const groups = 'spec.leaderWorkerTemplate';
const rollout = 'spec.rolloutStrategy.rollingUpdateConfiguration';
const exclusive = { 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology': 'zone' };
const leaderWorkerSets = casesOf('LeaderWorkerSet', [
  [{ [`${groups}.subGroupPolicy`]: {} }, `${groups}.subGroupPolicy.subGroupSize`],
  [{ [`${groups}.subGroupPolicy.subGroupSize`]: 7 }, `${groups}.subGroupPolicy.subGroupSize`],
  [{ 'spec.replicas': 2 ** 30, [`${groups}.size`]: 2, [`${groups}.subGroupPolicy`]: undefined }, 'spec.replicas'],
  [{ [`${rollout}.maxSurge`]: '150%' }, `${rollout}.maxSurge`],
  [{ [`${rollout}.maxSurge`]: -1 }, `${rollout}.maxSurge`],
  [{ [`${rollout}.maxUnavailable`]: '1' }, `${rollout}.maxUnavailable`],
  [{ [`${rollout}.partition`]: -1 }, `${rollout}.partition`],
  // A percentage of two groups: one is rounded down, the other up.
  [{ [`${rollout}.maxUnavailable`]: '40%', [`${rollout}.maxSurge`]: 0 }, `${rollout}.maxUnavailable`],
  [{ [`${rollout}.maxUnavailable`]: '50%', [`${rollout}.maxSurge`]: 0 }],
  [{ [`${rollout}.maxUnavailable`]: '40%', [`${rollout}.maxSurge`]: '1%' }],
  [{ [`${rollout}.maxUnavailable`]: 0, [`${rollout}.maxSurge`]: 0, 'spec.replicas': 0 }],
  [{ 'metadata.annotations': exclusive }],
  [
    { 'metadata.annotations': exclusive, [`${groups}.subGroupPolicy`]: undefined },
    'metadata.annotations.leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology',
  ],
  [{ [`${groups}.size`]: null }, `${groups}.subGroupPolicy.subGroupSize`],
  // What the webhook fills in.
  [{ [`${groups}.restartPolicy`]: '' }],
  [{ 'spec.rolloutStrategy': { type: '' } }],
]);

const trainJobs = casesOf('TrainJob', [
  [{ 'spec.runtimeRef.kind': 'ClusterTrainingRuntime' }],
  [{ 'spec.runtimeRef.kind': 'ClusterTrainingRuntimes' }, 'spec.runtimeRef.kind'],
  [{ 'spec.runtimeRef.apiGroup': 'kubeflow.org' }, 'spec.runtimeRef.apiGroup'],
  [{ 'spec.runtimePatches': [{ manager: 'kueue.x-k8s.io/manager' }] }],
  [{ 'spec.runtimePatches': [{ manager: 'kueue' }] }, 'spec.runtimePatches[0].manager'],
]);

const mpi = 'spec.mpiReplicaSpecs';
const mpiJobs = casesOf('MPIJob kubeflow.org/v2beta1', [
  [{ [`${mpi}.Worker`]: undefined }],
  [{ [`${mpi}.Launcher`]: undefined }, `${mpi}.Launcher`],
  [{ [`${mpi}.Launcher.replicas`]: undefined }],
  [{ [`${mpi}.Launcher.replicas`]: 2 }, `${mpi}.Launcher.replicas`],
  [{ [`${mpi}.Worker.replicas`]: 0 }, `${mpi}.Worker.replicas`],
  [{ [`${mpi}.Worker.replicas`]: undefined }, `${mpi}.Worker.replicas`],
  [{ [`${mpi}.Worker.template.spec.containers`]: [] }, `${mpi}.Worker.template.spec.containers`],
  [{ [`${mpi}.Worker.restartPolicy`]: 'Always' }, `${mpi}.Worker.restartPolicy`],
  [{ [`${mpi}.Worker.restartPolicy`]: '' }],
  [{ 'spec.runPolicy.cleanPodPolicy': 'Completed' }, 'spec.runPolicy.cleanPodPolicy'],
  [{ 'spec.slotsPerWorker': -1 }, 'spec.slotsPerWorker'],
]);

const inline = 'spec.pipelineSpec';
const taskOf = (task: JsonValue): Changes => ({ 'spec.pipelineRef': undefined, [inline]: { tasks: [task] } });
/** Fields that are there and say nothing. */
const emptyFields = (names: string): JsonObject => Object.fromEntries(names.split(' ').map((name) => [name, null]));
const stepFields =
  'args command computeResources displayName env envFrom imagePullPolicy onError params ref results script securityContext stderrConfig stdoutConfig timeout volumeDevices volumeMounts when workingDir workspaces';
const taskFields = 'description displayName metadata params results sidecars stepTemplate volumes workspaces';
const pipelineTaskFields =
  'description displayName matrix onError params retries runAfter taskSpec timeout when workspaces';
const pipelineRuns = casesOf('PipelineRun tekton.dev/v1', [
  [{ 'spec.pipelineRef': undefined }, 'spec'],
  [{ [inline]: { tasks: [{ name: 'a', taskRef: { name: 'b' } }] } }, inline],
  [{ 'spec.pipelineRef': {} }, 'spec.pipelineRef'],
  [{ 'spec.pipelineRef': { resolver: 'git', params: [{ name: 'url', value: 'https://example.com' }] } }],
  [{ 'spec.pipelineRef': { params: [{ name: 'url', value: 'https://example.com' }] } }, 'spec.pipelineRef'],
  [taskOf({ name: 'a', taskRef: { name: 'b' } })],
  [taskOf({ name: 'A', taskRef: { name: 'b' } }), `${inline}.tasks[0].name`],
  [taskOf({ name: 'a' }), `${inline}.tasks[0]`],
  [taskOf({ name: 'a', taskSpec: { steps: [step] } })],
  [taskOf({ name: 'a', taskSpec: {} }), `${inline}.tasks[0].taskSpec.steps`],
  [taskOf({ name: 'a', taskSpec: { steps: [{ name: 'say' }] } }), `${inline}.tasks[0].taskSpec.steps[0].image`],
  [taskOf({ name: 'a', taskSpec: { stepTemplate: { image: 'a' }, steps: [{ name: 'say' }] } })],
  [
    taskOf({ name: 'a', taskSpec: { steps: [{ ...step, script: 'a', command: ['b'] }] } }),
    `${inline}.tasks[0].taskSpec.steps[0].command`,
  ],
  [taskOf({ name: 'a', taskRef: { name: 'b' }, runAfter: ['c'] }), `${inline}.tasks[0].runAfter[0]`],
  [
    {
      'spec.pipelineRef': undefined,
      [inline]: { tasks: ['a', 'b', 'a'].map((name) => ({ name, taskRef: { name: 'x' } })) },
    },
    `${inline}.tasks[2].name`,
  ],
  [
    {
      'spec.pipelineRef': undefined,
      [inline]: { tasks: [{ name: 'a', taskRef: { name: 'x' } }], finally: [{ name: 'a', taskRef: { name: 'x' } }] },
    },
    `${inline}.finally[0].name`,
  ],
  [{ 'spec.pipelineRef': undefined, [inline]: { tasks: [] } }, inline],
  [taskOf({ taskRef: { name: 'b' } }), `${inline}.tasks[0].name`],
  [taskOf({ name: 'a', taskSpec: { steps: [step, step] } }), `${inline}.tasks[0].taskSpec.steps[1].name`],
  [taskOf({ name: 'a', taskSpec: { steps: [{ image: 'a' }, { image: 'a' }] } })],
  [
    taskOf({ name: 'a', taskSpec: { steps: [{ ...step, comand: ['a'] }] } }),
    `${inline}.tasks[0].taskSpec.steps[0].comand`,
  ],
  [taskOf({ name: 'a', taskSpec: { steps: [{ name: 'a', Image: 'a', image: 'a' }] } })],
  [taskOf({ name: 'a', taskSpec: { steps: [step], inputs: {} } }), `${inline}.tasks[0].taskSpec.inputs`],
  [taskOf({ name: 'a', taskRef: { name: 'b' }, runsAfter: [] }), `${inline}.tasks[0].runsAfter`],
  [taskOf({ name: 'a', taskSpec: { steps: [{ ...step, ...emptyFields(stepFields) }], ...emptyFields(taskFields) } })],
  [taskOf({ name: 'a', taskRef: { name: 'b' }, ...emptyFields(pipelineTaskFields) })],
  [
    { 'spec.pipelineRef': undefined, [inline]: { tasks: [{ name: 'a', taskRef: { name: 'b' } }], resources: [] } },
    `${inline}.resources`,
  ],
  [{ 'spec.status': 'Cancelled' }],
  [{ 'spec.status': '' }],
  [{ 'spec.status': 'PipelineRunCancelled' }, 'spec.status'],
  [{ 'spec.params': ['a', 'A'].map((name) => ({ name, value: 'b' })) }, 'spec.params[1].name'],
  [{ 'spec.workspaces.0': { name: 'source', emptyDir: {} } }],
  [{ 'spec.workspaces.0': { name: 'source' } }, 'spec.workspaces[0]'],
  [{ 'spec.workspaces.0.emptyDir': {} }, 'spec.workspaces[0].emptyDir'],
  [{ 'spec.workspaces.0': { name: 'source', projected: { sources: [] } } }, 'spec.workspaces[0].projected.sources'],
  [{ 'spec.workspaces': ['a', 'a'].map((name) => ({ name, emptyDir: {} })) }, 'spec.workspaces[1].name'],
  [{ 'spec.workspaces': ['a', 'A'].map((name) => ({ name, emptyDir: {} })) }],
  [{ 'spec.timeouts': { pipeline: '1h', tasks: '40m', finally: '20m' } }],
  [{ 'spec.timeouts': { pipeline: '1h', tasks: '40m', finally: '21m' } }, 'spec.timeouts.finally'],
  [{ 'spec.timeouts': { pipeline: '1h', tasks: '1h30m' } }, 'spec.timeouts.tasks'],
  [{ 'spec.timeouts': { pipeline: '1h', tasks: '0' } }, 'spec.timeouts.tasks'],
  [{ 'spec.timeouts': { pipeline: '0', tasks: '100h' } }],
  [{ 'spec.timeouts': { tasks: '2h' } }, 'spec.timeouts.tasks'],
  [{ 'spec.timeouts': { pipeline: '90' } }, 'spec.timeouts.pipeline'],
  [{ 'spec.timeouts': { pipeline: '-1h' } }, 'spec.timeouts.pipeline'],
]);

const taskRuns = casesOf('TaskRun tekton.dev/v1', [
  [{ 'spec.taskRef': undefined }, 'spec'],
  [{ 'spec.taskSpec': { steps: [step] } }, 'spec.taskSpec'],
  [{ 'spec.taskRef': undefined, 'spec.taskSpec': { steps: [] } }, 'spec.taskSpec.steps'],
  [{ 'spec.taskRef': undefined, 'spec.taskSpec': { steps: [step], step: [] } }, 'spec.taskSpec.step'],
  [{ 'spec.status': 'TaskRunPending' }],
  [{ 'spec.status': 'Cancelled' }, 'spec.status'],
  [{ 'spec.statusMessage': 'no more' }, 'spec.statusMessage'],
  [{ 'spec.retries': -1 }, 'spec.retries'],
  [{ 'spec.timeout': '1.5h' }],
  [{ 'spec.timeout': '10' }, 'spec.timeout'],
  [{ 'spec.workspaces': ['a', 'A'].map((name) => ({ name, emptyDir: {} })) }, 'spec.workspaces[1].name'],
]);

const olderRuns = casesOf('PipelineRun tekton.dev/v1beta1', [
  [{ 'spec.timeout': '30m' }],
  [{ 'spec.timeout': 'half an hour' }, 'spec.timeout'],
  [{ 'spec.pipelineRef': undefined }, 'spec'],
]);

const workers = 'spec.workerGroupSpecs';
const head = 'spec.headGroupSpec';
const rayClusters = casesOf('RayCluster', [
  [{ [`${workers}.0.minReplicas`]: 6 }, `${workers}[0].minReplicas`],
  [{ [`${workers}.0.minReplicas`]: -1 }, `${workers}[0].minReplicas`],
  [{ [`${workers}.0.template.spec.containers`]: [] }, `${workers}[0].template.spec.containers`],
  [{ [`${head}.template`]: {} }, `${head}.template.spec.containers`],
  [
    { [`${workers}.1`]: { groupName: 'small', template: { spec: { containers: containers('a') } } } },
    `${workers}[1].groupName`,
  ],
  [{ [`${workers}.0.suspend`]: true }, `${workers}[0].suspend`],
  [{ [`${head}.resources`]: { CPU: '1' } }],
  [{ [`${head}.resources`]: { CPU: '1' }, [`${head}.rayStartParams.num-cpus`]: '1' }, `${head}.resources`],
  [{ [`${head}.rayStartParams.labels`]: 'a=b' }, `${head}.rayStartParams.labels`],
  [{ 'spec.autoscalerOptions.idleTimeoutSeconds': -1 }, 'spec.autoscalerOptions.idleTimeoutSeconds'],
  [{ 'spec.upgradeStrategy': { type: 'Recreate' } }],
  [{ 'spec.authOptions': { mode: 'token' }, 'spec.rayVersion': '2.52.0' }],
  [{ 'spec.authOptions': { mode: 'token' } }, 'spec.rayVersion'],
  [{ 'spec.authOptions': { mode: 'token' }, 'spec.rayVersion': undefined }, 'spec.rayVersion'],
]);

const rayJobs = casesOf('RayJob', [
  [{ 'spec.rayClusterSpec': undefined }, 'spec'],
  [{ 'spec.ttlSecondsAfterFinished': -1 }, 'spec.ttlSecondsAfterFinished'],
  [
    { 'spec.suspend': false, 'spec.shutdownAfterJobFinishes': false, 'metadata.labels': {} },
    'spec.ttlSecondsAfterFinished',
  ],
  [{ 'spec.backoffLimit': -1 }, 'spec.backoffLimit'],
  [{ 'spec.activeDeadlineSeconds': 0 }, 'spec.activeDeadlineSeconds'],
  [{ 'spec.submissionMode': 'InteractiveMode', 'spec.backoffLimit': 1 }, 'spec.backoffLimit'],
  [
    { 'spec.deletionStrategy': { deletionRules: [{ policy: 'DeleteSelf', condition: { jobStatus: 'FAILED' } }] } },
    'spec.deletionStrategy.deletionRules',
  ],
  [{ 'spec.clusterSelector': {} }],
  [
    {
      'metadata.labels': {},
      'spec.managedBy': undefined,
      'spec.suspend': false,
      'spec.rayClusterSpec': undefined,
      'spec.clusterSelector': { cluster: 'a' },
    },
    'spec.clusterSelector',
  ],
]);

const otherRay = [
  ...casesOf('RayService', [
    [{ 'spec.upgradeStrategy.type': 'NewCluster' }],
    [{ 'spec.upgradeStrategy.type': 'Recreate' }, 'spec.upgradeStrategy.type'],
    [
      { 'spec.rayClusterConfig.headGroupSpec.template.spec.containers': [] },
      'spec.rayClusterConfig.headGroupSpec.template.spec.containers',
    ],
  ]),
  // Only a RayCluster's own webhook looks at the names of groups.
  ...casesOf('RayService', [
    [
      {
        'spec.rayClusterConfig.workerGroupSpecs': ['a', 'a'].map((groupName) => ({
          groupName,
          template: { spec: { containers: containers('a') } },
        })),
      },
    ],
  ]),
  ...casesOf('RayCronJob', [
    [{ 'spec.schedule': '@daily' }],
    [{ 'spec.schedule': '0 25 * * *' }, 'spec.schedule'],
    [{ 'spec.schedule': 'every night' }, 'spec.schedule'],
    [{ 'spec.jobTemplate.rayClusterSpec': undefined }, 'spec.jobTemplate'],
  ]),
];

const torch = 'spec.pytorchReplicaSpecs';
const trainingJobs = [
  ...casesOf('PyTorchJob', [
    [{ [`${torch}.Worker`]: null, 'spec.elasticPolicy': undefined }],
    [{ [`${torch}.Worker`]: null }, `${torch}[Worker]`],
    [{ [`${torch}.Evaluator`]: null }],
    [{ [`${torch}.Evaluator`]: pods('pytorch') }, `${torch}[Evaluator]`],
    [{ [`${torch}.Worker.template`]: undefined }, `${torch}[Worker].template.spec.containers`],
    [{ [`${torch}.Worker.template.spec.containers`]: [] }, `${torch}[Worker].template.spec.containers`],
    [{ [`${torch}.Master.replicas`]: -1 }, `${torch}[Master].replicas`],
  ]),
  ...casesOf('TFJob', [
    [{ 'spec.tfReplicaSpecs.Master': null }],
    [{ 'spec.tfReplicaSpecs.Chief': {} }, 'spec.tfReplicaSpecs[Chief].template.spec.containers'],
    [{ 'spec.tfReplicaSpecs.Worker.replicas': 0 }],
  ]),
  ...casesOf('XGBoostJob', [[{ 'spec.xgbReplicaSpecs.Master': null }, 'spec.xgbReplicaSpecs[Master]']]),
  ...casesOf('PaddleJob', [
    [
      { 'spec.paddleReplicaSpecs.Worker.template.spec.containers': [] },
      'spec.paddleReplicaSpecs[Worker].template.spec.containers',
    ],
  ]),
  ...casesOf('JAXJob', [
    [{ 'spec.jaxReplicaSpecs.Worker.template': {} }, 'spec.jaxReplicaSpecs[Worker].template.spec.containers'],
  ]),
];

const wrapped = 'spec.components.1';
const appWrappers = casesOf('AppWrapper', [
  [{ 'spec.components': [] }, 'spec.components'],
  [{ [`${wrapped}.podSets`]: [] }],
  [{ [`${wrapped}.template.spec.completions`]: 1.5 }],
  [{ [`${wrapped}.podSets.0.replicas`]: 2 }, 'spec.components[1].podSets[0].replicas'],
  [{ [`${wrapped}.podSets.0.replicas`]: undefined }, 'spec.components[1].podSets[0].replicas'],
  [{ [`${wrapped}.template.spec.completions`]: 2, [`${wrapped}.podSets.0.replicas`]: 2 }],
  [{ [`${wrapped}.podSets.1`]: { path: 'template.spec.template' } }, 'spec.components[1].podSets[1].path'],
  [{ 'spec.components.0.podSets': [{ path: 'template.spec' }] }, 'spec.components[0].podSets[0].path'],
  [{ 'spec.components.0.template': { apiVersion: 'example.com/v1', kind: 'AppWrapper', metadata: { name: 'other' } } }],
]);

const sparkApplications = casesOf('SparkApplication', [
  [{ 'spec.nodeSelector': { pool: 'a' } }],
  [{ 'spec.nodeSelector': { pool: 'a' }, 'spec.executor.nodeSelector': { pool: 'b' } }, 'spec.nodeSelector'],
  [{ 'spec.sparkVersion': '2.4.8' }],
  [{ 'spec.driver.template': { spec: { containers: containers('a') } } }],
  [
    { 'spec.driver.template': { spec: { containers: containers('a') } }, 'spec.sparkVersion': '2.4.8' },
    'spec.driver.template',
  ],
]);

export const operatorCases: readonly OperatorCase[] = [
  ...jobSets,
  ...jobSetsWithMore,
  ...leaderWorkerSets,
  ...trainJobs,
  ...mpiJobs,
  ...pipelineRuns,
  ...taskRuns,
  ...olderRuns,
  ...rayClusters,
  ...rayJobs,
  ...otherRay,
  ...trainingJobs,
  ...appWrappers,
  ...sparkApplications,
];

/** Changes of stored objects: `before` makes the stored one of a valid one, `changes` the new one of that. */
export interface OperatorUpdate extends OperatorCase {
  readonly before: Changes;
}

/** The stored object of an update, and the new one. */
export function updateOf({
  kind,
  before,
  changes,
  told,
}: OperatorUpdate): Readonly<Record<'old' | 'object', JsonObject>> {
  return {
    old: objectOf({ kind, changes: before, told }),
    object: objectOf({ kind, changes: { ...before, ...changes }, told }),
  };
}

function updatesOf(
  kind: string,
  rows: readonly (readonly [Changes, Changes, ...string[]])[],
): readonly OperatorUpdate[] {
  return rows.map(([before, changes, ...told]) => ({ kind, before, changes, told }));
}

const job = 'spec.replicatedJobs';
const running = { 'spec.suspend': false };
const pipelineTask = { 'spec.pipelineRef': undefined };

export const operatorUpdates: readonly OperatorUpdate[] = [
  ...updatesOf('JobSet', [
    [running, {}],
    [running, { 'spec.ttlSecondsAfterFinished': 60 }],
    [running, { [`${job}.0.replicas`]: 2 }, `${job}[0].replicas`],
    [
      running,
      { [`${job}.0.template.spec.template.spec.containers.0.image`]: 'registry.example/other' },
      `${job}[0].template.spec.template.spec.containers[0].image`,
    ],
    [running, { [`${job}.1.template.spec.template.spec.volumes.0.emptyDir.sizeLimit`]: '10240Mi' }],
    [running, { [`${job}.1.template.spec.parallelism`]: 4 }, `${job}[1].template.spec.parallelism`],
    [
      running,
      { [`${job}.2`]: { name: 'more', template: { spec: { template: { spec: { containers: containers('a') } } } } } },
      job,
    ],
    [
      running,
      { [`${job}.1.template.spec.template.spec.nodeSelector`]: { pool: 'other' } },
      `${job}[1].template.spec.template.spec.nodeSelector.pool`,
    ],
    [{}, { [`${job}.1.template.spec.template.spec.nodeSelector`]: { pool: 'other' } }],
    [running, { 'spec.suspend': true, [`${job}.1.template.spec.template.spec.tolerations`]: [] }],
    [{}, { [`${job}.0.template.spec.template.metadata.labels`]: { role: 'other' } }],
    [
      {},
      { [`${job}.0.template.spec.template.spec.containers.0.image`]: 'registry.example/other' },
      `${job}[0].template.spec.template.spec.containers[0].image`,
    ],
  ]),
  ...updatesOf('AppWrapper', [
    [{}, { 'spec.suspend': false }],
    [{}, { [`${wrapped}.template.spec.parallelism`]: 2 }, 'spec.components[1].template.spec.parallelism'],
    [{}, { [`${wrapped}.podSets.0.annotations`]: { a: 'b' } }],
  ]),
  ...updatesOf('PipelineRun tekton.dev/v1', [
    [{}, { 'spec.status': 'Cancelled' }],
    [{}, { 'spec.timeouts.pipeline': '60m' }],
    [{}, { 'spec.timeouts.pipeline': '2h' }, 'spec.timeouts.pipeline'],
    [{}, { 'spec.params.0.value': 'other' }, 'spec.params[0].value'],
    [
      { ...pipelineTask, [inline]: { tasks: [{ name: 'a', taskRef: { name: 'b' } }] } },
      { [inline]: { tasks: [{ name: 'a', taskRef: { name: 'c' } }] } },
      `${inline}.tasks[0].taskRef.name`,
    ],
  ]),
  ...updatesOf('TaskRun tekton.dev/v1', [
    [{}, { 'spec.status': 'TaskRunCancelled', 'spec.statusMessage': 'no more' }],
    [{}, { 'spec.timeout': '20m' }, 'spec.timeout'],
  ]),
  ...updatesOf('LeaderWorkerSet', [
    [{}, { 'spec.replicas': 3 }],
    [{}, { [`${groups}.workerTemplate.spec.containers.0.image`]: 'registry.example/other' }],
    [{}, { [`${groups}.subGroupPolicy.subGroupSize`]: 4 }, `${groups}.subGroupPolicy.subGroupSize`],
    [
      { [`${groups}.subGroupPolicy`]: undefined },
      { [`${groups}.subGroupPolicy`]: { subGroupSize: 2 } },
      `${groups}.subGroupPolicy.subGroupSize`,
    ],
  ]),
];
