import type { ManifestNode } from './nodes.ts';

/** Why an alias stands for nothing: its anchor is missing, is still being read, or would make the document too large. */
export type AliasFault = 'unknown' | 'open' | 'excessive';

/** The anchors of a document while it is read, and how large it would be with every alias written out. */
export class Anchors {
  readonly #known = new Map<string, { readonly node: ManifestNode; readonly weight: number }>();
  /** Those whose node is being read: an alias to one of them contains itself. */
  readonly #open = new Set<string>();
  /** Nodes by now, with those that aliases repeat: whoever reads one adds it, in front of those that stand in it. */
  counted = 0;
  #throughAliases = 0;

  open(name: string): void {
    this.#open.add(name);
  }

  close(name: string): void {
    this.#open.delete(name);
  }

  isTaken(name: string): boolean {
    return this.#known.has(name) || this.#open.has(name);
  }

  /** From here on the name stands for a node that has just been read; so many were counted before it. */
  set(name: string, node: ManifestNode, before: number): void {
    this.#known.set(name, { node, weight: this.counted - before });
  }

  /** The very node that an anchor names. */
  resolve(name: string): ManifestNode | AliasFault {
    if (this.#open.has(name)) return 'open';
    const known = this.#known.get(name);
    if (known === undefined) return 'unknown';
    this.counted += known.weight + 1;
    this.#throughAliases += known.weight;
    return isExcessive(this.counted, this.#throughAliases) ? 'excessive' : known.node;
  }
}

/**
 * kubectl's reader gives up when nearly all it decodes comes out of aliases, ever earlier as the document grows.
 * Source: go.yaml.in/yaml 2.4, the decoder's limits.
 */
function isExcessive(all: number, throughAliases: number): boolean {
  if (throughAliases <= 100 || all <= 1000) return false;
  const low = 400_000;
  const high = 4_000_000;
  const share = all <= low ? 0.99 : all >= high ? 0.1 : 0.99 - 0.89 * ((all - low) / (high - low));
  return throughAliases / all > share;
}
