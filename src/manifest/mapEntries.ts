import type { ManifestNode, MapEntry } from './nodes.ts';

/**
 * The entries of a map while it is read. A merge (`<<`) replaces what stands before it and is replaced by what follows it, as
 * kubectl's reader does.
 */
export class MapEntries {
  readonly #byKey = new Map<string, MapEntry>();
  /** Keys that are there by a merge alone. */
  #merged: Set<string> | undefined;

  /** Whether a key stands in the map itself. */
  has(key: string): boolean {
    return this.#byKey.has(key) && this.#merged?.has(key) !== true;
  }

  /** Of two entries of one key the last one is kept, at its own place. */
  add(entry: MapEntry): void {
    this.#byKey.delete(entry.key);
    this.#byKey.set(entry.key, entry);
    this.#merged?.delete(entry.key);
  }

  /** Takes over the entries of a map, or of a list of maps, of which the first wins. False where something else stands. */
  merge(source: ManifestNode | undefined): boolean {
    const maps = source?.kind === 'sequence' ? source.items.toReversed() : [source];
    this.#merged ??= new Set();
    for (const map of maps) {
      if (map?.kind !== 'map') return false;
      for (const entry of map.entries) {
        if (!this.has(entry.key)) this.#merged.add(entry.key);
        this.#byKey.set(entry.key, entry);
      }
    }
    return true;
  }

  all(): readonly MapEntry[] {
    return [...this.#byKey.values()];
  }
}
