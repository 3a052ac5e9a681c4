import { byteLength, negativeMessage, tooManyMessage } from './formats.ts';
import { readIndexList } from './indexList.ts';
import { isIndexed, type JobSpecContext } from './jobContext.ts';
import type { JobSpec, SuccessPolicy, SuccessPolicyRule } from './objects.ts';
import { rule } from './rule.ts';
import { all, each, fields, within } from './structure.ts';

/** `spec.successPolicy`: when an Indexed Job has succeeded early. Source: Kubernetes 1.35, batch validation. */

const maxRules = 20;
const maxIndexListBytes = 65536;

const needsIndexed = rule<SuccessPolicy, JobSpec>({
  code: 'success-policy-indexed',
  type: 'Invalid',
  source: 'B64',
  says: 'A success policy needs completion mode Indexed.',
  refuses: (_policy, spec) => !isIndexed(spec) && 'requires indexed completion mode',
});

const rulesRequired = rule<readonly SuccessPolicyRule[], SuccessPolicy>({
  code: 'success-policy-rules-required',
  type: 'Required',
  source: 'B65',
  says: 'A success policy has one rule at least.',
  evenIfAbsent: true,
  refuses: (rules = []) =>
    rules.length === 0 && 'at least one rules must be specified when the successPolicy is specified',
});

const rulesCount = rule<readonly SuccessPolicyRule[], SuccessPolicy>({
  code: 'success-policy-rules-count',
  type: 'TooMany',
  source: 'B65',
  says: 'A success policy has at most 20 rules.',
  refuses: (rules) => rules.length > maxRules && tooManyMessage(rules.length, maxRules),
});

// An empty list of indexes counts as given, so this is about absence alone.
const notEmpty = rule<SuccessPolicyRule>({
  code: 'success-policy-rule-empty',
  type: 'Required',
  source: 'B66',
  says: 'A rule names indexes, a count, or both.',
  refuses: ({ succeededIndexes, succeededCount }) =>
    succeededIndexes === undefined &&
    succeededCount === undefined &&
    'at least one of succeededCount or succeededIndexes must be specified',
});

const indexesLength = rule<string, SuccessPolicyRule>({
  code: 'success-policy-indexes-length',
  type: 'TooLong',
  source: 'B67',
  says: 'A list of indexes has at most 64 KiB.',
  refuses: (indexes) => byteLength(indexes) > maxIndexListBytes && `may not be more than ${maxIndexListBytes} bytes`,
});

const indexesFormat = rule<string, SuccessPolicyRule, JobSpecContext>({
  code: 'success-policy-indexes-format',
  type: 'Invalid',
  source: 'B68',
  says: 'Indexes are listed in rising order, such as 0,3-5, and lie below completions.',
  refuses: (indexes, _rule, { jobSpec }) => {
    // Kubernetes itself breaks here (B71); that completions are required is told beside that field.
    if (jobSpec.completions === undefined) return false;
    const reading = readIndexList(indexes, jobSpec.completions);
    return !reading.ok && `error parsing succeededIndexes: ${reading.message}`;
  },
});

const countNotNegative = rule<number, SuccessPolicyRule>({
  code: 'success-policy-count-negative',
  type: 'Invalid',
  source: 'B69',
  says: 'The count of succeeded indexes is not negative.',
  refuses: (count) => count < 0 && negativeMessage,
});

const countBelowCompletions = rule<number, SuccessPolicyRule, JobSpecContext>({
  code: 'success-policy-count-completions',
  type: 'Invalid',
  source: 'B69',
  says: 'No more indexes can succeed than there are completions.',
  refuses: (count, _rule, { jobSpec: { completions } }) =>
    completions !== undefined &&
    count > completions &&
    `must be less than or equal to ${completions} (the number of specified completions)`,
});

const countBelowIndexes = rule<number, SuccessPolicyRule, JobSpecContext>({
  code: 'success-policy-count-indexes',
  type: 'Invalid',
  source: 'B70',
  says: 'No more indexes can succeed than the rule lists.',
  refuses: (count, { succeededIndexes }, { jobSpec: { completions } }) => {
    if (succeededIndexes === undefined || completions === undefined) return false;
    const reading = readIndexList(succeededIndexes, completions);
    // A list that can't be read counts as empty.
    const listed = reading.ok ? reading.count : 0;
    return (
      count > listed &&
      `must be less than or equal to ${listed} (the number of indexes in the specified succeededIndexes field)`
    );
  },
});

const rules = fields<SuccessPolicy, JobSpecContext>({
  rules: [
    rulesRequired,
    rulesCount,
    each<SuccessPolicyRule, JobSpecContext>(
      notEmpty,
      fields<SuccessPolicyRule, JobSpecContext>({
        succeededIndexes: [indexesLength, indexesFormat],
        succeededCount: [countNotNegative, countBelowCompletions, countBelowIndexes],
      }),
    ),
  ],
});

/** The inner rules are not asked where the mode is wrong. */
export const successPolicy = all<SuccessPolicy, JobSpec, JobSpecContext>(
  needsIndexed,
  within<SuccessPolicy, JobSpec, JobSpecContext, JobSpecContext>(
    'success-policy-indexed',
    (_policy, spec, context) => (isIndexed(spec) ? context : undefined),
    rules,
  ),
);
