import { compatibleFixes, preferredFixes } from './applyFixes.ts';
import type { Finding, Fix } from './finding.ts';
import type { TextPart } from './yaml/text.ts';

/** A fix, and what it answers or silences. */
export interface OfferedFix {
  readonly finding: Finding;
  readonly fix: Fix;
}

/**
 * What can be done about the findings that have something in common with a part of a text, if only an end: in their order;
 * of each, what silences it comes last.
 */
export function fixesAt(findings: readonly Finding[], { start, end }: TextPart): readonly OfferedFix[] {
  return findings
    .filter(({ range }) => !isBefore(range.end, start) && !isBefore(end, range.start))
    .flatMap((finding) =>
      [
        ...finding.fixes.filter((fix) => fix.isSuppression !== true),
        ...finding.fixes.filter((fix) => fix.isSuppression === true),
      ].map((fix) => ({ finding, fix })),
    );
}

/** All that may be applied unasked, and together. */
export function fixesForAll(findings: readonly Finding[]): readonly Fix[] {
  return compatibleFixes(preferredFixes(findings));
}

function isBefore(a: TextPart['start'], b: TextPart['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}
