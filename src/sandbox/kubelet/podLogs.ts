import type { Clock, Disposable } from '../../base/index.ts';
import { asPod } from '../objects.ts';
import type { LogLine, LogReader, LogRequest } from '../podLogAnswer.ts';
import type { ResourceApi } from '../resourceApi.ts';
import { definitions } from '../resources.ts';
import { badRequest } from '../status.ts';
import { type PodLife, runOf } from './life.ts';
import { type ContainerRun, logLines } from './log.ts';

/** How often a log that is followed is looked at. */
const followEveryMs = 100;

/** The logs of a cluster's pods. Nothing is kept: the lines of a run follow from the run and the time. */
export class PodLogs implements LogReader {
  readonly #api: ResourceApi;
  readonly #clock: Clock;
  readonly #lifeOf: (uid: string) => PodLife | undefined;

  constructor(api: ResourceApi, clock: Clock, lifeOf: (uid: string) => PodLife | undefined) {
    this.#api = api;
    this.#clock = clock;
    this.#lifeOf = lifeOf;
  }

  now(): number {
    return this.#clock.now();
  }

  read(request: LogRequest): readonly LogLine[] {
    const run = this.#find(request);
    return run === undefined ? [] : logLines(run, this.now());
  }

  hasBegun(request: LogRequest): boolean {
    return this.#find(request) !== undefined;
  }

  follow(request: LogRequest, onLine: (line: LogLine) => void, onEnd: () => void): Disposable {
    let told = this.read(request).length;
    let timer: Disposable;
    const look = (): void => {
      const { namespace, name } = request;
      const isThere = this.#api.store.get(definitions.pods, namespace, name) !== undefined;
      const run = isThere ? this.#find(request) : undefined;
      const lines = run === undefined ? [] : logLines(run, this.now());
      for (const line of lines.slice(told)) onLine(line);
      told = Math.max(told, lines.length);
      if (!isThere || run?.endedAt !== undefined) onEnd();
      else timer = this.#clock.after(followEveryMs, look);
    };
    timer = this.#clock.after(0, look);
    return { dispose: () => timer.dispose() };
  }

  /** Undefined while the pod has no node; the real server then has nothing to ask, and answers with nothing. */
  #find({ namespace, name, container, previous }: LogRequest): ContainerRun | undefined {
    const pod = asPod(this.#api.get(definitions.pods, namespace, name));
    const { containers, nodeName } = pod.spec;
    const chosen = container === undefined ? containers[0] : containers.find((entry) => entry.name === container);
    if (chosen === undefined) throw badRequest(`container ${container} is not valid for pod ${name}`);
    const life = this.#lifeOf(pod.metadata.uid);
    if (previous) {
      if (life?.previous !== undefined) return life.previous;
      throw badRequest(`previous terminated container "${chosen.name}" in pod "${name}" not found`);
    }
    if (nodeName === undefined) return undefined;
    if (life?.startedAt !== undefined) return runOf(pod, life, chosen);
    throw badRequest(`container "${chosen.name}" in pod "${name}" is waiting to start: ContainerCreating`);
  }
}
