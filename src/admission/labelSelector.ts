import { labelValueFaults, qualifiedNameFaults } from './formats.ts';
import { labels } from './metadata.ts';
import type { LabelSelector, LabelSelectorRequirement } from './objects.ts';
import { type Complaint, type Context, rule } from './rule.ts';
import { each, fields } from './structure.ts';

/** Label selectors, wherever they stand. Source: Kubernetes 1.35, label selector validation. */

/** Values that were stored before they were checked stay tolerated. */
export interface LabelSelectorContext extends Context {
  readonly toleratesBadSelectorValues?: boolean;
}

const valuesRequired = rule<readonly string[], LabelSelectorRequirement>({
  code: 'selector-values-required',
  type: 'Required',
  source: 'B43',
  says: 'In and NotIn need values.',
  evenIfAbsent: true,
  refuses: (values = [], { operator }) =>
    (operator === 'In' || operator === 'NotIn') &&
    values.length === 0 &&
    "must be specified when `operator` is 'In' or 'NotIn'",
});

const valuesForbidden = rule<readonly string[], LabelSelectorRequirement>({
  code: 'selector-values-forbidden',
  type: 'Forbidden',
  source: 'B43',
  says: 'Exists and DoesNotExist take no values.',
  refuses: (values, { operator }) =>
    (operator === 'Exists' || operator === 'DoesNotExist') &&
    values.length > 0 &&
    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
});

// The server calls this Invalid, unlike other enumerations, and a missing operator as well.
const operatorKnown = rule<string, LabelSelectorRequirement>({
  code: 'selector-operator-known',
  type: 'Invalid',
  source: 'B43',
  says: 'The operator of a selector is In, NotIn, Exists or DoesNotExist.',
  evenIfAbsent: true,
  refuses: (operator = '') =>
    operator !== 'In' &&
    operator !== 'NotIn' &&
    operator !== 'Exists' &&
    operator !== 'DoesNotExist' &&
    `${JSON.stringify(operator)}: not a valid selector operator`,
});

const keyFormat = rule<string, LabelSelectorRequirement>({
  code: 'selector-key-format',
  type: 'Invalid',
  source: 'B43',
  says: 'The key of a selector is that of a label.',
  evenIfAbsent: true,
  refuses: (key = '') => qualifiedNameFaults(key).map((fault) => `${JSON.stringify(key)}: ${fault}`),
});

const valueFormat = rule<readonly string[], LabelSelectorRequirement, LabelSelectorContext>({
  code: 'selector-value-format',
  type: 'Invalid',
  source: 'B43',
  says: 'The values of a selector are those of labels.',
  refuses: (values, _requirement, { toleratesBadSelectorValues }) => {
    const complaints: Complaint[] = [];
    if (toleratesBadSelectorValues === true) return complaints;
    values.forEach((value, index) => {
      for (const fault of labelValueFaults(value)) {
        complaints.push({ message: `${JSON.stringify(value)}: ${fault}`, at: [index] });
      }
    });
    return complaints;
  },
});

/** A label selector's own form; what it shall match is for those who hold it. */
export const labelSelector = fields<LabelSelector, LabelSelectorContext>({
  matchLabels: labels,
  matchExpressions: each<LabelSelectorRequirement, LabelSelectorContext>(
    fields<LabelSelectorRequirement, LabelSelectorContext>({
      key: keyFormat,
      operator: operatorKnown,
      values: [valuesRequired, valuesForbidden, valueFormat],
    }),
  ),
});

/** True if a requirement of the selector holds a value that no label can have. */
export function hasBadSelectorValue(selector: LabelSelector | undefined): boolean {
  return (
    selector?.matchExpressions?.some((one) => one.values?.some((value) => labelValueFaults(value).length > 0)) === true
  );
}

/**
 * Whether the selector matches the labels: an absent one matches nothing, an empty one everything. Undefined if the
 * selector can't be read, which is for `labelSelector` to complain about.
 */
export function selects(
  selector: LabelSelector | undefined,
  candidate: Readonly<Record<string, string>>,
): boolean | undefined {
  if (selector === undefined) return false;
  const wanted = Object.entries(selector.matchLabels ?? {});
  const requirements = selector.matchExpressions ?? [];
  const isReadable =
    wanted.every(([key, value]) => isGood(key, [value])) &&
    requirements.every((one) => isReadableRequirement(one) && isGood(one.key ?? '', one.values ?? []));
  if (!isReadable) return undefined;
  return wanted.every(([key, value]) => candidate[key] === value) && requirements.every((one) => isMet(one, candidate));
}

function isGood(key: string, values: readonly string[]): boolean {
  return qualifiedNameFaults(key).length === 0 && values.every((value) => labelValueFaults(value).length === 0);
}

function isReadableRequirement({ operator, values = [] }: LabelSelectorRequirement): boolean {
  if (operator === 'In' || operator === 'NotIn') return values.length > 0;
  return (operator === 'Exists' || operator === 'DoesNotExist') && values.length === 0;
}

function isMet(
  { key = '', operator, values = [] }: LabelSelectorRequirement,
  candidate: Readonly<Record<string, string>>,
): boolean {
  const value = candidate[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
