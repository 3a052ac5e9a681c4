/**
 * Times (`2026-01-02T15:04:05Z`) as the API server decodes them. Go's parser walks along a layout and complains about
 * the element that the text doesn't fit; it is more lenient than RFC 3339 in the hour and the fraction.
 */

import { once } from '../../base/index.ts';

const layout = '2006-01-02T15:04:05Z07:00';

interface Progress {
  readonly rest: string;
  /** Why the element is no good although it could be read: its number is out of range. */
  readonly outOfRange?: string;
}

interface Element {
  /** What stands before the element. */
  readonly prefix: string;
  /** The element's name in the layout. */
  readonly name: string;
  /** Undefined if the text doesn't start with such an element. */
  readonly read: (text: string) => Progress | undefined;
}

const elements: readonly Element[] = [
  { prefix: '', name: '2006', read: (text) => (/^\d{4}/.test(text) ? { rest: text.slice(4) } : undefined) },
  { prefix: '-', name: '01', read: (text) => twoDigits(text, 1, 12, 'month') },
  // The day's range depends on the month: it is looked at when all is read.
  { prefix: '-', name: '02', read: (text) => twoDigits(text, 0, 99, 'day') },
  { prefix: 'T', name: '15', read: hour },
  { prefix: ':', name: '04', read: (text) => twoDigits(text, 0, 59, 'minute') },
  { prefix: ':', name: '05', read: second },
  { prefix: '', name: 'Z07:00', read: zone },
];

/** The server's complaint about a text in the place of a time, undefined if it is one. */
export function timeFault(text: string): string | undefined {
  if (isPlainTime(text)) return undefined;
  const quoted = quote(text);
  const opening = `parsing time ${quoted}`;
  let rest = text;
  for (const { prefix, name, read } of elements) {
    if (!rest.startsWith(prefix)) return `${opening} as "${layout}": cannot parse ${quote(rest)} as "${prefix}"`;
    rest = rest.slice(prefix.length);
    const progress = read(rest);
    if (!progress) {
      const unread = rest === text ? quoted : quote(rest);
      return `${opening} as "${layout}": cannot parse ${unread} as "${name}"`;
    }
    if (progress.outOfRange !== undefined) return `${opening}: ${progress.outOfRange} out of range`;
    rest = progress.rest;
  }
  if (rest !== '') return `${opening}: extra text: ${quote(rest)}`;
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)].map(Number);
  const isDay = day !== undefined && day >= 1 && day <= daysIn(year ?? 0, month ?? 0);
  return isDay ? undefined : `${opening}: day out of range`;
}

// Nearly every time looks like this: days that no month lacks, and no zone.
const plainTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function isPlainTime(text: string): boolean {
  return text.length === 20 && plainTime.test(text);
}

function twoDigits(text: string, min: number, max: number, name: string): Progress | undefined {
  if (!/^\d\d/.test(text)) return undefined;
  return inRange(Number(text.slice(0, 2)), min, max, text.slice(2), name);
}

function hour(text: string): Progress | undefined {
  const digits = /^\d\d?/.exec(text)?.[0];
  return digits === undefined ? undefined : inRange(Number(digits), 0, 23, text.slice(digits.length), 'hour');
}

function second(text: string): Progress | undefined {
  const progress = twoDigits(text, 0, 59, 'second');
  if (!progress || progress.outOfRange !== undefined) return progress;
  return { rest: progress.rest.replace(/^[.,]\d+/, '') };
}

function zone(text: string): Progress | undefined {
  if (text.startsWith('Z')) return { rest: text.slice(1) };
  // Go counts bytes here, so that a letter beyond ASCII shifts the colon away.
  if (text.length < 6 || !/^[\0-\x7f]{3}:/.test(text)) return undefined;
  const hours = numberAt(text, 1);
  const minutes = hours === undefined ? undefined : numberAt(text, 4);
  // Go looks at the ranges before the sign, at the minutes last, and takes 24 hours and 60 minutes for good.
  if (minutes !== undefined && minutes > 60) return { rest: '', outOfRange: 'time zone offset minute' };
  if (hours !== undefined && hours > 24) return { rest: '', outOfRange: 'time zone offset hour' };
  return minutes !== undefined && /^[+-]/.test(text) ? { rest: text.slice(6) } : undefined;
}

function numberAt(text: string, start: number): number | undefined {
  const digits = text.slice(start, start + 2);
  return /^\d\d$/.test(digits) ? Number(digits) : undefined;
}

function inRange(value: number, min: number, max: number, rest: string, name: string): Progress {
  return value < min || value > max ? { rest, outOfRange: name } : { rest };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

// Go's time package quotes in a way of its own: bytes beyond ASCII one by one.
function quote(text: string): string {
  // Split and joined: a replacement takes several times as long for a megabyte of them.
  const escaped = text.toWellFormed().split('\\').join('\\\\').split('"').join('\\"');
  return `"${escaped.replace(/[^ -\x7f]+/gu, escapedCharacters)}"`;
}

function escapedCharacters(characters: string): string {
  const known = new Map<string, string>();
  let escaped = '';
  for (const character of characters) {
    let bytes = known.get(character);
    if (bytes === undefined) {
      bytes = '';
      for (const byte of utf8(character.codePointAt(0) ?? 0)) bytes += escapedBytes()[byte];
      known.set(character, bytes);
    }
    escaped += bytes;
  }
  return escaped;
}

const escapedBytes = once(() => Array.from({ length: 256 }, (_, byte) => `\\x${byte.toString(16).padStart(2, '0')}`));

function utf8(code: number): readonly number[] {
  if (code < 0x80) return [code];
  const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x800) return [0xc0 | (code >> 6), tail(0)];
  if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)];
  return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)];
}
