/** A schedule in plain words, as far as it is one of the usual ones; undefined for all others. */
export function tellSchedule(schedule: string): string | undefined {
  const named = Object.hasOwn(macros, schedule) ? macros[schedule] : undefined;
  if (named !== undefined) return named;
  const every = /^@every (\S+)$/.exec(schedule);
  if (every !== null) return `every ${every[1]}`;
  const [minute, hour, day, month, weekday, ...rest] = schedule.trim().split(/\s+/);
  if (weekday === undefined || rest.length > 0) return undefined;
  const time = tellTime(minute ?? '', hour ?? '');
  const days = tellDays(day ?? '', weekday);
  const months = tellNames(month ?? '', monthNames, 1);
  if (time === undefined || days === undefined || months === undefined) return undefined;
  const isAllDay = time.startsWith('every') || hour === '*';
  return [time, isAllDay && days === everyDay ? '' : days, months === '' ? '' : `in ${months}`]
    .filter((part) => part !== '')
    .join(', ');
}

const everyDay = 'every day';

const macros: Readonly<Record<string, string>> = {
  '@hourly': 'at the start of each hour',
  '@daily': 'at 00:00, every day',
  '@midnight': 'at 00:00, every day',
  '@weekly': 'at 00:00, on Sunday',
  '@monthly': 'at 00:00, on day 1 of the month',
  '@yearly': 'at 00:00 on 1 January',
  '@annually': 'at 00:00 on 1 January',
};

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const isNumber = (text: string): boolean => /^\d{1,2}$/.test(text);
const isAny = (text: string): boolean => text === '*' || text === '?';
const stepOf = (text: string): string | undefined => /^\*\/(\d{1,2})$/.exec(text)?.[1];

function tellTime(minute: string, hour: string): string | undefined {
  const [minuteStep, hourStep] = [stepOf(minute), stepOf(hour)];
  if (isAny(hour)) {
    if (isAny(minute)) return 'every minute';
    if (minuteStep !== undefined) return `every ${minuteStep} minutes`;
    return isNumber(minute) ? `at minute ${Number(minute)} of each hour` : undefined;
  }
  if (!isNumber(minute)) return undefined;
  if (hourStep !== undefined) return `at minute ${Number(minute)} of every ${hourStep} hours`;
  const hours = hour.split(',');
  if (!hours.every(isNumber)) return undefined;
  return `at ${listed(hours.map((one) => `${one.padStart(2, '0')}:${minute.padStart(2, '0')}`))}`;
}

function tellDays(day: string, weekday: string): string | undefined {
  const weekdays = tellNames(weekday, dayNames, 0);
  const isDayList = isAny(day) || day.split(',').every(isNumber);
  if (weekdays === undefined || !isDayList) return undefined;
  const days = isAny(day) ? '' : `on day ${listed(day.split(',').map((one) => String(Number(one))))} of the month`;
  if (days === '' && weekdays === '') return everyDay;
  // With both, either is enough: that is how cron reads them.
  return [days, weekdays === '' ? '' : `on ${weekdays}`].filter((part) => part !== '').join(' and ');
}

/** Empty for any; undefined for what is neither a name, a number, a range nor a list of those. */
function tellNames(text: string, names: readonly string[], first: number): string | undefined {
  if (isAny(text)) return '';
  const nameOf = (one: string): string | undefined =>
    isNumber(one)
      ? names[Number(one) - first]
      : names.find((name) => one.length === 3 && name.toLowerCase().startsWith(one.toLowerCase()));
  const parts = text.split(',').map((part) => {
    const [from = '', to, ...rest] = part.split('-').map(nameOf);
    return rest.length > 0 || from === '' || (part.includes('-') && to === undefined)
      ? undefined
      : to === undefined
        ? from
        : `${from} to ${to}`;
  });
  return parts.every((part) => part !== undefined) ? listed(parts) : undefined;
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
