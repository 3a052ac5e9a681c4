import type { Row, RowEntry } from './clusterModel.ts';
import { builtInController } from './keys.ts';
import type { ModelChange, WatchedCluster } from './liveModel.ts';
import { clusterNode, emptyNote, namespaceNode, noteNode } from './outlineClusters.ts';
import type { OutlineNode } from './outlineNode.ts';
import { rowNode } from './outlineRows.ts';

/** What the outline is made of; a `LiveModel` is one. */
export interface OutlineModel {
  readonly clusters: readonly WatchedCluster[];
  entries(): Iterable<RowEntry>;
  entry(id: string): RowEntry | undefined;
  row(id: string): Row | undefined;
}

export interface OutlineOptions {
  /** Show Jobs of the management cluster that run there, too. Default: only delegated and queued ones. */
  readonly showLocalJobs?: boolean;
  /** Rows to a namespace; a note says how many more there are. Default 500. */
  readonly limit?: number;
}

/**
 * The tree as plain values. Nodes are kept as long as nothing about their row changed, so that a view can compare them
 * by identity; tell it of every change by `invalidate` before reading. Rows beyond the limit are only counted.
 *
 * Invariants: `#lists` holds each entry of `#entries` once, in order; `#nodes` holds nothing that changed since it was
 * made.
 */
export class Outline {
  readonly #model: OutlineModel;
  readonly #options: Required<OutlineOptions>;
  readonly #entries = new Map<string, RowEntry>();
  /** Entries in order, by namespace. */
  readonly #lists = new Map<string, RowEntry[]>();
  readonly #nodes = new Map<string, OutlineNode>();
  #isStale = true;
  #roots: readonly OutlineNode[] | undefined;

  constructor(model: OutlineModel, options: OutlineOptions = {}) {
    this.#model = model;
    this.#options = { showLocalJobs: options.showLocalJobs ?? false, limit: options.limit ?? 500 };
  }

  invalidate(change: Pick<ModelChange, 'rows' | 'isEverything'>): void {
    this.#roots = undefined;
    if (change.isEverything) {
      this.#nodes.clear();
      this.#isStale = true;
    }
    if (this.#isStale) return;
    for (const id of change.rows) this.#replace(id, this.#model.entry(id));
  }

  roots(): readonly OutlineNode[] {
    if (this.#isStale) this.#readAll();
    this.#roots ??= this.#build();
    return this.#roots;
  }

  #build(): readonly OutlineNode[] {
    const clusters = this.#model.clusters.flatMap((cluster) => clusterNode(cluster) ?? []);
    const groups = [...this.#lists].sort(([a], [b]) => compare(a, b));
    const [only] = groups;
    if (only === undefined) return [...clusters, ...emptyNote(this.#model.clusters)];
    if (groups.length === 1) return [...clusters, ...this.#capped(...only)];
    return [
      ...clusters,
      ...groups.map(([namespace, list]) => namespaceNode(namespace, list.length, this.#capped(namespace, list))),
    ];
  }

  #readAll(): void {
    this.#isStale = false;
    this.#entries.clear();
    this.#lists.clear();
    for (const entry of this.#model.entries()) {
      if (!this.#isShown(entry)) continue;
      this.#entries.set(entry.id, entry);
      const list = this.#lists.get(entry.job.namespace);
      if (list === undefined) this.#lists.set(entry.job.namespace, [entry]);
      else list.push(entry);
    }
    for (const list of this.#lists.values()) list.sort(compareEntries);
  }

  /** Puts what there is now in place of what was there. */
  #replace(id: string, found: RowEntry | undefined): void {
    this.#nodes.delete(id);
    const next = found !== undefined && this.#isShown(found) ? found : undefined;
    const old = this.#entries.get(id);
    if (old !== undefined) this.#take(old);
    if (next !== undefined) this.#insert(next);
  }

  #take(entry: RowEntry): void {
    this.#entries.delete(entry.id);
    const { namespace } = entry.job;
    const list = this.#lists.get(namespace) ?? [];
    list.splice(placeOf(list, entry), 1);
    if (list.length === 0) this.#lists.delete(namespace);
  }

  #insert(entry: RowEntry): void {
    this.#entries.set(entry.id, entry);
    const { namespace } = entry.job;
    const list = this.#lists.get(namespace);
    if (list === undefined) this.#lists.set(namespace, [entry]);
    else list.splice(placeOf(list, entry), 0, entry);
  }

  #isShown({ id, job }: RowEntry): boolean {
    const isDelegated = job.managedBy !== undefined && job.managedBy !== builtInController;
    return this.#options.showLocalJobs || isDelegated || job.queueName !== undefined || !id.startsWith('job:');
  }

  #capped(namespace: string, entries: readonly RowEntry[]): OutlineNode[] {
    const { limit } = this.#options;
    const nodes = entries.slice(0, limit).flatMap(({ id }) => this.#nodeOf(id) ?? []);
    const rest = entries.length - limit;
    if (rest <= 0) return nodes;
    return [...nodes, noteNode(`more:${namespace}`, `${rest} more`, 'finished or older ones')];
  }

  #nodeOf(id: string): OutlineNode | undefined {
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const row = this.#model.row(id);
    if (row === undefined) return undefined;
    const node = rowNode(row);
    this.#nodes.set(id, node);
    return node;
  }
}

/** Where in an ordered list the entry is, or would be. */
function placeOf(list: readonly RowEntry[], entry: RowEntry): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && compareEntries(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Unfinished first, then the newest: what moves stays at the top and nothing jumps about. A total order. */
function compareEntries(a: RowEntry, b: RowEntry): number {
  const order = Number(isOver(a)) - Number(isOver(b));
  return order || b.job.createdAt - a.job.createdAt || compare(a.job.name, b.job.name) || compare(a.id, b.id);
}

function isOver({ job }: RowEntry): boolean {
  return job.fate === 'succeeded' || job.fate === 'failed';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
