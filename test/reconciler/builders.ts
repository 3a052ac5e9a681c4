import type { JsonObject } from '../../src/base/index.ts';
import type { Job, JobSpec, JobStatus } from '../../src/kube/index.ts';

export const ourController = 'delegated-jobs.dev/reconciler';
export const managementUid = 'cluster-management';
export const workerUid = 'cluster-worker-1';

/** A Job as a server returns it, built step by step. Unless said otherwise: ours, running, without status. */
export class JobBuilder {
  #metadata: Record<string, unknown>;
  #spec: Record<string, unknown>;
  #status: JobStatus | undefined;

  constructor(name: string) {
    this.#metadata = {
      name,
      namespace: 'default',
      uid: `uid-of-${name}`,
      resourceVersion: '7',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    };
    this.#spec = {
      managedBy: ourController,
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': `uid-of-${name}` } },
      template: podTemplate({
        'batch.kubernetes.io/controller-uid': `uid-of-${name}`,
        'batch.kubernetes.io/job-name': name,
        'controller-uid': `uid-of-${name}`,
        'job-name': name,
      }),
    };
  }

  uid(uid: string): this {
    return this.meta({ uid });
  }
  meta(metadata: JsonObject): this {
    this.#metadata = { ...this.#metadata, ...metadata };
    return this;
  }
  labels(labels: Readonly<Record<string, string>>): this {
    return this.meta({ labels: { ...(this.#metadata['labels'] as object | undefined), ...labels } });
  }
  annotations(annotations: Readonly<Record<string, string>>): this {
    return this.meta({ annotations: { ...(this.#metadata['annotations'] as object | undefined), ...annotations } });
  }
  finalizers(...finalizers: string[]): this {
    return this.meta({ finalizers });
  }
  deleting(): this {
    return this.meta({ deletionTimestamp: '2026-01-01T01:00:00Z' });
  }
  generation(generation: number): this {
    return this.meta({ generation });
  }
  /** Sets fields of the spec; `undefined` removes. */
  spec(spec: Partial<Record<keyof JobSpec | string, unknown>>): this {
    for (const [key, value] of Object.entries(spec)) {
      if (value === undefined) delete this.#spec[key];
      else this.#spec[key] = value;
    }
    return this;
  }
  managedBy(managedBy: string | undefined): this {
    return this.spec({ managedBy });
  }
  suspended(isSuspended = true): this {
    return this.spec({ suspend: isSuspended });
  }
  indexed(completions: number, parallelism = completions): this {
    return this.spec({ completionMode: 'Indexed', completions, parallelism });
  }
  status(status: JobStatus): this {
    this.#status = status;
    return this;
  }
  build(): Job {
    return {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { ...this.#metadata },
      spec: { ...this.#spec },
      ...(this.#status === undefined ? {} : { status: this.#status }),
    } as unknown as Job;
  }
}

export function job(name = 'a'): JobBuilder {
  return new JobBuilder(name);
}

/** The smallest pod template that every server takes. */
export function podTemplate(labels: Readonly<Record<string, string>> = {}): JsonObject {
  return {
    ...(Object.keys(labels).length > 0 ? { metadata: { labels } } : {}),
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'registry.example/main:1' }],
    },
  };
}

/** A manifest as a person applies it. */
export function manifest(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default', ...metadata },
    spec: { managedBy: ourController, template: podTemplate(), ...spec },
  };
}

/** `Complete` at 10:00:30 and the like: conditions by their types, all True. */
export function conditions(...types: string[]) {
  return types.map((type) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastProbeTime: '2026-01-01T10:00:30Z',
    lastTransitionTime: '2026-01-01T10:00:30Z',
  }));
}
