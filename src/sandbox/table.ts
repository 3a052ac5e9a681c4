import { isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { asJob, asPod, type StoredObject, stringAt, stringMap } from './objects.ts';
import { definitions, type ResourceDefinition } from './resources.ts';

/** True if the client would rather have the server's own columns (kubectl does). */
export function wantsTable(accept: string): boolean {
  return accept.split(',').some((entry) => /;\s*as=Table\b/u.test(entry) && /;\s*v=v1\b/u.test(entry));
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority?: number;
  readonly value: (object: StoredObject, now: number) => JsonValue;
}

/** The two columns that every table has. */
const name: Column = { name: 'Name', type: 'string', value: (object) => object.metadata.name };
const age: Column = {
  name: 'Age',
  type: 'string',
  value: (object, now) => since(object.metadata.creationTimestamp, now),
};

function statusOf(object: StoredObject): JsonObject {
  return isJsonObject(object['status']) ? object['status'] : {};
}

/** Other types show their name and age. Source: Kubernetes 1.35, internal printers. */
const columnsByType = new Map<ResourceDefinition, readonly Column[]>([
  [
    definitions.jobs,
    [
      name,
      { name: 'Status', type: 'string', value: jobState },
      { name: 'Completions', type: 'string', value: jobCompletions },
      { name: 'Duration', type: 'string', value: jobDuration },
      age,
      { name: 'Containers', type: 'string', priority: 1, value: (object) => containersOf(object, 'name') },
      { name: 'Images', type: 'string', priority: 1, value: (object) => containersOf(object, 'image') },
      { name: 'Selector', type: 'string', priority: 1, value: selectorOf },
    ],
  ],
  [
    definitions.pods,
    [
      name,
      { name: 'Ready', type: 'string', value: podReady },
      { name: 'Status', type: 'string', value: podState },
      { name: 'Restarts', type: 'string', value: podRestarts },
      age,
      { name: 'Node', type: 'string', priority: 1, value: (object) => asPod(object).spec.nodeName ?? '<none>' },
    ],
  ],
  [
    definitions.events,
    [
      { name: 'Last Seen', type: 'string', value: (object, now) => since(stringAt(object, 'lastTimestamp'), now) },
      { name: 'Type', type: 'string', value: (object) => stringAt(object, 'type') ?? '' },
      { name: 'Reason', type: 'string', value: (object) => stringAt(object, 'reason') ?? '' },
      { name: 'Object', type: 'string', value: involvedObject },
      { name: 'Message', type: 'string', value: (object) => stringAt(object, 'message') ?? '' },
    ],
  ],
  [
    definitions.nodes,
    [
      name,
      { name: 'Status', type: 'string', value: () => 'Ready' },
      { name: 'Roles', type: 'string', value: () => '<none>' },
      age,
      { name: 'Version', type: 'string', value: nodeVersion },
    ],
  ],
  [
    definitions.namespaces,
    [name, { name: 'Status', type: 'string', value: (object) => stringAt(statusOf(object), 'phase') ?? '' }, age],
  ],
]);

/** The text of a `Table`, with each object's metadata in its row, as kubectl needs for its own columns. */
export function tableText(
  type: ResourceDefinition,
  objects: readonly StoredObject[],
  metadata: JsonObject,
  now: number,
): string {
  const columns = columnsByType.get(type) ?? [name, age];
  return JSON.stringify({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, type: columnType, priority = 0 }) => ({
      name,
      type: columnType,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.value(object, now)),
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  });
}

/** The first that holds, from the most final to the least. */
function jobState(object: StoredObject): string {
  const { status, metadata, spec } = asJob(object);
  const isTrue = (type: string): boolean =>
    status?.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;
  if (isTrue('Complete')) return 'Complete';
  if (isTrue('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (isTrue('Suspended') || (spec.suspend === true && status?.conditions === undefined)) return 'Suspended';
  if (isTrue('FailureTarget')) return 'FailureTarget';
  if (isTrue('SuccessCriteriaMet')) return 'SuccessCriteriaMet';
  return 'Running';
}

/** A work queue is done with one success, however many work at it. */
function jobCompletions(object: StoredObject): string {
  const { spec, status } = asJob(object);
  const succeeded = status?.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 1;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

/** A Job that failed has no completion time, so its duration goes on growing, as on a real cluster. */
function jobDuration(object: StoredObject, now: number): string {
  const { status } = asJob(object);
  if (status?.startTime === undefined) return '';
  return since(status.startTime, status.completionTime === undefined ? now : Date.parse(status.completionTime));
}

function containersOf(object: StoredObject, key: 'name' | 'image'): string {
  return asJob(object)
    .spec.template.spec.containers.map((container) => container[key] ?? '')
    .join(',');
}

function selectorOf(object: StoredObject): string {
  const { selector } = asJob(object).spec;
  return Object.entries(stringMap(selector?.['matchLabels']))
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

function nodeVersion(object: StoredObject): string {
  const info = statusOf(object)['nodeInfo'];
  return (isJsonObject(info) ? stringAt(info, 'kubeletVersion') : undefined) ?? '';
}

function podReady(object: StoredObject): string {
  const { spec, status } = asPod(object);
  const ready = status?.containerStatuses?.filter((container) => container.ready).length ?? 0;
  return `${ready}/${spec.containers.length}`;
}

/** The reason of a container that waits or has ended says more than the phase. */
function podState(object: StoredObject): string {
  const { status, metadata } = asPod(object);
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  const states = (status?.containerStatuses ?? []).map(({ state }) => state['terminated'] ?? state['waiting']);
  const reason = states
    .map((state) => stringAt(isJsonObject(state) ? state : undefined, 'reason'))
    .find((text) => text !== undefined);
  return reason ?? status?.phase ?? 'Unknown';
}

function podRestarts(object: StoredObject): string {
  const counts = asPod(object).status?.containerStatuses?.map((container) => container.restartCount) ?? [];
  return String(counts.reduce((sum, count) => sum + count, 0));
}

function involvedObject(object: StoredObject): string {
  const involved = isJsonObject(object['involvedObject']) ? object['involvedObject'] : {};
  return `${(stringAt(involved, 'kind') ?? '').toLowerCase()}/${stringAt(involved, 'name') ?? ''}`;
}

/** A duration as kubectl writes it: `42s`, `5m12s`, `3h`, `2d`. */
function since(from: string | undefined, to: number): string {
  if (from === undefined) return '<unknown>';
  const seconds = Math.max(0, Math.floor((to - Date.parse(from)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
