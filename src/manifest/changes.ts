import type { AdmissionRequest, FieldSegments } from '../admission/index.ts';
import { isJsonObject, type JsonValue, valueAt } from '../base/index.ts';

/** Findings that only a change of a stored object can bring: a text by itself never has them. */
const codesOfChanges: ReadonlySet<string> = new Set([
  'backoff-limit-per-index-immutable',
  'completion-mode-immutable',
  'completions-immutable',
  'completions-in-tandem',
  'crd-immutable',
  'failure-policy-immutable',
  'managed-by-immutable',
  'managed-by-kept',
  'managed-by-moved',
  'operator-immutable',
  'queue-label-changed',
  'queue-label-late',
  'scheduling-policy-variant',
  'selector-immutable',
  'success-policy-immutable',
  'template-immutable',
]);

/** Whether a finding of that name is about a change of what is stored, and so depends on what that is. */
export function isAboutChange(code: string): boolean {
  return codesOfChanges.has(code);
}

/** `Stored: busybox:1; here: busybox:2.` Undefined where nothing is stored, or nothing differs at that place. */
export function tellDifference(
  { object, old }: Pick<AdmissionRequest, 'object' | 'old'>,
  at: FieldSegments,
): string | undefined {
  if (old === undefined) return undefined;
  const stored = shown(valueAt(old, at));
  const sent = shown(valueAt(object, at));
  return stored === sent ? undefined : `Stored: ${stored}; here: ${sent}.`;
}

/** Long enough for an image with its digest. */
const longestShown = 120;

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const text = typeof value === 'string' && value.trim() !== '' ? value : JSON.stringify(sorted(value));
  const line = text.replace(/\s*[\r\n]+\s*/g, ' ');
  return line.length > longestShown ? `${line.slice(0, longestShown - 1)}…` : line;
}

/** Two that differ in the order of their keys alone are told alike. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries: [string, JsonValue | undefined][] = Object.entries(value);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
