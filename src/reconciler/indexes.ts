import { type IndexInterval, readIndexList } from '../admission/index.ts';

/** The same index list (`0,2-4`) without what is at or above `completions`; undefined if the text is no such list. */
export function clipIndexes(text: string, completions: number): string | undefined {
  // An uncut list keeps its spelling, so that copying it changes nothing.
  if (readIndexList(text, completions).ok) return text;
  const reading = readIndexList(text, Number.POSITIVE_INFINITY);
  if (!reading.ok) return undefined;
  return reading.intervals
    .filter(({ first }) => first < completions)
    .map(({ first, last }) => spell({ first, last: Math.min(last, completions - 1) }))
    .join(',');
}

/** As the Job controller spells it: two neighbours are `3,4`, three and more a range. */
function spell({ first, last }: IndexInterval): string {
  if (last === first) return String(first);
  return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
}
