import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageText, spokenAge, untilNextAge } from '../../src/model/age.ts';
import { formatClock, formatTime } from '../../src/model/outlineWords.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

describe('an age', () => {
  const rows: readonly (readonly [number, string, string])[] = [
    [-5000, '', ''],
    [0, '', ''],
    [minute - 1, '', ''],
    [minute, '1m', '1 minute'],
    [2 * minute + 30_000, '2m', '2 minutes'],
    [hour - 1, '59m', '59 minutes'],
    [hour, '1h', '1 hour'],
    [day - 1, '23h', '23 hours'],
    [day, '1d', '1 day'],
    [400 * day, '400d', '400 days'],
  ];
  test.each(rows)('of %i ms', (ageMs, text, spoken) => {
    expect([ageText(ageMs), spokenAge(ageMs)]).toEqual([text, spoken]);
  });

  test('reads the same until the next one is due, and otherwise from then on', () => {
    fc.assert(
      fc.property(fc.integer({ min: -day, max: 40 * day }), (ageMs) => {
        const due = ageMs + untilNextAge(ageMs);
        expect(due).toBeGreaterThan(ageMs);
        expect(ageText(due - 1)).toBe(ageText(ageMs));
        expect(ageText(due)).not.toBe(ageText(ageMs));
      }),
    );
  });
});

describe('a time', () => {
  const time = Date.parse('2026-01-01T12:14:05.678Z');
  test.each([
    ['Europe/Zurich', '1 Jan 2026, 13:14:05 CET'],
    ['Asia/Kolkata', '1 Jan 2026, 17:44:05 GMT+5:30'],
    ['UTC', '1 Jan 2026, 12:14:05 UTC'],
  ])('in %s names its zone', (zone, text) => expect(formatTime(time, zone)).toBe(text));

  test('is the one of this machine where none is named', () => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(formatTime(time)).toBe(formatTime(time, zone));
    expect(formatTime(time)).toContain(`${formatClock(time)}:05`);
  });

  test('that nobody gave is unknown', () => expect(formatTime(0)).toBe('unknown'));
});
