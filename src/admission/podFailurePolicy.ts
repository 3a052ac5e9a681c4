import { qualifiedNameFaults, tooManyMessage, unsupportedMessage, validValuesMessage } from './formats.ts';
import type { JobSpecContext } from './jobContext.ts';
import type { OnExitCodes, OnPodCondition, PodFailurePolicy, PodFailurePolicyRule } from './objects.ts';
import { type Complaint, rule } from './rule.ts';
import { each, fields } from './structure.ts';

/** `spec.podFailurePolicy`: what a failed pod means for the Job. Source: Kubernetes 1.35, batch validation. */

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'] as const;
const operators = ['In', 'NotIn'] as const;
const statuses = ['False', 'True', 'Unknown'] as const;
const maxRules = 20;
const maxExitCodes = 255;
const maxPodConditions = 20;

function isOneOf(list: readonly string[], value: string): boolean {
  return list.includes(value);
}

const rulesCount = rule<readonly PodFailurePolicyRule[], PodFailurePolicy>({
  code: 'failure-policy-rules-count',
  type: 'TooMany',
  source: 'B49',
  says: 'A pod failure policy has at most 20 rules.',
  refuses: (rules) => rules.length > maxRules && tooManyMessage(rules.length, maxRules),
});

const actionRequired = rule<string, PodFailurePolicyRule>({
  code: 'failure-policy-action-required',
  type: 'Required',
  source: 'B50',
  says: 'A rule says what shall happen.',
  evenIfAbsent: true,
  refuses: (action = '') => action === '' && validValuesMessage(actions),
});

const actionKnown = rule<string, PodFailurePolicyRule>({
  code: 'failure-policy-action-known',
  type: 'NotSupported',
  source: 'B50',
  says: 'The action is Count, FailIndex, FailJob or Ignore.',
  refuses: (action) => action !== '' && !isOneOf(actions, action) && unsupportedMessage(action, actions),
});

const failIndexNeedsLimit = rule<string, PodFailurePolicyRule, JobSpecContext>({
  code: 'failure-policy-fail-index',
  type: 'Invalid',
  source: 'B51',
  says: 'FailIndex works with backoffLimitPerIndex only.',
  refuses: (action, _rule, { jobSpec }) =>
    action === 'FailIndex' &&
    jobSpec.backoffLimitPerIndex === undefined &&
    'requires the backoffLimitPerIndex to be set',
});

const oneRequirement = rule<PodFailurePolicyRule>({
  code: 'failure-policy-one-requirement',
  type: 'Invalid',
  source: 'B52',
  says: 'A rule looks either at exit codes or at pod conditions.',
  refuses: ({ onExitCodes, onPodConditions = [] }) => {
    if (onExitCodes !== undefined && onPodConditions.length > 0) {
      return 'specifying both OnExitCodes and OnPodConditions is not supported';
    }
    return (
      onExitCodes === undefined &&
      onPodConditions.length === 0 &&
      'specifying one of OnExitCodes and OnPodConditions is required'
    );
  },
});

const operatorRequired = rule<string, OnExitCodes>({
  code: 'failure-policy-operator-required',
  type: 'Required',
  source: 'B53',
  says: 'A requirement on exit codes says whether they are the listed ones or not.',
  evenIfAbsent: true,
  refuses: (operator = '') => operator === '' && validValuesMessage(operators),
});

const operatorKnown = rule<string, OnExitCodes>({
  code: 'failure-policy-operator-known',
  type: 'NotSupported',
  source: 'B53',
  says: 'The operator is In or NotIn.',
  refuses: (operator) => operator !== '' && !isOneOf(operators, operator) && unsupportedMessage(operator, operators),
});

const containerKnown = rule<string, OnExitCodes, JobSpecContext>({
  code: 'failure-policy-container-known',
  type: 'Invalid',
  source: 'B54',
  says: 'The container is one of the pod template.',
  refuses: (containerName, _exitCodes, { jobSpec }) => {
    const { containers = [], initContainers = [] } = jobSpec.template?.spec ?? {};
    // A container that lacks its name has the empty one, which a policy may name, too.
    const isKnown = [...containers, ...initContainers].some(({ name = '' }) => name === containerName);
    return !isKnown && 'must be one of the container or initContainer names in the pod template';
  },
});

// The server calls an empty list Invalid, not Required.
const exitCodesRequired = rule<readonly number[], OnExitCodes>({
  code: 'failure-policy-exit-codes-required',
  type: 'Invalid',
  source: 'B55',
  says: 'A requirement on exit codes lists one at least.',
  evenIfAbsent: true,
  refuses: (values = []) => values.length === 0 && 'at least one value is required',
});

const exitCodesCount = rule<readonly number[], OnExitCodes>({
  code: 'failure-policy-exit-codes-count',
  type: 'TooMany',
  source: 'B55',
  says: 'A requirement lists at most 255 exit codes.',
  refuses: (values) => values.length > maxExitCodes && tooManyMessage(values.length, maxExitCodes),
});

// Equal neighbours are in order; that they repeat is the next rule's complaint.
const exitCodesOrdered = rule<readonly number[], OnExitCodes>({
  code: 'failure-policy-exit-codes-ordered',
  type: 'Invalid',
  source: 'B56',
  says: 'Exit codes are listed in ascending order.',
  refuses: (values) => values.some((value, index) => (values[index - 1] ?? value) > value) && 'must be ordered',
});

const exitCodesUnique = rule<readonly number[], OnExitCodes>({
  code: 'failure-policy-exit-codes-unique',
  type: 'Duplicate',
  source: 'B57',
  says: 'An exit code is listed once.',
  refuses: (values) => {
    const seen = new Set<number>();
    const complaints: Complaint[] = [];
    values.forEach((value, index) => {
      if (seen.has(value)) complaints.push({ message: `${value}`, at: [index] });
      seen.add(value);
    });
    return complaints;
  },
});

const zeroIsSuccess = rule<readonly number[], OnExitCodes>({
  code: 'failure-policy-exit-code-zero',
  type: 'Invalid',
  source: 'B58',
  says: 'Exit code 0 is no failure, so In never lists it.',
  refuses: (values, { operator }) => {
    if (operator !== 'In') return false;
    const complaints: Complaint[] = [];
    values.forEach((value, index) => {
      if (value === 0) complaints.push({ message: 'must not be 0 for the In operator', at: [index] });
    });
    return complaints;
  },
});

const podConditionsCount = rule<readonly OnPodCondition[], PodFailurePolicyRule>({
  code: 'failure-policy-conditions-count',
  type: 'TooMany',
  source: 'B59',
  says: 'A rule looks at 20 pod conditions at most.',
  refuses: (conditions) => conditions.length > maxPodConditions && tooManyMessage(conditions.length, maxPodConditions),
});

// A missing type counts as an empty name, which is no qualified one.
const conditionType = rule<string, OnPodCondition>({
  code: 'failure-policy-condition-type',
  type: 'Invalid',
  source: 'B60',
  says: 'The type of a pod condition is a qualified name.',
  evenIfAbsent: true,
  refuses: (type = '') => qualifiedNameFaults(type),
});

const conditionStatusRequired = rule<string, OnPodCondition>({
  code: 'failure-policy-condition-status-required',
  type: 'Required',
  source: 'B61',
  says: 'A pod condition is compared with a status; it defaults to True.',
  evenIfAbsent: true,
  refuses: (status = '') => status === '' && validValuesMessage(statuses),
});

const conditionStatusKnown = rule<string, OnPodCondition>({
  code: 'failure-policy-condition-status-known',
  type: 'NotSupported',
  source: 'B61',
  says: 'The status of a pod condition is True, False or Unknown.',
  refuses: (status) => status !== '' && !isOneOf(statuses, status) && unsupportedMessage(status, statuses),
});

/** The policy with all that hangs on it. That it needs restartPolicy Never stands beside that field, in jobSpec.ts. */
export const podFailurePolicy = fields<PodFailurePolicy, JobSpecContext>({
  rules: [
    rulesCount,
    each<PodFailurePolicyRule, JobSpecContext>(
      fields<PodFailurePolicyRule, JobSpecContext>({
        action: [actionRequired, actionKnown, failIndexNeedsLimit],
        onExitCodes: fields<OnExitCodes, JobSpecContext>({
          operator: [operatorRequired, operatorKnown],
          containerName: containerKnown,
          values: [exitCodesRequired, exitCodesCount, zeroIsSuccess, exitCodesUnique, exitCodesOrdered],
        }),
        onPodConditions: [
          podConditionsCount,
          each<OnPodCondition, JobSpecContext>(
            fields<OnPodCondition, JobSpecContext>({
              type: conditionType,
              status: [conditionStatusRequired, conditionStatusKnown],
            }),
          ),
        ],
      }),
      oneRequirement,
    ),
  ],
});
