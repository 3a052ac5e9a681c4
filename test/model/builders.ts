import type {
  MirrorSight,
  ObservedJob,
  ObservedPod,
  ObservedRecord,
  ObservedWorkload,
  Situation,
} from '../../src/model/index.ts';

/** A Job as the model keeps it; `running`, `ended` and the like are the usual shapes. */
export function job(properties: Partial<ObservedJob> = {}): ObservedJob {
  return { uid: 'uid-a', namespace: 'default', name: 'a', createdAt: 1_000, fate: 'open', ...properties };
}

export const running = { startedAt: 2_000, active: 1, hasStatus: true } as const;
export const retrying = { startedAt: 2_000, failed: 1, hasStatus: true } as const;
export const suspended = { isSuspended: true } as const;

export function record(properties: ObservedRecord = {}): { readonly record: ObservedRecord } {
  return { record: { workerUid: 'w1-uid', workerName: 'w1', attempt: '1', mirrorName: 'a', ...properties } };
}

export function mirror(properties: Partial<ObservedJob> = {}, more: Partial<MirrorSight> = {}): MirrorSight {
  const origin = { kind: 'ours', cluster: 'm-uid', uid: 'uid-a' } as const;
  return {
    worker: 'w1',
    contact: 'connected',
    job: job({ uid: 'uid-mirror', origin, ...properties }),
    pods: [],
    ...more,
  };
}

export function pod(properties: Partial<ObservedPod> = {}): ObservedPod {
  return {
    uid: 'uid-pod',
    namespace: 'default',
    name: 'a-x',
    jobUid: 'uid-mirror',
    createdAt: 3_000,
    phase: 'Running',
    ...properties,
  };
}

export function workload(properties: Partial<ObservedWorkload> = {}): ObservedWorkload {
  return { uid: 'uid-wl', namespace: 'default', name: 'job-a-12345', jobUid: 'uid-a', ...properties };
}

export function situation(properties: Partial<Situation> = {}): Situation {
  return {
    job: job(),
    controller: 'ours',
    workload: 'none',
    reconciler: 'unknown',
    isPastGrace: false,
    management: 'connected',
    ...properties,
  };
}
