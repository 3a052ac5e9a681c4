/** What the server says about a value of the wrong type or an unknown field. */
import { type Path, renderPath, segmentsOf } from '../path.ts';
import type { DecodeError } from './decodeError.ts';
import { goQuote } from './goQuote.ts';
import { quantityFault } from './quantity.ts';
import { timeFault } from './time.ts';

/** How the server comes upon a fault, which decides whether another one outdoes it. */
export type Discovery =
  /** Before the object itself is read: its apiVersion and kind. */
  | 'type-meta'
  /** By a type that decodes itself: reading ends there. */
  | 'abort'
  /** By the decoder at large: it notes the first and reads on. */
  | 'noted'
  /** By the strict check: only answered if there is nothing else. */
  | 'strict';

/** A complaint, not yet in its place among the others. */
export interface Fault {
  readonly error: DecodeError;
  readonly discovery: Discovery;
}

/** What the server knows about the place where it is reading. */
export interface Place {
  readonly path: Path | undefined;
  /** The struct whose field is being read, and the names of the fields that led there. Lists and maps add none. */
  readonly struct: string;
  readonly fields: string;
}

/** The complaint about a key that its object doesn't have. */
export function unknownField(path: Path): Fault {
  const field = renderPath(path);
  return {
    error: {
      field,
      type: 'Unknown',
      message: `unknown field ${goQuote(field)}`,
      at: segmentsOf(path),
      rule: 'unknown-field',
    },
    discovery: 'strict',
  };
}

/** The complaint about a value that can't be decoded into a type, given as Go prints it. */
export function wrongType(value: unknown, printed: string, { path, struct, fields }: Place): Fault {
  if (path === undefined) return typeInvalid(undefined, notAnObjectMessage(value), 'wrong-type', 'type-meta');
  if (path.parent === undefined && (path.segment === 'apiVersion' || path.segment === 'kind')) {
    const message = `couldn't get version/kind; json parse error: ${mismatch(value, 'string', '', path.segment)}`;
    return typeInvalid(path, message, 'wrong-type', 'type-meta');
  }
  switch (printed) {
    case 'resource.Quantity':
      return typeInvalid(path, quantityFault(value) ?? '', 'malformed-quantity', 'abort');
    case 'v1.Time':
      return typeof value === 'string'
        ? typeInvalid(path, timeFault(value) ?? '', 'malformed-time', 'abort')
        : typeInvalid(path, mismatch(value, 'string', struct, fields), 'wrong-type', 'abort');
    case 'intstr.IntOrString':
      return typeInvalid(path, mismatch(value, 'int32', struct, fields), integerRule(value), 'abort');
    default:
      return typeInvalid(path, mismatch(value, printed, struct, fields), integerRule(value, printed), 'noted');
  }
}

function integerRule(value: unknown, goType = 'int32'): DecodeError['rule'] {
  return isInteger(goType) && isNumber(value) && Number.isInteger(Number(value)) ? 'out-of-range' : 'wrong-type';
}

function mismatch(value: unknown, goType: string, struct: string, fields: string): string {
  const word = isInteger(goType) && isNumber(value) ? `number ${value}` : jsonWord(value);
  return `json: cannot unmarshal ${word} into Go struct field ${struct}.${fields} of type ${goType}`;
}

function isInteger(goType: string): boolean {
  return goType === 'int32' || goType === 'int64';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function jsonWord(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A complaint that one reads as an error of type `TypeInvalid`. */
export function typeInvalid(
  path: Path | undefined,
  message: string,
  rule: DecodeError['rule'],
  discovery: Discovery,
): Fault {
  return { error: { field: renderPath(path), type: 'TypeInvalid', message, at: segmentsOf(path), rule }, discovery };
}

// The server looks for these two in any JSON first, by a nameless struct that its complaint spells out.
function notAnObjectMessage(value: unknown): string {
  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonWord(value)} into Go value of type ${struct}`;
}
