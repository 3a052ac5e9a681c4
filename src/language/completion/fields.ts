import {
  entryOf,
  type FieldShape,
  kindOf,
  type ManifestSettings,
  nodeAt,
  type Shape,
  typeName,
  type WorkloadKind,
} from '../../manifest/index.ts';
import { jobSpecAbove, shapeAtPlace } from '../place.ts';
import {
  delegationFields,
  type FieldWords,
  factLines,
  fieldWords,
  keyWords,
  paragraphs,
  writableKeys,
} from '../words/index.ts';
import { type Cursor, isPlaceholder } from './cursor.ts';
import { type Piece, renderEntry, renderItem, renderKey } from './layout.ts';
import { type Offer, ranks } from './offer.ts';
import { pieceOf, structPiece } from './pieces.ts';
import { fieldNote, type Situation, situationOf } from './situation.ts';

/** The keys that may stand where the cursor is, without those that are there. */
export function fieldOffers(cursor: Cursor, settings: ManifestSettings): readonly Offer[] {
  const kind = kindOf(cursor.apiVersion, cursor.kind);
  if (kind === undefined) return cursor.path.length === 0 ? headerOffers(cursor) : [];
  const { path, root } = cursor;
  const { version } = settings;
  const holderOf = { apiVersion: cursor.apiVersion, kind };
  const shape = shapeAtPlace(holderOf, path, version);
  // Below the key of a list, or beside its items: what is typed there can only be a further item.
  if (shape?.kind === 'list') return [itemOffer(shape.item, cursor)];
  const holder = nodeAt(root, path);
  const isFree = ({ label }: Offer): boolean => entryOf(holder, label) === undefined;
  if (shape?.kind === 'map') return keyOffers(path, cursor).filter(isFree);
  const own =
    shape?.kind === 'struct'
      ? structOffers(shape, cursor, situationOf(kind, root, jobSpecAbove(holderOf, path, version)))
      : [];
  // By what it is delegated we know better than its CRD does.
  const foreign = foreignOffers(kind, cursor);
  const names = new Set(foreign.map(({ label }) => label));
  return [...foreign, ...own.filter(({ label }) => !names.has(label))].filter(isFree);
}

/** Whether a word belongs where the cursor is, and no map. */
export function holdsWord({ apiVersion, kind, path }: Cursor, { version }: ManifestSettings): boolean {
  const known = kindOf(apiVersion, kind);
  return known !== undefined && shapeAtPlace({ apiVersion, kind: known }, path, version)?.kind === 'scalar';
}

/** What a document begins with, unless what stands there shows that it is none of Kubernetes. */
export function headerOffers(cursor: KeyPlace & Partial<Pick<Cursor, 'root'>>): readonly Offer[] {
  const { root } = cursor;
  const present = root?.kind === 'map' ? root.entries.map(({ key }) => key).filter((key) => !isPlaceholder(key)) : [];
  if (present.some((key) => !header.some(([name]) => name === key))) return [];
  return header
    .filter(([name]) => !present.includes(name))
    .map(([name, value], index) =>
      keyed(name, value, { detail: 'Kubernetes', sortKey: `${ranks.required}${index}` }, cursor),
    );
}

const open: Piece = { kind: 'leaf', isText: true, proposals: [] };
const emptyMap: Piece = { kind: 'map', entries: [] };
/** Inside of a template a name says nothing: labels are what it is for. */
const innerMetadata: Piece = { kind: 'map', entries: [['labels', emptyMap]] };

const header: readonly (readonly [name: string, value: Piece])[] = [
  ['apiVersion', open],
  ['kind', open],
  ['metadata', { kind: 'map', entries: [['name', { kind: 'leaf', isText: true, proposals: ['name'] }]] }],
  ['spec', emptyMap],
];

/** How a key is to be written where the cursor is. */
type KeyPlace = Pick<Cursor, 'hasColon' | 'hasValue' | 'layout'>;

interface Display {
  readonly detail?: string;
  readonly documentation?: string;
  readonly sortKey: string;
}

function keyed(label: string, value: Piece, display: Display, { hasColon, hasValue, layout }: KeyPlace): Offer {
  const key = renderKey(label, layout);
  const isKeyAlone = hasColon || hasValue;
  const insertion = isKeyAlone
    ? { insertText: hasColon ? key : `${key}:`, isSnippet: false }
    : renderEntry(label, value, layout);
  return { label, kind: 'field', ...insertion, ...display };
}

/** The fields that most people write, in the order in which they do. */
const common: Readonly<Record<string, readonly string[]>> = {
  Job: ['apiVersion', 'kind', 'metadata', 'spec'],
  CronJob: ['apiVersion', 'kind', 'metadata', 'spec'],
  Pod: ['apiVersion', 'kind', 'metadata', 'spec'],
  JobSpec: [
    'managedBy',
    'completions',
    'parallelism',
    'completionMode',
    'backoffLimit',
    'activeDeadlineSeconds',
    'ttlSecondsAfterFinished',
    'suspend',
  ],
  CronJobSpec: ['timeZone', 'concurrencyPolicy', 'suspend'],
  JobTemplateSpec: ['metadata', 'spec'],
  PodTemplateSpec: ['metadata', 'spec'],
  ObjectMeta: ['name', 'namespace', 'labels', 'annotations'],
  PodSpec: ['restartPolicy', 'initContainers', 'volumes', 'serviceAccountName', 'nodeSelector', 'tolerations'],
  Container: ['image', 'command', 'args', 'env', 'resources', 'volumeMounts'],
  EnvVar: ['value', 'valueFrom'],
  ResourceRequirements: ['requests', 'limits'],
};

function structOffers(shape: Shape & { kind: 'struct' }, cursor: Cursor, here: Situation): readonly Offer[] {
  return shape.fields.flatMap((field) => {
    // Nobody writes it by hand, and in a manifest it is ignored.
    if (field.name === 'status') return [];
    const note = fieldNote(shape.name, field.name, cursor.path, here);
    return note === 'never' ? [] : [fieldOffer(field, shape.name, note, cursor)];
  });
}

function fieldOffer(field: FieldShape, type: string, note: string | undefined, cursor: Cursor): Offer {
  const words = fieldWords(type, field.name);
  const shape = field.shape();
  const place = common[type]?.indexOf(field.name) ?? -1;
  const rank = field.isDeprecated
    ? ranks.deprecated
    : note !== undefined
      ? ranks.conditional
      : field.isRequired
        ? ranks.required
        : place >= 0
          ? `${ranks.common}${place}`
          : words === undefined
            ? ranks.other
            : ranks.known;
  const traits = [typeName(shape), field.isRequired ? 'required' : '', field.isDeprecated ? 'deprecated' : ''];
  // There is room for one of them; what the field would need first says more than its type.
  const detail = note ?? traits.filter((trait) => trait !== '').join(', ');
  const isInner = typeName(shape) === 'ObjectMeta' && cursor.path.length > 0;
  return keyed(
    field.name,
    isInner ? innerMetadata : pieceOf(shape, type, field.name),
    { detail, ...documented(words, field.since), sortKey: rank },
    cursor,
  );
}

function documented(words: FieldWords | undefined, since?: string): { readonly documentation?: string } {
  const documentation = paragraphs([words?.says, factLines(words, since)]);
  return documentation === '' ? {} : { documentation };
}

/** A new item of the list in which the cursor is. */
function itemOffer(shape: Shape, cursor: Cursor): Offer {
  const piece = shape.kind === 'struct' ? structPiece(shape) : pieceOf(shape, '', '', 1);
  const [first] = piece.kind === 'map' ? (piece.entries[0] ?? []) : [];
  const label = first === undefined ? '-' : `- ${first}`;
  return {
    label,
    kind: 'field',
    ...renderItem(piece, cursor.layout),
    detail: `new ${typeName(shape)}`,
    sortKey: ranks.required,
  };
}

const nodeLabels = [
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
];

/** Keys that are no fields, but known all the same, by the map that they stand in. */
function keyOffers(path: readonly (string | number)[], cursor: Cursor): readonly Offer[] {
  const map = path.at(-1);
  const holder = path.at(-2);
  const offers = (keys: readonly string[], detail: string): readonly Offer[] =>
    keys.map((key, index) =>
      keyed(key, open, { detail, ...documentedKey(key), sortKey: `${ranks.common}${index}` }, cursor),
    );
  if (holder === 'metadata' && (map === 'labels' || map === 'annotations')) {
    // Kueue reads them in one place: elsewhere they would mislead.
    const isQueued = kindOf(cursor.apiVersion, cursor.kind)?.queueMetadata?.join('.') === path.slice(0, -1).join('.');
    return isQueued ? offers(writableKeys[map], map === 'labels' ? 'label' : 'annotation') : [];
  }
  if (holder === 'resources') return offers(['cpu', 'memory', 'ephemeral-storage', 'nvidia.com/gpu'], 'resource');
  return map === 'nodeSelector' ? offers(nodeLabels, 'node label') : [];
}

function documentedKey(key: string): { readonly documentation?: string } {
  const documentation = keyWords(key);
  return documentation === undefined ? {} : { documentation };
}

/** Of kinds whose structure isn't known here, the fields by which they are delegated, and the way to them. */
function foreignOffers(kind: WorkloadKind, cursor: Cursor): readonly Offer[] {
  if (kind.podTemplate !== undefined) return [];
  const here = cursor.path.join('.');
  const offers = new Map<string, Offer>();
  for (const [dotted, words] of delegationFields(kind)) {
    const steps = dotted.split('.');
    const [next, ...below] = steps.slice(cursor.path.length);
    if (next === undefined || steps.slice(0, cursor.path.length).join('.') !== here || offers.has(next)) continue;
    const leaf: Piece = { kind: 'leaf', isText: next !== 'suspend', proposals: [] };
    const value = below.length === 0 ? leaf : emptyMap;
    const detail = below.length === 0 ? 'delegation' : `holds ${below.join('.')}`;
    const display = { detail, ...(below.length === 0 && documented(words)), sortKey: ranks.common };
    offers.set(next, keyed(next, value, display, cursor));
  }
  return [...offers.values()];
}
