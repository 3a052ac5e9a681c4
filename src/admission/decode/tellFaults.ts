import { isJsonObject, type JsonObject } from '../../base/index.ts';
import { below } from '../path.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { type Fault, type Place, unknownField, wrongType } from './complaints.ts';
import type { DecodedKind } from './decodeError.ts';
import type { FaultNode } from './faults.ts';
import { structs } from './generated/validators.js';
import { elementType, fieldOf, lazyStructs, structName } from './goTypes.ts';

const goStructsOnce = lazyStructs(structs);

// The server gives up counting here.
const maxUnknownFields = 100;

/** The complaints about all that the validators found, in the order of the document. */
export function tellFaults(
  root: FaultNode,
  object: unknown,
  kind: DecodedKind,
  version: KubernetesMinor,
): readonly Fault[] {
  const goStructs = goStructsOnce();
  const namesEmbedded = version !== '1.34';
  const faults: Fault[] = [];
  let unknownFields = 0;
  visit(root, object, { path: undefined, type: `v1.${kind}`, struct: '', fields: '' });
  return faults;

  function visit(node: FaultNode, value: unknown, place: Place): void {
    if (node.isWrong) faults.push(wrongType(value, place));
    if (Array.isArray(value)) visitItems(node, value, place);
    else if (isJsonObject(value)) visitKeys(node, value, place);
  }

  function visitItems(node: FaultNode, list: readonly unknown[], place: Place): void {
    const type = elementType(place.type);
    if (type === undefined) return;
    // Ascending, because the validators go along a list.
    for (const [key, child] of node.children) {
      const index = Number(key);
      visit(child, list[index], { ...place, path: below(place.path, index), type });
    }
  }

  function visitKeys(node: FaultNode, object: JsonObject, place: Place): void {
    const struct = structName(goStructs, place.type);
    for (const key of Object.keys(object)) {
      if (node.unknown.has(key)) {
        if (unknownFields++ < maxUnknownFields) faults.push(unknownField(below(place.path, key)));
        continue;
      }
      const child = node.children.get(key);
      if (!child) continue;
      const field = struct === undefined ? undefined : fieldOf(goStructs, struct, key);
      if (struct !== undefined && field) {
        const name = namesEmbedded ? field.embeddedPrefix + key : key;
        const fields = place.fields === '' ? name : `${place.fields}.${name}`;
        visit(child, object[key], { path: below(place.path, key), type: field.type, struct, fields });
        continue;
      }
      const type = elementType(place.type);
      if (type !== undefined) visit(child, object[key], { ...place, path: below(place.path, { key }), type });
    }
  }
}
