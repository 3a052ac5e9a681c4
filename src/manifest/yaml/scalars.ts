/**
 * Scalars as kubectl reads them. It turns YAML into JSON with sigs.k8s.io/yaml, whose parser resolves plain scalars by
 * a mixture of YAML 1.1 and Go's number syntax: `yes`, `on` and `y` are booleans, `010`, `0o10` and `0x8` are 8,
 * `1_000` is 1000, `1:30` and timestamps are strings. Sources: sigs.k8s.io/yaml 1.6, YAMLToJSON; go.yaml.in/yaml 2.4,
 * resolution of scalars; both behind kubectl 1.34 to 1.37.
 */

/** A scalar's value, or why the reader refuses it. */
export type ScalarReading =
  | { readonly value: string | number | boolean | null; readonly isFloat?: boolean }
  | { readonly refusal: string };

const words: ReadonlyMap<string, boolean | null | number> = new Map<string, boolean | null | number>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const longestWord = Math.max(...[...words.keys()].map((word) => word.length));

const coreTag = 'tag:yaml.org,2002:';

/**
 * Resolves a scalar. `tag` is the full tag where one is written (`tag:yaml.org,2002:int`, `!custom`), '!' for the
 * non-specific one. `isQuoted` covers block scalars too: without a tag, those are always strings.
 */
export function readScalar(source: string, isQuoted: boolean, tag: string | undefined): ScalarReading {
  if (tag === undefined) return isQuoted ? { value: source } : resolvePlain(source, true);
  if (!tag.startsWith(coreTag)) return { value: source };
  switch (tag.slice(coreTag.length)) {
    case 'str':
      return { value: source };
    case 'binary':
      return readBinary(source);
    case 'bool':
      return tagged(source, 'bool', (value) => typeof value === 'boolean');
    case 'null':
      return tagged(source, 'null', (value) => value === null);
    case 'int':
      return tagged(source, 'int', (value, isFloat) => typeof value === 'number' && !isFloat);
    case 'float':
      return tagged(source, 'float', (value) => typeof value === 'number');
    case 'timestamp':
      return isTimestamp(source) ? { value: source } : { refusal: `'${source}' is not a timestamp, as its tag says` };
    default:
      return { value: source };
  }
}

/** Whether a plain scalar is a string at first glance, as most are. What begins a number stands before all letters. */
export function isWord(source: string): boolean {
  return source.length > longestWord && source.charCodeAt(0) > digitNine;
}

interface Resolved {
  readonly value: string | number | boolean | null;
  readonly isFloat?: boolean;
}

function resolvePlain(source: string, mayBeTimestamp: boolean): Resolved {
  if (isWord(source)) return { value: source };
  const word = source.length > longestWord ? undefined : words.get(source);
  if (word !== undefined) return { value: word, isFloat: typeof word === 'number' };
  const first = source.charCodeAt(0);
  if (first > digitNine) return { value: source };
  if (smallInteger.test(source)) return { value: Number(source) };
  if (first === point) return resolveFloat(source) ?? { value: source };
  if (!/^[-+0-9]/.test(source)) return { value: source };
  if (mayBeTimestamp && isTimestamp(source)) return { value: source };
  const digits = source.replaceAll('_', '');
  return resolveInteger(digits) ?? (decimal.test(digits) ? resolveFloat(digits) : undefined) ?? { value: source };
}

const digitNine = 0x39;
const point = 0x2e;
/** What nearly all integers look like: no other notation, and nothing that a JavaScript number would round. */
const smallInteger = /^(?:0|[1-9][0-9]{0,14})$/;
const decimal = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9][0-9]*))$/;
const maxInt64 = 2n ** 63n - 1n;
const maxUint64 = 2n ** 64n - 1n;
/** The largest number below 2^63 that a JavaScript number holds. */
const largestSafeInt64 = 2 ** 63 - 1024;

function resolveInteger(digits: string): Resolved | undefined {
  const match = integer.exec(digits);
  if (match === null) return undefined;
  const [, sign = '', hex, binary, octal, legacyOctal, plain] = match;
  const magnitude = BigInt(
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : (octal ?? legacyOctal) !== undefined
          ? `0o${octal ?? legacyOctal}`
          : (plain ?? '0'),
  );
  // Signed values end at 64 bits with a sign, unsigned ones (no sign written) at 64 bits without; past that a decimal
  // one is still a float.
  if (magnitude > (sign === '' ? maxUint64 : sign === '-' ? maxInt64 + 1n : maxInt64)) return undefined;
  const value = Number(magnitude);
  // A number that fits int64 must not round up to 2^63, or an allowed value would look like an overflow.
  const fitted = magnitude <= maxInt64 && value >= 2 ** 63 ? largestSafeInt64 : value;
  return { value: sign === '-' && fitted !== 0 ? -fitted : fitted };
}

function resolveFloat(text: string): Resolved | undefined {
  // Underscores count only between digits here; resolveInteger's callers have removed them already.
  if (!/^[-+]?[0-9_]*\.?[0-9_]*([eE][-+]?[0-9_]+)?$/.test(text) || !/[0-9]/.test(text)) return undefined;
  if (/_(?![0-9])|(?<![0-9])_/.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  if (!decimal.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? { value, isFloat: true } : undefined;
}

/** A date, or a date with a time, in the four forms that the reader knows. The value stays a string all the same. */
function isTimestamp(source: string): boolean {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2}))| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/.exec(
      source,
    );
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = (match[4] === undefined ? match.slice(7) : match.slice(4, 7)).map((part) =>
    Number(part ?? 0),
  );
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (lengths[month - 1] ?? 0) && hour < 24 && minute < 60 && second < 60;
}

function tagged(
  source: string,
  name: string,
  fits: (value: Resolved['value'], isFloat: boolean) => boolean,
): ScalarReading {
  const resolved = resolvePlain(source, false);
  if (!fits(resolved.value, resolved.isFloat === true)) {
    return { refusal: `'${source}' cannot be read as !!${name}, as its tag says` };
  }
  return resolved;
}

function readBinary(source: string): ScalarReading {
  try {
    // Line breaks are allowed in base64; other blanks are not.
    const bytes = Uint8Array.from(atob(checkedBase64(source)), (char) => char.charCodeAt(0));
    return { value: new TextDecoder().decode(bytes) };
  } catch {
    return { refusal: 'this is not base64, as its tag !!binary says' };
  }
}

function checkedBase64(source: string): string {
  const text = source.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw new Error('not base64');
  return text;
}

/**
 * A key as the reader turns it into a JSON key: everything but a string becomes its text. Undefined for what it refuses
 * as a key: null, and integers past 63 bits.
 */
export function keyText(value: string | number | boolean | null, isFloat: boolean): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'number') return String(value);
  if (isFloat) return floatText(value);
  return value >= 2 ** 63 ? undefined : BigInt(value).toString();
}

/** Floats as keys get the digits of a 32-bit float, and an exponent from a million on. */
function floatText(value: number): string {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return '.nan';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  for (let precision = 1; precision <= 9; precision++) {
    const text = single.toExponential(precision - 1);
    if (Math.fround(Number(text)) !== single) continue;
    const [digits = '0', exponentText = '0'] = text.split('e');
    const exponent = Number(exponentText);
    if (exponent >= -4 && exponent < 21 && (exponent < 6 || exponent < precision)) return String(Number(text));
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return String(single);
}
