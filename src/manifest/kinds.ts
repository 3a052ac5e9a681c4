import type { WorkloadName } from '../admission/index.ts';

/**
 * Every kind of workload that this program knows, and how it stands to `managedBy`: the one place to add another.
 * Sources, all of August 2026: Kubernetes 1.37 batch/v1; Kueue 0.19; JobSet 0.12; Kubeflow Trainer 2.3 and
 * training-operator 1.9; mpi-operator 0.8; KubeRay 1.7; AppWrapper 1.2; Tekton Pipelines 1.15; LeaderWorkerSet 0.10;
 * Spark operator 2.5; Volcano 1.15; Argo Workflows 4.1.
 */

/** MultiKueue's value of `managedBy`, the same for every kind. */
export const multiKueue = 'kueue.x-k8s.io/multikueue';

/** The label by which Kueue takes an object in; its value is the name of a LocalQueue in the same namespace. */
export const queueLabel = 'kueue.x-k8s.io/queue-name';

/** What becomes of a value that the kind's own controllers don't know. */
export type Enforcement =
  /** kube-apiserver's own validation: the engine in `admission` judges it. */
  | 'engine'
  /** A rule in the CRD or a webhook that comes with it: the object is refused. */
  | 'refused'
  /** Accepted, and no controller acts. */
  | 'idle'
  /** Accepted, and the kind's controller acts all the same. */
  | 'ignored';

export type Refuser = 'CRD' | 'webhook';

export interface ManagedByField {
  readonly path: readonly string[];
  /** The name by which the kind's own controller claims what it would run anyway. */
  readonly builtIn: string;
  /** A closed set is the built-in name and MultiKueue's; an open one takes any `domain/path`. */
  readonly isClosed: boolean;
  readonly onUnknown: Enforcement;
  readonly onEmpty: Enforcement;
  /** Whose say it is where a value is refused, or its change: a CRD is always there, a webhook only with its operator. */
  readonly refusedBy?: Refuser;
  /** Whether the value must be a domain-prefixed path of at most 63 characters. */
  readonly hasFormat: boolean;
  /** 'while-set': it may be added and removed, but not changed. 'never' also where only the documents say otherwise. */
  readonly immutable: 'always' | 'while-set' | 'never';
  /** Kueue doesn't fill it in for objects in queues that lead to MultiKueue. */
  readonly isLeftByKueue?: true;
  /** The documents call the field immutable although nothing sees to it. */
  readonly isPromisedImmutable?: true;
  /** What an object without the field is stored with. */
  readonly storedDefault?: string;
  /** Paths at which another object's own `managedBy` stands, `*` for each item of a list. */
  readonly nested?: readonly (readonly string[])[];
}

export interface WorkloadKind {
  readonly kind: string;
  readonly apiVersions: readonly string[];
  /** Served versions of the kind that don't have the field. */
  readonly apiVersionsWithoutManagedBy?: readonly string[];
  /** Absent for kinds without the field. */
  readonly managedBy?: ManagedByField;
  /** Whether a client that validates strictly refuses `spec.managedBy` where the kind has no such field there. */
  readonly keepsUnknownFields?: boolean;
  /** Where it is held back: true there means that nothing runs. */
  readonly suspend?: readonly string[];
  /** The metadata on which Kueue looks for the queue label; absent where it can't be set. */
  readonly queueMetadata?: readonly string[];
  /** Leads to the pod template of Jobs and CronJobs, all of which `admission` judges. */
  readonly podTemplate?: readonly string[];
  /** For Kubernetes' other kinds, whose creation `admission` judges: their name there and their pod template. */
  readonly judged?: { readonly name: WorkloadName; readonly template: readonly string[] };
  /** Whether MultiKueue can send the kind to a worker. */
  readonly isSentByMultiKueue: boolean;
  /** Whose rules these are, for the `source` of findings. */
  readonly source: string;
}

const onObject = ['metadata'];
const inSpec = ['spec', 'suspend'];
const inRunPolicy = ['spec', 'runPolicy', 'suspend'];
const onTemplate = ['spec', 'template'];

const refusedOutsideSet = { isClosed: true, onUnknown: 'refused', onEmpty: 'refused', hasFormat: false } as const;
const promised = { immutable: 'never', isPromisedImmutable: true } as const;
const idleWhenUnknown = { isClosed: false, onUnknown: 'idle', onEmpty: 'idle', hasFormat: false } as const;

function trainingOperatorKind(kind: string, rules: Partial<ManagedByField> & { isSent?: boolean }): WorkloadKind {
  const { isSent = true, ...overrides } = rules;
  return {
    kind,
    apiVersions: ['kubeflow.org/v1'],
    managedBy: {
      path: ['spec', 'runPolicy', 'managedBy'],
      builtIn: 'kubeflow.org/training-operator',
      ...refusedOutsideSet,
      refusedBy: 'webhook',
      immutable: 'always',
      ...overrides,
    },
    suspend: inRunPolicy,
    queueMetadata: onObject,
    isSentByMultiKueue: isSent,
    source: 'Kubeflow training-operator 1.9',
  };
}

function rayKind(kind: string, path: readonly string[], nested?: readonly string[]): WorkloadKind {
  return {
    kind,
    apiVersions: ['ray.io/v1'],
    apiVersionsWithoutManagedBy: ['ray.io/v1alpha1'],
    managedBy: {
      path,
      builtIn: 'ray.io/kuberay-operator',
      ...refusedOutsideSet,
      refusedBy: 'CRD',
      immutable: 'while-set',
      ...(nested === undefined ? {} : { nested: [nested] }),
    },
    // Kueue holds a RayService back by its cluster.
    suspend: kind === 'RayService' ? ['spec', 'rayClusterConfig', 'suspend'] : inSpec,
    // A RayCronJob's template has no metadata of its own, so it can't hand a label on.
    ...(kind === 'RayCronJob' ? {} : { queueMetadata: onObject }),
    isSentByMultiKueue: true,
    source: 'KubeRay 1.7',
  };
}

function tektonKind(kind: string): WorkloadKind {
  return {
    kind,
    apiVersions: ['tekton.dev/v1', 'tekton.dev/v1beta1'],
    managedBy: {
      path: ['spec', 'managedBy'],
      builtIn: 'tekton.dev/pipeline',
      ...idleWhenUnknown,
      isLeftByKueue: true,
      refusedBy: 'webhook',
      immutable: 'always',
    },
    queueMetadata: onObject,
    isSentByMultiKueue: true,
    source: 'Tekton Pipelines 1.15',
  };
}

function kindWithout(kind: string, apiVersion: string, source: string, rest: Partial<WorkloadKind> = {}): WorkloadKind {
  return { kind, apiVersions: [apiVersion], queueMetadata: onObject, isSentByMultiKueue: true, source, ...rest };
}

const jobManagedBy = {
  builtIn: 'kubernetes.io/job-controller',
  isClosed: false,
  onUnknown: 'idle',
  onEmpty: 'engine',
  hasFormat: true,
} as const;

export const workloadKinds: readonly WorkloadKind[] = [
  {
    kind: 'Job',
    apiVersions: ['batch/v1'],
    managedBy: { path: ['spec', 'managedBy'], ...jobManagedBy, immutable: 'always' },
    suspend: inSpec,
    queueMetadata: onObject,
    podTemplate: ['spec', 'template'],
    isSentByMultiKueue: true,
    source: 'Kubernetes, batch/v1 Job',
  },
  {
    kind: 'CronJob',
    apiVersions: ['batch/v1'],
    // The template may be edited at any time: only the Jobs made of it are immutable.
    managedBy: { path: ['spec', 'jobTemplate', 'spec', 'managedBy'], ...jobManagedBy, immutable: 'never' },
    queueMetadata: ['spec', 'jobTemplate', 'metadata'],
    podTemplate: ['spec', 'jobTemplate', 'spec', 'template'],
    isSentByMultiKueue: true,
    source: 'Kubernetes, batch/v1 CronJob',
  },
  {
    kind: 'JobSet',
    apiVersions: ['jobset.x-k8s.io/v1alpha2'],
    managedBy: {
      path: ['spec', 'managedBy'],
      builtIn: 'jobset.sigs.k8s.io/jobset-controller',
      isClosed: false,
      onUnknown: 'idle',
      onEmpty: 'refused',
      refusedBy: 'webhook',
      hasFormat: true,
      immutable: 'always',
      nested: [['spec', 'replicatedJobs', '*', 'template', 'spec', 'managedBy']],
    },
    suspend: inSpec,
    queueMetadata: onObject,
    isSentByMultiKueue: true,
    source: 'JobSet 0.12',
  },
  {
    kind: 'TrainJob',
    apiVersions: ['trainer.kubeflow.org/v1alpha1'],
    managedBy: {
      path: ['spec', 'managedBy'],
      builtIn: 'trainer.kubeflow.org/trainjob-controller',
      storedDefault: 'trainer.kubeflow.org/trainjob-controller',
      ...refusedOutsideSet,
      refusedBy: 'CRD',
      immutable: 'always',
    },
    suspend: inSpec,
    queueMetadata: onObject,
    isSentByMultiKueue: true,
    source: 'Kubeflow Trainer 2.3',
  },
  // Its update check compares the new object with itself, so a change passes.
  trainingOperatorKind('PyTorchJob', promised),
  trainingOperatorKind('TFJob', {}),
  trainingOperatorKind('XGBoostJob', {}),
  trainingOperatorKind('PaddleJob', {}),
  // Kueue has an adapter for it, but on a worker refuses it with the label that every copy bears.
  trainingOperatorKind('JAXJob', { onUnknown: 'ignored', onEmpty: 'ignored', ...promised, isSent: false }),
  trainingOperatorKind('MPIJob', { onUnknown: 'idle', onEmpty: 'idle', ...promised, isSent: false }),
  {
    kind: 'MPIJob',
    apiVersions: ['kubeflow.org/v2beta1'],
    managedBy: {
      path: ['spec', 'runPolicy', 'managedBy'],
      builtIn: 'kubeflow.org/mpi-operator',
      // The list of two stands only in the operator's own check, which a foreign value never reaches.
      isClosed: true,
      onUnknown: 'idle',
      onEmpty: 'idle',
      hasFormat: false,
      ...promised,
    },
    suspend: inRunPolicy,
    queueMetadata: onObject,
    isSentByMultiKueue: true,
    source: 'mpi-operator 0.8',
  },
  rayKind('RayJob', ['spec', 'managedBy'], ['spec', 'rayClusterSpec', 'managedBy']),
  rayKind('RayCluster', ['spec', 'managedBy']),
  rayKind('RayService', ['spec', 'managedBy'], ['spec', 'rayClusterConfig', 'managedBy']),
  rayKind('RayCronJob', ['spec', 'jobTemplate', 'managedBy'], ['spec', 'jobTemplate', 'rayClusterSpec', 'managedBy']),
  {
    kind: 'AppWrapper',
    apiVersions: ['workload.codeflare.dev/v1beta2'],
    managedBy: {
      path: ['spec', 'managedBy'],
      builtIn: 'workload.codeflare.dev/appwrapper-controller',
      ...idleWhenUnknown,
      refusedBy: 'webhook',
      immutable: 'always',
      nested: [
        ['spec', 'components', '*', 'template', 'spec', 'managedBy'],
        ['spec', 'components', '*', 'template', 'spec', 'runPolicy', 'managedBy'],
      ],
    },
    suspend: inSpec,
    queueMetadata: onObject,
    isSentByMultiKueue: true,
    source: 'AppWrapper 1.2',
  },
  tektonKind('PipelineRun'),
  tektonKind('TaskRun'),
  kindWithout('LeaderWorkerSet', 'leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet 0.10'),
  kindWithout('Pod', 'v1', 'Kubernetes, core/v1 Pod', { judged: { name: 'Pod', template: [] } }),
  kindWithout('StatefulSet', 'apps/v1', 'Kubernetes, apps/v1', {
    judged: { name: 'StatefulSet', template: onTemplate },
  }),
  kindWithout('Deployment', 'apps/v1', 'Kubernetes, apps/v1', { judged: { name: 'Deployment', template: onTemplate } }),
  kindWithout('SparkApplication', 'sparkoperator.k8s.io/v1beta2', 'Spark operator 2.5', {
    isSentByMultiKueue: false,
    suspend: inSpec,
  }),
  kindWithout('Workflow', 'argoproj.io/v1alpha1', 'Argo Workflows 4.1', {
    keepsUnknownFields: true,
    isSentByMultiKueue: false,
  }),
  // Volcano has queues of its own, and no field or label that hands a Job on.
  {
    kind: 'Job',
    apiVersions: ['batch.volcano.sh/v1alpha1'],
    isSentByMultiKueue: false,
    source: 'Volcano 1.15',
  },
];

/** Who refuses a value of `managedBy`, or its change, in words: 'webhook of JobSet 0.12'. */
export function refuserOf({ managedBy, source }: WorkloadKind): string {
  return `${managedBy?.refusedBy ?? 'API server'} of ${source}`;
}

/** The kind of an object by what it says of itself; undefined for all that isn't ours. */
export function kindOf(apiVersion: string | undefined, kind: string | undefined): WorkloadKind | undefined {
  if (apiVersion === undefined || kind === undefined) return undefined;
  return workloadKinds.find(
    (known) =>
      known.kind === kind &&
      (known.apiVersions.includes(apiVersion) || known.apiVersionsWithoutManagedBy?.includes(apiVersion) === true),
  );
}

const kindNames = [...new Set(workloadKinds.map(({ kind }) => kind))];
const mayBeOurs = new RegExp(`\\b(?:${kindNames.join('|')}|[A-Za-z]*List)\\b`);

/** The same in another spelling, which is told. */
const mayBeMisspelt = new RegExp(`\\bkind["']?[ \\t]*:[ \\t]*["']?(?:${kindNames.join('|')})\\b`, 'i');

/** A quick look that says no for most documents of other kinds, so that they needn't be parsed. */
export function mayHoldWorkload(text: string): boolean {
  return /\bkind\b/.test(text) && (mayBeOurs.test(text) || mayBeMisspelt.test(text));
}
