import type { FieldErrorType } from '../admission/index.ts';
import type { Finding } from './finding.ts';

/** What another extension says of the same text. Lines and columns count from 0. */
export interface ForeignProblem {
  readonly source: string | undefined;
  readonly message: string;
  readonly range: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly column: number;
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
  const known = others.flatMap((problem) => {
    const meaning = meaningOf(problem);
    return meaning === undefined ? [] : [{ ...problem.range, meaning }];
  });
  if (known.length === 0) return ours;
  return ours.filter((finding) => !known.some((other) => saysAsMuch(finding, other, other.meaning)));
}

function saysAsMuch(finding: Finding, other: ForeignProblem['range'], meaning: Meaning): boolean {
  const { range, field = '' } = finding;
  const own = (finding.type && echoed[finding.type]) ?? echoedByReaders[finding.code];
  switch (meaning.kind) {
    case 'missing':
      // It is told at the first character of what lacks it, or at the key above, and by us at what is there.
      return (field === meaning.field || field.endsWith(`.${meaning.field}`)) && isNear(range, other, 1);
    case 'unreadable':
      // Once a text can't be read, each reader has another idea where on the line.
      return own === 'unreadable' && range.start.line === other.start.line;
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

/** On the same line, with something in common, or no further apart than so many columns. */
function isNear(ours: ForeignProblem['range'], other: ForeignProblem['range'], gap: number): boolean {
  if (ours.start.line !== other.start.line) return false;
  const end = other.end.line > other.start.line ? Number.POSITIVE_INFINITY : other.end.column;
  return ours.start.column < end + gap && other.start.column < ours.end.column + gap;
}
