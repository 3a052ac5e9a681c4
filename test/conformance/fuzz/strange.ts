import type { Draw } from './draw.ts';
import type { Json, JsonMap } from './json.ts';

/**
 * Makes something strange of one member that an object has, whatever its field means: what encodings, limits of length
 * and decoders of numbers trip over.
 */
export function makeStrange(object: JsonMap, draw: Draw): void {
  const members = membersOf(object).filter(({ key }) => key !== 'apiVersion' && key !== 'kind');
  if (members.length === 0) return;
  const { holder, key, value } = draw.pick(members);
  if (!Array.isArray(holder) && draw.chance(0.12)) renameKey(holder, key, draw);
  else Object.assign(holder, { [key]: strangeValue(value, draw) });
}

interface Member {
  readonly holder: JsonMap | Json[];
  /** Of an item in a list, its index. */
  readonly key: string;
  readonly value: Json;
}

function membersOf(holder: Json): readonly Member[] {
  if (typeof holder !== 'object' || holder === null) return [];
  return Object.entries(holder).flatMap(([key, value]) => [{ holder, key, value }, ...membersOf(value)]);
}

function strangeValue(value: Json, draw: Draw): Json {
  if (draw.chance(0.06)) return null;
  if (draw.chance(0.06)) return zeroOf(value);
  if (typeof value === 'string') return draw.chance(0.06) ? textAsNumber(value) : strangeText(value, draw);
  if (typeof value === 'number') return draw.chance(0.1) ? `${value}` : draw.pick(numbersNear(value));
  if (typeof value === 'boolean') return draw.pick<Json>([!value, `${value}`, Number(value)]);
  return draw.pick<Json>([[structuredClone(value)], '', 0, false, Array.isArray(value) ? {} : []]);
}

/** What Go's types often can't tell from absence. */
function zeroOf(value: Json): Json {
  if (typeof value === 'string') return '';
  if (typeof value === 'object') return Array.isArray(value) ? [] : {};
  return typeof value === 'number' ? 0 : false;
}

const oddPieces: readonly string[] = [
  '\u0000',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00e9',
  '\u0130',
  '\u017f',
  '\u2028',
  '\u212a',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\ufffd',
  '\u{1f600}',
  '\t',
  '\n',
  '\r',
  '"',
  '\\',
  '%',
  '$(A)',
  '..',
  '//',
  '--',
  ':',
  '=',
  '~',
];
/** Where some format ends, and one before and behind. */
const lengths: readonly number[] = [
  15, 16, 52, 53, 58, 59, 62, 63, 64, 104, 105, 128, 129, 252, 253, 254, 255, 256, 257, 512, 513, 4095, 4096, 4097,
];

function strangeText(text: string, draw: Draw): string {
  const piece = draw.pick(oddPieces);
  switch (draw.below(9)) {
    case 0:
      return piece + text;
    case 1:
      return text + piece;
    case 2: {
      const at = draw.below(text.length + 1);
      return text.slice(0, at) + piece + text.slice(at);
    }
    case 3:
      return draw.chance(0.5) ? text.toUpperCase() : text.toLowerCase();
    case 4:
      return text + text;
    case 5:
      return text.slice(0, draw.below(text.length + 1));
    case 6:
      return filled(text, 'a', draw.pick(lengths));
    case 7:
      // The length in bytes is another one than that in characters.
      return filled(text, draw.pick(['\u00e9', '\u20ac', '\u{1f600}', '\ud800', '.a', '-', '/a']), draw.pick(lengths));
    default:
      return ` ${text} `;
  }
}

function filled(text: string, unit: string, length: number): string {
  return (text + unit.repeat(Math.ceil(length / unit.length))).slice(0, Math.max(length, 1));
}

function textAsNumber(text: string): Json {
  return Number.isFinite(Number(text)) ? Number(text) : text.length;
}

function numbersNear(value: number): readonly number[] {
  return [
    value + 0.5,
    value + 1,
    -value,
    value * 1000,
    1e-7,
    5e-324,
    1e21,
    1.7976931348623157e308,
    2 ** 31 - 1,
    2 ** 31,
    -(2 ** 31),
    -(2 ** 31) - 1,
    2 ** 32,
    2 ** 53,
    2 ** 63 - 1024,
    2 ** 63,
    -(2 ** 63) + 1024,
    1e20,
  ];
}

/** Fields are told by their exact case, keys of maps by every character. */
function renameKey(holder: JsonMap, key: string, draw: Draw): void {
  const renamed = draw.pick([
    key.toUpperCase(),
    key.charAt(0).toUpperCase() + key.slice(1),
    strangeText(key, draw),
    key.replace('k', '\u212a').replace('s', '\u017f'),
  ]);
  if (renamed === key) return;
  const value = holder[key] ?? null;
  if (!draw.chance(0.2)) delete holder[key];
  holder[renamed] = value;
}
