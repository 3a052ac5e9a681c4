import { describe, expect, it } from 'vitest';
import { quantityFault } from '../../../src/admission/decode/quantity.ts';
import { timeFault } from '../../../src/admission/decode/time.ts';

const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffix = "unable to parse quantity's suffix";

describe('quantityFault', () => {
  const good = ['0', '100m', '1.5Gi', '.5', '5.', '+', '.', '-3', '1E', '1e3', '1E-2', ' 1Gi ', '000', '1n', '2.Ki'];
  it.each(good)('takes %j', (text) => expect(quantityFault(text)).toBeUndefined());

  it.each(['', 'abc', '1 Gi', '\t1', '1_000', '1.2.3', '1e5e5', '1e1.5', 'é', '1,5'])(
    'finds no quantity in %j',
    (text) => expect(quantityFault(text)).toBe(format),
  );
  it.each(['--5', '1ki', '1K', '1Kii', '1e', '1e+', '1mi', '1EE', '1e99999999999999999999'])(
    'knows no suffix like that of %j',
    (text) => expect(quantityFault(text)).toBe(suffix),
  );
  it('finds no number in a power alone', () =>
    expect(quantityFault('.e-20')).toBe('unable to parse numeric part of quantity'));
  it.each(['Pi', '+Ei', '-.Pi', 'Ei '])('finds no number in %j', (text) =>
    expect(quantityFault(text)).toBe('unable to parse numeric part of quantity'),
  );
  it.each(['Ti', '0Ei', '.5Pi'])('takes %j, large or without digits', (text) =>
    expect(quantityFault(text)).toBeUndefined(),
  );
  it.each([0, -0, 1.5, 1e300, 10n ** 30n])('takes the number %s', (value) =>
    expect(quantityFault(value)).toBeUndefined(),
  );
  it.each([true, [1], {}, Number.NaN])('takes no %j', (value) => expect(quantityFault(value)).toBe(format));
});

describe('timeFault', () => {
  const good = [
    '2026-01-02T15:04:05Z',
    '2024-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-01-31T23:59:59.123456789123+05:30',
    '2026-01-02T1:04:05Z',
    '2026-01-02T15:04:05,5Z',
    '2026-01-02T15:04:05+24:60',
  ];
  it.each(good)('takes %j', (text) => expect(timeFault(text)).toBeUndefined());

  const cannotParse = (text: string, rest: string, element: string): string =>
    `parsing time "${text}" as "2006-01-02T15:04:05Z07:00": cannot parse "${rest}" as "${element}"`;
  const bad: Record<string, string> = {
    '': cannotParse('', '', '2006'),
    '2026': cannotParse('2026', '', '-'),
    '2026-1-02T15:04:05Z': cannotParse('2026-1-02T15:04:05Z', '1-02T15:04:05Z', '01'),
    '2026-01-02 15:04:05Z': cannotParse('2026-01-02 15:04:05Z', ' 15:04:05Z', 'T'),
    '2026-01-02T15:04:05': cannotParse('2026-01-02T15:04:05', '', 'Z07:00'),
    '2026-01-02T15:04:05é01:00': cannotParse('2026-01-02T15:04:05\\xc3\\xa901:00', '\\xc3\\xa901:00', 'Z07:00'),
    '2026-13-02T15:04:05Z': 'parsing time "2026-13-02T15:04:05Z": month out of range',
    '2026-04-31T15:04:05Z': 'parsing time "2026-04-31T15:04:05Z": day out of range',
    '2100-02-29T15:04:05Z': 'parsing time "2100-02-29T15:04:05Z": day out of range',
    '2026-01-02T24:04:05Z': 'parsing time "2026-01-02T24:04:05Z": hour out of range',
    '2026-01-02T15:60:05Z': 'parsing time "2026-01-02T15:60:05Z": minute out of range',
    '2026-01-02T15:04:60Z': 'parsing time "2026-01-02T15:04:60Z": second out of range',
    '2026-01-02T15:04:05+25:61': 'parsing time "2026-01-02T15:04:05+25:61": time zone offset minute out of range',
    '2026-01-02T15:04:05+25:00': 'parsing time "2026-01-02T15:04:05+25:00": time zone offset hour out of range',
    '2026-01-02T15:04:05Zulu': 'parsing time "2026-01-02T15:04:05Zulu": extra text: "ulu"',
  };
  it.each(Object.entries(bad))('refuses %j', (text, message) => expect(timeFault(text)).toBe(message));
});
