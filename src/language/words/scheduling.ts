import type { WordsByType } from './fieldWords.ts';

const preferredWords = 'Wishes with a weight each. A node that fulfils none will do.';
const requiredWords = 'What must hold, or the pod waits. Looked at when it is placed, not later.';

/** Where pods are placed. Source of the facts: Kubernetes 1.34 to 1.37, core validation. */
export const schedulingWords: WordsByType = {
  Affinity: {
    nodeAffinity: 'Which nodes.',
    podAffinity: 'Close to which other pods.',
    podAntiAffinity: 'Away from which other pods.',
  },
  NodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: preferredWords,
    requiredDuringSchedulingIgnoredDuringExecution: requiredWords,
  },
  PodAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: preferredWords,
    requiredDuringSchedulingIgnoredDuringExecution: requiredWords,
  },
  PodAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: preferredWords,
    requiredDuringSchedulingIgnoredDuringExecution: requiredWords,
  },
  NodeSelector: { nodeSelectorTerms: 'One of them must hold.' },
  NodeSelectorTerm: {
    matchExpressions: 'Conditions on labels of the node, all of which must hold.',
    matchFields: 'Conditions on `metadata.name` of the node.',
  },
  NodeSelectorRequirement: {
    key: 'The label.',
    operator: {
      says: 'How its value is compared with `values`.',
      values: {
        In: 'It is one of `values`.',
        NotIn: 'It is none of `values`, or the label is missing.',
        Exists: 'The label is there, whatever its value.',
        DoesNotExist: 'The label is missing.',
        Gt: 'As a number, it is greater than the single value.',
        Lt: 'As a number, it is less than the single value.',
      },
    },
    values: 'What it is compared with. None for `Exists` and `DoesNotExist`, one for `Gt` and `Lt`.',
  },
  PreferredSchedulingTerm: { preference: 'What is wished for.', weight: 'How much, 1 to 100.' },
  WeightedPodAffinityTerm: { podAffinityTerm: 'What is wished for.', weight: 'How much, 1 to 100.' },
  PodAffinityTerm: {
    labelSelector: 'Which pods.',
    matchLabelKeys: 'Labels of the pod itself whose values the others must share.',
    mismatchLabelKeys: 'Labels of the pod itself whose values the others must not share.',
    namespaceSelector: 'In which namespaces, by their labels.',
    namespaces: { says: 'In which namespaces, by name.', unset: 'its own' },
    topologyKey: 'The node label that says what is close: `kubernetes.io/hostname`, `topology.kubernetes.io/zone`.',
  },
  Toleration: {
    effect: {
      says: 'Which effect of the taint.',
      unset: 'any',
      values: {
        NoSchedule: 'New pods stay away.',
        PreferNoSchedule: 'New pods stay away if they can.',
        NoExecute: 'Running pods are evicted as well.',
      },
    },
    key: { says: 'The taint.', unset: 'any, with `operator: Exists`' },
    operator: {
      says: 'How its value is compared.',
      unset: '`Equal`',
      values: {
        Equal: 'It is `value`.',
        Exists: 'Whatever it is. No `value` then.',
        Gt: 'As a number, the value of the taint is greater. Needs an alpha gate of the cluster.',
        Lt: 'As a number, the value of the taint is less. Needs an alpha gate of the cluster.',
      },
    },
    tolerationSeconds: { says: 'How long, for `NoExecute` alone.', unset: 'for ever' },
    value: 'The value of the taint.',
  },
  TopologySpreadConstraint: {
    labelSelector: 'Which pods are counted. Without it none are.',
    matchLabelKeys: 'Labels of the pod itself whose values the counted ones must share.',
    maxSkew: 'By how many pods two places may differ. At least 1.',
    minDomains: { says: 'How many places there must be.', unset: '1' },
    nodeAffinityPolicy: {
      says: 'Whether places are counted that the node selector leaves out.',
      unset: '`Honor`',
      values: { Honor: 'They are not.', Ignore: 'They are.' },
    },
    nodeTaintsPolicy: {
      says: 'Whether places are counted whose taints the pod does not tolerate.',
      unset: '`Ignore`',
      values: { Honor: 'They are not.', Ignore: 'They are.' },
    },
    topologyKey: 'The node label that says what a place is: `kubernetes.io/hostname`, `topology.kubernetes.io/zone`.',
    whenUnsatisfiable: {
      says: 'What happens where it cannot be kept.',
      values: { DoNotSchedule: 'The pod waits.', ScheduleAnyway: 'It is placed where it disturbs least.' },
    },
  },
};
