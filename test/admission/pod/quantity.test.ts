import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareQuantities, formatQuantity, parseQuantity, type Quantity } from '../../../src/admission/pod/index.ts';
import {
  addQuantities,
  asReadAgain,
  isWhole,
  roundedToMilli,
  wholeUnits,
} from '../../../src/admission/pod/quantity.ts';

/** How the server writes the quantity back; undefined for a text that is none. */
function check(text: string | number, written: string | undefined): void {
  const quantity = parseQuantity(text);
  expect(quantity && formatQuantity(quantity)).toBe(written);
}

const rows: readonly (readonly [name: string, text: string | number, written: string | undefined])[] = [
  ['a number', 2, '2'],
  ['thousandths', '1500m', '1500m'],
  ['a fraction becomes thousandths', '0.5', '500m'],
  ['whole thousandths become a number', '2000m', '2'],
  ['thousands get a suffix', '100000', '100k'],
  ['bytes in powers of two', '1.5Gi', '1536Mi'],
  ['the largest power of two that divides', '1024Mi', '1Gi'],
  ['an exponent stays one', '12e6', '12e6'],
  ['an exponent in steps of three', '12e4', '120e3'],
  ['zero of any kind', '0.0Mi', '0'],
  ['nothing is finer than a billionth', '0.1n', '1n'],
  ['so little that only its exponent says so', '1e-2147483648', '1e-9'],
  ['a sign', '-3', '-3'],
  ['space around it', ' 1 ', '1'],
  ['a space that Go trims', '\u00851\u3000', '1'],
  ['a mark that only JavaScript trims', '\ufeff1', undefined],
  ['no text', '', undefined],
  ['no number', 'all', undefined],
  ['an unknown suffix', '1KB', undefined],
  ['a suffix in the wrong case', '1K', undefined],
  ['two points', '1.2.3', undefined],
];

const suffixes = ['', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e2', 'u', 'n'];
const texts = fc
  .tuple(fc.integer({ min: -9999, max: 9999 }), fc.option(fc.nat({ max: 999 })), fc.constantFrom(...suffixes))
  .map(([whole, fraction, suffix]) => `${whole}${fraction === null ? '' : `.${fraction}`}${suffix}`);
const quantities = texts.map((text) => parsed(text));

function parsed(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`no quantity: ${text}`);
  return quantity;
}

describe('a quantity', () => {
  it.each(rows)('%s', (_name, text, written) => check(text, written));

  it('means the same once it is written back', () => {
    fc.assert(fc.property(quantities, (one) => compareQuantities(parsed(formatQuantity(one)), one) === 0));
  });

  // What loses its binary suffix is decimal when it is read again: 2562.5Ki, 2624000, 2624k.
  it('is written once and for all when it was read again', () => {
    const again = (text: string): string => formatQuantity(parsed(text));
    fc.assert(
      fc.property(texts, (text) => again(again(again(text))) === again(again(text))),
      {
        examples: [['-2562.50Ki']],
      },
    );
  });

  it('comes before or after another', () => {
    fc.assert(
      fc.property(quantities, quantities, (left, right) => {
        const order = compareQuantities(left, right);
        return order + compareQuantities(right, left) === 0;
      }),
    );
  });

  it('adds up in any order', () => {
    fc.assert(
      fc.property(quantities, quantities, (left, right) => {
        return compareQuantities(addQuantities(left, right), addQuantities(right, left)) === 0;
      }),
    );
  });

  it('grows by what is added', () => {
    fc.assert(
      fc.property(quantities, quantities, (left, right) => {
        return compareQuantities(addQuantities(left, right), left) === compareQuantities(right, parsed('0'));
      }),
    );
  });

  it('is rounded away from zero to thousandths', () => {
    fc.assert(
      fc.property(quantities, (one) => {
        const rounded = roundedToMilli(one);
        const step = parsed(one.unscaled < 0n ? '-1m' : '1m');
        const direction = compareQuantities(step, parsed('0'));
        const isAtLeast = compareQuantities(rounded, one) * direction >= 0;
        return isAtLeast && compareQuantities(addQuantities(one, step), rounded) * direction > 0;
      }),
    );
  });

  it('of a list is counted as before once it is completed, however large', () => {
    const digits = fc.oneof(
      fc.stringMatching(/^[1-9]\d{0,24}$/),
      fc.nat({ max: 25 }).map((zeros) => `1${'0'.repeat(zeros)}`),
    );
    const long = fc
      .tuple(
        digits,
        fc.constantFrom('', '.5', '.123456789012'),
        fc.constantFrom(...suffixes, 'T', 'P', 'E', 'Pi', 'e-3'),
      )
      .map(([whole, fraction, suffix]) => `${whole}${fraction}${suffix}`);
    fc.assert(
      fc.property(long, (text) => {
        const rounded = roundedToMilli(parsed(text));
        const again = roundedToMilli(parsed(asReadAgain(rounded, text)));
        expect(compareQuantities(again, rounded)).toBe(0);
        expect([isWhole(again), wholeUnits(again)]).toEqual([isWhole(rounded), wholeUnits(rounded)]);
      }),
      { numRuns: 5000 },
    );
  });
});
