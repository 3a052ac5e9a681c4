/** A list of completion indexes as Jobs write it: `0,3-5,9`. */

/** From `first` to `last`, both included. */
export interface IndexInterval {
  readonly first: number;
  readonly last: number;
}

export type IndexListReading =
  | { readonly ok: true; readonly intervals: readonly IndexInterval[]; readonly count: number }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a list of indexes below `completions`; items must rise and not touch twice. An empty text is an empty list.
 *
 * Source: Kubernetes 1.35, batch validation of succeededIndexes, completedIndexes and failedIndexes (B68). Numbers are
 * read as loosely as Go does: leading zeros and a plus sign pass.
 */
export function readIndexList(text: string, completions: number): IndexListReading {
  const intervals: IndexInterval[] = [];
  let count = 0;
  let previous: number | undefined;
  if (text === '') return { ok: true, intervals, count };
  for (const item of text.split(',')) {
    const interval = readInterval(item, completions);
    if (typeof interval === 'string') return { ok: false, message: interval };
    if (previous !== undefined && previous >= interval.first) {
      return { ok: false, message: `non-increasing order, previous: ${previous}, current: ${interval.first}` };
    }
    intervals.push(interval);
    count += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return { ok: true, intervals, count };
}

/**
 * The first index that two lists share, walking both in step as the API server does; items that can't be read are
 * skipped, their complaint is another rule's.
 */
export function firstSharedIndex(left: string, right: string, completions: number): number | undefined {
  if (left === '' || right === '') return undefined;
  const lefts = readableIntervals(left, completions);
  const rights = readableIntervals(right, completions);
  let l = 0;
  let r = 0;
  for (;;) {
    const one = lefts[l];
    const other = rights[r];
    if (one === undefined || other === undefined) return undefined;
    if (one.first <= other.last && other.first <= one.last) return Math.max(one.first, other.first);
    if (one.first <= other.first) l++;
    else r++;
  }
}

/** Writes indexes (in any order, repeats allowed) the way Jobs do: `0,3-5,9`. */
export function formatIndexList(indexes: Iterable<number>): string {
  const sorted = [...new Set(indexes)].sort((a, b) => a - b);
  const items: string[] = [];
  let first: number | undefined;
  let last = 0;
  const close = (): void => {
    if (first !== undefined) items.push(first === last ? `${first}` : `${first}-${last}`);
  };
  for (const index of sorted) {
    if (first === undefined || index !== last + 1) {
      close();
      first = index;
    }
    last = index;
  }
  close();
  return items.join(',');
}

function readableIntervals(text: string, completions: number): readonly IndexInterval[] {
  const intervals: IndexInterval[] = [];
  for (const item of text.split(',')) {
    const interval = readInterval(item, completions);
    if (typeof interval !== 'string') intervals.push(interval);
  }
  return intervals;
}

function readInterval(text: string, completions: number): IndexInterval | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const [from = '', to] = limits;
  const first = readIndex(from, completions);
  if (typeof first === 'string') return first;
  if (to === undefined) return { first, last: first };
  const last = readIndex(to, completions);
  if (typeof last === 'string') return last;
  if (first >= last) return `non-increasing order, previous: ${first}, current: ${last}`;
  return { first, last };
}

function readIndex(text: string, completions: number): number | string {
  // A minus sign can't get here, it separates the limits. What overflows a 64-bit integer is an error of its own in
  // Go, but reads as too large here, which comes to the same.
  if (!/^\+?\d+$/.test(text)) return `cannot convert string to integer for index: ${JSON.stringify(text)}`;
  const index = Number(text);
  return index >= completions ? `too large index: ${JSON.stringify(text)}` : index;
}
