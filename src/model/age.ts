/** How long something has lasted, in the coarse steps of a tree's rows: a label that changes every second is noise. */

interface Unit {
  readonly ms: number;
  readonly letter: string;
  readonly word: string;
}

/** The largest first. */
const units: readonly Unit[] = [
  { ms: 86_400_000, letter: 'd', word: 'day' },
  { ms: 3_600_000, letter: 'h', word: 'hour' },
  { ms: 60_000, letter: 'm', word: 'minute' },
];

/** `4m`, `3h`, `12d`; empty below a minute, and for what lies in the future. */
export function ageText(ageMs: number): string {
  const unit = unitOf(ageMs);
  return unit === undefined ? '' : `${Math.floor(ageMs / unit.ms)}${unit.letter}`;
}

/** `4 minutes`, as a screen reader says it. */
export function spokenAge(ageMs: number): string {
  const unit = unitOf(ageMs);
  if (unit === undefined) return '';
  const count = Math.floor(ageMs / unit.ms);
  return `${count} ${unit.word}${count === 1 ? '' : 's'}`;
}

/** Milliseconds from an age to the next one that reads otherwise. Always more than 0. */
export function untilNextAge(ageMs: number): number {
  const step = unitOf(ageMs)?.ms ?? 60_000;
  return ageMs < 0 ? step - ageMs : step - (ageMs % step);
}

function unitOf(ageMs: number): Unit | undefined {
  return units.find(({ ms }) => ageMs >= ms);
}
