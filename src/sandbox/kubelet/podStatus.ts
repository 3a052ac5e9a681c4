import type { JobCondition } from '../../kube/index.ts';
import { type Container, type ContainerStatus, type PodStatus, type StoredPod, timestamp } from '../objects.ts';

/** The statuses that scheduler and kubelet write in the course of a pod's life, as plain values. */

/** It has a node, and nothing has begun there. */
export function scheduledStatus(pod: StoredPod, now: number): PodStatus {
  return { ...pod.status, phase: 'Pending', conditions: [condition('PodScheduled', 'True', now)] };
}

/** No node, and why. */
export function unschedulableStatus(pod: StoredPod, reason: string, message: string, now: number): PodStatus {
  return {
    ...pod.status,
    phase: 'Pending',
    conditions: [{ ...condition('PodScheduled', 'False', now), reason, message }],
  };
}

/** The node has taken it on. */
export function creatingStatus(pod: StoredPod, node: NodeAddress, now: number): PodStatus {
  return {
    ...pod.status,
    phase: 'Pending',
    hostIP: node.hostIP,
    hostIPs: [{ ip: node.hostIP }],
    startTime: timestamp(now),
    conditions: conditions(pod, { initialized: 'True', ready: 'False' }, now),
    containerStatuses: pod.spec.containers.map((container) =>
      containerStatus(container, 0, false, { waiting: { reason: 'ContainerCreating' } }),
    ),
  };
}

/** Addresses that nobody listens at; but clients show them. */
export interface NodeAddress {
  readonly hostIP: string;
  readonly podIP: string;
}

/** All containers run and are ready; what there were of init containers has ended well. */
export function runningStatus(pod: StoredPod, node: NodeAddress, restarts: number, now: number): PodStatus {
  return {
    ...pod.status,
    phase: 'Running',
    hostIP: node.hostIP,
    hostIPs: [{ ip: node.hostIP }],
    podIP: node.podIP,
    podIPs: [{ ip: node.podIP }],
    startTime: pod.status?.['startTime'] ?? timestamp(now),
    conditions: conditions(pod, { initialized: 'True', ready: 'True' }, now),
    ...(pod.spec.initContainers === undefined
      ? {}
      : {
          initContainerStatuses: pod.spec.initContainers.map((container) => endedContainer(container, 0, 0, now, now)),
        }),
    containerStatuses: pod.spec.containers.map((container) =>
      containerStatus(container, restarts, true, { running: { startedAt: timestamp(now) } }),
    ),
  };
}

/** Between two runs of a container that is restarted in its pod. */
export function waitingStatus(pod: StoredPod, exitCode: number, startedAt: number, now: number): PodStatus {
  return {
    ...pod.status,
    phase: 'Running',
    conditions: conditions(pod, { initialized: 'True', ready: 'False' }, now),
    containerStatuses: pod.spec.containers.map((container, i) => {
      const restarts = (pod.status?.containerStatuses?.[i]?.restartCount ?? 0) + 1;
      const waiting = { reason: 'CrashLoopBackOff', message: `back-off restarting failed container=${container.name}` };
      return {
        ...containerStatus(container, restarts, false, { waiting }),
        lastState: endedContainer(container, exitCode, restarts, startedAt, now).state,
      };
    }),
  };
}

/** All containers have ended, with the same code. */
export function endedStatus(pod: StoredPod, exitCode: number, startedAt: number, now: number): PodStatus {
  const reason = exitCode === 0 ? 'PodCompleted' : 'PodFailed';
  return {
    ...pod.status,
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: conditions(pod, { initialized: 'True', ready: 'False' }, now).map((entry) =>
      entry.type === 'Ready' || entry.type === 'ContainersReady' ? { ...entry, reason } : entry,
    ),
    containerStatuses: pod.spec.containers.map((container, i) =>
      endedContainer(container, exitCode, pod.status?.containerStatuses?.[i]?.restartCount ?? 0, startedAt, now),
    ),
  };
}

/** Started and ended within the same run; a time that is missing would make the Job controller guess. */
function endedContainer(
  container: Container,
  exitCode: number,
  restarts: number,
  startedAt: number,
  now: number,
): ContainerStatus {
  return containerStatus(container, restarts, false, {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: timestamp(startedAt),
      finishedAt: timestamp(now),
    },
  });
}

function containerStatus(
  container: Container,
  restartCount: number,
  ready: boolean,
  state: ContainerStatus['state'],
): ContainerStatus {
  const { name, image = '' } = container;
  return { name, image, imageID: '', ready, started: ready, restartCount, state, lastState: {} };
}

function conditions(
  pod: StoredPod,
  { initialized, ready }: { initialized: 'True'; ready: 'True' | 'False' },
  now: number,
): JobCondition[] {
  const wanted = {
    PodReadyToStartContainers: 'True',
    Initialized: initialized,
    Ready: ready,
    ContainersReady: ready,
    PodScheduled: 'True',
  } as const;
  return Object.entries(wanted).map(([type, status]) => {
    const current = pod.status?.conditions?.find((entry) => entry.type === type);
    return current?.status === status ? current : condition(type, status, now);
  });
}

function condition(type: string, status: 'True' | 'False', now: number): JobCondition {
  return { type, status, lastProbeTime: null, lastTransitionTime: timestamp(now) };
}
