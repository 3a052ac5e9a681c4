import type { Job, KubeObject, ObjectChange } from '../../src/kube/index.ts';
import { ObjectCache } from '../../src/kube/objectCache.ts';
import {
  ClusterModel,
  type ClusterModelOptions,
  type ClusterSight,
  type ClusterStatus,
  type Contact,
  type ObservedJob,
  type ObservedPod,
  type ObservedWorkload,
  observeJob,
  observeMirror,
  observePod,
  observeWorkload,
} from '../../src/model/index.ts';

/** One cluster whose objects a test puts in by hand. */
class HandFedCluster implements ClusterSight {
  readonly name: string;
  readonly jobs: ObjectCache<Job, ObservedJob>;
  readonly pods = new ObjectCache<KubeObject, ObservedPod>(observePod);
  readonly workloads = new ObjectCache<KubeObject, ObservedWorkload>(observeWorkload);
  isComplete = true;
  hasWorkloads = true;
  status: ClusterStatus = { contact: 'connected' };
  identity: string | undefined;
  clockOffsetMs: number | undefined;

  constructor(name: string, identity?: string) {
    this.name = name;
    this.identity = identity;
    this.jobs = new ObjectCache<Job, ObservedJob>(name === '' ? observeJob : observeMirror);
  }

  contactIn(): Contact {
    return this.status.contact;
  }
}

/** An event as a watch brings it. */
export interface FedEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject | Job;
}

/** A management cluster and its workers, fed event by event. */
export class HandFedModel {
  readonly management = new HandFedCluster('', 'm-uid');
  readonly workers: readonly HandFedCluster[];
  readonly model: ClusterModel;
  /** Rows that the last event touched. */
  touched: ReadonlySet<string> = new Set();
  now = 0;

  constructor(workers: readonly string[], options: Partial<ClusterModelOptions> = {}) {
    this.workers = workers.map((name) => new HandFedCluster(name, `${name}-uid`));
    this.model = new ClusterModel({
      management: this.management,
      workers: this.workers,
      controllerName: 'delegated-jobs.dev/reconciler',
      hints: () => undefined,
      now: () => this.now,
      reconcilerOf: () => 'unknown',
      judgeAgainAt: () => undefined,
      ...options,
    });
  }

  /** @param name - of the worker; empty for the management cluster */
  feed(name: string, { type, object }: FedEvent): void {
    const cluster = name === '' ? this.management : this.workers.find((one) => one.name === name);
    if (cluster === undefined) throw new Error(`There is no cluster ${name}.`);
    const isGone = type === 'DELETED';
    switch (object.kind) {
      case 'Job':
        this.touched = this.model.noteJobs(cluster, apply(cluster.jobs, object as Job, isGone));
        break;
      case 'Pod':
        this.touched = this.model.notePods(cluster, apply(cluster.pods, object as KubeObject, isGone));
        break;
      case 'Workload':
        this.touched = this.model.noteWorkloads(cluster, apply(cluster.workloads, object as KubeObject, isGone));
        break;
      default:
        this.touched = new Set();
    }
  }

  /** `phase worker code` of each row by the Job's name; orphans with their worker. */
  view(): Record<string, string> {
    const rows = [...this.model.entries()].flatMap(({ id }) => this.model.row(id) ?? []);
    const line = rows.map(({ id, job, phase, worker, reason }) => [
      id.startsWith('job:') ? job.name : `${job.name} (${worker})`,
      [phase, worker ?? '-', reason.code].join(' ').trim(),
    ]);
    return Object.fromEntries(line.sort());
  }
}

function apply<T extends KubeObject | Job, K>(cache: ObjectCache<T, K>, object: T, isGone: boolean): ObjectChange<K>[] {
  return isGone ? cache.remove(object.metadata.uid) : cache.put(object);
}
