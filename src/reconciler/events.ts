import { createHash } from 'node:crypto';
import type { JsonObject } from '../base/index.ts';
import { events, type Job, type KubeApi, KubeError } from '../kube/index.ts';

/** What `kubectl describe job` shall show of a transition. */
export interface JobEvent {
  readonly type: 'Normal' | 'Warning';
  /** CamelCase, from the catalogue of reasons or one of the transitions that `apply` names. */
  readonly reason: string;
  readonly message: string;
}

/** Longest note that the API server takes. */
const maxMessageLength = 1024;

/**
 * Puts an Event on the Job. Its name follows from its content, so that two processes that say the same thing say it
 * once. Never rejects for the server's refusal: it answers it, for the log, since an Event is only ever a by-product.
 */
export async function publishEvent(
  api: KubeApi,
  job: Job,
  event: JobEvent,
  nowMs: number,
  signal: AbortSignal,
): Promise<KubeError | undefined> {
  const { name, namespace = 'default', uid, resourceVersion } = job.metadata;
  const message = event.message.slice(0, maxMessageLength);
  const content = createHash('sha256').update([uid, event.reason, message].join('\n')).digest('hex').slice(0, 16);
  const now = new Date(Math.floor(nowMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  const body: JsonObject = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name.slice(0, 200)}.${content}`, namespace },
    involvedObject: { apiVersion: 'batch/v1', kind: 'Job', name, namespace, uid, resourceVersion },
    reason: event.reason,
    message,
    type: event.type,
    source: { component: 'delegated-jobs' },
    reportingComponent: 'delegated-jobs.dev/reconciler',
    reportingInstance: 'delegated-jobs',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  try {
    await api.create(events, namespace, body, { fieldManager: 'delegated-jobs' }, signal);
    return undefined;
  } catch (error) {
    // The same was said before, by this process or another.
    if (error instanceof KubeError) return error.kind === 'already-exists' ? undefined : error;
    throw error;
  }
}
