import { type Clock, isAbort } from '../base/index.ts';
import { type Job, jobs, type KubeApi, KubeError } from '../kube/index.ts';
import { elapsedMs, type Moment, momentOf } from './elapsed.ts';
import { isDeleting, isSuspended } from './jobState.ts';
import { mirrorKeys, readRecord } from './record.ts';

/**
 * Garbage: mirrors of ours whose Job is gone and was not seen going. Found by our labels, proven by a live GET on the
 * management cluster, seen so twice a minute apart; deleted only where the settings say so, since labels on a worker can
 * be written by others (D7, D8).
 */
export interface GarbageDeps {
  readonly management: KubeApi;
  readonly originCluster: string;
  readonly clock: Clock;
  readonly isNamespaceEnabled: (namespace: string) => boolean;
}

export interface GarbageReport {
  /** Mirrors without a Job, old enough and seen twice. */
  readonly orphans: readonly Job[];
  /** Looked at in this pass. */
  readonly looked: number;
}

const secondSightingMs = 60_000;
const minimumAgeMs = 120_000;

/** One worker's candidates, remembered from pass to pass. */
export class GarbageCollector {
  readonly #deps: GarbageDeps;
  /** When each mirror was first seen without its Job, by UID. */
  readonly #suspects = new Map<string, Moment>();
  /** When each mirror was first seen at all: its age by this machine's clock, never by the worker's (K1). */
  readonly #firstSeen = new Map<string, Moment>();

  constructor(deps: GarbageDeps) {
    this.#deps = deps;
  }

  /**
   * One pass over one namespace of a worker. Rejects, with nothing concluded, if any page of the list or any GET fails
   * for another reason than "there is none": partial knowledge deletes nothing.
   */
  async look(worker: KubeApi, namespace: string, signal: AbortSignal): Promise<GarbageReport> {
    const { clock } = this.#deps;
    const mirrors = await this.#listAll(worker, namespace, signal);
    const orphans: Job[] = [];
    const missing = new Set<string>();
    for (const mirror of mirrors) {
      const { uid } = mirror.metadata;
      if (!this.#firstSeen.has(uid)) this.#firstSeen.set(uid, momentOf(clock));
      if (!(await this.#isOrphan(mirror, signal))) continue;
      missing.add(uid);
      if (!this.#suspects.has(uid)) this.#suspects.set(uid, momentOf(clock));
      if (this.#isRipe(uid)) orphans.push(mirror);
    }
    const present = new Set(mirrors.map(({ metadata }) => metadata.uid));
    for (const uid of this.#suspects.keys()) if (!missing.has(uid)) this.#suspects.delete(uid);
    for (const uid of this.#firstSeen.keys()) if (!present.has(uid)) this.#firstSeen.delete(uid);
    return { orphans, looked: mirrors.length };
  }

  #isRipe(uid: string): boolean {
    const { clock } = this.#deps;
    const suspectSince = this.#suspects.get(uid);
    const seenSince = this.#firstSeen.get(uid);
    if (suspectSince === undefined || seenSince === undefined) return false;
    return elapsedMs(clock, suspectSince) >= secondSightingMs && elapsedMs(clock, seenSince) >= minimumAgeMs;
  }

  async #listAll(worker: KubeApi, namespace: string, signal: AbortSignal): Promise<Job[]> {
    const labelSelector = `${mirrorKeys.originCluster}=${this.#deps.originCluster}`;
    const found: Job[] = [];
    let continueToken: string | undefined;
    do {
      const page = await worker.list<Job>(
        jobs,
        { namespace, labelSelector, ...(continueToken === undefined ? {} : { continueToken }) },
        signal,
      );
      found.push(...page.items);
      continueToken = page.continueToken;
    } while (continueToken !== undefined);
    return found;
  }

  async #isOrphan(mirror: Job, signal: AbortSignal): Promise<boolean> {
    const { labels = {}, annotations = {}, namespace = '' } = mirror.metadata;
    const originUid = labels[mirrorKeys.originUid];
    const [originNamespace = '', originName = ''] = (annotations[mirrorKeys.originName] ?? '').split('/');
    if (originUid === undefined || originName === '' || originNamespace !== namespace) return false;
    if (labels[mirrorKeys.detached] === 'true' || isDeleting(mirror)) return false;
    if (!this.#deps.isNamespaceEnabled(originNamespace)) return false;
    try {
      const key = { namespace: originNamespace, name: originName };
      const origin = await this.#deps.management.get<Job>(jobs, key, signal);
      if (origin.metadata.uid !== originUid) return true;
      // Left by an attempt that was given up before it ran: its creation was lost on its way and arrived late.
      const reading = readRecord(origin);
      const isGivenUp = reading.kind === 'assigned' && labels[mirrorKeys.attempt] !== String(reading.record.attempt);
      return isGivenUp && isSuspended(mirror);
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      if (error instanceof KubeError && error.kind === 'not-found') return true;
      throw error;
    }
  }
}
