import { judge, type KubernetesMinor, nearestMinor, newestMinor } from '../admission/index.ts';
import { isAbort, isJsonObject, type JsonObject } from '../base/index.ts';
import { explainKubeError, type Job, jobs, type KubeApi, KubeError } from '../kube/index.ts';
import { planDispatch } from './dispatchPlan.ts';
import { recordKeys } from './record.ts';

/** A Job on its way to the management cluster. */
export interface DispatchRequest {
  /** As its author wrote it: `spec.managedBy` may be absent. */
  readonly object: JsonObject;
  /** The user's name of the worker that shall run it; absent leaves the choice to the reconciler. */
  readonly worker?: string;
  /** Where it goes if it names no namespace itself. Default `default`. */
  readonly namespace?: string;
  /** The server checks everything and stores nothing. */
  readonly dryRun?: boolean;
  /** Sends it even if it names a controller that isn't ours: somebody was asked. */
  readonly allowOtherController?: boolean;
}

export type DispatchOutcome =
  | { readonly kind: 'created' | 'checked'; readonly job: Job; readonly warnings: readonly string[] }
  /** Nothing was created. `message` says for a person why, and what to do. */
  | { readonly kind: 'refused'; readonly message: string };

export interface DispatchContext {
  readonly management: KubeApi;
  readonly controllerName: string;
  /** What the management cluster runs, such as `1.35`; asked for if absent. */
  readonly minor?: string;
  /** Names that `worker` may have; absent where they are not known. */
  readonly workers?: readonly string[];
}

/**
 * What the palette's command and the command line both do: judges the Job, hands it to our reconciler, and creates it.
 * Rejects with `KubeError` only where a cluster can't be reached or refuses the login; what is wrong with the Job is an
 * outcome.
 */
export async function dispatchJob(
  request: DispatchRequest,
  { management, controllerName, workers, minor: knownMinor }: DispatchContext,
  signal: AbortSignal,
): Promise<DispatchOutcome> {
  if (request.worker !== undefined && workers !== undefined && !workers.includes(request.worker)) {
    return refused(`There is no worker "${request.worker}" (there is: ${workers.join(', ') || 'none'}).`);
  }
  const minor = knownMinor ?? (await management.serverVersion(signal)).minor;
  const prepared = prepareDispatch(request, controllerName, nearestMinor(minor) ?? newestMinor);
  if (prepared.kind === 'refused') return prepared;
  const { body, namespace } = prepared;
  try {
    const create = (dryRun: boolean) => {
      const options = { dryRun, fieldManager: 'delegated-jobs', fieldValidation: 'Strict' as const };
      return management.create<Job>(jobs, namespace, body, options, signal);
    };
    // A server with the gate off drops managedBy in silence and would run the Job itself (A8): found out beforehand.
    const rehearsal = await create(true);
    if (rehearsal.object.spec.managedBy === undefined) {
      return refused(
        `The management cluster (Kubernetes ${minor}) drops spec.managedBy and would run the Job itself; it needs 1.32 or newer with the feature gate JobManagedBy on.`,
      );
    }
    if (request.dryRun === true) return { kind: 'checked', job: rehearsal.object, warnings: rehearsal.warnings };
    const { object, warnings } = await create(false);
    return { kind: 'created', job: object, warnings };
  } catch (error) {
    if (isAbort(error, signal) || !(error instanceof KubeError) || !aboutTheJob.has(error.kind)) throw error;
    const { what, remedy } = explainKubeError(error);
    return refused(`${what}. ${remedy}`);
  }
}

const aboutTheJob: ReadonlySet<string> = new Set([
  'forbidden',
  'quota-exceeded',
  'admission-denied',
  'namespace-missing',
  'already-exists',
  'invalid',
  'bad-request',
  'too-large',
]);

/** The body to create, or why it isn't one. Pure. */
export function prepareDispatch(
  { object, worker, namespace: fallback = 'default', allowOtherController = false }: DispatchRequest,
  controllerName: string,
  version: KubernetesMinor,
):
  | { readonly kind: 'ready'; readonly body: JsonObject; readonly namespace: string }
  | Extract<DispatchOutcome, { kind: 'refused' }> {
  const { apiVersion, kind } = object;
  if (apiVersion !== 'batch/v1' || kind !== 'Job') {
    return refused(`Only Jobs of batch/v1 can be dispatched; this is ${String(kind)} of ${String(apiVersion)}.`);
  }
  const spec = isJsonObject(object['spec']) ? object['spec'] : {};
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const { managedBy, isOurs, namespace } = planDispatch(object, controllerName, fallback);
  if (!isOurs && !allowOtherController) {
    return refused(
      `spec.managedBy is "${managedBy}", so another controller runs this Job. Remove the field, or set it to ${controllerName}.`,
    );
  }
  if (isOurs && spec['manualSelector'] === true) {
    return refused(
      'spec.manualSelector is true; a mirror needs a selector of its own. Remove manualSelector and selector.',
    );
  }
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  const body = {
    ...object,
    metadata: {
      ...metadata,
      namespace,
      ...(worker === undefined ? {} : { annotations: { ...annotations, [recordKeys.requestedWorker]: worker } }),
    },
    spec: { ...spec, managedBy: spec['managedBy'] ?? controllerName },
  };
  const { errors } = judge({ operation: 'create', object: body }, { version });
  if (errors.length === 0) return { kind: 'ready', body, namespace };
  const lines = errors.map(({ field, message }) => `${field}: ${message}`);
  return refused(`The API server would refuse this Job:\n${lines.join('\n')}`);
}

function refused(message: string): Extract<DispatchOutcome, { kind: 'refused' }> {
  return { kind: 'refused', message };
}
