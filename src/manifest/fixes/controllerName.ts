import { replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { type ManagedByField, multiKueue, type WorkloadKind } from '../kinds.ts';
import { nearMiss } from '../nearMiss.ts';
import { type ManifestNode, nodeAt } from '../yaml/nodes.ts';

/** The names that make sense on a kind. */
export function namesFor(field: ManagedByField, controllers: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([multiKueue, field.builtIn, ...(field.isClosed ? [] : controllers)]);
}

/** A fix for a name that is nearly another, whoever found fault with it. */
export function fixControllerName(
  root: ManifestNode,
  kind: WorkloadKind,
  controllers: ReadonlySet<string>,
): Fix | undefined {
  const node = kind.managedBy === undefined ? undefined : nodeAt(root, kind.managedBy.path);
  if (kind.managedBy === undefined || node?.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  const meant = nearMiss(node.value, namesFor(kind.managedBy, controllers));
  const edit = meant === undefined ? undefined : replaceScalar(node, meant);
  return meant === undefined || edit === undefined
    ? undefined
    : { title: `Use '${meant}'`, edits: [edit], isPreferred: true };
}
