/** What CRDs of the ecosystem say of an object: offline, from the schemas of known releases of the operators. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/index.ts';
import { pathText } from '../locate.ts';
import { completed } from './complete.ts';
import type { CrdFault } from './fault.ts';
import { type CrdRoot, crdNode, crdRootsOf } from './table.ts';
import { SchemaWalk } from './walk.ts';

export type { CrdFault } from './fault.ts';
export { crdShapeOf } from './shape.ts';

/** What is wrong with an object by the rules of one release. */
export interface CrdVerdict {
  /** 'JobSet 0.12' */
  readonly release: string;
  readonly faults: readonly CrdFault[];
}

/**
 * The verdict of the newest release. Which one a cluster runs isn't known here: a field that only an older release has is
 * no mistake, and is judged as that one does. Undefined for kinds whose CRD isn't known.
 */
export function crdVerdict(
  apiVersion: string,
  kind: string,
  object: JsonObject,
  old: JsonObject | undefined,
): CrdVerdict | undefined {
  const [newest, ...older] = crdRootsOf(apiVersion, kind);
  if (newest === undefined) return undefined;
  let faults = faultsBy(newest, object, old);
  for (const root of older) {
    if (!faults.some(isUnknownField)) break;
    faults = withFieldsOf(faultsBy(root, object, old), faults);
  }
  return { release: newest.release, faults };
}

/** Unknown fields are forgiven that another release knows; what that one says of their values is told instead. */
function withFieldsOf(others: readonly CrdFault[], faults: readonly CrdFault[]): readonly CrdFault[] {
  const unknownThere = new Set(others.filter(isUnknownField).map(({ at }) => pathText(at)));
  return faults.flatMap((fault) => {
    if (!isUnknownField(fault) || unknownThere.has(pathText(fault.at))) return [fault];
    return others.filter(({ at }) => fault.at.every((step, index) => at[index] === step));
  });
}

function isUnknownField({ about }: CrdFault): boolean {
  return about === 'field';
}

function faultsBy(root: CrdRoot, object: JsonObject, old: JsonObject | undefined): readonly CrdFault[] {
  const node = crdNode(root.node);
  const walk = new SchemaWalk(node, old !== undefined);
  walk.visit(completed(object, node), node, [], old === undefined ? undefined : completed(old, node));
  return [...walk.faults, ...scaleFaults(root, object)];
}

const highestInt32 = 2 ** 31 - 1;

/** The bounds of what `kubectl scale` sets. */
function scaleFaults({ scale }: CrdRoot, object: JsonObject): readonly CrdFault[] {
  const at = scale?.split('.') ?? [];
  let value: JsonValue | undefined = object;
  for (const step of at) value = isJsonObject(value) ? value[step] : undefined;
  if (typeof value !== 'number' || (value >= 0 && value <= highestInt32)) return [];
  const message = value < 0 ? 'should be a non-negative integer' : `should be less than or equal to ${highestInt32}`;
  return [{ at, type: 'Invalid', about: 'value', message }];
}
