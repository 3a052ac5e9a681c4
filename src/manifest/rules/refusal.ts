import { replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { pathText, placeOf } from '../locate.ts';
import { nearMiss } from '../nearMiss.ts';
import { filledAt, type ManifestNode, nodeAt, stringAt } from '../yaml/nodes.ts';
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
  return {
    span: placeOf(root, path, place, text),
    field: pathText(path),
    type: 'Invalid',
    message: `${said} (${refuser}: ${answer})`,
    source: refuser,
    fixes,
  };
}

/** Says in a refuser's name what is wrong at a path, in our words and in its own. */
export type Refuse = (path: Path, said: string, answer: string, more?: Pick<Refusal, 'place' | 'fixes'>) => Breach;

/** Of a webhook each refusal is an error. An operator without one leaves the object alone, which is a warning. */
export function refuserOf(subject: RuleSubject, refuser: string, isWebhook: boolean): Refuse {
  return (path, said, answer, more = {}) => {
    const breach = refusalBy(refuser, subject, { path, said, answer, ...more });
    if (isWebhook) return breach;
    const { type: _type, ...rest } = breach;
    return { ...rest, severity: 'warning' };
  };
}

/** Items of a list whose key says what an earlier one's does, with what it says; whatever the case where `ignoresCase`. */
export function repeated(
  items: readonly ManifestNode[],
  key: string,
  ignoresCase = false,
): readonly { readonly index: number; readonly value: string }[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const value = stringAt(item, [key]);
    if (value === undefined || value === '') return [];
    const known = ignoresCase ? value.toLowerCase() : value;
    if (seen.has(known)) return [{ index, value }];
    seen.add(known);
    return [];
  });
}

/** Whether a holder of pods has no container and its CRD takes that: it asks for the list only of a pod spec that is there. */
export function lacksContainers(holder: ManifestNode | undefined): boolean {
  const template = filledAt(holder, ['template']);
  const spec = filledAt(template, ['spec']);
  const isMissing = template === undefined || (template.kind === 'map' && spec === undefined);
  const containers = filledAt(spec, ['containers']);
  return holder?.kind === 'map' && (isMissing || (containers?.kind === 'sequence' && containers.items.length === 0));
}

/** Takes for a value the one among some that was meant, if it is a near miss. */
export function renaming({ root }: RuleSubject, path: Path, candidates: readonly string[]): readonly Fix[] {
  const node = nodeAt(root, path);
  if (node?.kind !== 'scalar') return [];
  const meant = nearMiss(String(node.value), candidates);
  const edit = meant === undefined ? undefined : replaceScalar(node, meant);
  return edit === undefined ? [] : [{ title: `Use '${meant}'`, edits: [edit], isPreferred: false }];
}
