import { type Cursor, cursorAt } from './cursor.ts';
import { kindOf, multiKueue, queueLabel, type WorkloadKind, workloadKinds } from './kinds.ts';
import { entryOf, nodeAt, stringAt } from './nodes.ts';
import type { ManifestSettings } from './settings.ts';
import { skeletons } from './skeletons.ts';
import { type FieldShape, type Shape, shapeAt } from './structure.ts';
import { LineIndex, type TextRange } from './text.ts';
import { controllerWords, fieldWords, keyWords } from './words/index.ts';

/** Something that may be typed at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'document';
  /** Replaces `range`. Lines after the first are indented relative to the one that it goes into. */
  readonly insertText: string;
  /** `insertText` has places to fill in (`${1:name}`), as editors' snippets do. */
  readonly isSnippet: boolean;
  readonly range: TextRange;
  /** Type and the like, in a few words. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  /** Orders the list; equal keys by label. */
  readonly sortKey: string;
}

/** All that may stand at an offset of a text, whether or not it fits the word that is there. Never throws. */
export function completionsAt(text: string, offset: number, settings: ManifestSettings): readonly Completion[] {
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return [];
  const lines = new LineIndex(text);
  if (cursor === 'empty') {
    const word = /[A-Za-z0-9_./-]*$/.exec(text.slice(0, offset))?.[0] ?? '';
    const range = lines.range({ start: offset - word.length, end: offset });
    return skeletons(settings.controllerName).map((skeleton) => ({
      ...skeleton,
      kind: 'document',
      isSnippet: true,
      range,
      sortKey: '0',
    }));
  }
  const range = lines.range(cursor.word);
  const offers = cursor.role === 'key' ? fieldsFor(cursor, settings) : valuesFor(cursor, settings, text);
  return offers.map((offer) => ({ ...offer, isSnippet: false, range }));
}

type Offer = Omit<Completion, 'isSnippet' | 'range'>;

function fieldsFor(cursor: Cursor, settings: ManifestSettings): readonly Offer[] {
  const kind = kindOf(cursor.apiVersion, cursor.kind);
  if (kind === undefined) return cursor.path.length === 0 ? headerFields(cursor) : [];
  const holder = nodeAt(cursor.root, cursor.path);
  const isFree = (name: string): boolean => entryOf(holder, name) === undefined;
  const shape =
    kind.apiVersions.includes('batch/v1') || kind.kind === 'Pod'
      ? shapeAt(kind.kind, cursor.path, settings.version)
      : undefined;
  const fields =
    shape?.kind === 'struct'
      ? shape.fields
          .filter(({ name }) => isFree(name) && name !== 'status')
          .map((field) => fieldOffer(field, shape.name, cursor))
      : foreignFields(kind, cursor.path).filter(({ label }) => isFree(label));
  const labels = [...(kind.queueMetadata ?? []), 'labels'];
  const isLabels = kind.queueMetadata !== undefined && labels.join('.') === cursor.path.join('.');
  return isLabels && isFree(queueLabel) ? [labelOffer(cursor), ...fields] : fields;
}

function headerFields(cursor: Cursor): readonly Offer[] {
  return ['apiVersion', 'kind', 'metadata', 'spec']
    .filter((name) => entryOf(cursor.root, name) === undefined)
    .map((name) => ({ label: name, kind: 'field', insertText: cursor.hasColon ? name : `${name}: `, sortKey: '1' }));
}

/** Of kinds whose structure isn't known here, at least what this program is about. */
function foreignFields({ managedBy }: WorkloadKind, path: readonly (string | number)[]): readonly Offer[] {
  if (managedBy === undefined || managedBy.path.slice(0, -1).join('.') !== path.join('.')) return [];
  const documentation = 'Names the controller that runs this object instead of its own.';
  return [{ label: 'managedBy', kind: 'field', insertText: 'managedBy: ', documentation, sortKey: '1' }];
}

function labelOffer(cursor: Cursor): Offer {
  const documentation = keyWords(queueLabel);
  return {
    label: queueLabel,
    kind: 'field',
    insertText: cursor.hasColon ? queueLabel : `${queueLabel}: `,
    ...(documentation !== undefined && { documentation }),
    sortKey: '1',
  };
}

function fieldOffer({ name, isRequired, isDeprecated, shape }: FieldShape, struct: string, cursor: Cursor): Offer {
  const documentation = fieldWords(struct, name)?.says;
  // What is needed comes first, then what we have something to say about.
  const rank = isRequired ? '1' : isDeprecated ? '9' : documentation === undefined ? '5' : '3';
  return {
    label: name,
    kind: 'field',
    insertText: cursor.hasColon ? name : `${name}:${opening(shape())}`,
    detail: `${typeName(shape())}${isRequired ? ', required' : ''}${isDeprecated ? ', deprecated' : ''}`,
    ...(documentation !== undefined && { documentation }),
    sortKey: rank,
  };
}

function opening(shape: Shape): string {
  switch (shape.kind) {
    case 'struct':
    case 'map':
      return '\n  ';
    case 'list':
      return '\n- ';
    case 'scalar':
    case 'any':
      return ' ';
  }
}

/** A shape in a few words. */
export function typeName(shape: Shape): string {
  switch (shape.kind) {
    case 'struct':
      return shape.name;
    case 'list':
      return `list of ${typeName(shape.item)}`;
    case 'map':
      return `map of ${typeName(shape.value)}`;
    case 'any':
      return 'anything';
    case 'scalar':
      return shape.values === undefined || shape.values.length > 8 ? shape.type : shape.values.join(' | ');
  }
}

function valuesFor(cursor: Cursor, settings: ManifestSettings, text: string): readonly Offer[] {
  const { path, root } = cursor;
  const last = path.at(-1);
  if (path.length === 1 && last === 'apiVersion')
    return words([...new Set(workloadKinds.flatMap(({ apiVersions }) => apiVersions))]);
  if (path.length === 1 && last === 'kind') {
    const fitting = workloadKinds.filter(({ apiVersions }) => apiVersions.includes(cursor.apiVersion ?? ''));
    return words([...new Set((fitting.length > 0 ? fitting : workloadKinds).map(({ kind }) => kind))]);
  }
  const kind = kindOf(cursor.apiVersion, cursor.kind);
  if (kind === undefined) return [];
  if (path.join('.') === kind.managedBy?.path.join('.')) return controllers(kind, settings);
  if (last === queueLabel) return words(queuesIn(text));
  const podSpec = [...(kind.podTemplate ?? []), 'spec'];
  if (last === 'name' && (path.includes('volumeMounts') || path.includes('volumeDevices'))) {
    return words(namesIn(root, [...podSpec, 'volumes']));
  }
  if (last === 'containerName')
    return words([...namesIn(root, [...podSpec, 'containers']), ...namesIn(root, [...podSpec, 'initContainers'])]);
  const shape = shapeAt(kind.kind, path, settings.version);
  if (shape?.kind !== 'scalar') return [];
  if (shape.type === 'boolean') return words(['true', 'false']);
  const isPodPolicy = kind.podTemplate !== undefined && path.join('.') === [...podSpec, 'restartPolicy'].join('.');
  return words((shape.values ?? []).filter((value) => !isPodPolicy || value !== 'Always'));
}

function words(values: readonly string[]): readonly Offer[] {
  return values.map((value) => ({ label: value, kind: 'value', insertText: value, sortKey: '1' }));
}

function controllers(kind: WorkloadKind, settings: ManifestSettings): readonly Offer[] {
  const { managedBy } = kind;
  if (managedBy === undefined) return [];
  const { controllerName, knownControllers = [] } = settings;
  const own = managedBy.isClosed || controllerName === undefined ? [] : [controllerName];
  const names = [multiKueue, ...own, ...(managedBy.isClosed ? [] : knownControllers), managedBy.builtIn];
  return [...new Set(names)].map((name, index) => {
    const documentation = controllerWords(name, kind, controllerName);
    return {
      label: name,
      kind: 'value',
      insertText: name,
      ...(documentation !== undefined && { documentation }),
      sortKey: String(index),
    };
  });
}

/** The queues that this text names already: one of them is meant most of the time. */
function queuesIn(text: string): readonly string[] {
  const named = text.matchAll(/kueue\.x-k8s\.io\/queue-name["']?[ \t]*:[ \t]*["']?([a-z0-9.-]+)/g);
  return [...new Set([...named].flatMap(([, queue]) => queue ?? []))].filter((queue) => queue !== '');
}

function namesIn(root: Cursor['root'], path: readonly string[]): readonly string[] {
  const list = nodeAt(root, path);
  return list?.kind === 'sequence' ? list.items.flatMap((item) => stringAt(item, ['name']) ?? []) : [];
}
