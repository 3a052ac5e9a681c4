import { describe, expect, it } from 'vitest';
import { scheduleFault } from '../../src/admission/schedule.ts';
import { timeZoneFault } from '../../src/admission/timeZones.ts';

function check(fault: string | undefined, isFine: boolean): void {
  expect(fault === undefined, fault).toBe(isFine);
}

const good: readonly (readonly [name: string, schedule: string])[] = [
  ['five stars', '* * * * *'],
  ['question marks', '? ? ? ? ?'],
  ['numbers at both ends of their ranges', '0,59 0,23 1,31 1,12 0,6'],
  ['ranges with steps', '1-59/2 */5 1-15/3 2/2 *'],
  ['names of months and days in any case', '0 0 * JAN-dec Sun,mon'],
  ['more than one blank, tabs too', ' 0  0 \t * * * '],
  ['a plus sign and leading zeros', '+5 007 * * *'],
  ['empty items of a list', ',5,,6 , * * *'],
  ['anything after the hyphen of a star', '*-99 * * * *'],
  ['a step beyond the range', '0/99 * * * *'],
  ['a name for a schedule', '@midnight'],
  ['a delay', '@every 1h30m'],
  ['a delay with fractions and a sign', '@every -1.5h.5s'],
  ['no delay at all', '@every 0'],
  ['the longest delay', '@every 9223372036854775807ns'],
  ['the longest delay below zero', '@every -9223372036854775808ns'],
  ['a time zone, for the parser', 'TZ=Europe/Berlin 0 0 * * *'],
  ['an empty time zone, which is UTC', 'CRON_TZ= @daily'],
];

const bad: readonly (readonly [name: string, schedule: string])[] = [
  ['four fields', '* * * *'],
  ['six fields', '0 * * * * *'],
  ['minute 60', '60 * * * *'],
  ['hour 24', '* 24 * * *'],
  ['day 0', '* * 0 * *'],
  ['month 13', '* * * 13 *'],
  ['weekday 7', '* * * * 7'],
  ['a falling range', '5-3 * * * *'],
  ['two hyphens', '1-2-3 * * * *'],
  ['two slashes', '*/2/3 * * * *'],
  ['a step of zero', '*/0 * * * *'],
  ['a negative step', '*/-1 * * * *'],
  ['a step that is missing', '*/ * * * *'],
  ['a name of a month for a day of the week', '* * * * jan'],
  ['letters of other crons', '* * L * *'],
  ['an unknown name', '@fortnightly'],
  ['a name in capitals', '@DAILY'],
  ['a name with a blank', '@daily '],
  ['a delay without a unit', '@every 5'],
  ['a delay without a number', '@every h'],
  ['a delay in days', '@every 1d'],
  ['a delay with two blanks', '@every  1h'],
  ['a delay that no duration can hold', '@every 9999999h'],
  ['a delay that is too long by a nanosecond', '@every 9223372036854775808ns'],
  ['an unknown time zone', 'TZ=Europe/Bonn 0 0 * * *'],
  ['a time zone alone', 'TZ=UTC'],
  ['a number that no integer can hold', '99999999999999999999 * * * *'],
];

describe('a schedule', () => {
  it.each(good)('may have %s', (_name, schedule) => check(scheduleFault(schedule), true));
  it.each(bad)('may not have %s', (_name, schedule) => check(scheduleFault(schedule), false));
});

const zones: readonly (readonly [name: string, zone: string, isFine: boolean])[] = [
  ['a city', 'Europe/Berlin', true],
  ['a city with two areas', 'America/Argentina/Buenos_Aires', true],
  ['UTC', 'UTC', true],
  ['an offset', 'Etc/GMT+12', true],
  ['a link', 'Asia/Calcutta', true],
  ['a legacy name', 'US/Pacific', true],
  ['a legacy name without an area', 'GB-Eire', true],
  ['a city in small letters', 'europe/berlin', false],
  ['an area alone', 'America', false],
  ['an area with a slash', 'America/', false],
  ['nothing', '', false],
  ['the server’s own', 'Local', false],
  ['the server’s own in small letters', 'local', false],
  ['a step up', 'Europe/../UTC', false],
  ['a part that is too long', 'Europe/Abcdefghijklmno', false],
  ['an abbreviation that is no zone', 'CEST', false],
];

describe('a time zone', () => {
  it.each(zones)('%s', (_name, zone, isFine) => check(timeZoneFault(zone), isFine));
});
