import { type Clock, type Disposable, DisposableStore } from '../../base/index.ts';
import type { EventRecorder } from '../events.ts';
import { validIndex } from '../job/pods.ts';
import { asPod, controllerOf, type PodStatus, type StoredPod } from '../objects.ts';
import type { ResourceApi } from '../resourceApi.ts';
import { definitions } from '../resources.ts';
import type { StoreChange } from '../store.ts';
import { type PodLife, runOf } from './life.ts';
import {
  creatingStatus,
  endedStatus,
  type NodeAddress,
  runningStatus,
  scheduledStatus,
  unschedulableStatus,
  waitingStatus,
} from './podStatus.ts';
import { type PodScript, scriptOf } from './script.ts';

/** Times in a pod's life, in milliseconds of the cluster's clock. */
export interface KubeletSettings {
  /** How long a pod runs that says nothing of its own. */
  readonly podDurationMs: number;
  /** From the creation of a pod to its node, and from there to running. */
  readonly scheduleMs: number;
  readonly startMs: number;
  /** From the deletion of a running pod to the end of its containers. */
  readonly stopMs: number;
}

interface Parts {
  readonly api: ResourceApi;
  readonly clock: Clock;
  readonly settings: KubeletSettings;
  readonly nodeName: string;
  readonly schedulerEvents: EventRecorder;
  readonly kubeletEvents: EventRecorder;
}

/** Kubernetes waits so long before it starts a failed container again, doubled each time. */
const restartBackoff = { first: 10_000, last: 300_000 } as const;

/** Scheduler and kubelet of a cluster's only node: no pod runs, but each goes through the life that a real one has. */
export class Kubelet implements Disposable {
  readonly #parts: Parts;
  readonly #resources = new DisposableStore();
  readonly #lives = new Map<string, PodLife>();
  /** Runs that have been picked to fail so far, by the UID of their Job, or of the pod if nobody owns it. */
  readonly #failures = new Map<string, number>();
  #serial = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#resources.add(parts.api.store.onChange(definitions.pods, (change) => this.#onPod(change)));
    this.#resources.add(
      parts.api.store.onChange(definitions.jobs, ({ type, object }) => {
        if (type === 'DELETED') this.#failures.delete(object.metadata.uid);
      }),
    );
  }

  dispose(): void {
    this.#resources.dispose();
    for (const life of this.#lives.values()) life.timer?.dispose();
    this.#lives.clear();
  }

  /** What is known of a pod; undefined if the kubelet never had it. */
  lifeOf(uid: string): PodLife | undefined {
    return this.#lives.get(uid);
  }

  #onPod({ type, object }: StoreChange): void {
    const pod = asPod(object);
    const { uid } = pod.metadata;
    if (type === 'DELETED') {
      this.#lives.get(uid)?.timer?.dispose();
      this.#lives.delete(uid);
      this.#failures.delete(uid);
      return;
    }
    const known = this.#lives.get(uid);
    const life = known ?? this.#newLife(uid);
    const { scheduleMs, stopMs } = this.#parts.settings;
    if (known === undefined) {
      this.#next(pod, life, scheduleMs, (current) => this.#schedule(current, life));
    } else if (pod.metadata.deletionTimestamp !== undefined && !life.isStopping) {
      life.isStopping = true;
      this.#next(pod, life, stopMs, (current) => this.#stop(current, life));
    } else if (life.timer === undefined && life.startedAt === undefined && !isGated(pod)) {
      // It waited for its gates to go, or for a scheduler of its own.
      this.#next(pod, life, scheduleMs, (current) => this.#schedule(current, life));
    }
  }

  #newLife(uid: string): PodLife {
    this.#serial += 1;
    const life: PodLife = { serial: this.#serial, timer: undefined, durationMs: 0, restarts: 0, isStopping: false };
    this.#lives.set(uid, life);
    return life;
  }

  /** The one thing that happens next to this pod; replaces what was going to happen. */
  #next(pod: StoredPod, life: PodLife, delayMs: number, action: (current: StoredPod) => void): void {
    const { namespace, name, uid } = pod.metadata;
    life.timer?.dispose();
    life.timer = this.#parts.clock.after(delayMs, () => {
      life.timer = undefined;
      const current = this.#parts.api.store.get(definitions.pods, namespace, name);
      if (current?.metadata.uid === uid) action(asPod(current));
    });
  }

  /** Gives the pod the only node, unless something keeps it from there. */
  #schedule(pod: StoredPod, life: PodLife): void {
    const { settings, nodeName, schedulerEvents } = this.#parts;
    const { spec } = pod;
    if (spec.nodeName !== undefined) {
      if (spec.nodeName === nodeName) this.#next(pod, life, settings.startMs, (current) => this.#start(current, life));
      return;
    }
    if (isGated(pod)) {
      this.#keepWaiting(pod, 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates');
      return;
    }
    // Another scheduler's pods wait for it.
    if ((spec.schedulerName ?? 'default-scheduler') !== 'default-scheduler') return;
    const missing = Object.entries(spec.nodeSelector ?? {}).find(([key, value]) => this.#nodeLabels()[key] !== value);
    if (missing !== undefined) {
      const message = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
      if (this.#keepWaiting(pod, 'Unschedulable', message)) {
        schedulerEvents.record(pod, 'Warning', 'FailedScheduling', message);
      }
      return;
    }
    const { namespace, name } = pod.metadata;
    const bound = asPod(this.#parts.api.bind(namespace, name, nodeName));
    schedulerEvents.record(bound, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${nodeName}`);
    const scheduled = this.#write(bound, scheduledStatus(bound, this.#parts.clock.now()));
    this.#next(scheduled, life, settings.startMs, (current) => this.#start(current, life));
  }

  /** False if the pod says so already: saying it again would be a change that calls for another look, and so on. */
  #keepWaiting(pod: StoredPod, reason: string, message: string): boolean {
    const isKnown = pod.status?.conditions?.some((entry) => entry.type === 'PodScheduled' && entry.reason === reason);
    if (isKnown) return false;
    this.#write(pod, unschedulableStatus(pod, reason, message, this.#parts.clock.now()));
    return true;
  }

  /** Every image is always there, and every container comes up at the first try. */
  #start(pod: StoredPod, life: PodLife): void {
    const { kubeletEvents, settings } = this.#parts;
    for (const container of pod.spec.containers) {
      kubeletEvents.record(pod, 'Normal', 'Pulled', `Container image "${container.image}" already present on machine`);
      kubeletEvents.record(pod, 'Normal', 'Created', `Container created`);
      kubeletEvents.record(pod, 'Normal', 'Started', `Container started`);
    }
    const script = scriptOf(pod, settings.podDurationMs);
    // One write instead of the two that a kubelet makes: nobody would see the first.
    const creating =
      life.restarts === 0 ? { ...pod, status: creatingStatus(pod, this.#address(life), this.#parts.clock.now()) } : pod;
    const running = this.#write(
      creating,
      runningStatus(creating, this.#address(life), life.restarts, this.#parts.clock.now()),
    );
    life.startedAt = this.#parts.clock.now();
    life.durationMs = script.durationMs;
    const exitCode = this.#exitCodeOf(pod, script);
    this.#next(running, life, script.durationMs, (current) => this.#finish(current, life, exitCode));
  }

  /** Decided when a run begins, so that pods that begin together are told apart. */
  #exitCodeOf(pod: StoredPod, script: PodScript): number {
    const index = validIndex(pod, Number.POSITIVE_INFINITY);
    if (index !== undefined && script.failIndexes.has(index)) return script.failureCode;
    const owner = controllerOf(pod)?.uid ?? pod.metadata.uid;
    const failures = this.#failures.get(owner) ?? 0;
    if (failures >= script.failTimes) return script.exitCode;
    this.#failures.set(owner, failures + 1);
    return script.failureCode;
  }

  /** The containers have run their time: the end of the pod, or a pause before they run again. */
  #finish(pod: StoredPod, life: PodLife, exitCode: number): void {
    const now = this.#parts.clock.now();
    const startedAt = life.startedAt ?? now;
    const { restartPolicy } = pod.spec;
    if (restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0)) {
      const wait = Math.min(restartBackoff.first * 2 ** life.restarts, restartBackoff.last);
      const [first] = pod.spec.containers;
      if (first !== undefined) life.previous = { ...runOf(pod, life, first), endedAt: now, exitCode };
      life.restarts += 1;
      const waiting = this.#write(pod, waitingStatus(pod, exitCode, startedAt, now));
      this.#next(waiting, life, wait, (current) => this.#start(current, life));
      return;
    }
    life.endedAt = now;
    life.exitCode = exitCode;
    this.#write(pod, endedStatus(pod, exitCode, startedAt, now));
  }

  /** A pod that is being deleted: its containers end, then the last hold on it goes. */
  #stop(pod: StoredPod, life: PodLife): void {
    const { namespace, name, uid } = pod.metadata;
    const phase = pod.status?.phase;
    if (phase !== 'Succeeded' && phase !== 'Failed' && pod.spec.nodeName !== undefined) {
      life.endedAt = this.#parts.clock.now();
      life.exitCode = life.startedAt === undefined ? 137 : 143;
      this.#write(
        pod,
        endedStatus(pod, life.exitCode, life.startedAt ?? this.#parts.clock.now(), this.#parts.clock.now()),
      );
    }
    if (this.#parts.api.store.get(definitions.pods, namespace, name) === undefined) return;
    this.#parts.api.delete(definitions.pods, namespace, name, { uid, gracePeriodSeconds: 0 });
  }

  /** Unconditional: nobody else writes a pod's status here, and what others write to the rest is no matter. */
  #write(pod: StoredPod, status: PodStatus): StoredPod {
    const { namespace, name } = pod.metadata;
    return asPod(
      this.#parts.api.update(
        definitions.pods,
        namespace,
        name,
        { ...pod, status, metadata: { ...pod.metadata, resourceVersion: '' } },
        { subresource: 'status' },
      ).object,
    );
  }

  #nodeLabels(): Readonly<Record<string, string>> {
    return this.#parts.api.store.get(definitions.nodes, undefined, this.#parts.nodeName)?.metadata.labels ?? {};
  }

  #address(life: PodLife): NodeAddress {
    return { hostIP: '10.0.0.1', podIP: `10.244.${Math.floor(life.serial / 250) % 250}.${(life.serial % 250) + 2}` };
  }
}

function isGated(pod: StoredPod): boolean {
  return (pod.spec.schedulingGates?.length ?? 0) > 0;
}
