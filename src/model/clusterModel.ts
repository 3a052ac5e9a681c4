import type { ObjectChange } from '../kube/index.ts';
import { untilNextAge } from './age.ts';
import { explain, type ReasonHints } from './explain.ts';
import { isMirrorOf, mirrorsOn } from './join.ts';
import { builtInController, multiKueueController } from './keys.ts';
import type { ObservedJob, ObservedPod, ObservedWorkload } from './observed.ts';
import { type Phase, phaseOf } from './phase.ts';
import type { Reason } from './reason.ts';
import type { Controller, MirrorSight, Selection, Situation } from './situation.ts';
import { type ClusterSight, UidIndex } from './source.ts';

export interface ClusterModelOptions {
  readonly management: ClusterSight;
  /** In the workspace's order of preference. */
  readonly workers: readonly ClusterSight[];
  /** Our value of `managedBy`. */
  readonly controllerName: string;
  readonly hints: ReasonHints;
  /** Wall clock of this machine. */
  readonly now: () => number;
  /** Whether a reconciler of ours looks after that namespace, as far as is known. */
  readonly reconcilerOf: (namespace: string) => Situation['reconciler'];
  /** Whether a LocalQueue leads to MultiKueue, where that is known. */
  readonly leadsToMultiKueue?: (namespace: string, queue: string) => boolean | undefined;
  /** Asks for the row to be judged anew at that time: something then holds that doesn't hold yet. */
  readonly judgeAgainAt: (rowId: string, at: number) => void;
}

/** A row's id with the Job that names it: cheap to have, where `Row` has to be worked out. */
export interface RowEntry {
  readonly id: string;
  /** The management cluster's, else the mirror. */
  readonly job: ObservedJob;
}

/** One Job of the management cluster with its mirror, or a mirror that has none. */
export interface Row {
  /** `job:UID`, or `orphan:WORKER:UID`. */
  readonly id: string;
  readonly situation: Situation;
  readonly phase: Phase;
  readonly reason: Reason;
  /** The Job that names the row: the management cluster's, else the mirror. */
  readonly job: ObservedJob;
  readonly worker: string | undefined;
  /** The mirror that counts first, then what earlier attempts left behind. */
  readonly mirrors: readonly MirrorSight[];
  /** The freshest numbers there are: the mirror's own while its worker is connected. */
  readonly counts: ObservedJob;
  /** Since when the phase holds, by the clock of the cluster that said so. */
  readonly since: number;
  /** How long that is by now, by the clock of this machine; the row is judged anew when it reads otherwise (`age.ts`). */
  readonly ageMs: number;
  /** Something that the row rests on is out of touch. */
  readonly isStale: boolean;
}

/** A Job that no controller has touched after this long is one that nobody looks after. */
const graceMs = 60_000;
/** Two clusters' watches are not in step: a mirror that is missing may merely not have arrived. */
const missingGraceMs = 5_000;

/**
 * Joins what is known of all clusters. Rows are worked out when they are asked for, from the sources as they stand, so
 * that the order in which news arrived can't matter; the indexes below merely find things.
 */
export class ClusterModel {
  readonly #options: ClusterModelOptions;
  /** Pods of each worker by their Job's UID; by the worker's name. */
  readonly #pods = new Map<string, UidIndex<ObservedPod>>();
  /** The management cluster's Workloads by their Job's UID. */
  readonly #workloads = new UidIndex<ObservedWorkload>(({ jobUid }) => jobUid);
  /** When a recorded mirror was first found missing, by the Job's UID. */
  readonly #missingSince = new Map<string, number>();

  constructor(options: ClusterModelOptions) {
    this.#options = options;
    for (const { name } of options.workers) this.#pods.set(name, new UidIndex(({ jobUid }) => jobUid));
  }

  get management(): ClusterSight {
    return this.#options.management;
  }

  get workers(): readonly ClusterSight[] {
    return this.#options.workers;
  }

  /** Takes news of a cluster's Jobs in; says which rows they touch. So do the two below. */
  noteJobs(cluster: ClusterSight, changes: readonly ObjectChange<ObservedJob>[]): Set<string> {
    return union(
      changes.map((change) => {
        const job = objectOf(change, cluster.jobs);
        if (cluster === this.management) return this.#touchedByJob(change, job);
        return job === undefined ? [] : this.#rowsOfMirror(cluster, job);
      }),
    );
  }

  notePods(cluster: ClusterSight, changes: readonly ObjectChange<ObservedPod>[]): Set<string> {
    return union(
      changes.map((change) => {
        this.#pods.get(cluster.name)?.note(change, cluster.pods);
        const jobUid = objectOf(change, cluster.pods)?.jobUid;
        const mirror = jobUid === undefined ? undefined : cluster.jobs.get(jobUid);
        return mirror === undefined || cluster === this.management ? [] : this.#rowsOfMirror(cluster, mirror);
      }),
    );
  }

  noteWorkloads(cluster: ClusterSight, changes: readonly ObjectChange<ObservedWorkload>[]): Set<string> {
    return union(
      changes.map((change) => {
        if (cluster === this.management) this.#workloads.note(change, cluster.workloads);
        const workload = objectOf(change, cluster.workloads);
        if (workload === undefined) return [];
        return cluster === this.management
          ? this.#touchedByWorkload(workload)
          : this.#rowsOfRemoteWorkload(cluster, workload);
      }),
    );
  }

  /**
   * What there is a row for, each with the Job that names it: Jobs in no order, then orphans. Whether a mirror is one is
   * not known as long as not all Jobs are.
   */
  *entries(): IterableIterator<RowEntry> {
    for (const job of this.management.jobs.values()) yield { id: jobRowId(job.uid), job };
    for (const worker of this.workers) {
      for (const job of worker.jobs.values()) {
        if (this.#isOrphan(job)) yield { id: orphanRowId(worker.name, job.uid), job };
      }
    }
  }

  /** The row of the management cluster's Job of that name. */
  rowNamed(namespace: string, name: string): Row | undefined {
    const job = this.management.jobs.find(namespace, name);
    return job === undefined ? undefined : this.#jobRow(jobRowId(job.uid), job);
  }

  /** The entry with that id, if there still is a row for it. */
  entry(id: string): RowEntry | undefined {
    const found = this.#find(id);
    return found === undefined ? undefined : { id, job: found.job };
  }

  /** The row as it stands now; undefined if it is gone. */
  row(id: string): Row | undefined {
    const found = this.#find(id);
    if (found === undefined) return undefined;
    return found.worker === undefined ? this.#jobRow(id, found.job) : this.#orphanRow(id, found.worker, found.job);
  }

  #find(id: string): { readonly job: ObservedJob; readonly worker?: ClusterSight } | undefined {
    const [kind, first = '', second = ''] = id.split(':');
    if (kind === 'job') {
      const job = this.management.jobs.get(first);
      return job === undefined ? undefined : { job };
    }
    const worker = this.workers.find(({ name }) => name === decodeURIComponent(first));
    const job = worker?.jobs.get(second);
    return worker !== undefined && job !== undefined && this.#isOrphan(job) ? { job, worker } : undefined;
  }

  #touchedByJob(change: ObjectChange<ObservedJob>, job: ObservedJob | undefined): string[] {
    if (change.kind === 'deleted') this.#missingSince.delete(change.uid);
    // A Job that comes or goes makes its mirrors joined or orphaned.
    const names = job === undefined ? [] : [job.name, job.record?.mirrorName ?? job.name];
    return [jobRowId(change.uid), ...names.flatMap((name) => this.#orphansNamed(job?.namespace, name))];
  }

  /** A Workload says whose mirror a Job of that name is, so it may make an orphan or take one away, too. */
  #touchedByWorkload({ namespace, jobUid }: ObservedWorkload): string[] {
    if (jobUid === undefined) return [];
    const job = this.management.jobs.get(jobUid);
    return [jobRowId(jobUid), ...(job === undefined ? [] : this.#orphansNamed(namespace, job.name))];
  }

  /** A worker's Workload names the management Job at first, and the mirror once that is there. */
  #rowsOfRemoteWorkload(worker: ClusterSight, { namespace, name, jobUid }: ObservedWorkload): string[] {
    const origin = this.management.workloads.find(namespace, name)?.jobUid;
    const mirror = jobUid === undefined ? undefined : worker.jobs.get(jobUid);
    return [
      ...[origin, jobUid].flatMap((uid) => (uid === undefined ? [] : jobRowId(uid))),
      ...(mirror === undefined ? [] : this.#rowsOfMirror(worker, mirror)),
    ];
  }

  #orphansNamed(namespace: string | undefined, name: string): string[] {
    return this.workers.flatMap((worker) => {
      const mirror = worker.jobs.find(namespace, name);
      return mirror === undefined ? [] : [orphanRowId(worker.name, mirror.uid)];
    });
  }

  #rowsOfMirror(worker: ClusterSight, mirror: ObservedJob): string[] {
    const origin =
      mirror.origin?.kind === 'ours'
        ? mirror.origin.uid
        : this.management.jobs.find(mirror.namespace, mirror.name)?.uid;
    return [orphanRowId(worker.name, mirror.uid), ...(origin === undefined ? [] : [jobRowId(origin)])];
  }

  #isOrphan(mirror: ObservedJob): boolean {
    const { management } = this;
    const { origin } = mirror;
    if (origin === undefined || !management.isComplete || management.status.contact !== 'connected') return false;
    if (origin.kind === 'ours') {
      // Somebody else's, from a management cluster that this window knows nothing about.
      if (management.identity === undefined || origin.cluster !== management.identity) return false;
      return management.jobs.get(origin.uid) === undefined;
    }
    const job = management.jobs.find(mirror.namespace, mirror.name);
    return job === undefined || !isMirrorOf(mirror, job, management.identity, this.#workloadOf(job));
  }

  #orphanRow(id: string, worker: ClusterSight, job: ObservedJob): Row {
    const mirror = this.#sightOf(worker, job);
    const situation: Situation = {
      controller: job.origin?.kind === 'multikueue' ? 'multikueue' : 'ours',
      mirror,
      workload: 'unreadable',
      reconciler: this.#options.reconcilerOf(job.namespace),
      isPastGrace: true,
      management: this.management.status.contact,
    };
    return this.#finish(id, situation, job, [mirror]);
  }

  #jobRow(id: string, job: ObservedJob): Row {
    const workload = this.#workloadOf(job);
    const mirrors = this.#mirrorsOf(job, workload);
    const [mirror] = mirrors;
    const selection = this.#selectionOf(id, job, mirror, workload);
    const situation: Situation = {
      job,
      controller: this.#controllerOf(job),
      ...(selection === undefined ? {} : { selection }),
      ...(mirror === undefined ? {} : { mirror }),
      workload: workload ?? (this.management.hasWorkloads ? 'none' : 'unreadable'),
      ...(this.#isQueueElsewhere(job, workload) ? { isQueueElsewhere: true } : {}),
      reconciler: this.#options.reconcilerOf(job.namespace),
      isPastGrace: this.#isPastGrace(id, job),
      management: this.management.contactIn(job.namespace),
    };
    return this.#finish(id, situation, job, mirrors);
  }

  #isQueueElsewhere(job: ObservedJob, workload: ObservedWorkload | undefined): boolean {
    const queue = workload?.queueName ?? job.queueName;
    return queue !== undefined && this.#options.leadsToMultiKueue?.(job.namespace, queue) === false;
  }

  #finish(id: string, situation: Situation, job: ObservedJob, mirrors: readonly MirrorSight[]): Row {
    const phase = phaseOf(situation);
    const [mirror] = mirrors;
    const isMirrorFresher = mirror?.contact === 'connected' && job.fate !== 'succeeded' && job.fate !== 'failed';
    const since = sinceOf(phase, job, mirror);
    const contacts = [situation.management, situation.selection?.contact ?? mirror?.contact ?? 'connected'];
    return {
      id,
      situation,
      phase,
      reason: explain(situation, this.#options.hints),
      job,
      worker: mirror?.worker ?? situation.selection?.worker,
      mirrors,
      counts: isMirrorFresher ? mirror.job : job,
      since: since.at,
      ageMs: this.#ageOf(id, since),
      isStale: contacts.some((contact) => contact !== 'connected' && contact !== 'unknown'),
    };
  }

  #ageOf(rowId: string, { at, worker }: Moment): number {
    // A time that nobody gave has no age.
    if (at === 0) return 0;
    const cluster = worker === undefined ? this.management : this.workers.find(({ name }) => name === worker);
    const now = this.#options.now();
    const ageMs = now - (at - (cluster?.clockOffsetMs ?? 0));
    this.#options.judgeAgainAt(rowId, now + untilNextAge(ageMs));
    return ageMs;
  }

  #controllerOf({ managedBy }: ObservedJob): Controller {
    if (managedBy === undefined || managedBy === builtInController) return 'built-in';
    if (managedBy === this.#options.controllerName) return 'ours';
    return managedBy === multiKueueController ? 'multikueue' : 'other';
  }

  #workloadOf(job: ObservedJob): ObservedWorkload | undefined {
    const found = [...this.#workloads.get(job.uid)].flatMap((uid) => this.management.workloads.get(uid) ?? []);
    // Slices of an elastic Job: the unfinished one counts.
    return found.find(({ isFinished }) => !isFinished) ?? found[0];
  }

  #mirrorsOf(job: ObservedJob, workload: ObservedWorkload | undefined): MirrorSight[] {
    const { identity } = this.management;
    const found = this.workers.flatMap((worker) =>
      mirrorsOn(worker, job, identity, workload).map((mirror) => this.#sightOf(worker, mirror)),
    );
    const weight = ({ worker, job: mirror }: MirrorSight): number => {
      if (mirror.uid === job.record?.mirrorUid) return 4;
      if (worker === workload?.clusterName || worker === job.record?.workerName) return 3;
      return mirror.startedAt === undefined ? 1 : 2;
    };
    return found.sort((a, b) => weight(b) - weight(a));
  }

  #sightOf(worker: ClusterSight, job: ObservedJob): MirrorSight {
    const pods = [...(this.#pods.get(worker.name)?.get(job.uid) ?? [])].flatMap((uid) => worker.pods.get(uid) ?? []);
    pods.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    const name = job.origin?.kind === 'multikueue' ? job.origin.workload : undefined;
    const workload = name === undefined ? undefined : worker.workloads.find(job.namespace, name);
    return {
      worker: worker.name,
      contact: worker.contactIn(job.namespace),
      job,
      pods,
      ...(workload === undefined ? {} : { workload }),
    };
  }

  #selectionOf(
    rowId: string,
    job: ObservedJob,
    mirror: MirrorSight | undefined,
    workload: ObservedWorkload | undefined,
  ): Selection | undefined {
    const { record } = job;
    if (mirror !== undefined) {
      this.#missingSince.delete(job.uid);
      return { worker: mirror.worker, contact: mirror.contact, isMirrorGone: false };
    }
    const name = record?.workerName ?? record?.workerUid ?? workload?.clusterName;
    if (name === undefined) return undefined;
    const worker =
      this.workers.find(({ identity }) => identity !== undefined && identity === record?.workerUid) ??
      this.workers.find((one) => one.name === name);
    if (worker === undefined) return { worker: name, contact: 'unknown', isMirrorGone: false };
    const isMissing = record?.mirrorUid !== undefined && worker.isComplete && worker.status.contact === 'connected';
    const isMirrorGone = isMissing && this.#hasBeenMissing(rowId, job.uid);
    return { worker: worker.name, contact: worker.contactIn(job.namespace), isMirrorGone };
  }

  #hasBeenMissing(rowId: string, jobUid: string): boolean {
    const now = this.#options.now();
    const since = this.#missingSince.get(jobUid) ?? now;
    this.#missingSince.set(jobUid, since);
    if (now - since >= missingGraceMs) return true;
    this.#options.judgeAgainAt(rowId, since + missingGraceMs);
    return false;
  }

  /** By the management cluster's own clock, which also wrote the time of creation. */
  #isPastGrace(rowId: string, job: ObservedJob): boolean {
    const offsetMs = this.management.clockOffsetMs ?? 0;
    const dueAt = job.createdAt + graceMs - offsetMs;
    if (this.#options.now() >= dueAt) return true;
    if (job.fate === 'open') this.#options.judgeAgainAt(rowId, dueAt);
    return false;
  }
}

function jobRowId(uid: string): string {
  return `job:${uid}`;
}

/** Names of workers are people's: a colon in one must not split the id. */
function orphanRowId(worker: string, uid: string): string {
  return `orphan:${encodeURIComponent(worker)}:${uid}`;
}

function objectOf<K>(change: ObjectChange<K>, source: { get(uid: string): K | undefined }): K | undefined {
  return change.kind === 'deleted' ? change.last : source.get(change.uid);
}

function union(lists: readonly (readonly string[])[]): Set<string> {
  return new Set(lists.flat());
}

/** A time by the clock of a worker, or of the management cluster where none is named. Epoch milliseconds; 0: unknown. */
interface Moment {
  readonly at: number;
  readonly worker?: string;
}

function sinceOf(phase: Phase, job: ObservedJob, mirror: MirrorSight | undefined): Moment {
  if (phase === 'Succeeded' || phase === 'Failed') return { at: job.finishedAt ?? job.createdAt };
  if (phase === 'Running' && mirror?.job.startedAt !== undefined)
    return { at: mirror.job.startedAt, worker: mirror.worker };
  return { at: phase === 'Running' ? (job.startedAt ?? job.createdAt) : job.createdAt };
}
