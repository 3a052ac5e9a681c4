import type { ManifestNode, MapEntry } from './nodes.ts';

/**
 * The entries of a map while it is read. A merge (`<<`) replaces what stands before it and is replaced by what follows it, as
 * kubectl's reader does.
 */
export class MapEntries {
  readonly #byKey = new Map<string, MapEntry>();

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Of two entries of one key the last one is kept, at its own place. */
  add(entry: MapEntry): void {
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
