import type { JsonObject, JsonValue } from '../../base/index.ts';
import { asReadAgain, formatQuantity, parseQuantity, roundedToMilli } from './quantity.ts';
import type { QuantityText, ResourceList } from './types.ts';

/** Amounts as the server writes them back: in canonical form, in lists of resources rounded to thousandths. */

/** An amount in canonical form; what is none is left as it is. */
export function canonicalAmount(text: QuantityText | undefined): QuantityText | undefined {
  const quantity = text === undefined ? undefined : parseQuantity(text);
  return quantity === undefined ? text : formatQuantity(quantity);
}

/**
 * A list of resources with canonical amounts, save those that would be counted otherwise once they are written down and
 * read: the server judges what it has in memory. `asWritten` ends that.
 */
export function canonicalAmounts(list: ResourceList | undefined): ResourceList | undefined {
  if (list === undefined) return undefined;
  let copy: Record<string, QuantityText> | undefined;
  for (const name in list) {
    const before = list[name];
    const quantity = before === undefined ? undefined : parseQuantity(before);
    if (quantity === undefined) continue;
    const after = asReadAgain(roundedToMilli(quantity), String(before));
    if (after === before) continue;
    copy ??= { ...list };
    copy[name] = after;
  }
  return copy ?? list;
}

/** A list of resources that was completed, as the server stores it. */
export function asWritten(list: JsonObject): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const name in list) {
    const before = list[name];
    const after = typeof before === 'string' ? canonicalAmount(before) : before;
    if (after === before) continue;
    copy ??= { ...list };
    copy[name] = after;
  }
  return copy ?? list;
}
