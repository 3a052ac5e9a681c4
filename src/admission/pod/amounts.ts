import { trimmedQuantity } from '../decode/quantity.ts';
import { isWhole, parseQuantity, type Quantity, roundedToMilli, wholeUnits } from './quantity.ts';
import { isHugePages, pageSizeIn } from './resourceNames.ts';
import type { QuantityText, ResourceList } from './types.ts';

/** Amounts in lists of resources, rounded as the server rounds them there. */

/** The amount that a text means; undefined for what is none, which is the decoder's to refuse. */
export function amountOf(text: QuantityText | undefined): Quantity | undefined {
  const quantity = text === undefined ? undefined : parseQuantity(text);
  return quantity && roundedToMilli(quantity);
}

/** True for a text that means less than nothing. Reads no number: most amounts are none of these. */
export function isNegative(text: QuantityText | undefined): boolean {
  return /^-[\d.]*[1-9]/.test(trimmedQuantity(String(text)));
}

/** The amounts of a list by name. */
export function amountsOf(list: ResourceList | undefined): ReadonlyMap<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const name in list) {
    const amount = amountOf(list[name]);
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

/** Whether the amount of a huge page resource is a multiple of its page size; undefined for other resources. */
export function isDivisible(name: string, amount: Quantity): boolean | undefined {
  if (!isHugePages(name)) return undefined;
  const pageSize = parseQuantity(pageSizeIn(name));
  if (pageSize === undefined || pageSize.unscaled <= 0n || !isWhole(pageSize)) return false;
  const size = wholeUnits(pageSize);
  return size !== 0n && wholeUnits(amount) % size === 0n;
}
