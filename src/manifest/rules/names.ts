import { placeOf } from '../locate.ts';
import { itemsAt, numberAt, stringAt } from '../yaml/nodes.ts';
import type { Breach, Rule, RuleSubject } from './rule.ts';

/** What operators ask of the names of their objects beyond the API server: services and pods are called by them. */

const longestLabel = 63;

interface NameDemand {
  /** Who refuses it; the finding is an error where that is a webhook, else the operator leaves the object alone. */
  readonly refuser: string;
  readonly isWebhook: boolean;
  readonly atMost: number;
  /** Whether dots are fine, and a digit at the start. */
  readonly isSubdomain?: true;
}

const byTrainingOperator: NameDemand = {
  refuser: 'webhook of Kubeflow training-operator 1.9',
  isWebhook: true,
  atMost: longestLabel,
};
const byTekton: NameDemand = {
  refuser: 'webhook of Tekton Pipelines 1.15',
  isWebhook: true,
  atMost: longestLabel,
  isSubdomain: true,
};

/** KubeRay calls a service by the cluster, and clusters by a RayJob or RayService and six characters more. */
function byKubeRay(atMost: number): NameDemand {
  return { refuser: 'KubeRay 1.6', isWebhook: false, atMost };
}

const demands: Readonly<Record<string, NameDemand>> = {
  'kubeflow.org/v1 PyTorchJob': byTrainingOperator,
  'kubeflow.org/v1 TFJob': byTrainingOperator,
  'kubeflow.org/v1 XGBoostJob': byTrainingOperator,
  'kubeflow.org/v1 PaddleJob': byTrainingOperator,
  'kubeflow.org/v1 JAXJob': byTrainingOperator,
  'kubeflow.org/v2beta1 MPIJob': { refuser: 'mpi-operator 0.8', isWebhook: false, atMost: longestLabel },
  'jobset.x-k8s.io/v1alpha2 JobSet': { refuser: 'webhook of JobSet 0.12', isWebhook: true, atMost: longestLabel },
  'leaderworkerset.x-k8s.io/v1 LeaderWorkerSet': {
    refuser: 'webhook of LeaderWorkerSet',
    isWebhook: true,
    atMost: longestLabel,
  },
  'sparkoperator.k8s.io/v1beta2 SparkApplication': {
    refuser: 'webhook of Spark operator 2.5',
    isWebhook: true,
    atMost: longestLabel,
  },
  'ray.io/v1 RayCluster': byKubeRay(53),
  'ray.io/v1 RayJob': byKubeRay(47),
  'ray.io/v1 RayService': byKubeRay(47),
  'tekton.dev/v1 PipelineRun': byTekton,
  'tekton.dev/v1beta1 PipelineRun': byTekton,
  'tekton.dev/v1 TaskRun': byTekton,
  'tekton.dev/v1beta1 TaskRun': byTekton,
};

const nameRule: Rule = {
  code: 'operator-name',
  severity: 'error',
  says: 'Operators call services and pods by the name of an object: for most kinds it is a DNS label that begins with a letter, with room for what is put behind it.',
  source:
    'JobSet 0.12; LeaderWorkerSet 0.8; training-operator 1.9; Tekton Pipelines 1.15; Spark operator 2.5; KubeRay 1.6; mpi-operator 0.8',
  url: 'https://www.rfc-editor.org/rfc/rfc1035#section-2.3.1',
  check(subject) {
    const { apiVersion, kind, root, text, isPartial, old } = subject;
    const key = `${apiVersion} ${kind.kind}`;
    const demand = Object.hasOwn(demands, key) ? demands[key] : undefined;
    const written = nameOf(subject);
    // The name of a stored object has passed.
    if (demand === undefined || written === undefined || isPartial || old !== undefined) return [];
    // Without a job, JobSet has nothing to call by it.
    if (kind.kind === 'JobSet' && itemsAt(root, ['spec', 'replicatedJobs']).length === 0) return [];
    // What the API server refuses of it is told already.
    if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(written.name) || written.name.length > 253) return [];
    const { refuser, isWebhook, atMost, isSubdomain = false } = demand;
    const longest = isSubdomain ? { name: written.name, field: 'metadata.name' } : longestName(subject, written.name);
    const fault =
      (isSubdomain ? undefined : shapeFault(written.name)) ?? lengthFault(longest.name, written.name, atMost);
    if (fault === undefined) return [];
    const answer = isSubdomain
      ? `at most ${atMost} characters`
      : `must be a DNS label of RFC 1035 with at most ${atMost} characters`;
    const breach: Breach = {
      span: placeOf(root, ['metadata', written.key], 'value', text),
      field: longest.field,
      message: `A ${kind.kind} can't be called '${written.name}': ${fault}. (${refuser}: ${answer})`,
      source: refuser,
    };
    return [isWebhook ? { ...breach, type: 'Invalid' } : { ...breach, severity: 'warning' }];
  },
};

/** The name, or one that the server could make of the prefix: five characters behind it, which is cut to 58. */
function nameOf({ root }: RuleSubject): { readonly key: string; readonly name: string } | undefined {
  const name = stringAt(root, ['metadata', 'name']);
  if (name !== undefined && name !== '') return { key: 'name', name };
  const prefix = stringAt(root, ['metadata', 'generateName']);
  if (prefix === undefined || prefix === '') return undefined;
  return { key: 'generateName', name: `${prefix.slice(0, longestLabel - 5)}xxxxx` };
}

function shapeFault(name: string): string | undefined {
  if (name.includes('.')) return 'there is a dot in it';
  return /^[a-z]/.test(name) ? undefined : 'it begins with a digit';
}

function lengthFault(longest: string, name: string, atMost: number): string | undefined {
  if (longest.length <= atMost) return undefined;
  return longest === name
    ? `it has ${name.length} characters, and ${atMost} are allowed`
    : `'${longest}', which is made of it, has ${longest.length} characters, and ${atMost} are allowed`;
}

interface MadeName {
  readonly name: string;
  readonly field: string;
}

/** The longest name that the operator makes of the object's, and the field that it says so of. */
function longestName(subject: RuleSubject, name: string): MadeName {
  if (subject.kind.kind === 'MPIJob') {
    const workers = numberAt(subject.root, ['spec', 'mpiReplicaSpecs', 'Worker', 'replicas']);
    return { name: `${name}-worker-${Math.max(workers ?? 1, 1) - 1}`, field: 'metadata.name' };
  }
  if (subject.kind.kind !== 'JobSet') return { name, field: 'metadata.name' };
  const jobs = itemsAt(subject.root, ['spec', 'replicatedJobs']);
  const made = jobs.map((_, index) => longestOfJob(subject, name, index));
  const [first] = made;
  return first === undefined
    ? { name, field: 'metadata.name' }
    : made.reduce((longest, one) => (one.name.length > longest.name.length ? one : longest), first);
}

function longestOfJob(subject: RuleSubject, name: string, index: number): MadeName {
  const path = ['spec', 'replicatedJobs', index];
  const last = (numberAt(subject.root, [...path, 'replicas']) ?? 1) - 1;
  const job = `${name}-${stringAt(subject.root, [...path, 'name']) ?? ''}-${Math.max(last, 0)}`;
  const completions = numberAt(subject.root, [...path, 'template', 'spec', 'completions']);
  // JobSet makes its Jobs Indexed unless they say otherwise.
  const isIndexed =
    (stringAt(subject.root, [...path, 'template', 'spec', 'completionMode']) ?? 'Indexed') === 'Indexed';
  const longest = isIndexed && completions !== undefined ? `${job}-${Math.max(completions - 1, 0)}-xxxxx` : job;
  return { name: longest, field: `spec.replicatedJobs[${index}].name` };
}

export const nameRules: readonly Rule[] = [nameRule];
