import {
  kindOf,
  type ManifestSettings,
  multiKueue,
  queueLabel,
  scalarText,
  type WorkloadKind,
  workloadKinds,
} from '../../manifest/index.ts';
import { jobSpecAbove, shapeAtPlace } from '../place.ts';
import { controllerWords, fieldWords } from '../words/index.ts';
import type { Cursor } from './cursor.ts';
import { type Offer, ranks } from './offer.ts';
import { namesIn, situationOf, valueNote } from './situation.ts';

/** The values that may stand where the cursor is. `text` is the whole file: what it names elsewhere is likely meant. */
export function valueOffers(cursor: Cursor, settings: ManifestSettings, text: string): readonly Offer[] {
  const { path } = cursor;
  const last = path.findLast((step) => typeof step === 'string');
  if (path.length === 1 && last === 'apiVersion') return apiVersions(cursor);
  if (path.length === 1 && last === 'kind') return kinds(cursor);
  const kind = kindOf(cursor.apiVersion, cursor.kind);
  if (kind === undefined || last === undefined) return [];
  if (path.join('.') === kind.managedBy?.path.join('.')) return controllers(kind, settings, cursor);
  if (last === queueLabel) return words([...queuesIn(text), ...(settings.knownQueues ?? [])], cursor, 'queue');
  const named = references(kind, cursor, last);
  return named ?? typedValues(kind, cursor, settings);
}

/** Those of a scalar's type: a set of words, the ones that we have words for, yes and no. */
function typedValues(kind: WorkloadKind, cursor: Cursor, settings: ManifestSettings): readonly Offer[] {
  const { path, root } = cursor;
  const { version } = settings;
  const place = { apiVersion: cursor.apiVersion, kind };
  const shape = shapeAtPlace(place, path, version);
  if (shape?.kind !== 'scalar') return [];
  if (shape.type === 'boolean') return words(['true', 'false'], cursor, 'boolean', true);
  // A word in a list has its meaning from the list's field.
  const steps = typeof path.at(-1) === 'number' ? path.slice(0, -1) : path;
  const field = String(steps.at(-1));
  const holder = shapeAtPlace(place, steps.slice(0, -1), version);
  if (holder?.kind === 'map') return amounts(field, cursor);
  if (holder?.kind !== 'struct') return [];
  const usual = holder.name === 'CronJobSpec' ? usualTimes(field, cursor) : undefined;
  if (usual !== undefined) return usual;
  const told = fieldWords(holder.name, field);
  const here = situationOf(kind, root, jobSpecAbove(place, path, version));
  // Some operators are plain text to the schema, though the API server knows only a few.
  return (shape.values ?? Object.keys(told?.values ?? {})).flatMap((value, index) => {
    const note = valueNote(holder.name, field, value, here);
    if (note === 'never' || value === '') return [];
    const isDefault = told?.unset?.startsWith(`\`${value}\``) === true;
    const documentation = told?.values?.[value];
    return [
      {
        ...valueOffer(value, cursor),
        ...((note !== undefined || isDefault) && { detail: note ?? 'default' }),
        ...(documentation !== undefined && { documentation }),
        sortKey: note === undefined ? `${ranks.common}${String(index).padStart(2, '0')}` : ranks.conditional,
      },
    ];
  });
}

function valueOffer(value: string, cursor: Cursor, isLiteral = false): Omit<Offer, 'sortKey'> {
  // Quotes that stand there already stay, and so does what is no text in JSON.
  const isBare = isLiteral || cursor.isQuoted;
  const insertText = isBare ? value : cursor.layout.style === 'json' ? JSON.stringify(value) : scalarText(value);
  return { label: value, kind: 'value', insertText, isSnippet: false };
}

function words(values: readonly string[], cursor: Cursor, detail: string, isLiteral = false): readonly Offer[] {
  return [...new Set(values)].map((value, index) => ({
    ...valueOffer(value, cursor, isLiteral),
    detail,
    sortKey: `${ranks.common}${String(index).padStart(3, '0')}`,
  }));
}

function apiVersions(cursor: Cursor): readonly Offer[] {
  const fitting = workloadKinds.filter(({ kind }) => cursor.kind === undefined || kind === cursor.kind);
  const versions = (fitting.length > 0 ? fitting : workloadKinds).flatMap(({ apiVersions: all }) => all);
  return words(versions, cursor, 'apiVersion').map((offer) => {
    const names = workloadKinds.filter(({ apiVersions: all }) => all.includes(offer.label)).map(({ kind }) => kind);
    return { ...offer, detail: names.join(', ') };
  });
}

function kinds(cursor: Cursor): readonly Offer[] {
  const fitting = workloadKinds.filter(({ apiVersions: all }) => all.includes(cursor.apiVersion ?? ''));
  return (fitting.length > 0 ? fitting : workloadKinds).flatMap((kind, index) => {
    if (workloadKinds.findIndex((one) => one.kind === kind.kind) !== index && fitting.length === 0) return [];
    const sortKey = `${ranks.common}${String(index).padStart(2, '0')}`;
    return [{ ...valueOffer(kind.kind, cursor), detail: kind.source, sortKey }];
  });
}

/** MultiKueue leads where the object names a queue, our own reconciler where it names none. */
function controllers(kind: WorkloadKind, settings: ManifestSettings, cursor: Cursor): readonly Offer[] {
  const { managedBy } = kind;
  if (managedBy === undefined) return [];
  const { controllerName, knownControllers = [] } = settings;
  const own = managedBy.isClosed || controllerName === undefined ? [] : [controllerName];
  const others = managedBy.isClosed ? [] : knownControllers;
  return [...new Set([multiKueue, ...own, ...others, managedBy.builtIn])].map((name, index) => {
    const documentation = controllerWords(name, kind, controllerName);
    return {
      ...valueOffer(name, cursor),
      detail: name === managedBy.builtIn ? 'default' : 'controller',
      ...(documentation !== undefined && { documentation }),
      sortKey: `${ranks.common}${String(index).padStart(2, '0')}`,
    };
  });
}

/** The queues that this text names already: one of them is meant most of the time. */
function queuesIn(text: string): readonly string[] {
  const named = text.matchAll(/kueue\.x-k8s\.io\/queue-name["']?[ \t]*:[ \t]*["']?([a-z0-9.-]+)/g);
  return [...named].flatMap(([, queue]) => queue ?? []).filter((queue) => queue !== '');
}

/** Names that stand elsewhere in the same pod; undefined for what refers to nothing in it. */
function references(kind: WorkloadKind, cursor: Cursor, last: string): readonly Offer[] | undefined {
  const { path, root } = cursor;
  const podSpec = [...(kind.podTemplate ?? []), 'spec'];
  const list = path.findLast((step, index) => typeof step === 'string' && typeof path[index + 1] === 'number');
  if (last === 'name' && (list === 'volumeMounts' || list === 'volumeDevices')) {
    return words(namesIn(root, [...podSpec, 'volumes']), cursor, 'volume');
  }
  if (last === 'name' && list === 'claims')
    return words(namesIn(root, [...podSpec, 'resourceClaims']), cursor, 'claim');
  if (last !== 'containerName') return undefined;
  const names = [...namesIn(root, [...podSpec, 'containers']), ...namesIn(root, [...podSpec, 'initContainers'])];
  return words(names, cursor, 'container');
}

function amounts(key: string, cursor: Cursor): readonly Offer[] {
  if (key === 'cpu') return words(['100m', '500m', '1', '2', '4'], cursor, 'CPU');
  return key === 'memory' ? words(['64Mi', '256Mi', '1Gi', '4Gi'], cursor, 'memory') : [];
}

function usualTimes(field: string, cursor: Cursor): readonly Offer[] | undefined {
  if (field === 'timeZone') return words(['Etc/UTC', ...Intl.supportedValuesOf('timeZone')], cursor, 'time zone');
  const schedules = ['0 3 * * *', '0 * * * *', '*/15 * * * *', '0 3 * * 1-5', '0 3 1 * *', '@daily'];
  return field === 'schedule' ? words(schedules, cursor, 'schedule') : undefined;
}
