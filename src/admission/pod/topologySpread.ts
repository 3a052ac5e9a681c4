import { unsupportedMessage } from '../formats.ts';
import { labelSelector } from '../labelSelector.ts';
import type { LabelSelector } from '../objects.ts';
import { type Check, type Complaint, rule } from '../rule.ts';
import { all, each, fields } from '../structure.ts';
import type { PodContext } from './context.ts';
import { labelKeys, legacyLabelKeys } from './matchLabelKeys.ts';
import { about, oneOf } from './ruleShapes.ts';
import type { TopologySpreadConstraint } from './types.ts';

/** How pods spread over the cluster. Source: Kubernetes 1.35, core validation, topology spread constraints. */

const source = 'G16';

const skewPositive = rule<number>({
  code: 'spread-max-skew',
  type: 'Invalid',
  source,
  says: 'maxSkew is more than zero.',
  evenIfAbsent: true,
  refuses: (skew = 0) => skew <= 0 && about(skew, 'must be greater than zero'),
});

const topologyKeyRequired = rule<string>({
  code: 'spread-topology-key',
  type: 'Required',
  source,
  says: 'A spread constraint names the node label that it spreads over.',
  evenIfAbsent: true,
  refuses: (key = '') => key === '' && 'can not be empty',
});

const actionKnown = rule<string>({
  code: 'spread-when-unsatisfiable',
  type: 'NotSupported',
  source,
  says: 'whenUnsatisfiable is DoNotSchedule or ScheduleAnyway.',
  evenIfAbsent: true,
  refuses: (action = '') =>
    action !== 'DoNotSchedule' &&
    action !== 'ScheduleAnyway' &&
    unsupportedMessage(action, ['DoNotSchedule', 'ScheduleAnyway']),
});

const constraintUnique = rule<readonly TopologySpreadConstraint[]>({
  code: 'spread-unique',
  type: 'Duplicate',
  source,
  says: 'A topology key has one constraint of each kind.',
  refuses: (constraints) => {
    if (constraints.length < 2) return false;
    // The server complains about the earlier ones.
    const kinds = constraints.map(
      ({ topologyKey = '', whenUnsatisfiable = '' }) => `{${topologyKey}, ${whenUnsatisfiable}}`,
    );
    const complaints: Complaint[] = [];
    const last = new Map(kinds.map((kind, index) => [kind, index]));
    for (const [index, kind] of kinds.entries()) {
      if (last.get(kind) === index) continue;
      complaints.push({ at: [index, '{topologyKey, whenUnsatisfiable}'], message: JSON.stringify(kind) });
    }
    return complaints;
  },
});

const minDomains = rule<number, TopologySpreadConstraint>({
  code: 'spread-min-domains',
  type: 'Invalid',
  source,
  says: 'minDomains is more than zero and goes with DoNotSchedule.',
  refuses: (count, { whenUnsatisfiable: action = '' }) => {
    if (count <= 0) return about(count, 'must be greater than zero');
    const fault = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    return action !== 'DoNotSchedule' && about(count, fault);
  },
});

function nodePolicy(code: string, says: string) {
  return oneOf({ code, source, says }, ['Honor', 'Ignore']);
}

/** Judges like `check`, unless the stored template gives a reason not to. */
function unless<Value, Owner, C extends PodContext>(
  isTolerated: (context: C) => boolean,
  check: Check<Value, Owner, C>,
): Check<Value, Owner, C> {
  return {
    run: (value, owner, context, path, judgement) => {
      if (!isTolerated(context)) check.run(value, owner, context, path, judgement);
    },
    visit: check.visit,
  };
}

/** How the pods of this template spread. */
export const topologySpread = all(
  each(
    fields<TopologySpreadConstraint, PodContext>({
      maxSkew: skewPositive,
      topologyKey: topologyKeyRequired,
      whenUnsatisfiable: actionKnown,
      minDomains,
      nodeAffinityPolicy: nodePolicy('spread-node-affinity-policy', 'nodeAffinityPolicy is Honor or Ignore.'),
      nodeTaintsPolicy: nodePolicy('spread-node-taints-policy', 'nodeTaintsPolicy is Honor or Ignore.'),
      labelSelector: unless<LabelSelector, TopologySpreadConstraint, PodContext>(
        ({ tolerances }) => tolerances.badSpreadSelectors,
        labelSelector,
      ),
    }),
    unless<TopologySpreadConstraint, unknown, PodContext>(({ tolerances }) => tolerances.badMatchLabelKeys, labelKeys),
    unless<TopologySpreadConstraint, unknown, PodContext>(
      ({ tolerances }) => !tolerances.badMatchLabelKeys,
      legacyLabelKeys,
    ),
  ),
  constraintUnique,
);
