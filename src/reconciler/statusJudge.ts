import { judge, type KubernetesMinor } from '../admission/index.ts';
import type { JsonValue } from '../base/index.ts';
import type { Job, JobStatus } from '../kube/index.ts';
import type { StatusJudge } from './mirrorStatus.ts';

/**
 * Our own admission engine as the judge of what the reconciler is about to write to `/status`. Fields unknown to it are
 * passed over: the management cluster may be newer.
 */
export function statusJudgeFor(version: KubernetesMinor): StatusJudge {
  return (local: Job, next: JobStatus) => {
    const old = asJson(local);
    const object = asJson({ ...local, status: next });
    const { errors } = judge({ operation: 'status-update', object, old }, { version, fieldValidation: 'Ignore' });
    return errors.map(({ field, message }) => `${field}: ${message}`);
  };
}

/** Drops members that are `undefined`, which JSON has none of. */
function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}
