import { applyDefaults, newestMinor } from '../admission/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { newMetadata, updatedMetadata } from './newMetadata.ts';
import { asPod, equalJson, type StoredObject, stringAt } from './objects.ts';
import { definitions } from './resources.ts';
import { type FieldFault, invalid } from './status.ts';
import type { Prepared, Strategy } from './strategy.ts';

/**
 * Pods get the defaults that show and the few checks without which the sandbox's kubelet couldn't run them. The full
 * rules for pods are the admission engine's, which judges the template of the Job that makes them.
 */
export const podStrategy: Strategy = {
  create: (object, identity) => {
    const metadata = newMetadata(definitions.pods, object, identity);
    const faults = specFaults(object['spec']);
    if (faults.length > 0) throw invalid(definitions.pods, metadata.name, faults);
    const spec = withDefaults(isJsonObject(object['spec']) ? object['spec'] : {});
    return {
      object: { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase: 'Pending', qosClass: qosOf(spec) } },
      warnings: [],
    };
  },
  update: (object, old): Prepared => {
    const spec = object['spec'];
    const stored = {
      ...object,
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: updatedMetadata(object),
      status: old['status'],
    };
    if (equalJson(fixedPart(spec), fixedPart(old['spec']))) return { object: stored, warnings: [] };
    throw invalid(definitions.pods, old.metadata.name, [
      {
        field: 'spec',
        type: 'Forbidden',
        message:
          'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
      },
    ]);
  },
  updateStatus: (object, old) => ({
    object: { ...old, metadata: updatedMetadata(object), status: object['status'] },
    warnings: [],
  }),
  selectableFields: ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'status.phase', 'status.podIP'],
  fieldsOf: (object: StoredObject) => {
    const { spec, status } = asPod(object);
    return {
      'spec.nodeName': spec.nodeName ?? '',
      'spec.restartPolicy': spec.restartPolicy ?? '',
      'spec.schedulerName': spec.schedulerName ?? '',
      'status.phase': status?.phase ?? '',
      'status.podIP': stringAt(status, 'podIP') ?? '',
    };
  },
};

/** Without these nothing could be shown of a pod at all. */
function specFaults(spec: unknown): readonly FieldFault[] {
  const containers = isJsonObject(spec) ? spec['containers'] : undefined;
  if (!Array.isArray(containers) || containers.length === 0) {
    return [{ field: 'spec.containers', type: 'Required', message: '' }];
  }
  return containers.flatMap((container: unknown, i): FieldFault[] => {
    const place = `spec.containers[${i}]`;
    if (!isJsonObject(container)) return [{ field: place, type: 'Required', message: '' }];
    return ['name', 'image'].flatMap((key) =>
      stringAt(container, key) === undefined
        ? [{ field: `${place}.${key}`, type: 'Required' as const, message: '' }]
        : [],
    );
  });
}

/** Waits this long on a node that is in trouble, unless the pod says otherwise. */
const patience = ['not-ready', 'unreachable'].map((trouble) => ({
  key: `node.kubernetes.io/${trouble}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

function withDefaults(spec: JsonObject): JsonObject {
  const tolerations = Array.isArray(spec['tolerations']) ? spec['tolerations'] : [];
  const missing = patience.filter(
    ({ key }) => !tolerations.some((entry) => isJsonObject(entry) && entry['key'] === key),
  );
  return {
    restartPolicy: 'Always',
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    ...templateDefaults(spec),
    tolerations: [...tolerations, ...missing],
  };
}

/** A pod has the defaults of a template, which the admission engine knows within a Job. */
function templateDefaults(spec: JsonObject): JsonObject {
  const job = { apiVersion: 'batch/v1', kind: 'Job', spec: { template: { spec } } };
  const defaulted = applyDefaults(job, { version: newestMinor })['spec'];
  const template = isJsonObject(defaulted) ? defaulted['template'] : undefined;
  const completed = isJsonObject(template) ? template['spec'] : undefined;
  return isJsonObject(completed) ? completed : spec;
}

/** Requests and limits for all containers make a pod Guaranteed, any of them Burstable, none BestEffort. */
function qosOf(spec: JsonObject): string {
  const containers = (Array.isArray(spec['containers']) ? spec['containers'] : []).filter(isJsonObject);
  const resources = containers.map((container) => (isJsonObject(container['resources']) ? container['resources'] : {}));
  if (resources.every(({ requests, limits }) => isEmpty(requests) && isEmpty(limits))) return 'BestEffort';
  const isFull = (limits: JsonValue | undefined): boolean =>
    isJsonObject(limits) && 'cpu' in limits && 'memory' in limits;
  const isGuaranteed = resources.every(
    ({ requests, limits }) => isFull(limits) && (isEmpty(requests) || equalJson(requests, limits)),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function isEmpty(value: JsonValue | undefined): boolean {
  return !isJsonObject(value) || Object.keys(value).length === 0;
}

/** The spec without what may change while a pod lives. */
function fixedPart(spec: unknown): JsonObject {
  if (!isJsonObject(spec)) return {};
  const { activeDeadlineSeconds: _d, tolerations: _t, schedulingGates: _g, containers, initContainers, ...rest } = spec;
  const withoutImages = (list: unknown): JsonValue =>
    Array.isArray(list) ? list.map((item) => (isJsonObject(item) ? { ...item, image: '' } : item)) : [];
  return { ...rest, containers: withoutImages(containers), initContainers: withoutImages(initContainers) };
}
