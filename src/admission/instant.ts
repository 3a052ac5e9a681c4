/** A point in time as the API carries it: RFC 3339, to the nanosecond, which a JavaScript date can't hold. */
export interface Instant {
  /** Epoch seconds. */
  readonly seconds: number;
  readonly nanoseconds: number;
}

// As lenient as Go: the hour may have one digit, and a zone be a whole day and an hour away.
const rfc3339 = /^(\d{4}-\d{2}-\d{2})T(\d{1,2})(:\d{2}:\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Reads an RFC 3339 text; undefined for anything else. */
export function readInstant(text: string): Instant | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, date = '', hour = '', rest = '', fraction = '', sign = '+', zoneHours = '0', zoneMinutes = '0'] = match;
  const local = Date.parse(`${date}T${hour.padStart(2, '0')}${rest}Z`) / 1000;
  if (Number.isNaN(local)) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60;
  const seconds = sign === '-' ? local + offset : local - offset;
  return { seconds, nanoseconds: Number(fraction.slice(0, 9).padEnd(9, '0')) };
}

/** True for the same point in time in whatever zone it is written, and for two absent ones. */
export function isSameInstant(left: string | undefined, right: string | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined) return false;
  const one = readInstant(left);
  const other = readInstant(right);
  return one?.seconds === other?.seconds && one?.nanoseconds === other?.nanoseconds;
}

/** True if `left` is earlier than `right`; false where either can't be read. */
export function isBefore(left: string, right: string): boolean {
  const one = readInstant(left);
  const other = readInstant(right);
  if (one === undefined || other === undefined) return false;
  return one.seconds === other.seconds ? one.nanoseconds < other.nanoseconds : one.seconds < other.seconds;
}
