import type { Shape } from '../structure.ts';
import { type CrdNode, crdField, crdNode, crdRootsOf } from './table.ts';

/** The structure of a kind by the newest release that is known here; undefined where its CRD isn't. */
export function crdShapeOf(apiVersion: string, kind: string): Shape | undefined {
  const [root] = crdRootsOf(apiVersion, kind);
  return root === undefined ? undefined : shapeOf(crdNode(root.node), kind);
}

function shapeOf(node: CrdNode, name: string): Shape {
  switch (node.t) {
    case 'object':
      break;
    case 'array':
      return { kind: 'list', item: node.i === undefined ? { kind: 'any' } : shapeOf(crdNode(node.i), name) };
    case 'string':
      return node.f === 'date-time'
        ? { kind: 'scalar', type: 'time' }
        : { kind: 'scalar', type: 'string', ...(node.e && { values: node.e }) };
    case 'integer':
      return { kind: 'scalar', type: node.f === 'int32' ? 'int32' : 'int64' };
    case 'number':
      return { kind: 'scalar', type: 'number' };
    case 'boolean':
      return { kind: 'scalar', type: 'boolean' };
    case 'int-or-string':
      // Of the values that are both, those with a pattern are quantities.
      return { kind: 'scalar', type: node.m === undefined ? 'int-or-string' : 'quantity' };
    default:
      return { kind: 'any' };
  }
  if (node.v !== undefined) return { kind: 'map', value: shapeOf(crdNode(node.v), name) };
  if (node.p === undefined) return node.u === undefined ? { kind: 'struct', name, fields: [] } : { kind: 'any' };
  const required = new Set(node.r);
  return {
    kind: 'struct',
    name,
    fields: Object.keys(node.p).map((field) => ({
      name: field,
      isRequired: required.has(field),
      isDeprecated: false,
      since: undefined,
      // A name for each place: which struct of the operator's stands there, the CRD doesn't say.
      shape: () => shapeOf(crdField(node, field) ?? {}, `${name}.${field}`),
    })),
  };
}
