import type { KubernetesMinor } from '../admission/index.ts';
import type { Pieces } from '../base/index.ts';
import {
  cutDocuments,
  type FieldShape,
  type FoundObject,
  LineIndex,
  type ManifestNode,
  type ManifestSettings,
  type MapEntry,
  managedByUrl,
  mayHoldWorkload,
  objectsIn,
  readInPieces,
  type Span,
  shapeAt,
  type TextRange,
  typeName,
} from '../manifest/index.ts';
import { shapeAtPlace } from './place.ts';
import {
  controllerWords,
  delegationFields,
  factLines,
  fieldWords,
  keyWords,
  paragraphs,
  tellChanges,
  tellHere,
} from './words/index.ts';

/** What is to be said about the word at a place. */
export interface Hover {
  readonly range: TextRange;
  readonly markdown: string;
  /** The field that it is said of, for those who know more about it; absent for values, labels and annotations. */
  readonly field?: HoverField;
}

export interface HoverField {
  readonly apiVersion: string;
  readonly kind: string;
  /** From the object's root, indexes left out. */
  readonly path: readonly string[];
}

/**
 * A description of the field, label, value or controller at an offset, where we have one. Pauses while it reads the text.
 * Never throws.
 */
export function* hoverAt(text: string, offset: number, settings: ManifestSettings): Pieces<Hover | undefined> {
  const slice = cutDocuments(text).find(({ span }) => span.start <= offset && offset <= span.end);
  if (slice === undefined || !mayHoldWorkload(slice.text)) return undefined;
  const { root } = yield* readInPieces(slice.text);
  const at = offset - slice.span.start;
  for (const object of root?.kind === 'map' ? objectsIn(root) : []) {
    // Behind the last character the cursor is still at the word, as whoever asks by keyboard expects.
    const place = placeAt(object.node, at, []) ?? placeAt(object.node, at - 1, []);
    const markdown = place === undefined ? undefined : describe(place, object, settings);
    if (place === undefined || markdown === undefined) continue;
    const span = { start: place.span.start + slice.span.start, end: place.span.end + slice.span.start };
    const range = new LineIndex(text).range(span);
    if (!place.isKey || isOwnKey(place.path)) return { range, markdown };
    const { apiVersion, kind } = object;
    const path = place.path.filter((step) => typeof step === 'string');
    return { range, markdown, field: { apiVersion, kind: kind.kind, path } };
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

/** A label's or an annotation's key, which is the author's and no field of the API. */
function isOwnKey(path: readonly (string | number)[]): boolean {
  return path.at(-2) === 'labels' || path.at(-2) === 'annotations';
}

function describe(place: Place, object: FoundObject, settings: ManifestSettings): string | undefined {
  const { path, entry } = place;
  const { kind } = object;
  if (!place.isKey) return describeValue(place, object, settings);
  if (isOwnKey(path)) {
    const words = keyWords(entry.key);
    return words === undefined
      ? undefined
      : `**${entry.key}** · ${path.at(-2) === 'labels' ? 'label' : 'annotation'}\n\n${words}`;
  }
  const holder = shapeAtPlace(object, path.slice(0, -1), settings.version);
  const field = holder?.kind === 'struct' ? holder.fields.find(({ name }) => name === entry.key) : undefined;
  const foreign = delegationFields(kind).get(path.filter((step) => typeof step === 'string').join('.'));
  const changes = tellChanges(kind, path, settings.version);
  if (holder?.kind !== 'struct' || field === undefined) {
    return foreign && paragraphs([`**${entry.key}**`, foreign.says, factLines(foreign, undefined, changes)]);
  }
  // By what an object is delegated we know better than its CRD does.
  const words = foreign ?? fieldWords(holder.name, entry.key);
  const here = tellHere(holder.name, entry.key, { kind, object: object.value, path, settings });
  return paragraphs([
    heading(field),
    words?.says,
    here === undefined ? undefined : `**Here:** ${here}`,
    factLines(words, field.since, changes),
    links(holder.name, entry.key, settings.version),
  ]);
}

function describeValue(
  { path, entry }: Place,
  { apiVersion, kind, value: object }: FoundObject,
  settings: ManifestSettings,
): string | undefined {
  const { value } = entry;
  if (value.kind !== 'scalar' || typeof value.value !== 'string') return undefined;
  const word = value.value;
  if (path.join('.') === kind.managedBy?.path.join('.')) {
    const words = controllerWords(word, kind, settings.controllerName);
    const here = tellHere('JobSpec', 'managedBy', { kind, object, path, settings });
    return words === undefined && here === undefined ? undefined : paragraphs([words, here && `**Here:** ${here}`]);
  }
  const holder = shapeAtPlace({ apiVersion, kind }, path.slice(0, -1), settings.version);
  const values = holder?.kind === 'struct' ? fieldWords(holder.name, entry.key)?.values : undefined;
  return values !== undefined && Object.hasOwn(values, word) ? `**${word}**\n\n${values[word]}` : undefined;
}

function heading({ name, isRequired, isDeprecated, shape }: FieldShape): string {
  const notes = [isRequired ? 'required' : '', isDeprecated ? 'deprecated' : ''].filter((note) => note !== '');
  return `**${name}** · ${[typeName(shape()), ...notes].join(', ')}`;
}

const metaTypes: ReadonlySet<string> = new Set([
  'LabelSelector',
  'LabelSelectorRequirement',
  'ManagedFieldsEntry',
  'ObjectMeta',
  'OwnerReference',
]);

/** Empty for the types of CRDs, which the reference doesn't have. */
function links(type: string, field: string, version: KubernetesMinor): string {
  if (shapeAt(type, [], version) === undefined) return '';
  const page = `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${version}/`;
  const reference = `[Kubernetes API reference](${page}#${type.toLowerCase()}-${packageOf(type)})`;
  return field === 'managedBy' ? `[Delegation of a Job](${managedByUrl}) · ${reference}` : reference;
}

/** Version and group of a type as the reference writes them in its anchors. */
function packageOf(type: string): string {
  if (metaTypes.has(type)) return 'v1-meta';
  if (/^(?:Cron)?Job|^(?:PodFailure|Success)Policy|^Uncounted/.test(type)) return 'v1-batch';
  if (/^(?:Deployment|StatefulSet|RollingUpdate)/.test(type)) return 'v1-apps';
  if (/^(?:WorkloadPodGroup|TopologyConstraint$)/.test(type)) return 'v1alpha3-scheduling-k8s-io';
  return 'v1-core';
}
