import { type JsonObject, textAt } from '../base/index.ts';
import { queueLabel, type WorkloadKind } from './kinds.ts';
import type { LocalQueue, QueuesOfCluster } from './settings.ts';
import { nameOf } from './yaml/nodes.ts';

/** The queues of the namespace that an object is in, or would be put into; undefined where nothing is known of them. */
export function queuesFor(
  object: JsonObject,
  clusterQueues: QueuesOfCluster | undefined,
): readonly LocalQueue[] | undefined {
  if (clusterQueues === undefined) return undefined;
  const { namespace = clusterQueues.defaultNamespace } = nameOf(object);
  return Object.hasOwn(clusterQueues.byNamespace, namespace) ? clusterQueues.byNamespace[namespace] : undefined;
}

/** The queue that takes an object in, where it is known: the one that its label names, or without a label `default`. */
export function queueFor(
  kind: WorkloadKind,
  object: JsonObject,
  queues: readonly LocalQueue[] | undefined,
): LocalQueue | undefined {
  if (kind.queueMetadata === undefined) return undefined;
  const name = textAt(object, [...kind.queueMetadata, 'labels', queueLabel]) ?? 'default';
  return queues?.find((queue) => queue.name === name);
}
