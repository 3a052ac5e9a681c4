import { typeName } from './completion.ts';
import { cutDocuments } from './documents.ts';
import { describeController, describeField, describeLabel } from './fieldDocs.ts';
import { mayHoldWorkload, type WorkloadKind } from './kinds.ts';
import type { ManifestNode, MapEntry } from './nodes.ts';
import { objectsIn } from './objects.ts';
import { readYaml } from './readYaml.ts';
import { managedByUrl } from './rules/index.ts';
import type { ManifestSettings } from './settings.ts';
import { shapeAt } from './structure.ts';
import { LineIndex, type Span, type TextRange } from './text.ts';

/** What is to be said about the word at a place. */
export interface Hover {
  readonly range: TextRange;
  readonly markdown: string;
}

/** A description of the field, label or controller at an offset, where we have one. Never throws. */
export function hoverAt(text: string, offset: number, settings: ManifestSettings): Hover | undefined {
  const slice = cutDocuments(text).find(({ span }) => span.start <= offset && offset <= span.end);
  if (slice === undefined || !mayHoldWorkload(slice.text)) return undefined;
  const { root } = readYaml(slice.text);
  const at = offset - slice.span.start;
  for (const object of root?.kind === 'map' ? objectsIn(root) : []) {
    const place = placeAt(object.node, at, []);
    const markdown = place === undefined ? undefined : describe(place, object.kind, settings);
    if (place === undefined || markdown === undefined) continue;
    const span = { start: place.span.start + slice.span.start, end: place.span.end + slice.span.start };
    return { range: new LineIndex(text).range(span), markdown };
  }
  return undefined;
}

interface Place {
  /** From the object to the entry. */
  readonly path: readonly (string | number)[];
  readonly entry: MapEntry;
  readonly isKey: boolean;
  readonly span: Span;
}

const covers = ({ start, end }: Span, offset: number): boolean => start <= offset && offset < end;

function placeAt(node: ManifestNode, offset: number, path: readonly (string | number)[]): Place | undefined {
  if (node.kind === 'scalar') return undefined;
  if (node.kind === 'sequence') {
    const index = node.items.findIndex(({ span }) => covers(span, offset));
    const item = node.items[index];
    return item === undefined ? undefined : placeAt(item, offset, [...path, index]);
  }
  for (const entry of node.entries) {
    const entryPath = [...path, entry.key];
    if (covers(entry.keySpan, offset)) return { path: entryPath, entry, isKey: true, span: entry.keySpan };
    if (!covers(entry.value.span, offset)) continue;
    if (entry.value.kind !== 'scalar') return placeAt(entry.value, offset, entryPath);
    return { path: entryPath, entry, isKey: false, span: entry.value.span };
  }
  return undefined;
}

function describe({ path, entry, isKey }: Place, kind: WorkloadKind, settings: ManifestSettings): string | undefined {
  const isManagedBy = path.join('.') === kind.managedBy?.path.join('.');
  if (!isKey) {
    const { value } = entry;
    if (!isManagedBy || value.kind !== 'scalar' || typeof value.value !== 'string') return undefined;
    return describeController(value.value, kind.managedBy?.builtIn, settings.controllerName);
  }
  const label = path.at(-2) === 'labels' ? describeLabel(entry.key) : undefined;
  if (label !== undefined) return heading(entry.key, 'label', label);
  const holder = kind.podTemplate === undefined ? undefined : shapeAt(kind.kind, path.slice(0, -1), settings.version);
  if (holder?.kind === 'struct') {
    const words = describeField(holder.name, entry.key);
    const field = holder.fields.find(({ name }) => name === entry.key);
    if (words === undefined || field === undefined) return undefined;
    const since = field.since === undefined ? '' : `, since Kubernetes ${field.since}`;
    const link = entry.key === 'managedBy' ? `\n\n[Delegation of a Job](${managedByUrl})` : '';
    return `${heading(entry.key, `${typeName(field.shape())}${since}`, words)}${link}`;
  }
  if (!isManagedBy) return undefined;
  const set = kind.managedBy?.isClosed === true ? 'one of two names' : 'any `domain/path`';
  return heading('managedBy', 'string', `Names the controller that runs this ${kind.kind} instead of its own: ${set}.`);
}

function heading(name: string, type: string, words: string): string {
  return `**${name}** · ${type}\n\n${words}`;
}
