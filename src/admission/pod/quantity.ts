import { trimmedQuantity } from '../decode/quantity.ts';
import type { QuantityText } from './types.ts';

/**
 * Resource quantities, exact. The value is `unscaled × 10^exponent`; a binary suffix is already multiplied in.
 *
 * The server keeps a quantity either in 64 bits or, where those don't do, as a decimal of any length ("wide"), and the
 * two differ at the edges: a wide one wraps where its thousandths are counted. Whoever wants the server's verdict has to
 * know which one it is.
 * Source: Kubernetes 1.35, apimachinery, resource quantities.
 */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly isWide: boolean;
  readonly notation: 'decimal' | 'binary' | 'exponent';
  /** The text it was read from, kept where the server prints it back unchanged. */
  readonly text: string | undefined;
}

const decimalExponents: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalSuffixes = new Map([...decimalExponents].map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const binaryFactors = binarySuffixes.map((_suffix, power) => 1024n ** BigInt(power));
const decimalExponent = /^[eE][+-]?\d+$/;

/** Digits that surely fit into 64 bits. */
const safeDigits = 18;
/** Nothing is kept below a billionth: smaller amounts are rounded away from zero. */
const finestExponent = -9;
/** Where the server would compute for minutes; no amount of anything is that large. */
const largestExponent = 1000;
const maxInt64 = 2n ** 63n - 1n;
const billion = 10n ** 9n;
/** Thousandths that surely fit into 64 bits. */
const countedExactly = 9e18;
/** Amounts with a binary suffix end here, counted in billionths. */
const cap = maxInt64 * billion;

/** What was read of short texts, as all usual ones are: an object has the same few in many places, and is judged again. */
const known = new Map<string, Quantity>();
const mostKnown = 500;
const longestKnown = 24;

/** Reads a quantity; undefined for what is none. */
export function parseQuantity(value: QuantityText): Quantity | undefined {
  const text = typeof value === 'string' ? value : String(value);
  const before = known.get(text);
  if (before !== undefined) return before;
  const quantity = readQuantity(trimmedQuantity(text));
  if (quantity !== undefined && text.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear();
    known.set(text, quantity);
  }
  return quantity;
}

function readQuantity(text: string): Quantity | undefined {
  if (text === '') return undefined;
  if (text === '0') return { unscaled: 0n, exponent: 0, isWide: false, notation: 'decimal', text };
  const sign = text.startsWith('+') || text.startsWith('-') ? text.charAt(0) : '';
  const wholeEnd = skipDigits(text, sign.length);
  const fractionStart = text[wholeEnd] === '.' ? wholeEnd + 1 : wholeEnd;
  const suffixStart = skipDigits(text, fractionStart);
  const fraction = text.slice(fractionStart, suffixStart);
  const suffix = text.slice(suffixStart);

  // Leading zeros don't count as digits, those behind the point do.
  const integer = text.slice(skipZeros(text, sign.length), wholeEnd) || '0';
  const digits = integer + fraction;
  const power = binarySuffixes.indexOf(suffix);
  if (power > 0) return binary(sign, digits, integer, fraction, power, text);
  const shift = decimalExponents.get(suffix);
  if (shift === undefined && !decimalExponent.test(suffix)) return undefined;
  return decimal({ sign, digits, places: fraction.length, shift, suffix, text });
}

function skipZeros(text: string, from: number): number {
  let at = from;
  while (text[at] === '0') at++;
  return at;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) break;
  }
  return at;
}

/** The parts of a text without a binary suffix. */
interface DecimalParts {
  readonly sign: string;
  /** Without leading zeros. */
  readonly digits: string;
  /** How many of the digits stand behind the point. */
  readonly places: number;
  /** What the suffix stands for; undefined for an exponent. */
  readonly shift: number | undefined;
  readonly suffix: string;
  readonly text: string;
}

function decimal({ sign, digits, places, shift, suffix, text }: DecimalParts): Quantity {
  const notation = shift === undefined ? 'exponent' : 'decimal';
  const exponent = Math.min((shift ?? Number(suffix.slice(1))) - places, largestExponent);
  if (digits.length <= safeDigits && exponent >= finestExponent) {
    const isPrintedAsRead = exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
    const unscaled = signed(sign, BigInt(digits));
    return { unscaled, exponent, isWide: false, notation, text: isPrintedAsRead ? text : undefined };
  }
  const amount = exponent < finestExponent ? withoutLast(finestExponent - exponent, digits) : BigInt(digits);
  const unscaled = rescaled(signed(sign, amount), Math.max(exponent, finestExponent), finestExponent);
  // To write down a million digits anew takes long.
  const isCanonical = notation === 'decimal' && text === `${sign}${digits}${suffix}` && sign !== '+';
  const isPrintedAsRead = isCanonical && !digits.endsWith('000');
  return { unscaled, exponent: finestExponent, isWide: true, notation, text: isPrintedAsRead ? text : undefined };
}

/** The number without its last digits, rounded up. Cuts the text: division of a number of a million digits takes long. */
function withoutLast(count: number, digits: string): bigint {
  const end = Math.max(digits.length - count, 0);
  const kept = BigInt(digits.slice(0, end));
  return skipZeros(digits, end) < digits.length ? kept + 1n : kept;
}

function binary(
  sign: string,
  digits: string,
  integer: string,
  fraction: string,
  power: number,
  text: string,
): Quantity {
  const factor = binaryFactors[power] ?? 1n;
  const fitsDigits = integer.length + power * 3 < 15;
  if (fraction === '' && fitsDigits) {
    const amount = BigInt(integer);
    const isPrintedAsRead = amount % 8n !== 0n;
    const unscaled = signed(sign, amount * factor);
    return { unscaled, exponent: 0, isWide: false, notation: 'binary', text: isPrintedAsRead ? text : undefined };
  }
  const amount = isBeyondCap(integer)
    ? cap
    : capped(rescaled(BigInt(digits) * factor, -fraction.length, finestExponent));
  // A binary suffix can't express less than one.
  const isFraction = amount > 0n && amount < billion;
  return {
    unscaled: signed(sign, amount),
    exponent: finestExponent,
    isWide: true,
    notation: isFraction ? 'decimal' : 'binary',
    text: undefined,
  };
}

function signed(sign: string, amount: bigint): bigint {
  return sign === '-' ? -amount : amount;
}

function isBeyondCap(integer: string): boolean {
  return integer.length > maxInt64.toString().length;
}

function capped(amount: bigint): bigint {
  return amount > cap ? cap : amount;
}

/** The unscaled value on another exponent, rounded away from zero where that is coarser. */
function rescaled(unscaled: bigint, from: number, to: number): bigint {
  if (from === to) return unscaled;
  if (from > to) return unscaled * 10n ** BigInt(from - to);
  const divisor = 10n ** BigInt(to - from);
  const quotient = unscaled / divisor;
  const isExact = quotient * divisor === unscaled;
  const step = unscaled < 0n ? -1n : 1n;
  return isExact ? quotient : quotient + step;
}

/** Rounded away from zero to whole thousandths, which is the finest that the server keeps in a resource list. */
export function roundedToMilli(quantity: Quantity): Quantity {
  if (!quantity.isWide && quantity.exponent >= -3) return quantity;
  const unscaled = rescaled(quantity.unscaled, quantity.exponent, -3);
  const isExact = rescaled(unscaled, -3, quantity.exponent) === quantity.unscaled;
  return { ...quantity, unscaled, exponent: -3, text: isExact ? quantity.text : undefined };
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  const exponent = Math.min(left.exponent, right.exponent);
  const one = rescaled(left.unscaled, left.exponent, exponent);
  const other = rescaled(right.unscaled, right.exponent, exponent);
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The sum, in the notation of the first amount that isn't zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  const exponent = Math.min(left.exponent, right.exponent);
  const unscaled =
    rescaled(left.unscaled, left.exponent, exponent) + rescaled(right.unscaled, right.exponent, exponent);
  const notation = left.unscaled === 0n ? right.notation : left.notation;
  return { unscaled, exponent, isWide: left.isWide || right.isWide, notation, text: undefined };
}

/** Multiplications by these powers of ten wrap around on the server where they overflow; all others give zero. */
const wrappingShifts: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);

/** The amount counted in units of `10^exponent`, rounded away from zero, with the server's overflows. */
function countedIn(exponent: number, quantity: Quantity): bigint {
  const unscaled = rescaled(quantity.unscaled, quantity.exponent, exponent);
  const wrapped = BigInt.asIntN(64, unscaled);
  if (wrapped === unscaled || quantity.isWide) return wrapped;
  return wrappingShifts.has(quantity.exponent - exponent) ? wrapped : 0n;
}

/** What the server takes for a whole number. Expects a quantity rounded to thousandths. */
export function isWhole(quantity: Quantity): boolean {
  return countedIn(-3, quantity) % 1000n === 0n;
}

/** The whole units, rounded away from zero, as the server counts them. */
export function wholeUnits(quantity: Quantity): bigint {
  return countedIn(0, quantity);
}

/**
 * A text that is read as just this quantity, which must have been rounded to thousandths: what the server writes of it,
 * unless that would be counted otherwise, or is less than it stands for (there is no suffix for a thousand `E`).
 */
export function asReadAgain(quantity: Quantity, readFrom: string): string {
  const written = formatQuantity(quantity);
  if (Math.abs(Number(quantity.unscaled)) * 10 ** (quantity.exponent + 3) < countedExactly) return written;
  const read = parseQuantity(written);
  if (read !== undefined && isCountedAlike(read, quantity)) return written;
  const before = parseQuantity(readFrom);
  if (before !== undefined && compareQuantities(before, quantity) === 0) return readFrom;
  return `${rescaled(quantity.unscaled, quantity.exponent, -3)}${quantity.notation === 'exponent' ? 'e-3' : 'm'}`;
}

function isCountedAlike(one: Quantity, other: Quantity): boolean {
  return (
    compareQuantities(one, other) === 0 && isWhole(one) === isWhole(other) && wholeUnits(one) === wholeUnits(other)
  );
}

/** As the server writes it into what it stores and into messages: `1500m`, `2Gi`, `1e3`. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  return quantity.notation === 'binary' ? formatBinary(quantity) : formatDecimal(quantity);
}

function formatBinary(quantity: Quantity): string {
  const whole = rescaled(quantity.unscaled, quantity.exponent, 0);
  const isExact = rescaled(whole, 0, Math.min(quantity.exponent, 0)) === exactly(quantity);
  if (!isExact || (whole > -1024n && whole < 1024n)) return formatDecimal(quantity);
  let amount = whole;
  let power = 0;
  while (amount % 1024n === 0n) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${binarySuffixes[power] ?? ''}`;
}

function exactly(quantity: Quantity): bigint {
  return rescaled(quantity.unscaled, quantity.exponent, Math.min(quantity.exponent, 0));
}

function formatDecimal(quantity: Quantity): string {
  const written = `${quantity.unscaled}`;
  let end = written.length;
  while (written[end - 1] === '0') end--;
  const finest = quantity.exponent + written.length - end;
  // Suffixes come in steps of a thousand.
  const exponent = Math.floor(finest / 3) * 3;
  const amount = written.slice(0, end) + '0'.repeat(finest - exponent);
  if (quantity.notation === 'exponent') return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${decimalSuffixes.get(exponent) ?? ''}`;
}
