/** Quantities (`100m`, `1.5Gi`, `2e3`) as the API server decodes them. Source: Kubernetes 1.35, apimachinery, resource. */

const badFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const badSuffix = "unable to parse quantity's suffix";
const badNumber = 'unable to parse numeric part of quantity';

const powers: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const binarySuffixes: ReadonlySet<string> = new Set(['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']);
const largeBinarySuffixes: ReadonlySet<string> = new Set(['Pi', 'Ei']);
const suffixLetters = 'eEinumkKMGTP';
// The server trims these around the text before it has undone JSON's escapes, so what clients escape stays: tabs, breaks and
// separators of lines.
const trimmable: ReadonlySet<string> = new Set(
  ' \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000',
);

/**
 * The server's complaint about a value in the place of a quantity, undefined if it is one. Numbers are quantities; the
 * complaint about a list, an object or a boolean is the same as about a text of letters.
 */
export function quantityFault(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : badFormat;
  if (typeof value === 'bigint') return undefined;
  return typeof value === 'string' ? textFault(trimmedQuantity(value)) : badFormat;
}

// One pass without a regular expression: a text of a megabyte of digits must not make one backtrack.
function textFault(text: string): string | undefined {
  if (text === '') return badFormat;
  let at = text[0] === '+' || text[0] === '-' ? 1 : 0;
  const wholeStart = skipZeros(text, at);
  at = skipDigits(text, wholeStart);
  const wholeDigits = at - wholeStart;
  let fractionDigits = 0;
  if (text[at] === '.') {
    const fractionStart = at + 1;
    at = skipDigits(text, fractionStart);
    fractionDigits = at - fractionStart;
  }
  const suffixStart = at;
  while (at < text.length && suffixLetters.includes(text.charAt(at))) at++;
  if (text[at] === '+' || text[at] === '-') at++;
  if (skipDigits(text, at) < text.length) return badFormat;
  const suffix = text.slice(suffixStart);
  const hasDigit = /\d/.test(text.slice(0, suffixStart));
  // A text without any digit is zero on the server's quick way and no number on its exact way, which it takes for powers
  // that are very small, or so large that an int64 could overflow.
  if (binarySuffixes.has(suffix)) return !hasDigit && largeBinarySuffixes.has(suffix) ? badNumber : undefined;
  const power = powers.get(suffix) ?? exponent(suffix);
  if (power === undefined) return badSuffix;
  return !hasDigit && power - fractionDigits < -9 && wholeDigits === 0 ? badNumber : undefined;
}

/** The text without the white space that the server leaves out of account. */
export function trimmedQuantity(text: string): string {
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text;
  let start = 0;
  let end = text.length;
  while (start < end && trimmable.has(text.charAt(start))) start++;
  while (end > start && trimmable.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** ASCII without control characters and space; false for NaN, beyond a text's end. */
function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function exponent(suffix: string): number | undefined {
  const digits = /^[eE]([+-]?\d{1,30})$/.exec(suffix)?.[1];
  if (digits === undefined) return undefined;
  const value = BigInt(digits.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? Number(BigInt.asIntN(32, value)) : undefined;
}

function skipZeros(text: string, from: number): number {
  let at = from;
  while (text[at] === '0') at++;
  return at;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at++;
  return at;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
