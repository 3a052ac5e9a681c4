import type { Job, JobSpec } from '../kube/index.ts';
import { isIndexed, isSuspended } from './jobState.ts';
import { mirrorKeys } from './record.ts';

/** Changes to a mirror's spec as a merge patch writes them: null removes. */
export interface SpecChanges {
  readonly suspend?: boolean;
  readonly parallelism?: number | null;
  readonly completions?: number | null;
  readonly backoffLimit?: number | null;
  readonly activeDeadlineSeconds?: number | null;
}

/** What is to be done about a difference between the management Job's spec and its mirror's. */
export type Following =
  | { readonly kind: 'equal' }
  /** The origin changed: carry the changes over. `isCorrection`: undo, once, what somebody did on the worker. */
  | { readonly kind: 'apply'; readonly changes: SpecChanges; readonly isCorrection: boolean }
  /** Suspended on the worker by somebody else, such as its queue: respected. */
  | { readonly kind: 'held' }
  | { readonly kind: 'drifted'; readonly fields: readonly string[] }
  /** The mirror already has a later generation of the origin: what was read of the origin is old. */
  | { readonly kind: 'outdated' };

/**
 * The fields that may change while a Job lives and that the mirror follows (H1). All others of the spec can't be changed
 * by the API, concern the management cluster alone, or wait for a new Job.
 */
export function follow(origin: Job, mirror: Job): Following {
  const changes = changesFor(origin, mirror);
  const fields = Object.keys(changes);
  if (fields.length === 0) return { kind: 'equal' };

  const generation = origin.metadata.generation ?? 1;
  const applied = generationIn(mirror, mirrorKeys.appliedGeneration);
  if (generation < applied) return { kind: 'outdated' };
  if (generation > applied) return { kind: 'apply', changes, isCorrection: false };

  // From here on, nobody touched the origin since its values were applied: the difference was made on the worker.
  if (changes.suspend === false && fields.length === 1) return { kind: 'held' };
  const wasCorrected = generationIn(mirror, mirrorKeys.correctedGeneration) >= generation;
  // The user's wish to suspend wins over the worker, but only once: two controllers must not fight for ever.
  if (changes.suspend === true && !wasCorrected) return { kind: 'apply', changes, isCorrection: true };
  return { kind: 'drifted', fields };
}

/** True once the mirror was started by us: until then it is suspended because every mirror is created so. */
export function wasStarted(mirror: Job): boolean {
  return generationIn(mirror, mirrorKeys.appliedGeneration) > 0;
}

function changesFor(origin: Job, mirror: Job): SpecChanges {
  const changes: Record<string, boolean | number | null> = {};
  if (isSuspended(origin) !== isSuspended(mirror)) changes['suspend'] = isSuspended(origin);
  const numbers: (keyof JobSpec & keyof SpecChanges)[] = ['parallelism', 'backoffLimit', 'activeDeadlineSeconds'];
  // Source: Kubernetes 1.35, batch validation: completions of an Indexed Job change together with its parallelism.
  if (isIndexed(origin) && origin.spec.completions === origin.spec.parallelism) numbers.push('completions');
  for (const field of numbers) {
    const wanted = origin.spec[field];
    if (wanted !== mirror.spec[field]) changes[field] = wanted ?? null;
  }
  return changes;
}

function generationIn(mirror: Job, key: string): number {
  const value = Number(mirror.metadata.annotations?.[key] ?? 0);
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}
