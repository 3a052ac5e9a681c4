import type { ManifestNode } from './nodes.ts';

/** Why an alias stands for nothing: its anchor is missing, is still being read, or would make the document too large. */
export type AliasFault = 'unknown' | 'open' | 'excessive';

/** What an anchor names, from its beginning on. */
export interface Anchor {
  /** Absent until all of it is read: an alias in it would contain itself. */
  node?: ManifestNode;
  /** How many nodes it is made of, with those that aliases repeat. Until it is read, how many were counted before it. */
  weight: number;
}

/** The anchors of a document while it is read, and how large it would be with every alias written out. */
export class Anchors {
  /** Of two anchors of one name the one counts that began last, be it within the other. */
  readonly #byName = new Map<string, Anchor>();
  /** Nodes by now, with those that aliases repeat: whoever reads one adds it, in front of those that stand in it. */
  counted = 0;
  #throughAliases = 0;

  /** To be called in front of the node that the anchor names, and of its counting. */
  open(name: string): Anchor {
    const anchor = { weight: this.counted };
    this.#byName.set(name, anchor);
    return anchor;
  }

  close(anchor: Anchor, node: ManifestNode): void {
    anchor.weight = this.counted - anchor.weight;
    anchor.node = node;
  }

  /** The very node that an anchor names. */
  resolve(name: string): ManifestNode | AliasFault {
    const anchor = this.#byName.get(name);
    if (anchor === undefined) return 'unknown';
    if (anchor.node === undefined) return 'open';
    this.counted += anchor.weight + 1;
    this.#throughAliases += anchor.weight;
    return isExcessive(this.counted, this.#throughAliases) ? 'excessive' : anchor.node;
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
