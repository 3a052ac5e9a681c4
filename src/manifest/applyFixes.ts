import type { Finding, Fix } from './finding.ts';
import { applyEdits, type TextEdit } from './yaml/text.ts';

/**
 * The text with the fixes applied. A fix that touches what an earlier one of the list changes is left out as a whole:
 * check the result again to get it anew.
 */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  return applyEdits(
    text,
    compatibleFixes(fixes).flatMap(({ edits }) => edits),
  );
}

/** Those of the fixes that can be applied together: without each that touches what an earlier one changes. */
export function compatibleFixes(fixes: readonly Fix[]): readonly Fix[] {
  /** By their starts. None collides with another, so that only its neighbours can collide with one more. */
  const taken: TextEdit[] = [];
  return fixes.filter(({ edits }) => {
    const isFree = edits.every((edit) => {
      const at = placeIn(taken, edit);
      return [taken[at - 1], taken[at]].every((other) => other === undefined || !collide(edit, other));
    });
    if (isFree) for (const edit of edits) taken.splice(placeIn(taken, edit), 0, edit);
    return isFree;
  });
}

/** The fixes that may be applied unasked. */
export function preferredFixes(findings: readonly Finding[]): readonly Fix[] {
  return findings.flatMap(({ fixes }) => fixes.filter((fix) => fix.isPreferred));
}

/** Where an edit belongs among others that are sorted by their starts: behind those that start before it. */
function placeIn(sorted: readonly TextEdit[], { start }: TextEdit): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function collide(a: TextEdit, b: TextEdit): boolean {
  // Two insertions at one place collide as well: their order would be a guess.
  if (a.start === b.start) return true;
  return a.start < b.end && b.start < a.end;
}
