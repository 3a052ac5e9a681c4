import { readIndexList } from '../../admission/index.ts';

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** `5400` as `1 h 30 min`. */
export function durationText(seconds: number): string {
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** `1 pod`, `2 pods`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `first`, `2nd`, `13th`. */
export function ordinal(position: number): string {
  if (position === 1) return 'first';
  const [tens, ones] = [position % 100, position % 10];
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][ones] ?? 'th');
  return `${position}${ending}`;
}

/** How many indexes a list as in `succeededIndexes` names; undefined for one that can't be read. */
export function countIndexes(list: string): number | undefined {
  const reading = readIndexList(list, Number.MAX_SAFE_INTEGER);
  return reading.ok ? reading.count : undefined;
}
