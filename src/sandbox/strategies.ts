import { isJsonObject, type JsonObject } from '../base/index.ts';
import { newMetadata, updatedMetadata } from './newMetadata.ts';
import {
  equalJson,
  type Labels,
  looseMetadata,
  type StoredMeta,
  type StoredObject,
  stringAt,
  stringMap,
} from './objects.ts';
import { podStrategy } from './podStrategy.ts';
import { definitions, type ResourceDefinition } from './resources.ts';
import { type FieldFault, invalid } from './status.ts';
import type { Prepared, Strategy } from './strategy.ts';

/** Types without rules of their own here: stored as they come, once their name is right. */
function plainStrategy(
  type: ResourceDefinition,
  extras: Partial<Pick<Strategy, 'selectableFields' | 'fieldsOf'>> & {
    readonly prepare?: (object: JsonObject) => JsonObject;
    readonly faults?: (object: StoredObject, old: StoredObject | undefined) => readonly FieldFault[];
  } = {},
): Strategy {
  // What every write ends in, so that the rules see new and changed objects alike.
  const finish = (object: JsonObject, metadata: StoredMeta, old: StoredObject | undefined): Prepared => {
    const stored: StoredObject = { ...object, apiVersion: type.apiVersion, kind: type.kind, metadata };
    const faults = extras.faults?.(stored, old) ?? [];
    if (faults.length > 0) throw invalid(type, metadata.name, faults);
    return { object: stored, warnings: [] };
  };
  return {
    create: (object, identity) => {
      const named = { ...object, metadata: newMetadata(type, object, identity) };
      const prepared = extras.prepare?.(named) ?? named;
      return finish(prepared, updatedMetadata(prepared), undefined);
    },
    // A status that comes along in a write to the main resource is thrown away, as is a spec in one to /status.
    update: (object, old) =>
      finish(type.hasStatus ? { ...object, status: old['status'] } : object, updatedMetadata(object), old),
    updateStatus: (object, old) => finish({ ...old, status: object['status'] }, updatedMetadata(object), old),
    selectableFields: extras.selectableFields ?? [],
    fieldsOf: extras.fieldsOf ?? (() => ({})),
  };
}

/** Clients find the events about an object by these. Source: Kubernetes 1.35, event registry. */
const involvedFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** An absent field is selected by the empty value. */
function eventFields(event: StoredObject): Labels {
  const involved = isJsonObject(event['involvedObject']) ? event['involvedObject'] : {};
  const fields = involvedFields.map((field) => [`involvedObject.${field}`, stringAt(involved, field) ?? ''] as const);
  const source = isJsonObject(event['source']) ? stringAt(event['source'], 'component') : undefined;
  return {
    ...Object.fromEntries(fields),
    reason: stringAt(event, 'reason') ?? '',
    reportingComponent: stringAt(event, 'reportingComponent') ?? '',
    source: source ?? '',
    type: stringAt(event, 'type') ?? '',
  };
}

function phaseOf(object: StoredObject): string {
  const status = object['status'];
  return (isJsonObject(status) ? stringAt(status, 'phase') : undefined) ?? '';
}

/** A secret's `stringData` is only a way of writing: it is stored encoded. */
function encodedSecret({ stringData, ...object }: JsonObject): JsonObject {
  const encoded = Object.entries(stringMap(stringData)).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  const data = isJsonObject(object['data']) ? object['data'] : {};
  return { ...object, data: { ...data, ...Object.fromEntries(encoded) }, type: stringAt(object, 'type') ?? 'Opaque' };
}

/** Source: Kubernetes 1.35, coordination validation. A leader that writes nonsense shall learn it here already. */
function leaseFaults(lease: StoredObject): readonly FieldFault[] {
  const spec = isJsonObject(lease['spec']) ? lease['spec'] : {};
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions, holderIdentity: holder } = spec;
  const faults: FieldFault[] = [];
  if (typeof seconds === 'number' && seconds <= 0) {
    faults.push({
      field: 'spec.leaseDurationSeconds',
      type: 'Invalid',
      value: seconds,
      message: 'must be greater than 0',
    });
  }
  if (typeof transitions === 'number' && transitions < 0) {
    faults.push({
      field: 'spec.leaseTransitions',
      type: 'Invalid',
      value: transitions,
      message: 'must be greater than or equal to 0',
    });
  }
  if (holder === '')
    faults.push({ field: 'spec.holderIdentity', type: 'Invalid', value: '', message: 'must not be empty' });
  return faults;
}

/** Once it is set, the mark itself and the data stay for good; only a new object can say something else. */
function immutableFaults(object: StoredObject, old: StoredObject | undefined): readonly FieldFault[] {
  if (old?.['immutable'] !== true || equalJson(object['data'], old['data'])) return [];
  return [{ field: 'data', type: 'Forbidden', message: 'field is immutable when `immutable` is set' }];
}

/** The rules of everything but Jobs and CronJobs. */
export function basicStrategies(): ReadonlyMap<ResourceDefinition, Strategy> {
  return new Map<ResourceDefinition, Strategy>([
    [definitions.pods, podStrategy],
    [
      definitions.events,
      plainStrategy(definitions.events, {
        selectableFields: [
          ...involvedFields.map((field) => `involvedObject.${field}`),
          'reason',
          'reportingComponent',
          'source',
          'type',
        ],
        fieldsOf: eventFields,
      }),
    ],
    [
      definitions.namespaces,
      plainStrategy(definitions.namespaces, {
        // The label lets selectors find a namespace by its name; the finalizer holds it until it has been emptied.
        prepare: (object) => {
          const metadata = looseMetadata(object);
          const name = stringAt(metadata, 'name') ?? '';
          const labels = isJsonObject(metadata['labels']) ? metadata['labels'] : {};
          return {
            ...object,
            metadata: { ...metadata, labels: { ...labels, 'kubernetes.io/metadata.name': name } },
            spec: { finalizers: ['kubernetes'] },
            status: { phase: 'Active' },
          };
        },
        selectableFields: ['status.phase'],
        fieldsOf: (object) => ({ 'status.phase': phaseOf(object) }),
      }),
    ],
    [definitions.configMaps, plainStrategy(definitions.configMaps, { faults: immutableFaults })],
    [
      definitions.secrets,
      plainStrategy(definitions.secrets, {
        prepare: encodedSecret,
        faults: immutableFaults,
        selectableFields: ['type'],
        fieldsOf: (object) => ({ type: stringAt(object, 'type') ?? '' }),
      }),
    ],
    [definitions.serviceAccounts, plainStrategy(definitions.serviceAccounts)],
    [definitions.resourceQuotas, plainStrategy(definitions.resourceQuotas)],
    [definitions.nodes, plainStrategy(definitions.nodes)],
    [definitions.leases, plainStrategy(definitions.leases, { faults: leaseFaults })],
  ]);
}
