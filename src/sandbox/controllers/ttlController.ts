import type { Clock, Disposable } from '../../base/index.ts';
import { findTrue } from '../job/conditions.ts';
import { asJob, type StoredJob } from '../objects.ts';
import type { ResourceApi } from '../resourceApi.ts';
import { definitions } from '../resources.ts';

/** Deletes finished Jobs after their ttlSecondsAfterFinished, whoever manages them. */
export class TtlController implements Disposable {
  readonly #api: ResourceApi;
  readonly #clock: Clock;
  readonly #listening: Disposable;

  constructor(api: ResourceApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
    this.#listening = api.store.onChange(definitions.jobs, ({ type, object }) => {
      if (type !== 'DELETED') this.#consider(asJob(object));
    });
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Every change of a Job sets a date of its own; what is left to wait when it comes is waited for anew. */
  #consider(job: StoredJob): void {
    const remaining = this.#remainingMs(job);
    if (remaining === undefined) return;
    const { namespace, name, uid } = job.metadata;
    this.#clock.after(remaining, () => {
      const current = this.#api.store.get(definitions.jobs, namespace, name);
      if (current === undefined || current.metadata.uid !== uid) return;
      // The field may have been raised or taken away meanwhile, and a timer may be a moment early by the wall clock.
      const left = this.#remainingMs(asJob(current));
      if (left === undefined || left > 0) {
        this.#consider(asJob(current));
        return;
      }
      this.#api.delete(definitions.jobs, namespace, name, { uid, propagationPolicy: 'Foreground' });
    });
  }

  /** Counts from the condition, not from completionTime, which failed Jobs lack. Undefined if it never expires. */
  #remainingMs({ spec, status, metadata }: StoredJob): number | undefined {
    const finished = findTrue(status?.conditions, 'Complete') ?? findTrue(status?.conditions, 'Failed');
    const { ttlSecondsAfterFinished: ttl } = spec;
    if (finished?.lastTransitionTime === undefined || ttl === undefined || metadata.deletionTimestamp !== undefined)
      return undefined;
    return Math.max(0, Date.parse(finished.lastTransitionTime) + ttl * 1000 - this.#clock.now());
  }
}
