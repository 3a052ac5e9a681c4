import { isJsonObject, type JsonObject, type Log, nullLog } from '../../src/base/index.ts';
import type { JobStatus } from '../../src/kube/index.ts';
import { createCertificateAuthority } from '../../src/sandbox/certificate.ts';
import { Cluster, type ClusterOptions } from '../../src/sandbox/cluster.ts';
import { asJob, asPod, type StoredJob, type StoredObject, type StoredPod } from '../../src/sandbox/objects.ts';
import type { ResourceDefinition } from '../../src/sandbox/resources.ts';
import { definitions } from '../../src/sandbox/resources.ts';
import { ManualClock } from './manualClock.ts';

export const namespace = 'default';

/** A cluster without its HTTP side, whose time stands still until a test moves it. */
export class Rig {
  readonly clock = new ManualClock();
  readonly cluster: Cluster;

  constructor({ hasKubelet = true, ...options }: Partial<ClusterOptions> & { readonly hasKubelet?: boolean } = {}) {
    this.cluster = new Cluster({
      name: 'worker-1',
      version: '1.35',
      authority: createCertificateAuthority(this.clock.now()),
      clock: this.clock,
      random: seededRandom(),
      log: failingLog,
      ...(hasKubelet ? { kubelet: { podDurationMs: 2000, scheduleMs: 50, startMs: 200, stopMs: 700 } } : {}),
      jobController: { batchMs: 1000, backoff: { baseMs: 10_000, maxMs: 600_000 } },
      historyLimit: 1000,
      ...options,
    });
  }

  /** Creates a Job of one container; `annotations` go to its pods. */
  createJob(name: string, spec: JsonObject = {}, annotations: Readonly<Record<string, string>> = {}): StoredJob {
    const restartPolicy = spec['restartPolicy'] ?? 'Never';
    const { restartPolicy: _, ...rest } = spec;
    const template = {
      metadata: { annotations },
      spec: { restartPolicy, containers: [{ name: 'main', image: 'busybox' }] },
    };
    const body = { metadata: { name }, spec: { template, ...rest } };
    return asJob(this.cluster.api.create(definitions.jobs, namespace, body).object);
  }

  patchJob(name: string, body: JsonObject): StoredJob {
    const patch = { mediaType: 'application/merge-patch+json', body } as const;
    return asJob(this.cluster.api.patch(definitions.jobs, namespace, name, patch).object);
  }

  deleteJob(name: string, propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'): void {
    this.cluster.api.delete(
      definitions.jobs,
      namespace,
      name,
      propagationPolicy === undefined ? {} : { propagationPolicy },
    );
  }

  find(type: ResourceDefinition, name: string): StoredObject | undefined {
    return this.cluster.store.get(type, type.isNamespaced ? namespace : undefined, name);
  }

  job(name: string): StoredJob {
    const found = this.find(definitions.jobs, name);
    if (found === undefined) throw new Error(`There is no Job ${name}.`);
    return asJob(found);
  }

  statusOf(name: string): JobStatus {
    return this.job(name).status ?? {};
  }

  /** Types of the conditions that are True, in their order. */
  conditionsOf(name: string): readonly string[] {
    return (this.statusOf(name).conditions ?? []).filter(({ status }) => status === 'True').map(({ type }) => type);
  }

  pods(): readonly StoredPod[] {
    return this.cluster.store.list(definitions.pods, namespace).map(asPod);
  }

  phases(): readonly string[] {
    return this.pods().map(({ status }) => status?.phase ?? '');
  }

  /** Reasons of the events about the object, in the order of their recording. */
  reasons(name: string): readonly string[] {
    return this.cluster.store
      .list(definitions.events, namespace)
      .filter(({ involvedObject }) => isJsonObject(involvedObject) && involvedObject['name'] === name)
      .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ reason }) => String(reason));
  }

  /** What a kubelet would write, for a cluster that has none. */
  setPhase(
    pod: StoredPod,
    phase: string,
    extras: { readonly isReady?: boolean; readonly exitCode?: number } = {},
  ): void {
    const { isReady = false, exitCode } = extras;
    const at = `${new Date(this.clock.now()).toISOString().slice(0, 19)}Z`;
    const state = exitCode === undefined ? { running: {} } : { terminated: { exitCode, finishedAt: at } };
    const status = {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: at }],
      containerStatuses: [{ name: 'main', ready: isReady, restartCount: 0, state }],
    };
    const { name } = pod.metadata;
    const current = this.cluster.api.get(definitions.pods, namespace, name);
    this.cluster.api.update(definitions.pods, namespace, name, { ...current, status }, { subresource: 'status' });
  }
}

/** Nothing inside of a cluster has any business to go wrong. */
export const failingLog: Log = {
  ...nullLog,
  error: (message, fields) => {
    throw new Error(`${message} ${JSON.stringify(fields)}`);
  },
};

/** The same numbers each time. */
export function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
