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

/** 'schema': some complaint of a schema, in a language that is not known here. */
type Meaning = 'unknown-property' | 'wrong-value' | 'schema';

/** What a schema can say as well as the API server. */
const echoed: Readonly<Partial<Record<FieldErrorType, Meaning>>> = {
  Unknown: 'unknown-property',
  TypeInvalid: 'wrong-value',
  NotSupported: 'wrong-value',
};

/**
 * Leaves out what somebody else says already: an unknown property, a value of the wrong type or outside a set, at the
 * same place. Everything that no schema knows stays.
 */
export function withoutEchoes(ours: readonly Finding[], others: readonly ForeignProblem[]): readonly Finding[] {
  const known = others.flatMap((problem) => {
    const meaning = meaningOf(problem);
    return meaning === undefined ? [] : [{ ...problem.range, meaning }];
  });
  if (known.length === 0) return ours;
  return ours.filter(({ type, range }) => {
    const meaning = type && echoed[type];
    if (meaning === undefined) return true;
    return !known.some((other) => (other.meaning === meaning || other.meaning === 'schema') && isThere(range, other));
  });
}

/** By the words of the YAML language server, which several extensions build on; else by its name alone. */
function meaningOf({ source = '', message }: ForeignProblem): Meaning | undefined {
  if (/^(?:Unexpected property|Property \S+ is not allowed)/i.test(message)) return 'unknown-property';
  if (/^(?:Incorrect type|Value is not accepted|Value is not an allowed)/i.test(message)) return 'wrong-value';
  // What is missing is said in words of its own, and at another place.
  if (/^Missing property/i.test(message)) return undefined;
  return source.startsWith('yaml-schema') ? 'schema' : undefined;
}

/** On the same line, with something in common. */
function isThere(ours: ForeignProblem['range'], other: ForeignProblem['range']): boolean {
  if (ours.start.line !== other.start.line) return false;
  const end = other.end.line > other.start.line ? Number.POSITIVE_INFINITY : other.end.column;
  return ours.start.column < end && other.start.column < ours.end.column;
}
