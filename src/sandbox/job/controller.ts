import { type Clock, type Disposable, DisposableStore, describeError, type Log } from '../../base/index.ts';
import type { JobStatus } from '../../kube/index.ts';
import type { EventRecorder } from '../events.ts';
import { asJob, asPod, controllerOf, type StoredJob, type StoredPod } from '../objects.ts';
import type { ResourceApi } from '../resourceApi.ts';
import { definitions } from '../resources.ts';
import { ApiError } from '../status.ts';
import { keyOf, type StoreChange } from '../store.ts';
import { type BackoffRecord, type BackoffSettings, noFailures } from './backoff.ts';
import { isFinished } from './conditions.ts';
import { planSync, type SyncPlan, settle } from './plan.ts';
import { isControlledBy, isTracked, podBody, trackingFinalizer } from './pods.ts';
import { matchFailurePolicy } from './policies.ts';

/** The pace of a Job controller; the defaults are Kubernetes' own. */
export interface JobControllerSettings {
  /** Changes of pods are gathered for this long before a Job is looked at. Kubernetes: 1 s. */
  readonly batchMs: number;
  readonly backoff: BackoffSettings;
  readonly clearsStartTime: boolean;
}

interface Parts {
  readonly api: ResourceApi;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: JobControllerSettings;
}

/** The value of `spec.managedBy` that means this controller, as does its absence. */
const ownName = 'kubernetes.io/job-controller';

/** After a step that failed; doubled each time. Kubernetes: 1 s to 1 min. */
const retryMs = { first: 1000, last: 60_000 } as const;

/** The built-in Job controller of one cluster: watches the store, decides with `planSync`, writes through the API. */
export class JobController implements Disposable {
  readonly #parts: Parts;
  readonly #resources = new DisposableStore();
  /** Jobs that wait to be looked at later, with the date. */
  readonly #delayed = new Map<string, { readonly dueAt: number; readonly timer: Disposable }>();
  /** Jobs to be looked at right now. That doesn't replace a later look. */
  readonly #urgent = new Map<string, Disposable>();
  readonly #backoffs = new Map<string, BackoffRecord>();
  readonly #failures = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
    const { store } = parts.api;
    this.#resources.add(store.onChange(definitions.jobs, (change) => this.#onJob(change)));
    this.#resources.add(store.onChange(definitions.pods, (change) => this.#onPod(change)));
  }

  dispose(): void {
    this.#resources.dispose();
    for (const { timer } of this.#delayed.values()) timer.dispose();
    for (const timer of this.#urgent.values()) timer.dispose();
    this.#delayed.clear();
    this.#urgent.clear();
  }

  /** A change of what is wanted is looked at right away; of what is, with the next batch. */
  #onJob({ type, object, previous }: StoreChange): void {
    const job = asJob(object);
    const key = keyOf(object);
    if (type === 'DELETED') {
      this.#backoffs.delete(key);
      this.#failures.delete(key);
      this.#releasePodsOf(job);
    } else if (isFinished(job.status?.conditions)) {
      this.#backoffs.delete(key);
      this.#releasePodsOf(job);
    } else {
      const isNew = previous === undefined || previous.metadata.generation !== object.metadata.generation;
      this.#enqueue(key, isNew ? 0 : this.#parts.settings.batchMs);
    }
  }

  #onPod({ object }: StoreChange): void {
    const pod = asPod(object);
    const job = this.#ownerOf(pod);
    if (job === undefined || isFinished(job.status?.conditions)) this.#releaseOrphan(pod, job);
    else this.#enqueue(keyOf(job), this.#parts.settings.batchMs);
  }

  /** The Job that counts the pod: a namesake with another UID does not. */
  #ownerOf(pod: StoredPod): StoredJob | undefined {
    const owner = controllerOf(pod);
    if (owner?.kind !== 'Job') return undefined;
    const found = this.#parts.api.store.get(definitions.jobs, pod.metadata.namespace, owner.name);
    return found?.metadata.uid === owner.uid ? asJob(found) : undefined;
  }

  /** Of two later dates the earlier wins; a look right now comes on top, as in the queue of the real controller. */
  #enqueue(key: string, delayMs: number): void {
    const { clock } = this.#parts;
    if (delayMs <= 0) {
      if (this.#urgent.has(key)) return;
      const timer = clock.after(0, () => {
        this.#urgent.delete(key);
        this.#step(key);
      });
      this.#urgent.set(key, timer);
      return;
    }
    const dueAt = clock.monotonicMs() + delayMs;
    const waiting = this.#delayed.get(key);
    if (waiting !== undefined) {
      if (waiting.dueAt <= dueAt) return;
      waiting.timer.dispose();
    }
    const timer = clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.#step(key);
    });
    this.#delayed.set(key, { dueAt, timer });
  }

  /** A step that fails is repeated, later and later; the next change of the Job may come first. */
  #step(key: string): void {
    const { log } = this.#parts;
    try {
      this.#sync(key);
      this.#failures.delete(key);
    } catch (error) {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      // A refusal by the API is in the order of things, as on a real cluster; anything else is a fault of ours.
      const fields = { job: key, error: describeError(error) };
      if (error instanceof ApiError) log.debug('The Job controller was refused and tries again.', fields);
      else log.error('The Job controller failed and tries again.', fields);
      this.#enqueue(key, Math.min(retryMs.first * 2 ** failures, retryMs.last));
    }
  }

  /** Looks at one Job and brings it a step further. */
  #sync(key: string): void {
    const { api, clock, settings, events } = this.#parts;
    const [namespace = '', name = ''] = key.split('/');
    const found = api.store.get(definitions.jobs, namespace, name);
    if (found === undefined) return;
    const job = asJob(found);
    const { managedBy } = job.spec;
    if (managedBy !== undefined && managedBy !== ownName) return;
    if (isFinished(job.status?.conditions)) return;
    const pods = api.store
      .dependentsOf(definitions.pods, job.metadata.uid)
      .map(asPod)
      .filter((pod) => isControlledBy(pod, job));
    // Read at the moment of the step: unlike the real controller, this one never works from a cache that lags.
    const plan = planSync({
      job,
      pods,
      now: clock.now(),
      backoff: this.#backoffs.get(key) ?? noFailures,
      settings: settings.backoff,
      clearsStartTime: settings.clearsStartTime,
    });
    if (plan.deadlineMs !== undefined) this.#enqueue(key, plan.deadlineMs);
    if (plan.backoffMs !== undefined) this.#enqueue(key, Math.max(plan.backoffMs, settings.batchMs));
    this.#deletePods(job, plan);
    const missing = this.#createPods(job, plan);
    for (const event of plan.events) events.record(job, event.type, event.reason, event.message);
    this.#writeAndRelease(job, pods, plan, missing.length);
    if (missing.length > 0) throw missing[0];
  }

  #deletePods(job: StoredJob, plan: SyncPlan): void {
    const { api, events } = this.#parts;
    for (const pod of plan.deletions) {
      const { namespace, name } = pod.metadata;
      if (plan.releasesDeleted) this.#release(pod);
      if (api.store.get(definitions.pods, namespace, name) !== undefined)
        api.delete(definitions.pods, namespace, name, { uid: pod.metadata.uid });
      events.record(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    }
  }

  /** Returns what went wrong, one entry for each pod that isn't there. */
  #createPods(job: StoredJob, plan: SyncPlan): readonly unknown[] {
    const { api, events } = this.#parts;
    const failures: unknown[] = [];
    for (const { index, replaces } of plan.creations) {
      // The rest would fail alike.
      if (failures.length > 0) {
        failures.push(failures[0]);
        continue;
      }
      const isCounted = replaces === undefined || matchFailurePolicy(job, replaces).action !== 'Ignore';
      try {
        const { object } = api.create(
          definitions.pods,
          job.metadata.namespace,
          podBody(job, index, replaces, isCounted),
        );
        events.record(job, 'Normal', 'SuccessfulCreate', `Created pod: ${object.metadata.name}`);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failures.push(error);
        events.record(job, 'Warning', 'FailedCreate', `Error creating: ${error.message}`);
      }
    }
    return failures;
  }

  #writeAndRelease(job: StoredJob, pods: readonly StoredPod[], plan: SyncPlan, missing: number): void {
    const key = keyOf(job);
    const { active = 0, ...others } = plan.status;
    const status: JobStatus =
      missing === 0 ? plan.status : { ...others, ...(active > missing ? { active: active - missing } : {}) };
    if (plan.needsWrite) {
      this.#writeStatus(job, status);
      this.#backoffs.set(key, plan.backoff);
    }
    const held = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid));
    for (const pod of plan.releases) {
      this.#release(pod);
      held.delete(pod.metadata.uid);
    }
    const settled = settle(status, held, plan.terminal);
    if (settled === undefined) return;
    this.#writeStatus(job, settled.status);
    if (settled.isFinished && plan.terminal !== undefined) {
      const { type, reason = '', message = '' } = plan.terminal;
      const { events } = this.#parts;
      if (type === 'Complete') events.record(job, 'Normal', 'Completed', 'Job completed');
      else events.record(job, 'Warning', reason, message);
    }
  }

  /** Through the same door as everybody's: a status that the rules refuse is a fault of this controller. */
  #writeStatus(job: StoredJob, status: JobStatus): void {
    const { namespace, name } = job.metadata;
    const current = this.#parts.api.get(definitions.jobs, namespace, name);
    this.#parts.api.update(definitions.jobs, namespace, name, { ...current, status }, { subresource: 'status' });
  }

  /** Idempotent: the pod may be gone, or released already. */
  #release(pod: StoredPod): void {
    const { api } = this.#parts;
    const { namespace, name, uid } = pod.metadata;
    const current = api.store.get(definitions.pods, namespace, name);
    if (current === undefined || current.metadata.uid !== uid || !isTracked(asPod(current))) return;
    const finalizers = current.metadata.finalizers?.filter((finalizer) => finalizer !== trackingFinalizer) ?? [];
    api.update(definitions.pods, namespace, name, { ...current, metadata: { ...current.metadata, finalizers } });
  }

  /** A Job that has ended or is gone counts no pods any more. */
  #releasePodsOf(job: StoredJob): void {
    for (const pod of this.#parts.api.store.dependentsOf(definitions.pods, job.metadata.uid)) {
      this.#releaseOrphan(asPod(pod), this.#ownerOf(asPod(pod)));
    }
  }

  /** Nobody counts this pod any more, so nothing may hold it. Another controller's pods are none of our business. */
  #releaseOrphan(pod: StoredPod, job: StoredJob | undefined): void {
    if (!isTracked(pod)) return;
    if (job?.spec.managedBy !== undefined && job.spec.managedBy !== ownName) return;
    this.#parts.clock.after(0, () => this.#release(pod));
  }
}
