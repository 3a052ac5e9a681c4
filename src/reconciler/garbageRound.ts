import { type Clock, describeError, type Log } from '../base/index.ts';
import { type Job, jobs, type KubeApi } from '../kube/index.ts';
import { GarbageCollector } from './gc.ts';
import type { ActionReport } from './ports.ts';
import type { WorkerScope } from './workerScope.ts';

export interface GarbageRoundOptions {
  readonly management: KubeApi;
  readonly namespaces: readonly string[];
  /** Delete what is found, or only count it (D8). */
  readonly mode: 'report' | 'delete';
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onAction: (action: ActionReport) => void;
}

/** What a round needs of one namespace on one worker. */
type GarbageScope = Pick<WorkerScope, 'term' | 'worker' | 'namespace' | 'isStillItself'>;

/** Garbage collection over all scopes this process leads, round by round. */
export class GarbageRounds {
  readonly #options: GarbageRoundOptions;
  readonly #collectors = new Map<string, GarbageCollector>();
  readonly #found = new Map<string, number>();

  constructor(options: GarbageRoundOptions) {
    this.#options = options;
  }

  /** Mirrors without a Job, as of the last round that got through. */
  get orphans(): number {
    return [...this.#found.values()].reduce((sum, count) => sum + count, 0);
  }

  /** One round. What can't be read whole is left for the next; nothing is concluded from a part. */
  async run(scopes: ReadonlyMap<string, GarbageScope>, originCluster: string): Promise<void> {
    const { signal, mode, log } = this.#options;
    for (const [id, scope] of scopes) {
      if (scope.term === undefined || scope.worker.trouble !== undefined) continue;
      try {
        const { orphans } = await this.#collector(id, originCluster).look(scope.worker.api, scope.namespace, signal);
        // What another cluster lacks says nothing of this one.
        if (orphans.length > 0 && !(await scope.isStillItself(signal))) continue;
        this.#found.set(id, orphans.length);
        if (mode === 'delete') await this.#delete(scope, orphans);
      } catch (error) {
        if (signal.aborted) return;
        log.info('Garbage collection gave up; what it had not proven stays.', {
          worker: scope.worker.name,
          namespace: scope.namespace,
          error: describeError(error),
        });
      }
    }
  }

  #collector(id: string, originCluster: string): GarbageCollector {
    let collector = this.#collectors.get(id);
    if (collector === undefined) {
      const { management, clock, namespaces } = this.#options;
      const isNamespaceEnabled = (namespace: string): boolean => namespaces.includes(namespace);
      collector = new GarbageCollector({ management, originCluster, clock, isNamespaceEnabled });
      this.#collectors.set(id, collector);
    }
    return collector;
  }

  async #delete(scope: GarbageScope, orphans: readonly Job[]): Promise<void> {
    for (const { metadata } of orphans) {
      const { term } = scope;
      if (term === undefined) return;
      const signal = AbortSignal.any([this.#options.signal, term]);
      const { namespace = '', name, uid, resourceVersion } = metadata;
      const request = { uid, resourceVersion, propagationPolicy: 'Background' as const };
      await scope.worker.api.delete(jobs, { namespace, name }, request, signal);
      this.#options.onAction({
        action: 'delete-mirror',
        namespace,
        job: name,
        uid: '',
        worker: scope.worker.name,
        detail: { mirrorUid: uid, why: 'its Job is gone' },
      });
    }
  }
}
