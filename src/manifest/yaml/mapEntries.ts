import type { ManifestNode, MapEntry } from './nodes.ts';
import type { Span } from './text.ts';

/**
 * The entries of a map while it is read. A merge (`<<`) replaces what stands before it and is replaced by what follows it, as
 * kubectl's reader does.
 */
export class MapEntries {
  readonly #byKey: Map<string, MapEntry>;
  readonly #own: Set<string>;

  /** Begins with entries of which each has a key of its own. */
  constructor(entries: readonly MapEntry[] = []) {
    this.#byKey = new Map(entries.map((entry) => [entry.key, entry]));
    this.#own = new Set(this.#byKey.keys());
  }

  /** Whether a key stands in the map itself. */
  has(key: string): boolean {
    return this.#own.has(key);
  }

  /** Of two entries of one key the last one is kept, at its own place. */
  add(entry: MapEntry): void {
    this.#own.add(entry.key);
    this.#byKey.delete(entry.key);
    this.#byKey.set(entry.key, entry);
  }

  /** Takes over the entries of a map, or of a list of maps, of which the first wins. False where something else stands. */
  merge(source: ManifestNode | undefined): boolean {
    const maps = source?.kind === 'sequence' ? source.items.toReversed() : [source];
    for (const map of maps) {
      if (map?.kind !== 'map') return false;
      for (const entry of map.entries) this.#byKey.set(entry.key, entry);
    }
    return true;
  }

  all(): readonly MapEntry[] {
    return [...this.#byKey.values()];
  }
}

/** Where a map ends that begins at an offset and has these entries: what a merge brought stands elsewhere, as what aliases name. */
export function endOfEntries(entries: readonly MapEntry[], start: number): number {
  return endOfParts(spansOf(entries), start);
}

/** Where the entries of a map stand, key by key. */
export function spansOf(entries: readonly MapEntry[]): readonly Span[] {
  return entries.flatMap(({ keySpan, value }) => (value.span.start < keySpan.end ? [keySpan] : [keySpan, value.span]));
}

/** The same for the items of a list. */
export function endOfParts(parts: readonly Span[], start: number): number {
  return parts.reduce((last, part) => (part.start >= start ? Math.max(last, part.end) : last), start);
}
