import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import type { JobStatus } from '../../src/kube/index.ts';
import { createCertificateAuthority } from '../../src/sandbox/certificate.ts';
import { Cluster } from '../../src/sandbox/cluster.ts';
import { asPod, type StoredPod, timestamp } from '../../src/sandbox/objects.ts';
import { definitions } from '../../src/sandbox/resources.ts';
import { ManualClock } from './manualClock.ts';
import { failingLog, seededRandom } from './rig.ts';

/** One moment in a pod's life, as the recording has it. */
interface PodMoment {
  readonly ms: number;
  readonly pod: number;
  readonly index?: number;
  readonly phase: string;
  readonly exitCode?: number;
  readonly disruptionTarget?: boolean;
  readonly deleting?: boolean;
  readonly gone?: boolean;
  /** Whether a running pod is ready; it is if nothing is said. */
  readonly ready?: boolean;
}

export interface HistoryEvent {
  readonly type: string;
  readonly generation: number;
  readonly suspend: boolean;
  readonly parallelism: number;
  readonly completions?: number;
  readonly deleting: boolean;
  readonly status: JobStatus;
}

export interface JobHistory {
  readonly id: string;
  /** At which millisecond of its second the recording began: deadlines and back-offs count from whole seconds. */
  readonly fraction?: number;
  readonly spec: JsonObject;
  readonly actions: readonly {
    readonly ms: number;
    readonly patch?: JsonObject;
    readonly deletePod?: number;
    readonly deleteJob?: 'Foreground';
  }[];
  readonly pods: readonly PodMoment[];
  readonly events: readonly HistoryEvent[];
}

/** Runs the Job of a recording on a cluster whose kubelet plays the recorded fates; returns what watchers of the Job saw. */
export function replay(history: JobHistory): readonly HistoryEvent[] {
  const clock = new ManualClock(Date.parse('2026-11-29T23:18:06Z') + (history.fraction ?? 250));
  const cluster = new Cluster({
    name: 'worker-1',
    version: '1.35',
    authority: createCertificateAuthority(clock.now()),
    clock,
    random: seededRandom(),
    log: failingLog,
    jobController: { batchMs: 1000, backoff: { baseMs: 10_000, maxMs: 600_000 } },
    historyLimit: 1000,
  });
  const { api, store } = cluster;
  const seen: HistoryEvent[] = [];
  store.onChange(definitions.jobs, ({ type, object }) => seen.push(eventOf(type, object)));
  const fates = new PodFates(cluster, clock, history.pods);
  store.onChange(definitions.pods, ({ type, object }) => fates.onPod(type, asPod(object)));

  const namespace = 'default';
  const name = history.id;
  api.create(definitions.jobs, namespace, { metadata: { name }, spec: history.spec });
  // The real controller needed a moment to make the first pods; here they are there at once.
  const latency = Math.min(history.pods[0]?.ms ?? 0, history.actions[0]?.ms ?? 0);
  for (const { ms, patch, deletePod, deleteJob } of history.actions) {
    clock.after(ms - latency, () => {
      if (patch !== undefined)
        api.patch(definitions.jobs, namespace, name, { mediaType: 'application/merge-patch+json', body: patch });
      if (deletePod !== undefined) api.delete(definitions.pods, namespace, fates.nameOf(deletePod));
      if (deleteJob !== undefined) api.delete(definitions.jobs, namespace, name, { propagationPolicy: deleteJob });
    });
  }
  clock.advance(120_000);
  return seen;
}

function eventOf(type: string, object: JsonObject): HistoryEvent {
  const { metadata, spec, status } = object;
  if (!isJsonObject(metadata) || !isJsonObject(spec)) throw new Error('not a Job');
  return {
    type,
    generation: Number(metadata['generation']),
    suspend: spec['suspend'] === true,
    parallelism: Number(spec['parallelism']),
    ...(typeof spec['completions'] === 'number' ? { completions: spec['completions'] } : {}),
    deleting: metadata['deletionTimestamp'] !== undefined,
    status: isJsonObject(status) ? status : {},
  };
}

/** Scheduler and kubelet by the book of a recording: each pod lives as long after its own creation as it did there. */
class PodFates {
  readonly #cluster: Cluster;
  readonly #clock: ManualClock;
  readonly #moments: ReadonlyMap<string, readonly PodMoment[]>;
  /** How many pods there have been of each index, or in all. */
  readonly #counts = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #keys = new Map<string, string>();
  readonly #stopping = new Set<string>();

  constructor(cluster: Cluster, clock: ManualClock, moments: readonly PodMoment[]) {
    this.#cluster = cluster;
    this.#clock = clock;
    const byPod = Map.groupBy(moments, ({ pod }) => pod);
    const counts = new Map<string, number>();
    const keyed = new Map<string, readonly PodMoment[]>();
    for (const list of byPod.values()) {
      const group = String(list[0]?.index ?? 'any');
      const serial = counts.get(group) ?? 0;
      counts.set(group, serial + 1);
      keyed.set(`${group} ${serial}`, list);
    }
    this.#moments = keyed;
  }

  nameOf(serial: number): string {
    return this.#names[serial] ?? '';
  }

  onPod(type: string, pod: StoredPod): void {
    const { uid, name, annotations, deletionTimestamp } = pod.metadata;
    if (type === 'ADDED') {
      const group = annotations?.['batch.kubernetes.io/job-completion-index'] ?? 'any';
      const serial = this.#counts.get(group) ?? 0;
      this.#counts.set(group, serial + 1);
      this.#names.push(name);
      this.#keys.set(uid, `${group} ${serial}`);
      const moments = this.#of(uid);
      const born = moments[0]?.ms ?? 0;
      this.#clock.after(0, () => void this.#cluster.api.bind('default', name, 'worker-1-node'));
      for (const moment of moments.filter(({ deleting }) => deleting !== true).slice(1)) {
        this.#clock.after(moment.ms - born, () => this.#write(uid, name, moment));
      }
    } else if (type === 'MODIFIED' && deletionTimestamp !== undefined && !this.#stopping.has(uid)) {
      this.#stopping.add(uid);
      const [first, ...moments] = this.#of(uid).filter(({ deleting }) => deleting === true);
      for (const moment of moments) {
        this.#clock.after(moment.ms - (first?.ms ?? 0), () => {
          if (moment.gone !== true) this.#write(uid, name, moment);
          else if (this.#find(uid, name) !== undefined) {
            this.#cluster.api.delete(definitions.pods, 'default', name, { gracePeriodSeconds: 0 });
          }
        });
      }
    }
  }

  #of(uid: string): readonly PodMoment[] {
    return this.#moments.get(this.#keys.get(uid) ?? '') ?? [];
  }

  #find(uid: string, name: string): StoredPod | undefined {
    const found = this.#cluster.store.get(definitions.pods, 'default', name);
    return found?.metadata.uid === uid ? asPod(found) : undefined;
  }

  #write(uid: string, name: string, moment: PodMoment): void {
    const { phase, exitCode, disruptionTarget, ready = phase === 'Running' } = moment;
    const pod = this.#find(uid, name);
    if (pod === undefined) return;
    const at = timestamp(this.#clock.now());
    const container = { name: 'main', ready, restartCount: 0 };
    const state =
      exitCode === undefined ? { running: { startedAt: at } } : { terminated: { exitCode, finishedAt: at } };
    const status = {
      ...pod.status,
      phase,
      conditions: [
        { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: at },
        ...(disruptionTarget === true ? [{ type: 'DisruptionTarget', status: 'True' }] : []),
      ],
      containerStatuses: [{ ...container, state }],
    };
    this.#cluster.api.update(definitions.pods, 'default', name, { ...pod, status }, { subresource: 'status' });
  }
}

/** What two runs must have in common: everything but the times themselves, the UIDs and the random parts of names. */
export function shapeOf(events: readonly HistoryEvent[]): readonly unknown[] {
  const starts: string[] = [];
  return events.map(({ type, generation, suspend, parallelism, completions, deleting, status }) => {
    const { startTime, completionTime, uncountedTerminatedPods, conditions, ...counters } = status;
    if (startTime !== undefined && !starts.includes(startTime)) starts.push(startTime);
    return {
      type,
      generation,
      suspend,
      parallelism,
      completions,
      deleting,
      ...counters,
      // Which of the start times this is, so that a start that moves is seen.
      start: startTime === undefined ? undefined : starts.indexOf(startTime),
      hasCompletionTime: completionTime !== undefined,
      uncounted: uncountedTerminatedPods && {
        succeeded: uncountedTerminatedPods.succeeded?.length,
        failed: uncountedTerminatedPods.failed?.length,
      },
      conditions: conditions?.map((condition) => ({
        ...condition,
        lastProbeTime: condition.lastProbeTime !== undefined,
        lastTransitionTime: condition.lastTransitionTime !== undefined,
        message: condition.message?.replace(/\S+\/(\S+)-[a-z0-9]{5} /u, 'NAMESPACE/$1-RANDOM '),
      })),
    };
  });
}
