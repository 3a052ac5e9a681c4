import { dnsLabelFaults, dnsSubdomainFaults, labelValueFaults, qualifiedNameFaults } from '../formats.ts';
import { type LabelSelectorContext, labelSelector } from '../labelSelector.ts';
import { type Complaint, rule } from '../rule.ts';
import { all, always, each, fields, printedAs, within } from '../structure.ts';
import type { PodContext } from './context.ts';
import { labelKeys } from './matchLabelKeys.ts';
import { about, aboutEach, alwaysFormatted, formatted } from './ruleShapes.ts';
import type {
  Affinity,
  NodeAffinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  WeightedPodAffinityTerm,
} from './types.ts';

/** Affinity to nodes and pods. Source: Kubernetes 1.35, core validation, affinity. */

const source = 'G15';

const weight = rule<number>({
  code: 'affinity-weight',
  type: 'Invalid',
  source,
  says: 'A weight is between 1 and 100.',
  evenIfAbsent: true,
  refuses: (value = 0) => (value <= 0 || value > 100) && about(value, 'must be in the range 1-100'),
});

const nodeOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

const nodeOperatorKnown = rule<string>({
  code: 'node-selector-operator',
  type: 'Invalid',
  source,
  says: 'The operator of a node selector is In, NotIn, Exists, DoesNotExist, Gt or Lt.',
  evenIfAbsent: true,
  refuses: (operator = '') => !nodeOperators.includes(operator) && about(operator, 'not a valid selector operator'),
});

const nodeValuesRequired = rule<readonly string[], NodeSelectorRequirement>({
  code: 'node-selector-values-required',
  type: 'Required',
  source,
  says: 'In and NotIn need values, Gt and Lt exactly one.',
  evenIfAbsent: true,
  refuses: (values = [], { operator }) => {
    if (operator === 'In' || operator === 'NotIn') {
      return values.length === 0 && "must be specified when `operator` is 'In' or 'NotIn'";
    }
    const isComparison = operator === 'Gt' || operator === 'Lt';
    return isComparison && values.length !== 1 && "must be specified single value when `operator` is 'Lt' or 'Gt'";
  },
});

const nodeValuesForbidden = rule<readonly string[], NodeSelectorRequirement>({
  code: 'node-selector-values-forbidden',
  type: 'Forbidden',
  source,
  says: 'Exists and DoesNotExist take no values.',
  refuses: (values, { operator }) =>
    (operator === 'Exists' || operator === 'DoesNotExist') &&
    values.length > 0 &&
    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
});

const nodeKeyFormat = alwaysFormatted(
  { code: 'node-selector-key-format', source, says: 'The key of a node selector is that of a label.' },
  qualifiedNameFaults,
);

const nodeValueFormat = rule<readonly string[], unknown, PodContext>({
  code: 'node-selector-value-format',
  type: 'Invalid',
  source,
  says: 'The values of a required node selector are those of labels.',
  refuses: (values, _requirement, { tolerances }) =>
    !tolerances.badRequiredNodeValues && complaintsAbout(values, labelValueFaults),
});

function complaintsAbout(values: readonly string[], faultsOf: (value: string) => readonly string[]): Complaint[] {
  return values.flatMap((value, index) =>
    aboutEach(value, faultsOf(value)).map((message) => ({ at: [index], message })),
  );
}

const labelRequirement = fields<NodeSelectorRequirement, PodContext>({
  operator: nodeOperatorKnown,
  key: nodeKeyFormat,
  values: [nodeValuesRequired, nodeValuesForbidden],
});

/** Values are checked where they are required; a preference that no node can meet does no harm. */
const requiredLabelRequirement = all(
  labelRequirement,
  fields<NodeSelectorRequirement, PodContext>({ values: nodeValueFormat }),
);

const fieldRequirement = fields<NodeSelectorRequirement, PodContext>({
  operator: rule<string>({
    code: 'node-field-operator',
    type: 'Invalid',
    source,
    says: 'A field of a node is compared by In or NotIn.',
    evenIfAbsent: true,
    refuses: (operator = '') =>
      operator !== 'In' && operator !== 'NotIn' && about(operator, 'not a valid selector operator'),
  }),
  key: rule<string>({
    code: 'node-field-key',
    type: 'Invalid',
    source,
    says: 'The only field of a node to select by is metadata.name.',
    evenIfAbsent: true,
    refuses: (key = '') => key !== 'metadata.name' && about(key, 'not a valid field selector key'),
  }),
  values: [
    rule<readonly string[], NodeSelectorRequirement>({
      code: 'node-field-one-value',
      type: 'Required',
      source,
      says: 'A field of a node is compared with one value.',
      evenIfAbsent: true,
      refuses: (values = [], { operator }) =>
        (operator === 'In' || operator === 'NotIn') &&
        values.length !== 1 &&
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    }),
    rule<readonly string[], NodeSelectorRequirement>({
      code: 'node-field-value-format',
      type: 'Invalid',
      source,
      says: 'The name of a node is a DNS subdomain.',
      refuses: (values, { key }) => key === 'metadata.name' && complaintsAbout(values, dnsSubdomainFaults),
    }),
  ],
});

const requiredTerm = fields<NodeSelectorTerm, PodContext>({
  matchExpressions: each(requiredLabelRequirement),
  matchFields: each(fieldRequirement),
});

const preferredTerm = fields<NodeSelectorTerm, PodContext>({
  matchExpressions: each(labelRequirement),
  matchFields: each(fieldRequirement),
});

const termsRequired = rule<readonly NodeSelectorTerm[]>({
  code: 'node-selector-terms-required',
  type: 'Required',
  source,
  says: 'A required node affinity has a term.',
  evenIfAbsent: true,
  refuses: (terms = []) => terms.length === 0 && 'must have at least one node selector term',
});

type RequiredNodes = NonNullable<NodeAffinity['requiredDuringSchedulingIgnoredDuringExecution']>;
type PreferredNodes = NonNullable<NodeAffinity['preferredDuringSchedulingIgnoredDuringExecution']>[number];

const nodeAffinity = fields<NodeAffinity, PodContext>({
  requiredDuringSchedulingIgnoredDuringExecution: fields<RequiredNodes, PodContext>({
    nodeSelectorTerms: [termsRequired, each(requiredTerm)],
  }),
  preferredDuringSchedulingIgnoredDuringExecution: each(
    fields<PreferredNodes, PodContext>({ weight, preference: preferredTerm }),
  ),
});

type TermContext = PodContext & LabelSelectorContext;

const topologyKeyRequired = rule<string>({
  code: 'affinity-topology-key-required',
  type: 'Required',
  source,
  says: 'An affinity term names the node label that says what is near.',
  evenIfAbsent: true,
  refuses: (key = '') => key === '' && 'can not be empty',
});

const topologyKeyFormat = alwaysFormatted(
  { code: 'affinity-topology-key-format', source, says: 'A topology key is that of a label.' },
  qualifiedNameFaults,
);

const podTerm = within<PodAffinityTerm, unknown, PodContext, TermContext>(
  'affinity-term',
  (_term, _owner, context) => ({
    ...context,
    toleratesBadSelectorValues: context.tolerances.badAffinitySelectors,
  }),
  fields<PodAffinityTerm, TermContext>({
    labelSelector,
    namespaceSelector: labelSelector,
    // The server prints the list in the singular and without an index.
    namespaces: printedAs<readonly string[], PodAffinityTerm, TermContext>(
      '.namespace',
      each<string, TermContext>(
        printedAs(
          '',
          formatted({ code: 'affinity-namespace-format', source, says: 'A namespace is a DNS label.' }, dnsLabelFaults),
        ),
      ),
    ),
    topologyKey: [topologyKeyRequired, topologyKeyFormat],
  }),
  labelKeys,
);

const podAffinity = fields<PodAffinity, PodContext>({
  requiredDuringSchedulingIgnoredDuringExecution: each<PodAffinityTerm, PodContext>(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: each(
    fields<WeightedPodAffinityTerm, PodContext>({ weight, podAffinityTerm: always({}, podTerm) }),
  ),
});

/** Where the pod likes to run, and near whom. */
export const affinity = fields<Affinity, PodContext>({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity });
