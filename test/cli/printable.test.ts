import { expect, test } from 'vitest';
import { printable } from '../../src/cli/printable.ts';

test.each([
  ['words, with "quotes", a \\ and äöü 😀', 'words, with "quotes", a \\ and äöü 😀'],
  ['a\u001b[31mb', 'a\\u001b[31mb'],
  ['a\nb\tc\r', 'a\\nb\\tc\\r'],
  ['a\u007f\u009bb', 'a\\u007f\\u009bb'],
  ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
])('%j is printed as %j', (text, printed) => {
  expect(printable(text)).toBe(printed);
});
