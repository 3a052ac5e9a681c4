import type { Disposable } from '../../base/index.ts';
import { validIndex } from '../job/pods.ts';
import type { Container, StoredPod } from '../objects.ts';
import type { ContainerRun } from './log.ts';

/** What the kubelet knows of a pod beyond what it writes into its status. Times are epoch milliseconds. */
export interface PodLife {
  /** Counts the pods of the cluster; their addresses are made of it. */
  readonly serial: number;
  /** What happens next; a pod has one thing ahead of it at most. */
  timer: Disposable | undefined;
  startedAt?: number;
  durationMs: number;
  endedAt?: number;
  exitCode?: number;
  restarts: number;
  isStopping: boolean;
  /** The run before the last restart. */
  previous?: ContainerRun;
}

/** The present run of one of the pod's containers; they all run alike. */
export function runOf(pod: StoredPod, life: PodLife, container: Container): ContainerRun {
  const { startedAt = 0, durationMs, endedAt, exitCode } = life;
  const index = validIndex(pod, Number.POSITIVE_INFINITY);
  return {
    container,
    podName: pod.metadata.name,
    ...(index === undefined ? {} : { index: String(index) }),
    startedAt,
    durationMs,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}
