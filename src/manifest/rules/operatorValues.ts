import { itemsAt, type ManifestNode, nodeAt, numberAt, stringAt } from '../nodes.ts';
import { type Path, refusalBy, renaming } from './refusal.ts';
import type { Breach, Rule, RuleSubject } from './rule.ts';

/** Values that a kind's CRD takes, and its webhook or operator does not. */

const byJobSet = 'webhook of JobSet 0.12';
const byLeaderWorkerSet = 'webhook of LeaderWorkerSet';
const byKubeRay = 'KubeRay 1.6';

const valueRule: Rule = {
  code: 'operator-value',
  severity: 'error',
  says: "A value that the kind's CRD takes must also be one that its webhook, or the operator itself, can work with.",
  source: 'JobSet 0.12; LeaderWorkerSet 0.8; KubeRay 1.6',
  url: 'https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/',
  check(subject) {
    switch (subject.kind.kind) {
      case 'JobSet':
        return failureRuleFaults(subject);
      case 'LeaderWorkerSet':
        return [...groupFaults(subject), ...rolloutFaults(subject)];
      case 'RayCluster':
        return replicaFaults(subject, ['spec']);
      case 'RayJob':
        return replicaFaults(subject, ['spec', 'rayClusterSpec']);
      case 'RayService':
        return replicaFaults(subject, ['spec', 'rayClusterConfig']);
      case 'RayCronJob':
        return replicaFaults(subject, ['spec', 'jobTemplate', 'rayClusterSpec']);
      default:
        return [];
    }
  },
};

const failureReasons = [
  'BackoffLimitExceeded',
  'DeadlineExceeded',
  'FailedIndexes',
  'MaxFailedIndexesExceeded',
  'PodFailurePolicy',
];

/** The rules of a failure policy have names of their own, and speak of reasons for which Jobs fail. */
function failureRuleFaults(subject: RuleSubject): readonly Breach[] {
  const path = ['spec', 'failurePolicy', 'rules'];
  const seen = new Set<string>();
  return itemsAt(subject.root, path).flatMap((rule, index): readonly Breach[] => {
    const at = [...path, index];
    const breaches = itemsAt(rule, ['onJobFailureReasons']).flatMap((reason, place): readonly Breach[] => {
      if (reason.kind !== 'scalar' || typeof reason.value !== 'string' || failureReasons.includes(reason.value))
        return [];
      const said = `No Job fails for the reason '${reason.value}'.`;
      const answer = `one of ${failureReasons.join(', ')}`;
      return [breach(subject, [...at, 'onJobFailureReasons', place], said, byJobSet, answer, failureReasons)];
    });
    // JobSet names the rules that have no name.
    const name = stringAt(rule, ['name']) ?? '';
    if (name === '') return breaches;
    if (!/^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(name) || name.length > 128) {
      const said = `'${name}' can't be the name of a rule: it begins with a letter and has letters, digits and '_' ',' ':' only, 128 at most.`;
      return [...breaches, breach(subject, [...at, 'name'], said, byJobSet, 'invalid failure policy rule name')];
    }
    if (seen.has(name)) {
      const said = `Another rule is called '${name}'.`;
      return [...breaches, breach(subject, [...at, 'name'], said, byJobSet, 'rule names are not unique')];
    }
    seen.add(name);
    return breaches;
  });
}

/** A group has a leader at least, and is cut into subgroups without a rest. */
function groupFaults(subject: RuleSubject): readonly Breach[] {
  const template = ['spec', 'leaderWorkerTemplate'];
  const written = numberAt(subject.root, [...template, 'size']);
  if (written !== undefined && written < 1) {
    const said = 'A group has one pod at least, its leader.';
    return [breach(subject, [...template, 'size'], said, byLeaderWorkerSet, 'must be at least 1')];
  }
  const path = [...template, 'subGroupPolicy', 'subGroupSize'];
  const part = numberAt(subject.root, path);
  // A piece of an object may leave the size to another, and a placeholder to whatever fills it in.
  const isLeftOpen = subject.isPartial || nodeAt(subject.root, [...template, 'size']) !== undefined;
  if (part === undefined || (written === undefined && isLeftOpen)) return [];
  const size = written ?? 1;
  const isLeaderOut =
    stringAt(subject.root, [...template, 'subGroupPolicy', 'subGroupPolicyType']) === 'LeaderExcluded';
  if (part >= 1 && part <= size && ((size - 1) % part === 0 || (size % part === 0 && !isLeaderOut))) return [];
  const said = `A group of ${size} isn't cut into subgroups of ${part}: ${isLeaderOut ? 'the pods beside the leader are' : 'either all of its pods, or those beside the leader, are'} a multiple of it.`;
  return [breach(subject, path, said, byLeaderWorkerSet, 'must divide the size')];
}

/** A rollout that may neither take a group away nor add one can't begin. */
function rolloutFaults(subject: RuleSubject): readonly Breach[] {
  const path = ['spec', 'rolloutStrategy', 'rollingUpdateConfiguration'];
  const [unavailable, surge] = ['maxUnavailable', 'maxSurge'].map((key) => nodeAt(subject.root, [...path, key]));
  if (!isZero(unavailable) || (surge !== undefined && !isZero(surge))) return [];
  if (numberAt(subject.root, ['spec', 'replicas']) === 0 || (surge === undefined && subject.isPartial)) return [];
  const said = "With neither 'maxUnavailable' nor 'maxSurge' no group can be replaced.";
  const answer = 'must not be 0 when `maxSurge` is 0';
  return [breach(subject, [...path, 'maxUnavailable'], said, byLeaderWorkerSet, answer)];
}

function isZero(node: ManifestNode | undefined): boolean {
  return node?.kind === 'scalar' && (node.value === 0 || node.value === '0%');
}

/** Of a worker group that can't be, KubeRay makes nothing. */
function replicaFaults(subject: RuleSubject, holder: Path): readonly Breach[] {
  const path = [...holder, 'workerGroupSpecs'];
  return itemsAt(subject.root, path).flatMap((_, index): readonly Breach[] => {
    const [least, most] = ['minReplicas', 'maxReplicas'].map((key) => numberAt(subject.root, [...path, index, key]));
    if (least === undefined || most === undefined || least <= most) return [];
    const said = `The group has at least ${least} pods and at most ${most}: KubeRay leaves the cluster alone.`;
    const { type: _type, ...rest } = breach(
      subject,
      [...path, index, 'minReplicas'],
      said,
      byKubeRay,
      'minReplicas is greater than maxReplicas',
    );
    return [{ ...rest, severity: 'warning' }];
  });
}

function breach(
  subject: RuleSubject,
  path: Path,
  said: string,
  refuser: string,
  answer: string,
  candidates: readonly string[] = [],
): Breach {
  return refusalBy(refuser, subject, { path, said, answer, fixes: renaming(subject, path, candidates) });
}

export const operatorValueRules: readonly Rule[] = [valueRule];
