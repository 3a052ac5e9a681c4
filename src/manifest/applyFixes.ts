import type { Finding, Fix } from './finding.ts';
import { applyEdits, type TextEdit } from './text.ts';

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
  const taken: TextEdit[] = [];
  return fixes.filter(({ edits }) => {
    if (edits.some((edit) => taken.some((other) => collide(edit, other)))) return false;
    taken.push(...edits);
    return true;
  });
}

/** The fixes that may be applied unasked. */
export function preferredFixes(findings: readonly Finding[]): readonly Fix[] {
  return findings.flatMap(({ fixes }) => fixes.filter((fix) => fix.isPreferred));
}

function collide(a: TextEdit, b: TextEdit): boolean {
  // Two insertions at one place collide as well: their order would be a guess.
  if (a.start === b.start) return true;
  return a.start < b.end && b.start < a.end;
}
