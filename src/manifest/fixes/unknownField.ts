import { renameKey } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { pathText } from '../locate.ts';
import { nearMiss } from '../nearMiss.ts';
import { moveEntry, removeEntry } from '../removals.ts';
import { fieldNamesOf, pathsWithin } from '../structure.ts';
import { entryOf, type ManifestNode, nodeAt } from '../yaml/nodes.ts';
import { type FixSubject, fixOf, shapeIn } from './subject.ts';

/** A field that nothing knows at its place: mistyped, on the wrong level, or of no use at all. */
export interface UnknownField {
  /** The field of this level that was meant. */
  readonly meant?: string;
  /** Where a field of this very name does belong. */
  readonly belongsAt?: readonly (string | number)[];
}

/** What an unknown field most likely was meant to be. */
export function explainUnknown(subject: FixSubject): UnknownField {
  const { error, root } = subject;
  const name = error.at.at(-1);
  const holder = error.at.slice(0, -1);
  if (typeof name !== 'string') return {};
  const belongsAt = nearestPlace(pathsWithin(shapeIn(subject, []), name), holder, root);
  const unwritten = new Set(fieldNamesOf(shapeIn(subject, holder)));
  const parent = nodeAt(root, holder);
  if (parent?.kind === 'map') for (const { key } of parent.entries) unwritten.delete(key);
  const meant = nearMiss(name, unwritten);
  // The very name on another level says more than a similar one on this.
  if (belongsAt !== undefined && (meant === undefined || meant.toLowerCase() !== name.toLowerCase()))
    return { belongsAt };
  return meant === undefined ? {} : { meant };
}

/** The path at which an unknown field would be known, as far as it can be told. */
export function placeMeant(subject: FixSubject): readonly (string | number)[] | undefined {
  const { meant, belongsAt } = explainUnknown(subject);
  return belongsAt ?? (meant === undefined ? undefined : [...subject.error.at.slice(0, -1), meant]);
}

/** The place that is fewest steps away; undefined if two are equally near, or the field stands there already. */
function nearestPlace(
  places: readonly (readonly string[])[],
  holder: readonly (string | number)[],
  root: ManifestNode,
): readonly (string | number)[] | undefined {
  const concrete = places.flatMap((place) => {
    const path = withIndexes(place, holder, root);
    return path === undefined ? [] : [path];
  });
  const ranked = concrete
    .map((path) => ({ path, distance: distance(path.slice(0, -1), holder) }))
    .sort((a, b) => a.distance - b.distance);
  const [first, second] = ranked;
  if (first === undefined || first.distance === 0 || first.distance === second?.distance) return undefined;
  return nodeAt(root, first.path) === undefined ? first.path : undefined;
}

/** Puts an index in the place of each `*`: the one of the holder, else the only one there is. */
function withIndexes(
  place: readonly string[],
  holder: readonly (string | number)[],
  root: ManifestNode,
): readonly (string | number)[] | undefined {
  const path: (string | number)[] = [];
  for (const [position, step] of place.entries()) {
    if (step !== '*') {
      path.push(step);
      continue;
    }
    const own = holder[position];
    const list = nodeAt(root, path);
    if (typeof own === 'number' && path.every((part, index) => part === holder[index])) path.push(own);
    else if (list?.kind === 'sequence' && list.items.length === 1) path.push(0);
    else return undefined;
  }
  return path;
}

function distance(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return a.length - shared + (b.length - shared);
}

export function fixUnknownField(subject: FixSubject): readonly Fix[] {
  const { error, root, text } = subject;
  const key = error.at.at(-1);
  const parent = nodeAt(root, error.at.slice(0, -1));
  const entry = typeof key === 'string' ? entryOf(parent, key) : undefined;
  if (parent?.kind !== 'map' || entry === undefined) return [];
  const { meant, belongsAt } = explainUnknown(subject);
  const fixes: Fix[] = [];
  if (meant !== undefined) fixes.push(...fixOf(`Rename to '${meant}'`, renameKey(entry, meant, text), true));
  if (belongsAt !== undefined) {
    const edits = moveEntry(root, parent, entry, belongsAt, text);
    if (edits !== undefined) fixes.push({ title: `Move to ${pathText(belongsAt)}`, edits, isPreferred: true });
  }
  fixes.push(...fixOf(`Remove '${entry.key}'`, removeEntry(parent, entry, text)));
  return fixes;
}
