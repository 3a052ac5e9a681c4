import type { ObservedJob } from './observed.ts';

/** `2/5 done, 1 failed, 2 active`; empty if nothing has happened yet. */
export function progressOf({ active, succeeded, failed, completions }: ObservedJob): string {
  const done = succeeded ?? 0;
  const parts = [
    completions === undefined ? (done > 0 ? `${done} done` : '') : `${done}/${completions} done`,
    failed === undefined ? '' : `${failed} failed`,
    active === undefined ? '' : `${active} active`,
  ];
  return done === 0 && failed === undefined && active === undefined
    ? ''
    : parts.filter((part) => part !== '').join(', ');
}

/** `2/5, 1 failed`: what fits beside a name in a narrow view; empty if nothing has happened yet. */
export function shortProgressOf(job: ObservedJob): string {
  const { succeeded = 0, failed, completions } = job;
  if (progressOf(job) === '') return '';
  const done = completions === undefined ? `${succeeded} done` : `${succeeded}/${completions}`;
  return failed === undefined ? done : `${done}, ${failed} failed`;
}

/** The first sentence without its full stop, at most 100 characters. */
export function firstSentence(text: string): string {
  const sentence = (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replace(/\.$/, '');
  return sentence.length > 100 ? `${sentence.slice(0, 99)}…` : sentence;
}

/** Parts of what a screen reader says; empty ones are left out. */
export function spoken(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** `1 Jan 2026, 13:14:05 CET`: in this machine's time zone, or in the one that is given. */
export function formatTime(time: number, timeZone?: string): string {
  if (time === 0) return 'unknown';
  return (timeZone === undefined ? here : dateAndTime(timeZone)).format(time);
}

/** Making one takes longer than all else that a row needs. */
const here = dateAndTime(undefined);

function dateAndTime(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
    timeZone,
  });
}

/** `13:14`: the time of day in this machine's time zone. */
export function formatClock(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
