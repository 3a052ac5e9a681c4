import type { FieldErrorType } from '../admission/index.ts';
import type { Finding } from './finding.ts';
import type { TextPart } from './yaml/text.ts';

/** What another extension says of the same text. */
export interface ForeignProblem {
  readonly source: string | undefined;
  readonly message: string;
  readonly range: TextPart;
}

/**
 * What somebody else means. 'schema': some complaint of a schema, in a language that is not known here. 'missing': a field
 * is, by its name.
 */
type Meaning =
  | { readonly kind: 'unknown-property' | 'wrong-value' | 'schema' | 'repeated-key' | 'unreadable' }
  | { readonly kind: 'missing'; readonly field: string };

/** What a schema can say as well as the API server. */
const echoed: Readonly<Partial<Record<FieldErrorType, Meaning['kind']>>> = {
  Unknown: 'unknown-property',
  TypeInvalid: 'wrong-value',
  NotSupported: 'wrong-value',
};

/** What a reader of YAML or JSON says as well as ours. */
const echoedByReaders: Readonly<Record<string, Meaning['kind']>> = {
  'duplicate-key': 'repeated-key',
  'yaml-aliases': 'unreadable',
  'yaml-syntax': 'unreadable',
};

/**
 * Leaves out what somebody else says already, at the same place: an unknown property, a missing one, a value of the wrong
 * type or outside a set, a key that stands twice, text that can't be read. Everything that no schema knows stays.
 */
export function withoutEchoes(ours: readonly Finding[], others: readonly ForeignProblem[]): readonly Finding[] {
  /** By the lines on which they begin: whoever says the same says it there. */
  const known = new Map<number, (TextPart & { readonly meaning: Meaning })[]>();
  for (const problem of others) {
    const meaning = meaningOf(problem);
    if (meaning === undefined) continue;
    const { line } = problem.range.start;
    const there = known.get(line);
    if (there === undefined) known.set(line, [{ ...problem.range, meaning }]);
    else there.push({ ...problem.range, meaning });
  }
  if (known.size === 0) return ours;
  return ours.filter(
    (finding) => !known.get(finding.range.start.line)?.some((other) => saysAsMuch(finding, other, other.meaning)),
  );
}

/** Of what begins on the same line. */
function saysAsMuch(finding: Finding, other: TextPart, meaning: Meaning): boolean {
  const { range, field = '' } = finding;
  const own = (finding.type && echoed[finding.type]) ?? echoedByReaders[finding.code];
  switch (meaning.kind) {
    case 'missing':
      // It is told at the first character of what lacks it, or at the key above, and by us at what is there.
      return (field === meaning.field || field.endsWith(`.${meaning.field}`)) && isNear(range, other, 1);
    case 'unreadable':
      // Once a text can't be read, each reader has another idea where on the line.
      return own === 'unreadable';
    case 'schema':
      return (own === 'unknown-property' || own === 'wrong-value') && isNear(range, other, 0);
    default:
      return own === meaning.kind && isNear(range, other, 0);
  }
}

/**
 * By the words of the YAML language server, which several extensions build on, and of VS Code's own JSON; else by its name
 * alone.
 */
function meaningOf({ source = '', message }: ForeignProblem): Meaning | undefined {
  if (source === 'YAML' || source === 'json' || source === 'jsonc') {
    const isRepeated = /^(?:Map keys must be unique|Duplicate object key)/i.test(message);
    return { kind: isRepeated ? 'repeated-key' : 'unreadable' };
  }
  if (/^(?:Unexpected property|Property \S+ is not allowed)/i.test(message)) return { kind: 'unknown-property' };
  if (/^(?:Incorrect type|Value is not accepted|Value is not an allowed)/i.test(message))
    return { kind: 'wrong-value' };
  const missing = /^Missing property "([^"]+)"/i.exec(message)?.[1];
  if (missing !== undefined) return { kind: 'missing', field: missing };
  return source.startsWith('yaml-schema') ? { kind: 'schema' } : undefined;
}

/** With something in common, or no further apart than so many columns. */
function isNear(ours: TextPart, other: TextPart, gap: number): boolean {
  const end = other.end.line > other.start.line ? Number.POSITIVE_INFINITY : other.end.column;
  return ours.start.column < end + gap && other.start.column < ours.end.column + gap;
}
