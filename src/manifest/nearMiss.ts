/**
 * The candidate that somebody most likely meant by `value`: equal but for case and edges, with the same last part
 * behind a slash, or a few keystrokes away. Undefined if none comes near, or if `value` is one of them.
 */
export function nearMiss(value: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(value);
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (candidate === value) return undefined;
    const other = plain(candidate);
    const distance = editDistance(wanted, other);
    const limit = Math.max(1, Math.min(4, Math.floor(Math.min(wanted.length, other.length) / 4)));
    const isNear = distance <= limit || sharesLastPart(wanted, other);
    if (isNear && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

function plain(value: string): string {
  return value
    .trim()
    .toLowerCase()
    .replace(/^[/"']+|[/"'.]+$/g, '');
}

/** `multikueue`, `kueue.sigs.k8s.io/multikueue` and `kueue.x-k8s.io/multikueue` share it. */
function sharesLastPart(a: string, b: string): boolean {
  if (!b.includes('/')) return false;
  const last = (text: string): string => (text.split('/').at(-1) ?? '').replaceAll(/[-_]/g, '');
  // A word that every controller may end in says nothing.
  return last(b).length > 0 && last(a) === last(b) && !['controller', 'operator', 'reconciler'].includes(last(b));
}

/** Keystrokes from one to the other: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  // Longer texts are no typing slips, and the table would grow with their product.
  if (Math.abs(a.length - b.length) > 8 || Math.max(a.length, b.length) > 256) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
