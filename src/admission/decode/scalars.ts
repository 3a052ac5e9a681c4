/**
 * Which values fit the scalar types of the Kubernetes API, as Go's decoder reads them. Null never gets
 * here: it decodes into everything.
 */
import { quantityFault } from './quantity.ts';
import { timeFault } from './time.ts';

export function isInt32(value: unknown): boolean {
  // A bigint comes from a reader that found more digits than a number holds.
  return typeof value === 'number'
    ? value === (value | 0)
    : typeof value === 'bigint' && BigInt.asIntN(32, value) === value;
}

/**
 * A number can't tell 2⁶³-1, which fits, from 2⁶³, which doesn't, and is taken for the latter: a reader that meets the
 * former rounds it downwards or hands over a bigint.
 */
export function isInt64(value: unknown): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

export function isIntOrString(value: unknown): boolean {
  return typeof value === 'string' || isInt32(value);
}

export function isQuantity(value: unknown): boolean {
  return quantityFault(value) === undefined;
}

export function isTime(value: unknown): boolean {
  return typeof value === 'string' && timeFault(value) === undefined;
}
