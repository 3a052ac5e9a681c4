import { isJsonObject, type JsonObject, sleep, systemClock } from '../../src/base/index.ts';
import { type Api, mergePatch, type WireEvent } from './api.ts';

/**
 * Plays scheduler and kubelet for a cluster without nodes: binds each pod, lets it run and ends it. The annotations of
 * the sandbox say how: `…/duration`, `…/exit-code`, `…/fail-indexes`, `…/fail-times`.
 */
export interface PlayedKubelet {
  /** Ends the watch and the pods' lives; resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

const prefix = 'sandbox.delegated-jobs.dev/';
const defaultDurationMs = 300;
const node = 'played-node';

export function playKubelet(api: Api): PlayedKubelet {
  const ending = new AbortController();
  const lives = new Map<string, Promise<void>>();
  const failuresByJob = new Map<string, number>();

  const onEvent = ({ type, object }: WireEvent): void => {
    const pod = readPod(object);
    if (pod === undefined || type === 'DELETED') return;
    if (pod.isDeleting) begin(`${pod.uid} goes`, () => goAway(api, pod));
    else begin(pod.uid, () => live(api, pod, isFailing(pod, failuresByJob), ending.signal));
  };
  const begin = (key: string, what: () => Promise<void>): void => {
    if (lives.has(key)) return;
    lives.set(
      key,
      what().catch((error: unknown) => {
        if (!ending.signal.aborted) throw error;
      }),
    );
  };
  const watching = api.watch('/api/v1/pods', onEvent, ending.signal);

  return {
    async stop() {
      ending.abort();
      await watching;
      await Promise.all(lives.values());
    },
  };
}

interface Pod {
  readonly path: string;
  readonly name: string;
  readonly uid: string;
  readonly job: string;
  readonly index: string;
  readonly isDeleting: boolean;
  readonly annotations: JsonObject;
  readonly containers: readonly string[];
}

function readPod(object: JsonObject): Pod | undefined {
  const { metadata, spec } = object;
  if (!isJsonObject(metadata) || !isJsonObject(spec)) return undefined;
  const labels = isJsonObject(metadata['labels']) ? metadata['labels'] : {};
  const containers = Array.isArray(spec['containers']) ? spec['containers'] : [];
  const name = String(metadata['name']);
  return {
    path: `/api/v1/namespaces/${String(metadata['namespace'])}/pods/${name}`,
    name,
    uid: String(metadata['uid']),
    job: String(labels['batch.kubernetes.io/controller-uid'] ?? ''),
    index: String(labels['batch.kubernetes.io/job-completion-index'] ?? ''),
    isDeleting: metadata['deletionTimestamp'] !== undefined,
    annotations: isJsonObject(metadata['annotations']) ? metadata['annotations'] : {},
    containers: containers.map((container: unknown) => (isJsonObject(container) ? String(container['name']) : '')),
  };
}

function annotation(pod: Pod, name: string): string | undefined {
  const value = pod.annotations[`${prefix}${name}`];
  return typeof value === 'string' ? value : undefined;
}

/** Decided once for a pod, when it is first seen: the first N pods of a Job fail, in the order of their coming. */
function isFailing(pod: Pod, failuresByJob: Map<string, number>): boolean {
  const failIndexes = annotation(pod, 'fail-indexes')?.split(',') ?? [];
  if (failIndexes.includes(pod.index)) return true;
  const failTimes = Number(annotation(pod, 'fail-times') ?? '0');
  const failed = failuresByJob.get(pod.job) ?? 0;
  if (failed >= failTimes) return false;
  failuresByJob.set(pod.job, failed + 1);
  return true;
}

async function live(api: Api, pod: Pod, fails: boolean, signal: AbortSignal): Promise<void> {
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: pod.name },
    target: { kind: 'Node', name: node },
  };
  await api.request('POST', `${pod.path}/binding`, binding);
  await report(api, pod, 'Running', { running: { startedAt: now() } }, true);
  await sleep(systemClock, durationMs(annotation(pod, 'duration')), signal);
  const exitCode = fails ? 1 : Number(annotation(pod, 'exit-code') ?? '0');
  const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: now(), finishedAt: now() };
  await report(api, pod, exitCode === 0 ? 'Succeeded' : 'Failed', { terminated }, false);
}

/** A kubelet kills the containers, says so, and only then lets the object go. */
async function goAway(api: Api, pod: Pod): Promise<void> {
  const terminated = { exitCode: 137, reason: 'Error', startedAt: now(), finishedAt: now() };
  const { body } = await api.request('GET', pod.path);
  const phase = isJsonObject(body['status']) ? body['status']['phase'] : undefined;
  if (phase === 'Pending' || phase === 'Running') await report(api, pod, 'Failed', { terminated }, false);
  await api.request('DELETE', pod.path, { gracePeriodSeconds: 0, preconditions: { uid: pod.uid } });
}

async function report(api: Api, pod: Pod, phase: string, state: JsonObject, isReady: boolean): Promise<void> {
  const ready = { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: now() };
  const containerStatuses = pod.containers.map((name) => ({
    name,
    image: 'played',
    imageID: 'played',
    ready: isReady,
    restartCount: 0,
    state,
  }));
  const status = { phase, startTime: now(), conditions: [ready], containerStatuses };
  const { status: code } = await api.request('PATCH', `${pod.path}/status`, { status }, mergePatch);
  // The pod may have gone meanwhile; anything else is a fault of this play.
  if (code !== 200 && code !== 404) throw new Error(`The status of ${pod.name} was refused with ${code}.`);
}

function durationMs(text: string | undefined): number {
  const match = /^(\d+)(ms|s|m)$/.exec(text ?? '');
  if (match === null) return defaultDurationMs;
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
  return Number(match[1]) * (units[match[2] ?? 'ms'] ?? 1);
}

function now(): string {
  return new Date(systemClock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
}
