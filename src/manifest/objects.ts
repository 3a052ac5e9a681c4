import { isJsonObject, type JsonObject } from '../base/index.ts';
import { kindOf, type WorkloadKind } from './kinds.ts';
import { entryOf, type MapNode, plainValueOf, stringAt } from './yaml/nodes.ts';

/** An object of a kind that we know, wherever in a document it stands. */
export interface FoundObject {
  readonly node: MapNode;
  readonly apiVersion: string;
  readonly kind: WorkloadKind;
  readonly value: JsonObject;
}

/** What says of itself which object it is, of whatever kind. */
export interface NamedObject {
  readonly node: MapNode;
  readonly apiVersion: string | undefined;
  readonly kindName: string | undefined;
}

/** The document's object, or the items of a List of any kind, as kubectl takes it apart; each is made when it is asked for. */
export function* objectsIn(root: MapNode): Iterable<FoundObject> {
  for (const object of namedObjectsIn(root)) yield* foundObject(object);
}

/** The same, of all kinds. */
export function* namedObjectsIn(root: MapNode): Iterable<NamedObject> {
  const apiVersion = stringAt(root, ['apiVersion']);
  const kindName = stringAt(root, ['kind']);
  const items = entryOf(root, 'items')?.value;
  if (kindName?.endsWith('List') && items?.kind === 'sequence') {
    // Items of a typed list may leave out what the list says for them.
    const inherited = kindName === 'List' ? undefined : { apiVersion, kind: kindName.slice(0, -'List'.length) };
    for (const item of items.items) {
      if (item.kind !== 'map') continue;
      yield {
        node: item,
        apiVersion: stringAt(item, ['apiVersion']) ?? inherited?.apiVersion,
        kindName: stringAt(item, ['kind']) ?? inherited?.kind,
      };
    }
  } else yield { node: root, apiVersion, kindName };
}

function foundObject({ node, apiVersion, kindName }: NamedObject): FoundObject[] {
  const kind = kindOf(apiVersion, kindName);
  if (kind === undefined || apiVersion === undefined) return [];
  const value = plainValueOf(node);
  return isJsonObject(value) ? [{ node, apiVersion, kind, value: { ...value, apiVersion, kind: kind.kind } }] : [];
}
