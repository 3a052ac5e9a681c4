import { quoteScalar, replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import type { Shape } from '../structure.ts';
import { type ManifestNode, nodeAt } from '../yaml/nodes.ts';
import { type FixSubject, fixOf, shapeIn } from './subject.ts';

/** A value of a type that its field can't hold. */

/** What belongs there and what stands there, in plain words; undefined where the structure doesn't say. */
export function explainWrongType(subject: FixSubject): string | undefined {
  const { error, root, text } = subject;
  const node = nodeAt(root, error.at);
  const shape = shapeIn(subject, error.at);
  const wanted = shape === undefined ? undefined : wantedText(shape);
  if (node === undefined || wanted === undefined) return undefined;
  const isPlainWord = node.kind === 'scalar' && node.style === 'plain' && typeof node.value === 'boolean';
  const written = text.slice(node.span.start, node.span.end);
  const isSurprising = isPlainWord && written !== 'true' && written !== 'false';
  const found = isSurprising ? `'${written}' without quotes reads as ${node.value}` : `${foundText(node)} stands here`;
  return `${wanted} belongs here, but ${unreadable(node, shape) ?? found}.`;
}

/** Amounts and times are strings: not its type is wrong, but what it says. */
function unreadable(node: ManifestNode, shape: Shape | undefined): string | undefined {
  const isWritten = shape?.kind === 'scalar' && (shape.type === 'quantity' || shape.type === 'time');
  if (!isWritten || node.kind !== 'scalar' || typeof node.value !== 'string') return undefined;
  return /^[^\r\n]{1,40}$/.test(node.value) ? `'${node.value}' is none` : undefined;
}

function wantedText(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'struct':
      return 'A map of fields';
    case 'map':
      return 'A map';
    case 'list':
      return 'A list';
    case 'any':
      return undefined;
    case 'scalar':
      break;
  }
  switch (shape.type) {
    case 'string':
      return 'A string';
    case 'boolean':
      return 'true or false';
    case 'int32':
      return 'A whole number of 32 bits';
    case 'int64':
      return 'A whole number of 64 bits';
    case 'number':
      return 'A number';
    case 'quantity':
      return 'A quantity, such as 500m or 2Gi,';
    case 'time':
      return "A time, such as '2026-01-31T12:00:00Z',";
    case 'int-or-string':
      return 'A whole number or a string';
  }
}

function foundText(node: ManifestNode): string {
  switch (node.kind) {
    case 'map':
      return 'a map';
    case 'sequence':
      return 'a list';
    case 'scalar':
      return node.value === null ? 'nothing' : typeof node.value === 'string' ? 'a string' : `a ${typeof node.value}`;
  }
}

/**
 * A number or boolean where a string belongs gets its quotes; a quoted number or boolean loses them; an amount gets a unit
 * that Kubernetes knows.
 */
export function fixWrongType(subject: FixSubject): readonly Fix[] {
  const { error, root, text } = subject;
  const node = nodeAt(root, error.at);
  const shape = shapeIn(subject, error.at);
  if (node?.kind !== 'scalar' || shape?.kind !== 'scalar') return [];
  if (shape.type === 'string' && (typeof node.value === 'number' || typeof node.value === 'boolean')) {
    return fixOf('Put it in quotes', quoteScalar(node, text), true);
  }
  if (typeof node.value !== 'string' || node.style === 'block') return [];
  if (shape.type === 'quantity') {
    return amounts(node.value).flatMap((amount) => fixOf(`Use '${amount}'`, replaceScalar(node, amount)));
  }
  const wanted = shape.type === 'boolean' ? /^(?:true|false)$/ : /^int/.test(shape.type) ? /^-?[0-9]{1,9}$/ : undefined;
  if (wanted?.test(node.value) !== true || node.style === 'plain') return [];
  return fixOf('Remove the quotes', { ...node.span, newText: node.value }, true);
}

/** What `128MB`, `1 gb` or `64mi` may mean. Without its `i` it may still be meant to be a power of 1024. */
function amounts(written: string): readonly string[] {
  const [, number = '', unit = '', binary] = /^([0-9]+(?:\.[0-9]+)?) ?([kmgtp])(i)?b?$/i.exec(written) ?? [];
  if (unit === '') return [];
  const power = `${number}${unit.toUpperCase()}i`;
  return binary === undefined ? [`${number}${/k/i.test(unit) ? 'k' : unit.toUpperCase()}`, power] : [power];
}
