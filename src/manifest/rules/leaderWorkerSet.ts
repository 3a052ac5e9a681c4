import { filledAt, type ManifestNode, nodeAt, numberAt, stringAt } from '../yaml/nodes.ts';
import { type Path, type Refuse, refuserOf } from './refusal.ts';
import type { Breach, RuleSubject } from './rule.ts';

/** What LeaderWorkerSet's webhook asks of sizes and rollouts. Source: LeaderWorkerSet 0.8, generalValidate. */

const template = ['spec', 'leaderWorkerTemplate'];
const rollout = ['spec', 'rolloutStrategy', 'rollingUpdateConfiguration'];
const exclusive = 'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology';
const mostPods = 2 ** 31 - 1;

export function leaderWorkerSetFaults(subject: RuleSubject): readonly Breach[] {
  const refuse = refuserOf(subject, 'webhook of LeaderWorkerSet', true);
  return [...groupFaults(subject, refuse), ...topologyFaults(subject, refuse), ...rolloutFaults(subject, refuse)];
}

/** A group has a leader at least, and is cut into subgroups without a rest. */
function groupFaults({ root, isPartial }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const written = numberAt(root, [...template, 'size']);
  if (written !== undefined && written < 1) {
    return [refuse([...template, 'size'], 'A group has one pod at least, its leader.', 'must be at least 1')];
  }
  const replicas = numberAt(root, ['spec', 'replicas']);
  if (replicas !== undefined && written !== undefined && replicas * written > mostPods) {
    const said = `These are ${replicas * written} pods.`;
    return [
      refuse(['spec', 'replicas'], said, 'the product of replicas and worker replicas must not exceed 2147483647'),
    ];
  }
  const path = [...template, 'subGroupPolicy', 'subGroupSize'];
  const policy = filledAt(root, path.slice(0, -1));
  const part = numberAt(root, path);
  if (policy?.kind === 'map' && filledAt(root, path) === undefined && !isPartial) {
    // The webhook itself breaks down on it.
    return [refuse(path, "Subgroups have a 'subGroupSize'.", 'the webhook fails without it', { place: 'key' })];
  }
  // A piece of an object may leave the size to another, and a placeholder to whatever fills it in.
  const isLeftOpen = isPartial || filledAt(root, [...template, 'size']) !== undefined;
  if (part === undefined || (written === undefined && isLeftOpen)) return [];
  const size = written ?? 1;
  const isLeaderOut = stringAt(root, [...template, 'subGroupPolicy', 'subGroupPolicyType']) === 'LeaderExcluded';
  if (part >= 1 && part <= size && ((size - 1) % part === 0 || (size % part === 0 && !isLeaderOut))) return [];
  const said = `A group of ${size} isn't cut into subgroups of ${part}: ${isLeaderOut ? 'the pods beside the leader are' : 'either all of its pods, or those beside the leader, are'} a multiple of it.`;
  return [refuse(path, said, 'must divide the size')];
}

/** Subgroups of which each has a place of its own must be there. */
function topologyFaults({ root, isPartial }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const path = ['metadata', 'annotations', exclusive];
  if (isPartial || filledAt(root, path) === undefined || filledAt(root, [...template, 'subGroupPolicy'])) return [];
  const said = "There are no subgroups to keep apart: 'subGroupPolicy' makes them.";
  return [refuse(path, said, 'cannot have subgroup-exclusive-topology without subGroupSize set', { place: 'key' })];
}

/** A rollout that may neither take a group away nor add one can't begin. */
function rolloutFaults({ root, isPartial }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const amounts = ['maxUnavailable', 'maxSurge', 'partition'].flatMap((key) =>
    amountFaults(root, [...rollout, key], refuse),
  );
  if (amounts.length > 0) return amounts;
  const [unavailable, surge] = ['maxUnavailable', 'maxSurge'].map((key) => filledAt(root, [...rollout, key]));
  const isSet = nodeAt(root, ['spec', 'replicas']) !== undefined;
  const replicas = isSet ? numberAt(root, ['spec', 'replicas']) : 1;
  if (unavailable === undefined || replicas === undefined || replicas === 0) return [];
  if (surge === undefined && isPartial) return [];
  // Source: Kubernetes, intstr.GetScaledValueFromIntOrPercent: the one is rounded down, the other up.
  const least = (node: ManifestNode, round: (value: number) => number): number | undefined => {
    const value = node.kind === 'scalar' ? node.value : undefined;
    if (typeof value === 'number') return value;
    return typeof value === 'string' && percent.test(value)
      ? round((Number.parseInt(value, 10) * replicas) / 100)
      : undefined;
  };
  if (least(unavailable, Math.floor) !== 0 || (surge !== undefined && least(surge, Math.ceil) !== 0)) return [];
  const said = "With neither 'maxUnavailable' nor 'maxSurge' no group can be replaced.";
  return [refuse([...rollout, 'maxUnavailable'], said, 'must not be 0 when `maxSurge` is 0')];
}

const percent = /^[0-9]+%$/;

function amountFaults(root: ManifestNode, path: Path, refuse: Refuse): readonly Breach[] {
  const node = nodeAt(root, path);
  const value = node?.kind === 'scalar' ? node.value : undefined;
  if (typeof value === 'number' && value < 0)
    return [refuse(path, 'A number of groups is 0 at least.', 'must be greater than or equal to 0')];
  if (typeof value !== 'string' || path.at(-1) === 'partition') return [];
  if (!percent.test(value))
    return [
      refuse(
        path,
        `'${value}' is neither a number nor a percentage.`,
        'a valid percent string must be a numeric string followed by an ending %',
      ),
    ];
  if (Number.parseInt(value, 10) <= 100) return [];
  return [refuse(path, 'There are no more groups than all.', 'must not be greater than 100%')];
}
