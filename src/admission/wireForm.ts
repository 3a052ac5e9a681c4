import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../base/index.ts';
import { readInstant } from './instant.ts';
import { asWritten } from './pod/index.ts';

const timeFields: ReadonlySet<string> = new Set([
  'completionTime',
  'creationTimestamp',
  'deletionTimestamp',
  'lastProbeTime',
  'lastScheduleTime',
  'lastSuccessfulTime',
  'lastTransitionTime',
  'startTime',
  'time',
]);

const amountFields: ReadonlySet<string> = new Set(['limits', 'overhead', 'requests']);

/** Fields whose keys are free, so that one of these names says nothing, or whose content the server never reads. */
const unread: ReadonlySet<string> = new Set([
  'annotations',
  'fieldsV1',
  'labels',
  'matchLabels',
  'nodeSelector',
  'options',
  'userAnnotations',
  'volumeAttributes',
]);

/** Go's zero time, in epoch seconds. */
const zeroSeconds = Date.parse('0001-01-01T00:00:00Z') / 1000;

/**
 * The object as the server stores it, once it has been completed and judged: times in UTC, whole seconds, the rest cut off,
 * and Go's zero time is none; amounts in canonical form. Shares what stays.
 */
export function inWireForm(object: JsonObject): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const key in object) {
    if (unread.has(key)) continue;
    const before = object[key];
    const after = wireValue(key, before);
    if (after === before) continue;
    copy ??= { ...object };
    if (after === undefined) delete copy[key];
    else copy[key] = after;
  }
  return copy ?? object;
}

function wireValue(key: string, value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') return timeFields.has(key) ? wireTime(value) : value;
  return amountFields.has(key) && isJsonObject(value) ? asWritten(value) : inside(value);
}

function inside(value: JsonValue | undefined): JsonValue | undefined {
  if (isList(value)) {
    const items = value.map((item) => inside(item) ?? item);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isJsonObject(value) ? inWireForm(value) : value;
}

function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

function wireTime(text: string): string | undefined {
  const instant = readInstant(text);
  if (instant === undefined) return text;
  if (instant.seconds === zeroSeconds && instant.nanoseconds === 0) return undefined;
  const written = new Date(instant.seconds * 1000).toISOString().slice(0, -5);
  // Go writes years of more or less than four digits without padding them to six.
  return `${written.replace(/^\+0/, '').replace(/^-00/, '-')}Z`;
}
