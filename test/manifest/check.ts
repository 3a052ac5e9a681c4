import { expect } from 'vitest';
import { createManifestSession, type Finding, type ManifestSettings } from '../../src/manifest/index.ts';
import type { Mark, MarkedText } from './markup.ts';

/** The door of these tests: the only caller of a session. A rule that throws fails the test. */
export function findingsOf(text: string, settings: Partial<ManifestSettings> = {}): readonly Finding[] {
  const session = createManifestSession({
    onRuleFailure(code, error) {
      throw new Error(`The rule ${code} threw.`, { cause: error });
    },
  });
  return session.check(text, { version: '1.35', ...settings }).findings;
}

/** Checks that exactly the marked findings stand in the text, and answers them. */
export function check(marked: MarkedText, settings: Partial<ManifestSettings> = {}): readonly Finding[] {
  const findings = findingsOf(marked.text, settings);
  expect(findings.map(markOf).sort(byPlace)).toEqual([...marked.marks].sort(byPlace));
  return findings;
}

function markOf({ range, code }: Finding): Mark {
  expect(range.end.line).toBe(range.start.line);
  return { line: range.start.line, start: range.start.column, end: range.end.column, code };
}

function byPlace(a: Mark, b: Mark): number {
  return a.line - b.line || a.start - b.start || a.code.localeCompare(b.code);
}
