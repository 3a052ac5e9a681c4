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

const grammar = /^([+-]?)(\d*)(?:\.(\d*))?(|[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)$/;

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

/** Digits that surely fit into 64 bits. */
const safeDigits = 18;
/** Nothing is kept below a billionth: smaller amounts are rounded away from zero. */
const finestExponent = -9;
/** Where the server would compute for minutes; no amount of anything is that large. */
const largestExponent = 1000;
const maxInt64 = 2n ** 63n - 1n;

/** Reads a quantity; undefined for what is none. */
export function parseQuantity(value: QuantityText): Quantity | undefined {
  const text = typeof value === 'string' ? value.trim() : String(value);
  const match = text === '' ? null : grammar.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (text === '0') return { unscaled: 0n, exponent: 0, isWide: false, notation: 'decimal', text };

  // Leading zeros don't count as digits, those behind the point do.
  const integer = whole.replace(/^0+/, '') || '0';
  const digits = integer + fraction;
  const power = binarySuffixes.indexOf(suffix);
  if (suffix !== '' && power > 0) return binary(sign, digits, integer, fraction, power, text);
  return decimal(sign, digits, fraction.length, suffix, text);
}

function decimal(sign: string, digits: string, places: number, suffix: string, text: string): Quantity {
  const shift = decimalExponents.get(suffix);
  const notation = shift === undefined ? 'exponent' : 'decimal';
  // Far below a billionth it no longer matters how far: all of it rounds to one.
  const smallestExponent = finestExponent - digits.length - 1;
  const said = (shift ?? Number(suffix.slice(1))) - places;
  const exponent = Math.max(Math.min(said, largestExponent), smallestExponent);
  const unscaled = signed(sign, BigInt(digits));
  if (digits.length <= safeDigits && exponent >= finestExponent) {
    const isPrintedAsRead = exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
    return { unscaled, exponent, isWide: false, notation, text: isPrintedAsRead ? text : undefined };
  }
  return { ...rescaled(unscaled, exponent, finestExponent), isWide: true, notation, text: undefined };
}

function binary(
  sign: string,
  digits: string,
  integer: string,
  fraction: string,
  power: number,
  text: string,
): Quantity {
  const factor = 1024n ** BigInt(power);
  const fitsDigits = integer.length + Math.trunc(power * 3) < 15;
  if (fraction === '' && fitsDigits) {
    const amount = BigInt(integer);
    const isPrintedAsRead = amount % 8n !== 0n;
    const unscaled = signed(sign, amount * factor);
    return { unscaled, exponent: 0, isWide: false, notation: 'binary', text: isPrintedAsRead ? text : undefined };
  }
  const { unscaled } = rescaled(BigInt(digits) * factor, -fraction.length, finestExponent);
  const cap = maxInt64 * 10n ** BigInt(-finestExponent);
  const amount = unscaled > cap ? cap : unscaled;
  // A binary suffix can't express less than one.
  const isFraction = amount > 0n && amount < 10n ** BigInt(-finestExponent);
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

/** The same value on another exponent, rounded away from zero where that is coarser. */
function rescaled(unscaled: bigint, from: number, to: number): { unscaled: bigint; exponent: number } {
  if (from >= to) return { unscaled: unscaled * 10n ** BigInt(from - to), exponent: to };
  const divisor = 10n ** BigInt(to - from);
  const quotient = unscaled / divisor;
  const isExact = quotient * divisor === unscaled;
  const step = unscaled < 0n ? -1n : 1n;
  return { unscaled: isExact ? quotient : quotient + step, exponent: to };
}

/** Rounded away from zero to whole thousandths, which is the finest that the server keeps in a resource list. */
export function roundedToMilli(quantity: Quantity): Quantity {
  if (!quantity.isWide && quantity.exponent >= -3) return quantity;
  return { ...quantity, ...rescaled(quantity.unscaled, quantity.exponent, -3), text: undefined };
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  const exponent = Math.min(left.exponent, right.exponent);
  const difference =
    rescaled(left.unscaled, left.exponent, exponent).unscaled -
    rescaled(right.unscaled, right.exponent, exponent).unscaled;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum, in the notation of the first amount that isn't zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  const exponent = Math.min(left.exponent, right.exponent);
  const unscaled =
    rescaled(left.unscaled, left.exponent, exponent).unscaled +
    rescaled(right.unscaled, right.exponent, exponent).unscaled;
  const notation = left.unscaled === 0n ? right.notation : left.notation;
  return { unscaled, exponent, isWide: left.isWide || right.isWide, notation, text: undefined };
}

/** Multiplications by these powers of ten wrap around on the server where they overflow; all others give zero. */
const wrappingShifts: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);

/** The amount counted in units of `10^exponent`, rounded away from zero, with the server's overflows. */
function countedIn(exponent: number, quantity: Quantity): bigint {
  const { unscaled } = rescaled(quantity.unscaled, quantity.exponent, exponent);
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

/** As the server writes it into what it stores and into messages: `1500m`, `2Gi`, `1e3`. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  return quantity.notation === 'binary' ? formatBinary(quantity) : formatDecimal(quantity);
}

function formatBinary(quantity: Quantity): string {
  const whole = rescaled(quantity.unscaled, quantity.exponent, 0).unscaled;
  const isExact = rescaled(whole, 0, Math.min(quantity.exponent, 0)).unscaled === exactly(quantity);
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
  return rescaled(quantity.unscaled, quantity.exponent, Math.min(quantity.exponent, 0)).unscaled;
}

function formatDecimal(quantity: Quantity): string {
  let amount = quantity.unscaled;
  let exponent = quantity.exponent;
  while (amount % 10n === 0n) {
    amount /= 10n;
    exponent++;
  }
  // Suffixes come in steps of a thousand.
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent--;
  }
  if (quantity.notation === 'exponent') return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${decimalSuffixes.get(exponent) ?? ''}`;
}
