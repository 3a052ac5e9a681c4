import { labelValueFaults, qualifiedNameFaults, unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { each, fields } from '../structure.ts';
import type { PodContext } from './context.ts';
import { about, aboutEach, formattedIfSet } from './ruleShapes.ts';
import type { Toleration } from './types.ts';

/** Tolerations of taints. Source: Kubernetes 1.35, core validation, tolerations. */

const source = 'G14';
const operators = ['Equal', 'Exists'];
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const decimalInteger = /^(?:0|-?[1-9][0-9]*)$/;
const lowestInt64 = -(2n ** 63n);
const highestInt64 = 2n ** 63n - 1n;

const keyFormat = formattedIfSet(
  { code: 'toleration-key-format', source, says: 'The key of a toleration is that of a label.' },
  qualifiedNameFaults,
);

const emptyKeyExists = rule<string, Toleration>({
  code: 'toleration-empty-key',
  type: 'Invalid',
  source,
  says: 'A toleration without a key tolerates all taints, with the operator Exists.',
  evenIfAbsent: true,
  refuses: (operator = '', { key = '' }) =>
    key === '' &&
    operator !== 'Exists' &&
    about(operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"'),
});

/** The server files what is wrong with the value under the operator. */
const valueFormat = rule<string, Toleration>({
  code: 'toleration-value-format',
  type: 'Invalid',
  source,
  says: 'The value of a toleration is that of a label.',
  evenIfAbsent: true,
  refuses: (operator = '', { value = '' }) =>
    (operator === '' || operator === 'Equal') && aboutEach(value, labelValueFaults(value)),
});

const existsWithoutValue = rule<string, Toleration>({
  code: 'toleration-exists-value',
  type: 'Invalid',
  source,
  says: 'A toleration with the operator Exists has no value.',
  refuses: (operator, { value = '' }) =>
    operator === 'Exists' && value !== '' && about(value, "value must be empty when `operator` is 'Exists'"),
});

function isNumeric(operator: string): boolean {
  return operator === 'Lt' || operator === 'Gt';
}

const operatorKnown = rule<string, unknown, PodContext>({
  code: 'toleration-operator-known',
  type: 'NotSupported',
  source,
  says: 'The operator of a toleration is Equal or Exists.',
  refuses: (operator, _toleration, { tolerances }) =>
    operator !== '' &&
    !operators.includes(operator) &&
    !(isNumeric(operator) && tolerances.numericTolerations) &&
    unsupportedMessage(operator, operators),
});

const numberFormat = rule<string, Toleration, PodContext>({
  code: 'toleration-number',
  type: 'Invalid',
  source,
  says: 'Lt and Gt compare with a whole number of 64 bits.',
  evenIfAbsent: true,
  refuses: (value = '', { operator = '' }, { tolerances }) => {
    if (!isNumeric(operator) || !tolerances.numericTolerations) return false;
    if (!decimalInteger.test(value)) return about(value, 'must be a valid decimal integer in canonical form');
    const number = BigInt(value);
    const isOut = number < lowestInt64 || number > highestInt64;
    return isOut && about(value, `strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
  },
});

const effectKnown = rule<string>({
  code: 'toleration-effect-known',
  type: 'NotSupported',
  source,
  says: 'The effect of a taint is NoSchedule, PreferNoSchedule or NoExecute.',
  refuses: (effect) => effect !== '' && !effects.includes(effect) && unsupportedMessage(effect, effects),
});

const secondsNeedNoExecute = rule<string, Toleration>({
  code: 'toleration-seconds-effect',
  type: 'Invalid',
  source,
  says: 'tolerationSeconds goes with the effect NoExecute.',
  evenIfAbsent: true,
  refuses: (effect = '', { tolerationSeconds }) =>
    tolerationSeconds !== undefined &&
    effect !== 'NoExecute' &&
    about(effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
});

/** The taints that a pod tolerates. */
export const tolerations = each(
  fields<Toleration, PodContext>({
    key: keyFormat,
    operator: [emptyKeyExists, valueFormat, existsWithoutValue, operatorKnown],
    value: numberFormat,
    effect: [secondsNeedNoExecute, effectKnown],
  }),
);
