/** Completion indexes as the API writes them: `0,2-4`; two neighbours as `3,4`, three and more as a range. */
export type IndexSet = ReadonlySet<number>;

/** Reads a list of indexes, leaving out those from `limit` on. */
export function parseIndexes(text: string | undefined, limit: number): Set<number> {
  const found = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const match = /^(?<first>\d+)(?:-(?<last>\d+))?$/u.exec(part);
    if (match === null) continue;
    const first = Number(match.groups?.['first']);
    const last = Math.min(Number(match.groups?.['last'] ?? first), limit - 1);
    for (let index = first; index <= last; index += 1) found.add(index);
  }
  return found;
}

/** The shortest such text. Empty for no indexes. */
export function formatIndexes(indexes: IndexSet): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    const first = sorted[i];
    const last = sorted[end];
    parts.push(end - i < 2 ? sorted.slice(i, end + 1).join(',') : `${first}-${last}`);
    i = end + 1;
  }
  return parts.join(',');
}

/** A new set; neither of the two changes. */
export function union(a: IndexSet, b: Iterable<number>): Set<number> {
  return new Set([...a, ...b]);
}
