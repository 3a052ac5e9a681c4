import type { AdmissionRequest, ServerIdentity } from '../../src/admission/index.ts';
import type { JsonObject } from '../../src/base/index.ts';

/** What the server of the tests adds. */
export const identity: ServerIdentity = {
  uid: '7b1d1c9e-3f5a-4a51-9a0e-5c2f6d7e8a90',
  creationTimestamp: '2026-03-01T08:00:00Z',
  nameSuffix: 'x7k2p',
};

/** The fields of a Job's spec beside the smallest template that is accepted. */
export function job(spec: JsonObject = {}, metadata: JsonObject = {}, status?: JsonObject): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'hello', namespace: 'team-a', ...metadata },
    spec: { template: template(), ...spec },
    ...(status !== undefined && { status }),
  };
}

/** A CronJob whose Jobs have the given spec. */
export function cronJob(spec: JsonObject = {}, jobSpec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly', namespace: 'team-a', ...metadata },
    spec: { schedule: '@daily', jobTemplate: { spec: { template: template(), ...jobSpec } }, ...spec },
  };
}

/** The smallest pod template that a Job accepts. */
export function template(spec: JsonObject = {}, metadata?: JsonObject): JsonObject {
  return {
    ...(metadata !== undefined && { metadata }),
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
  };
}

export function create(object: unknown): AdmissionRequest {
  return { operation: 'create', object };
}

export function update(object: unknown, old: unknown): AdmissionRequest {
  return { operation: 'update', object, old };
}

export function statusUpdate(object: unknown, old: unknown): AdmissionRequest {
  return { operation: 'status-update', object, old };
}
