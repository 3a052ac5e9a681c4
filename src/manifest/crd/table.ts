import { type JsonValue, once } from '../../base/index.ts';
import { crdTableText } from '../generated/crds.ts';

/**
 * One schema of a CRD, its keys as short as they may be:
 * `t` type (`int-or-string` beside JSON's own; absent: anything), `p` fields by name, `i` items, `v` values of a map
 * (all three: indexes of nodes), `r` required fields, `e` allowed texts, `m` pattern, `f` format, `n` bounds of a
 * number, `l` of a text's length, `c` of a list's length, `d` default, `k` the fields that tell the items of a list
 * apart (none: the items themselves), `u` keeps unknown fields, `o` an object of another kind, `w` rules: CEL and what
 * is said to a breach.
 */
export interface CrdNode {
  readonly t?: string;
  readonly p?: Readonly<Record<string, number>>;
  readonly i?: number;
  readonly v?: number;
  readonly r?: readonly string[];
  readonly e?: readonly string[];
  readonly m?: string;
  readonly f?: string;
  readonly n?: CrdBounds;
  readonly l?: CrdBounds;
  readonly c?: CrdBounds;
  readonly d?: JsonValue;
  readonly k?: readonly string[];
  readonly u?: 1;
  readonly o?: 1;
  readonly w?: readonly CrdRule[];
}

export type CrdBounds = readonly [least: number | null, most: number | null];

export type CrdRule = readonly [rule: string, message?: string];

/** A kind as one release of its operator has it. */
export interface CrdRoot {
  /** 'JobSet 0.12' */
  readonly release: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly node: number;
  /** Where the number stands that `kubectl scale` sets, and that the server therefore bounds: `spec.replicas`. */
  readonly scale?: string;
}

export interface CrdTable {
  readonly nodes: readonly CrdNode[];
  /** Of one kind the newest release first. */
  readonly roots: readonly CrdRoot[];
}

/** The table. Its text is read when the first manifest of such a kind is seen: most files hold none. */
export const crdTable: () => CrdTable = once(() => JSON.parse(crdTableText));

/** The releases that have a kind in a version, the newest first. */
export function crdRootsOf(apiVersion: string, kind: string): readonly CrdRoot[] {
  // Groups of CRDs are domains. For Kubernetes' own kinds the table need not be read.
  if (!apiVersion.includes('.')) return [];
  return crdTable().roots.filter((root) => root.kind === kind && root.apiVersion === apiVersion);
}

const anything: CrdNode = { u: 1 };

/** The schema at an index. */
export function crdNode(index: number): CrdNode {
  return crdTable().nodes[index] ?? anything;
}

/** The schema of a key of an object, undefined for a key that it doesn't know. */
export function crdField({ p, v }: CrdNode, key: string): CrdNode | undefined {
  const index = p !== undefined && Object.hasOwn(p, key) ? p[key] : v;
  return index === undefined ? undefined : crdNode(index);
}
