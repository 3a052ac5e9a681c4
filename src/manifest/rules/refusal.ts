import { replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { placeOf } from '../locate.ts';
import { nearMiss } from '../nearMiss.ts';
import { nodeAt } from '../nodes.ts';
import type { Breach, RuleSubject } from './rule.ts';

export type Path = readonly (string | number)[];

/** What an operator or its webhook refuses. */
export interface Refusal {
  readonly path: Path;
  /** What is marked of the field; its value, unless said otherwise. */
  readonly place?: 'key' | 'value';
  /** In our words. */
  readonly said: string;
  /** In those of who refuses. */
  readonly answer: string;
  readonly fixes?: readonly Fix[];
}

export function refusalBy(
  refuser: string,
  { root, text }: RuleSubject,
  { path, place = 'value', said, answer, fixes = [] }: Refusal,
): Breach {
  const steps = path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`));
  return {
    span: placeOf(root, path, place, text),
    field: steps.join(''),
    type: 'Invalid',
    message: `${said} (${refuser}: ${answer})`,
    source: refuser,
    fixes,
  };
}

/** Takes for a value the one among some that was meant, if it is a near miss. */
export function renaming({ root }: RuleSubject, path: Path, candidates: readonly string[]): readonly Fix[] {
  const node = nodeAt(root, path);
  if (node?.kind !== 'scalar') return [];
  const meant = nearMiss(String(node.value), candidates);
  const edit = meant === undefined ? undefined : replaceScalar(node, meant);
  return edit === undefined ? [] : [{ title: `Use '${meant}'`, edits: [edit], isPreferred: false }];
}
