import { filledAt, itemsAt, stringAt } from '../yaml/nodes.ts';
import { kubeRayFaults } from './kubeRay.ts';
import { leaderWorkerSetFaults } from './leaderWorkerSet.ts';
import { mpiJobFaults } from './mpiJob.ts';
import { type Path, type Refuse, refuserOf, renaming } from './refusal.ts';
import type { Breach, Rule, RuleSubject } from './rule.ts';
import { tektonFaults } from './tekton.ts';

/** Values that a kind's CRD takes, and its webhook or operator does not. */

type Faults = (subject: RuleSubject) => readonly Breach[];

const faultsOf: Readonly<Record<string, Faults>> = {
  'jobset.x-k8s.io/v1alpha2 JobSet': jobSetFaults,
  'kubeflow.org/v2beta1 MPIJob': mpiJobFaults,
  'leaderworkerset.x-k8s.io/v1 LeaderWorkerSet': leaderWorkerSetFaults,
  'ray.io/v1 RayCluster': kubeRayFaults,
  'ray.io/v1 RayCronJob': kubeRayFaults,
  'ray.io/v1 RayJob': kubeRayFaults,
  'ray.io/v1 RayService': kubeRayFaults,
  'sparkoperator.k8s.io/v1beta2 SparkApplication': sparkFaults,
  'tekton.dev/v1 PipelineRun': tektonFaults,
  'tekton.dev/v1 TaskRun': tektonFaults,
  'tekton.dev/v1beta1 PipelineRun': tektonFaults,
  'tekton.dev/v1beta1 TaskRun': tektonFaults,
  'trainer.kubeflow.org/v1alpha1 TrainJob': trainJobFaults,
};

const valueRule: Rule = {
  code: 'operator-value',
  severity: 'error',
  says: "A value that the kind's CRD takes must also be one that its webhook, or the operator itself, can work with.",
  source:
    'JobSet 0.12; Kubeflow Trainer 2.3; LeaderWorkerSet 0.8; Tekton Pipelines 1.15; Spark operator 2.5; KubeRay 1.6; mpi-operator 0.8',
  url: 'https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/',
  check(subject) {
    const key = `${subject.apiVersion} ${subject.kind.kind}`;
    const faults = Object.hasOwn(faultsOf, key) ? faultsOf[key] : undefined;
    return subject.isPartial ? [] : (faults?.(subject) ?? []);
  },
};

const failureReasons = [
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
  'PodFailurePolicy',
];

function jobSetFaults(subject: RuleSubject): readonly Breach[] {
  const refuse = refuserOf(subject, 'webhook of JobSet 0.12', true);
  const jobs = ['spec', 'replicatedJobs'];
  return [
    ...failureRuleFaults(subject, refuse),
    ...gateFaults(subject, refuse),
    ...claimFaults(subject, refuse),
    ...labelFault(subject, ['spec', 'network', 'subdomain'], refuse),
    ...itemsAt(subject.root, jobs).flatMap((_, index) => labelFault(subject, [...jobs, index, 'groupName'], refuse)),
  ];
}

/** A part of names that begins with a letter, has no dots and fits into 63 characters. An empty subdomain is none. */
function labelFault({ root, old }: RuleSubject, path: Path, refuse: Refuse): readonly Breach[] {
  const value = stringAt(root, path);
  if (value === undefined || old !== undefined || (value === '' && path.at(-1) === 'subdomain')) return [];
  if (/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value) && value.length <= 63) return [];
  const said = `'${value}' can't be part of a name: that begins with a letter, has lower case letters, digits and dashes only, 63 at most.`;
  return [refuse(path, said, 'must be a DNS label of RFC 1035')];
}

/** The rules of a failure policy have names of their own, and speak of reasons for which Jobs fail. */
function failureRuleFaults(subject: RuleSubject, refuse: Refuse): readonly Breach[] {
  const path = ['spec', 'failurePolicy', 'rules'];
  const seen = new Set<string>();
  return itemsAt(subject.root, path).flatMap((rule, index): readonly Breach[] => {
    const at = [...path, index];
    const breaches = itemsAt(rule, ['onJobFailureReasons']).flatMap((reason, place): readonly Breach[] => {
      if (reason.kind !== 'scalar' || typeof reason.value !== 'string' || failureReasons.includes(reason.value))
        return [];
      const said = `No Job fails for the reason '${reason.value}'.`;
      const answer = `one of ${failureReasons.join(', ')}`;
      const reasonPath = [...at, 'onJobFailureReasons', place];
      return [refuse(reasonPath, said, answer, { fixes: renaming(subject, reasonPath, failureReasons) })];
    });
    // JobSet names the rules that have no name.
    const written = stringAt(rule, ['name']) ?? '';
    const name = written === '' ? `failurePolicyRule${index}` : written;
    if (!/^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(name) || name.length > 128) {
      const said = `'${name}' can't be the name of a rule: it begins with a letter and has letters, digits and '_' ',' ':' only, 128 at most.`;
      return [...breaches, refuse([...at, 'name'], said, 'invalid failure policy rule name')];
    }
    if (seen.has(name)) {
      const said = `Another rule is called '${name}'.`;
      return [...breaches, refuse([...at, 'name'], said, 'rule names are not unique')];
    }
    seen.add(name);
    return breaches;
  });
}

/** What JobSet does only with a feature gate on, which is off unless whoever installed it has switched it on. */
function gateFaults({ root }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const policy = ['spec', 'failurePolicy'];
  const gated = (path: Path, gate: string): Breach => {
    const said = `Only where JobSet runs with its feature gate ${gate} on, which is off by default.`;
    return { ...refuse(path, said, `not allowed when ${gate} feature gate is disabled`), severity: 'warning' };
  };
  const isInPlace = stringAt(root, [...policy, 'restartStrategy']) === 'InPlaceRestart';
  return [
    ...(isInPlace ? [gated([...policy, 'restartStrategy'], 'InPlaceRestart')] : []),
    ...itemsAt(root, [...policy, 'rules']).flatMap((rule, index) =>
      /^RestartJob(?:AndIgnoreMaxRestarts)?$/.test(stringAt(rule, ['action']) ?? '')
        ? [gated([...policy, 'rules', index, 'action'], 'RestartJob')]
        : [],
    ),
  ];
}

/** A claim that JobSet makes is mounted by one container at least, and no volume has its name. */
function claimFaults({ root }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const policies = ['spec', 'volumeClaimPolicies'];
  const jobs = ['spec', 'replicatedJobs'];
  const podOf = ['template', 'spec', 'template', 'spec'];
  const mounted = new Set(
    itemsAt(root, jobs).flatMap((job) =>
      ['initContainers', 'containers'].flatMap((key) =>
        itemsAt(job, [...podOf, key]).flatMap((container) =>
          itemsAt(container, ['volumeMounts']).map((mount) => stringAt(mount, ['name'])),
        ),
      ),
    ),
  );
  const claims = itemsAt(root, policies).flatMap((policy, index) =>
    itemsAt(policy, ['templates']).map((template, at) => ({
      name: stringAt(template, ['metadata', 'name']),
      path: [...policies, index, 'templates', at, 'metadata', 'name'],
    })),
  );
  const names = new Set(claims.flatMap(({ name }) => name ?? []));
  return [
    ...claims.flatMap(({ name, path }): readonly Breach[] =>
      name === undefined || mounted.has(name)
        ? []
        : [
            refuse(
              path,
              `No container mounts '${name}'.`,
              "replicatedJob containers don't have a matching volumeMount",
            ),
          ],
    ),
    ...itemsAt(root, jobs).flatMap((job, index) =>
      itemsAt(job, [...podOf, 'volumes']).flatMap((volume, at): readonly Breach[] => {
        const name = stringAt(volume, ['name']);
        if (name === undefined || !names.has(name)) return [];
        const said = `'${name}' is the name of a claim that JobSet makes a volume of.`;
        const path = [...jobs, index, ...podOf, 'volumes', at, 'name'];
        return [refuse(path, said, 'volume name conflicts with VolumeClaimPolicy template name')];
      }),
    ),
  ];
}

const runtimeKinds = ['ClusterTrainingRuntime', 'TrainingRuntime'];
const runtimeGroup = 'trainer.kubeflow.org';

/** A TrainJob runs by a runtime of Trainer's own, and says of each patch of it who made that. */
function trainJobFaults(subject: RuleSubject): readonly Breach[] {
  const { root } = subject;
  const refuse = refuserOf(subject, 'webhook of Kubeflow Trainer 2.3', true);
  const reference = ['spec', 'runtimeRef'];
  const patches = ['spec', 'runtimePatches'];
  const allowed: readonly (readonly [string, readonly string[]])[] = [
    ['kind', runtimeKinds],
    ['apiGroup', [runtimeGroup]],
  ];
  return [
    ...allowed.flatMap(([key, values]): readonly Breach[] => {
      const path = [...reference, key];
      const value = stringAt(root, path);
      if (value === undefined || values.includes(value)) return [];
      const said = `A TrainJob's runtime is a ${values.join(' or a ')}.`;
      return [
        refuse(
          path,
          key === 'kind' ? said : `A TrainJob's runtime is one of '${runtimeGroup}'.`,
          'unsupported runtime',
          { fixes: renaming(subject, path, values) },
        ),
      ];
    }),
    ...itemsAt(root, patches).flatMap((patch, index): readonly Breach[] => {
      const manager = stringAt(patch, ['manager']);
      if (manager === undefined || isDomainPath(manager)) return [];
      return [
        refuse(
          [...patches, index, 'manager'],
          `'${manager}' is no manager's name.`,
          'must be a domain-prefixed path (such as "acme.io/foo")',
        ),
      ];
    }),
  ];
}

function isDomainPath(name: string): boolean {
  const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
  return new RegExp(`^${label}(?:\\.${label})*/[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+$`).test(name);
}

/** Nodes are selected for the whole application or for its parts, and a pod's template asks for Spark 3. */
function sparkFaults(subject: RuleSubject): readonly Breach[] {
  const { root } = subject;
  const refuse = refuserOf(subject, 'webhook of Spark operator 2.5', true);
  const parts = ['driver', 'executor'];
  const breaches: Breach[] = [];
  if (filledAt(root, ['spec', 'nodeSelector']) !== undefined) {
    const part = parts.find((key) => filledAt(root, ['spec', key, 'nodeSelector']) !== undefined);
    const said = `Nodes are selected here and for the ${part}: the webhook takes one of them.`;
    const answer = 'node selector cannot be defined at both SparkApplication and Driver/Executor';
    if (part !== undefined) breaches.push(refuse(['spec', 'nodeSelector'], said, answer, { place: 'key' }));
  }
  const major = /^v?(\d+)\./.exec(stringAt(root, ['spec', 'sparkVersion']) ?? '')?.[1];
  const withTemplate = parts.find((key) => filledAt(root, ['spec', key, 'template']) !== undefined);
  if (major !== undefined && Number(major) < 3 && withTemplate !== undefined) {
    const said = "Spark before 3.0 makes pods without a 'template'.";
    const path = ['spec', withTemplate, 'template'];
    breaches.push(refuse(path, said, 'pod template feature requires Spark version 3.0.0 or higher', { place: 'key' }));
  }
  return breaches;
}

export const operatorValueRules: readonly Rule[] = [valueRule];
