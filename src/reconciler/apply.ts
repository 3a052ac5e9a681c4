import type { JsonObject, JsonValue } from '../base/index.ts';
import { type Job, type JobStatus, jobs, type KubeApi, type PatchRequest } from '../kube/index.ts';
import type { JobEvent } from './events.ts';
import { wasStarted } from './followedFields.ts';
import { isDeleting } from './jobState.ts';
import { reasons } from './reasons.ts';
import { assignmentAnnotations, mirrorFinalizer, mirrorKeys, readAttemptLog, recordKeys } from './record.ts';
import type { Action } from './situation.ts';

/**
 * Carries an action out. Every write is conditional on the resourceVersion that the decision was made on (C11),
 * and on the UID (A5): another cluster may have another object of that version. Single fields are patched, so that fields newer than this program survive.
 */

/** What an action left behind. An observation that is absent has to be made anew. */
export interface Applied {
  readonly job?: Job;
  readonly mirror?: Job;
  /** Fields of the log line. */
  readonly detail: Readonly<Record<string, string | number | boolean>>;
  readonly event?: JobEvent;
}

const fieldManager = 'delegated-jobs';

/** On which side an action writes, for whoever has to explain why it failed. */
export function sideOf(action: Action): 'management' | 'worker' {
  switch (action.kind) {
    case 'create-mirror':
    case 'adjust-mirror':
    case 'delete-mirror':
    case 'detach-mirror':
      return 'worker';
    case 'assign':
    case 'record-mirror':
    case 'write-status':
    case 'release':
    case 'note-reason':
      return 'management';
  }
}

/** Rejects with `KubeError`; what the request did is then unknown or nothing, and both sides are to be read again. */
export async function applyAction(action: Action, api: KubeApi, signal: AbortSignal): Promise<Applied> {
  switch (action.kind) {
    case 'assign':
      return assign(action, api, signal);
    case 'create-mirror': {
      const { namespace } = action.job.metadata;
      const created = await api.create<Job>(jobs, namespace, action.body, { fieldManager }, signal);
      return { mirror: created.object, detail: { mirrorUid: created.object.metadata.uid } };
    }
    case 'record-mirror': {
      const annotations = { [recordKeys.mirrorUid]: action.mirrorUid, ...progressNote('MirrorCreated') };
      const job = await patchMetadata(api, action.job, { annotations }, signal);
      const where = `${action.record.workerName} as ${action.record.mirrorName}`;
      const message = `The mirror was created on ${where} (UID ${action.mirrorUid}).`;
      return { job, detail: { mirrorUid: action.mirrorUid }, event: { type: 'Normal', reason: 'Dispatched', message } };
    }
    case 'adjust-mirror':
      return adjust(action, api, signal);
    case 'write-status':
      return writeStatus(action, api, signal);
    case 'delete-mirror': {
      const { name, namespace = '', uid, resourceVersion } = action.mirror.metadata;
      // The very state that was judged: a result that came in between is copied first (I4).
      const request = { uid, resourceVersion, propagationPolicy: 'Background' as const };
      await api.delete(jobs, { namespace, name }, request, signal);
      return { detail: { mirrorUid: uid, why: action.why } };
    }
    case 'detach-mirror': {
      const labels = { [mirrorKeys.detached]: 'true' };
      const mirror = await patchMetadata(api, action.mirror, { labels }, signal);
      return { mirror, detail: { mirrorUid: mirror.metadata.uid } };
    }
    case 'release':
      return release(action, api, signal);
    case 'note-reason': {
      const { reason, message } = action;
      const annotations = { [recordKeys.phaseReason]: reason, [recordKeys.phaseMessage]: message || null };
      const job = await patchMetadata(api, action.job, { annotations }, signal);
      const type = reasons[reason].kind === 'progress' ? 'Normal' : 'Warning';
      const text = [message, reasons[reason].fix].filter((part) => part !== '').join(' ');
      return { job, detail: { reason, message }, event: { type, reason, message: text || reason } };
    }
  }
}

type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;

/** Write-ahead (B1): one patch that either makes this the assignment or, on a conflict, leaves another's. */
async function assign(action: ActionOf<'assign'>, api: KubeApi, signal: AbortSignal): Promise<Applied> {
  const { workerUid, workerName, attempt, givenUp } = action;
  const { name, finalizers = [], annotations: stored = {} } = action.job.metadata;
  const earlier = readAttemptLog(stored[recordKeys.attemptLog]);
  const attemptLog = givenUp === undefined ? earlier : [...earlier, givenUp];
  const annotations = assignmentAnnotations({ workerUid, workerName, attempt, mirrorName: name, attemptLog });
  const job = await patchMetadata(
    api,
    action.job,
    {
      annotations: { ...annotations, [recordKeys.phaseMessage]: null },
      finalizers: [...finalizers.filter((one) => one !== mirrorFinalizer), mirrorFinalizer],
    },
    signal,
  );
  if (givenUp === undefined) return { job, detail: { worker: workerName, attempt } };
  const message = `${givenUp.worker} refused the mirror (${givenUp.reason}); ${workerName} is asked next.`;
  return { job, detail: { worker: workerName, attempt }, event: { type: 'Warning', reason: givenUp.reason, message } };
}

async function adjust(action: ActionOf<'adjust-mirror'>, api: KubeApi, signal: AbortSignal): Promise<Applied> {
  const { changes, mirror, job, record } = action;
  const generation = String(job.metadata.generation ?? 1);
  const body = {
    metadata: {
      ...preconditions(mirror),
      annotations: {
        [mirrorKeys.appliedGeneration]: generation,
        ...(action.isCorrection ? { [mirrorKeys.correctedGeneration]: generation } : {}),
      },
    },
    spec: { ...changes },
  };
  const patched = await patchJob(api, mirror, { type: mergePatch, body }, signal);
  const detail = changedFields(changes);
  // The first start is what "Dispatched" has just announced.
  if (!wasStarted(mirror)) return { mirror: patched, detail };
  const what = Object.entries(changes).map(([field, value]) => `${field}: ${value}`);
  const message = `The mirror on ${record.workerName} was set to ${what.join(', ')}.`;
  const reason = { true: 'MirrorSuspended', false: 'MirrorResumed', undefined: 'MirrorAdjusted' }[`${changes.suspend}`];
  return { mirror: patched, detail, event: { type: 'Normal', reason, message } };
}

function changedFields(changes: object): Record<string, string> {
  return Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, String(value)]));
}

async function writeStatus(action: ActionOf<'write-status'>, api: KubeApi, signal: AbortSignal): Promise<Applied> {
  const { job, status, isTerminal, trueCompletionTime } = action;
  const { finalizers = [] } = job.metadata;
  // The end and the release are one write: a process that dies after it leaves nothing that could block a TTL (D3).
  // Source: Kubernetes 1.35, Job status strategy: metadata in a write to /status is stored, finalizers included.
  const isReleased = isTerminal && !isDeleting(job) && finalizers.includes(mirrorFinalizer);
  const annotations = {
    ...(trueCompletionTime === undefined ? {} : { [recordKeys.trueCompletionTime]: trueCompletionTime }),
    ...(isReleased ? progressNote('Finished') : {}),
  };
  const metadata = {
    ...preconditions(job),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(isReleased ? { finalizers: finalizers.filter((one) => one !== mirrorFinalizer) } : {}),
  };
  const body = { metadata, status: statusPatch(job.status ?? {}, status) };
  const patched = await patchJob(api, job, { type: mergePatch, body, subresource: 'status' }, signal);
  const end = status.conditions?.find(({ type, status: value }) => isTerminal && isEnd(type) && value === 'True');
  const { active = 0, succeeded = 0, failed = 0 } = status;
  const message = `The mirror ended: ${end?.type ?? ''}.`;
  return {
    job: patched,
    detail: { active, succeeded, failed, isTerminal },
    ...(end === undefined ? {} : { event: { type: 'Normal', reason: 'Mirrored', message } }),
  };
}

function isEnd(type: string): boolean {
  return type === 'Complete' || type === 'Failed';
}

async function release(action: ActionOf<'release'>, api: KubeApi, signal: AbortSignal): Promise<Applied> {
  const { job, phase } = action;
  const finalizers = job.metadata.finalizers ?? [];
  const patched = await patchMetadata(
    api,
    job,
    {
      ...(phase === undefined ? {} : { annotations: progressNote(phase) }),
      ...(finalizers.includes(mirrorFinalizer)
        ? { finalizers: finalizers.filter((one) => one !== mirrorFinalizer) }
        : {}),
    },
    signal,
  );
  return { job: patched, detail: { phase: phase ?? 'Released' } };
}

/** Annotations that say all is well, in place of whatever was wrong. */
function progressNote(phase: string): Record<string, string | null> {
  return { [recordKeys.phaseReason]: phase, [recordKeys.phaseMessage]: null };
}

interface MetadataChanges {
  /** null removes. */
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** The whole list: a merge patch can't touch one entry. The resourceVersion keeps others' entries safe. */
  readonly finalizers?: readonly string[];
}

const mergePatch = 'application/merge-patch+json';

/** Source: Kubernetes 1.35, metadata validation: a patch that names another UID is refused as an attempt to change it. */
function preconditions({ metadata: { uid, resourceVersion } }: Job): Readonly<Record<string, string>> {
  return { uid, resourceVersion };
}

function patchMetadata(api: KubeApi, job: Job, changes: MetadataChanges, signal: AbortSignal): Promise<Job> {
  const body = { metadata: { ...preconditions(job), ...changes } };
  return patchJob(api, job, { type: mergePatch, body }, signal);
}

async function patchJob(api: KubeApi, job: Job, patch: PatchRequest, signal: AbortSignal): Promise<Job> {
  const { name, namespace = '' } = job.metadata;
  const { object } = await api.patch<Job>(jobs, { namespace, name }, patch, { fieldManager }, signal);
  return object;
}

/** The merge patch that turns one status into the other; fields of the stored status that neither names stay. */
export function statusPatch(before: JobStatus, after: JobStatus): JsonObject {
  const patch: Record<string, JsonValue> = {};
  const from: Readonly<Record<string, unknown>> = { ...before };
  const to: Readonly<Record<string, unknown>> = { ...after };
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (JSON.stringify(from[key]) === JSON.stringify(to[key])) continue;
    const value: JsonValue | undefined = asJson(to[key]);
    patch[key] = value ?? null;
  }
  return patch;
}

function asJson(value: unknown): JsonValue | undefined {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
