import { isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { asJob, looseMetadata, type StoredMeta, type StoredObject } from './objects.ts';
import { definitions, type ResourceDefinition } from './resources.ts';

/**
 * An object as the real server writes it: what is null or empty in places where Go leaves that out is absent, and what
 * Go writes in any case is there. Whatever is stored has passed here, so equal objects have equal texts.
 */
export function wireForm(type: ResourceDefinition, object: StoredObject): StoredObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const clean: StoredObject = { apiVersion, kind, metadata: cleanMetadata(metadata), ...withoutNulls(rest) };
  switch (type) {
    case definitions.jobs:
      return jobForm(clean);
    case definitions.cronJobs:
      return cronJobForm(clean);
    case definitions.pods:
      return podForm(clean);
    case definitions.events:
      return eventForm(clean, object);
    default:
      return clean;
  }
}

function cleanMetadata(metadata: StoredMeta): StoredMeta {
  const entries = Object.entries(metadata).filter(([, value]) => !isEmpty(value));
  // Only what is optional can be empty.
  return Object.fromEntries(entries) as StoredMeta;
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The same object if there is no null in it. */
function withoutNulls(object: JsonObject): JsonObject {
  const result: Record<string, JsonValue | undefined> = {};
  let isChanged = false;
  for (const [key, value] of Object.entries(object)) {
    if (value === null || value === undefined) {
      isChanged = true;
      continue;
    }
    const clean = cleanValue(value);
    if (clean !== value) isChanged = true;
    result[key] = clean;
  }
  return isChanged ? result : object;
}

function cleanValue(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return withoutNulls(value);
  if (!Array.isArray(value)) return value;
  const items: readonly JsonValue[] = value;
  const clean = items.map(cleanValue);
  return clean.every((item, i) => item === items[i]) ? value : clean;
}

const counters = ['active', 'succeeded', 'failed'] as const;
const lists = ['conditions', 'completedIndexes'] as const;

function jobForm(object: StoredObject): StoredObject {
  const { spec, status = {} } = asJob(object);
  const tidy: Record<string, JsonValue | undefined> = { ...status };
  for (const key of counters) if (tidy[key] === 0) delete tidy[key];
  for (const key of lists) if (isEmpty(tidy[key])) delete tidy[key];
  const uncounted = tidy['uncountedTerminatedPods'];
  if (isJsonObject(uncounted)) {
    tidy['uncountedTerminatedPods'] = Object.fromEntries(
      Object.entries(uncounted).filter(([, list]) => !isEmpty(list)),
    );
  }
  return { ...object, spec: { ...spec, template: templateForm(spec.template) }, status: tidy };
}

function cronJobForm(object: StoredObject): StoredObject {
  const spec = isJsonObject(object['spec']) ? object['spec'] : {};
  const jobTemplate = isJsonObject(spec['jobTemplate']) ? spec['jobTemplate'] : {};
  const jobSpec = isJsonObject(jobTemplate['spec']) ? jobTemplate['spec'] : {};
  const template = isJsonObject(jobSpec['template']) ? jobSpec['template'] : {};
  return {
    ...object,
    spec: {
      ...spec,
      jobTemplate: { ...withMetadata(jobTemplate), spec: { ...jobSpec, template: templateForm(template) } },
    },
    status: isJsonObject(object['status']) ? object['status'] : {},
  };
}

function withMetadata<T extends JsonObject>(template: T): T & JsonObject {
  return { ...template, metadata: looseMetadata(template) };
}

function templateForm<T extends JsonObject>(template: T): T & JsonObject {
  const { spec } = template;
  return { ...withMetadata(template), ...(isJsonObject(spec) ? { spec: podSpecForm(spec) } : {}) };
}

/** Containers have resources, even if these are empty. */
function podSpecForm(spec: JsonObject): JsonObject {
  const entries = ['initContainers', 'containers'].flatMap((key) => {
    const list = spec[key];
    return Array.isArray(list) ? [[key, list.map((container) => ({ resources: {}, ...container }))] as const] : [];
  });
  return { ...spec, ...Object.fromEntries(entries) };
}

/** The times of a pod's conditions are written even where there are none. */
function podForm(object: StoredObject): StoredObject {
  const spec = podSpecForm(isJsonObject(object['spec']) ? object['spec'] : {});
  const status = isJsonObject(object['status']) ? object['status'] : {};
  const conditions = status['conditions'];
  if (!Array.isArray(conditions)) return { ...object, spec, status };
  const timed = conditions.map((condition) => ({ lastProbeTime: null, lastTransitionTime: null, ...condition }));
  return { ...object, spec, status: { ...status, conditions: timed } };
}

function eventForm(clean: StoredObject, sent: StoredObject): StoredObject {
  const orNull = (key: string): JsonValue => sent[key] ?? null;
  return {
    ...clean,
    eventTime: orNull('eventTime'),
    firstTimestamp: orNull('firstTimestamp'),
    lastTimestamp: orNull('lastTimestamp'),
    source: sent['source'] ?? {},
    reportingComponent: sent['reportingComponent'] ?? '',
    reportingInstance: sent['reportingInstance'] ?? '',
  };
}
