import { qualifiedNameFaults } from '../formats.ts';
import type { LabelSelector } from '../objects.ts';
import { type Complaint, type Context, type Rule, rule } from '../rule.ts';
import { all } from '../structure.ts';
import { about, aboutEach } from './ruleShapes.ts';

/**
 * Keys whose values are taken from the pod itself to narrow a selector down.
 * Source: Kubernetes 1.35, core validation, matchLabelKeys and mismatchLabelKeys.
 */

interface WithLabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: LabelSelector;
}

const source = 'G15';

function needsSelector(code: string, field: 'matchLabelKeys' | 'mismatchLabelKeys'): Rule<WithLabelKeys> {
  return rule<WithLabelKeys>({
    code,
    type: 'Forbidden',
    source,
    says: `${field} goes with a selector.`,
    refuses: (owner) =>
      (owner[field] ?? []).length > 0 &&
      owner.labelSelector === undefined && [
        { at: [field], message: 'must not be specified when labelSelector is not set' },
      ],
  });
}

function keyFormat(code: string, field: 'matchLabelKeys' | 'mismatchLabelKeys'): Rule<WithLabelKeys> {
  return rule<WithLabelKeys>({
    code,
    type: 'Invalid',
    source,
    says: `A key in ${field} is that of a label.`,
    refuses: (owner) => owner.labelSelector !== undefined && keyFaults(owner[field] ?? [], field),
  });
}

function keyFaults(keys: readonly string[], field: string): Complaint[] {
  return keys.flatMap((key, index) =>
    aboutEach(key, qualifiedNameFaults(key)).map((message) => ({ at: [field, index], message })),
  );
}

/** The server files this one below the owner itself, under the index of the key. */
const keyNotSelectedTwice = rule<WithLabelKeys>({
  code: 'match-label-key-selected-twice',
  type: 'Invalid',
  source,
  says: 'A key in matchLabelKeys is not selected by hand as well.',
  refuses: ({ matchLabelKeys = [], labelSelector }) => {
    if (matchLabelKeys.length === 0 || labelSelector === undefined) return false;
    const selected = new Set(Object.keys(labelSelector.matchLabels ?? {}));
    const complaints: Complaint[] = [];
    for (const { key = '' } of labelSelector.matchExpressions ?? []) {
      const index = matchLabelKeys.lastIndexOf(key);
      if (index >= 0 && selected.has(key)) {
        complaints.push({ at: [index], message: about(key, 'exists in both matchLabelKeys and labelSelector') });
      }
      selected.add(key);
    }
    return complaints;
  },
});

const keyInOneList = rule<WithLabelKeys>({
  code: 'match-label-key-in-both-lists',
  type: 'Invalid',
  source,
  says: 'A key is in matchLabelKeys or in mismatchLabelKeys, not in both.',
  refuses: ({ matchLabelKeys = [], mismatchLabelKeys = [] }) => {
    const complaints: Complaint[] = [];
    for (const [index, key] of matchLabelKeys.entries()) {
      if (!mismatchLabelKeys.includes(key)) continue;
      const message = about(key, 'exists in both matchLabelKeys and mismatchLabelKeys');
      complaints.push({ at: ['matchLabelKeys', index], message });
    }
    return complaints;
  },
});

/** Judges the owner of the keys: an affinity term or a spread constraint. */
export const labelKeys = all<WithLabelKeys, unknown, Context>(
  needsSelector('match-label-keys-selector', 'matchLabelKeys'),
  keyFormat('match-label-keys-format', 'matchLabelKeys'),
  needsSelector('mismatch-label-keys-selector', 'mismatchLabelKeys'),
  keyFormat('mismatch-label-keys-format', 'mismatchLabelKeys'),
  keyNotSelectedTwice,
  keyInOneList,
);

/** The rule for spread constraints before 1.34: no key may be selected by hand at all. */
export const legacyLabelKeys = all<WithLabelKeys, unknown, Context>(
  needsSelector('legacy-match-label-keys-selector', 'matchLabelKeys'),
  rule<WithLabelKeys>({
    code: 'legacy-match-label-keys-format',
    type: 'Invalid',
    source,
    says: 'A key in matchLabelKeys is that of a label and not selected by hand as well.',
    refuses: ({ matchLabelKeys = [], labelSelector }) => {
      const selected = new Set([
        ...Object.keys(labelSelector?.matchLabels ?? {}),
        ...(labelSelector?.matchExpressions ?? []).map(({ key = '' }) => key),
      ]);
      const complaints = keyFaults(matchLabelKeys, 'matchLabelKeys');
      for (const [index, key] of matchLabelKeys.entries()) {
        if (!selected.has(key)) continue;
        complaints.push({
          at: ['matchLabelKeys', index],
          message: about(key, 'exists in both matchLabelKeys and labelSelector'),
        });
      }
      return complaints;
    },
  }),
);
