import { isKnownZone } from './timeZones.ts';

/**
 * Cron schedules as the CronJob controller reads them: five fields, or a name such as `@daily`, or `@every` with a
 * duration. Source: robfig/cron v3, the standard parser, which Kubernetes 1.34 to 1.37 use.
 */

interface FieldBounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

/** Minute, hour, day of the month, month, day of the week; names count up from `min`. */
const bounds: readonly FieldBounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

const descriptors: ReadonlySet<string> = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const every = '@every ';

/** Go's notion of white space, which differs from JavaScript's in two characters. */
const whiteSpace = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** What is wrong with a cron schedule; undefined for a good one. */
export function scheduleFault(schedule: string): string | undefined {
  let rest = schedule;
  if (schedule.startsWith('TZ=') || schedule.startsWith('CRON_TZ=')) {
    const space = schedule.indexOf(' ');
    if (space < 0) return 'the time zone is not followed by a schedule';
    const zone = schedule.slice(schedule.indexOf('=') + 1, space);
    // To Go, an empty name is UTC, and Local is wherever the server runs.
    if (zone !== '' && zone !== 'Local' && !isKnownZone(zone)) {
      return `provided bad location ${zone}: unknown time zone ${zone}`;
    }
    rest = schedule.slice(space);
    rest = fieldsOf(rest).join(' ');
  }
  if (rest.startsWith('@')) return descriptorFault(rest);

  const fields = fieldsOf(rest);
  if (fields.length !== bounds.length) {
    return `expected exactly ${bounds.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, field] of fields.entries()) {
    const limits = bounds[index];
    const fault = limits && fieldFault(field, limits);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function fieldsOf(text: string): readonly string[] {
  return text.split(whiteSpace).filter((field) => field !== '');
}

function descriptorFault(descriptor: string): string | undefined {
  if (descriptors.has(descriptor)) return undefined;
  if (!descriptor.startsWith(every)) return `unrecognized descriptor: ${descriptor}`;
  const duration = descriptor.slice(every.length);
  return isGoDuration(duration)
    ? undefined
    : `failed to parse duration ${descriptor}: time: invalid duration ${JSON.stringify(duration)}`;
}

function fieldFault(field: string, limits: FieldBounds): string | undefined {
  for (const item of field.split(',')) {
    // Empty items are passed over, even if nothing else is there.
    const fault = item === '' ? undefined : rangeFault(item, limits);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** `N`, `N-M`, `*` or `?`, each with an optional `/step`. */
function rangeFault(item: string, { min, max, names }: FieldBounds): string | undefined {
  const [range = '', stepText, ...moreSlashes] = item.split('/');
  const [lowText = '', highText, ...moreHyphens] = range.split('-');
  const isStar = lowText === '*' || lowText === '?';
  const low = isStar ? min : readNumber(lowText, min, names);
  if (typeof low === 'string') return low;
  if (!isStar && moreHyphens.length > 0) return `too many hyphens: ${item}`;
  // What follows the hyphen of a star is never looked at.
  const named = isStar || highText === undefined ? undefined : readNumber(highText, min, names);
  if (typeof named === 'string') return named;
  if (moreSlashes.length > 0) return `too many slashes: ${item}`;
  const step = stepText === undefined ? 1 : readNumber(stepText, min, undefined);
  if (typeof step === 'string') return step;
  const isOpenEnded = isStar || (stepText !== undefined && highText === undefined);
  const high = isOpenEnded ? max : (named ?? low);
  if (low < min) return `beginning of range (${low}) below minimum (${min}): ${item}`;
  if (high > max) return `end of range (${high}) above maximum (${max}): ${item}`;
  if (low > high) return `beginning of range (${low}) beyond end of range (${high}): ${item}`;
  return step === 0 ? `step of range should be a positive number: ${item}` : undefined;
}

/** A number, or the message about what isn't one. */
function readNumber(text: string, min: number, names: readonly string[] | undefined): number | string {
  const position = names?.indexOf(text.toLowerCase()) ?? -1;
  if (position >= 0) return position + min;
  if (/^-\d+$/.test(text)) return `negative number (${Number(text)}) not allowed: ${text}`;
  if (!/^\+?\d+$/.test(text) || BigInt(text.replace('+', '')) > maxInt64) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  return Number(text);
}

const maxInt64 = 2n ** 63n - 1n;

const nanosecondsPer: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** True for what Go's time package reads as a duration: `1h30m`, `1.5h`, `-2s`, `0`. */
function isGoDuration(text: string): boolean {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  if (unsigned === '0') return true;
  const element = /(\d*)(?:\.(\d*))?([^\d.]+)/y;
  let totalNanoseconds = 0n;
  while (element.lastIndex < unsigned.length) {
    const match = element.exec(unsigned);
    if (match === null) return false;
    const [, whole = '', fraction = '', unit = ''] = match;
    const factor = nanosecondsPer[unit];
    if (factor === undefined || whole + fraction === '') return false;
    if (Number(whole) > 2 ** 63) return false;
    totalNanoseconds += BigInt(whole) * BigInt(factor) + BigInt(Math.trunc(Number(`0.${fraction || '0'}`) * factor));
  }
  // A negative one may be longer by a nanosecond.
  return unsigned !== '' && totalNanoseconds <= (text.startsWith('-') ? maxInt64 + 1n : maxInt64);
}
