import { type JsonObject, textAt } from '../base/index.ts';
import { multiKueue, queueLabel, type WorkloadKind } from './kinds.ts';

import type { LocalQueue } from './settings.ts';

/** Who will run an object, in a line and in a sentence more. */
export interface Runner {
  readonly title: string;
  readonly tooltip: string;
}

/**
 * Undefined for kinds that nobody else can run. `own` is the name of this workspace's reconciler, `localQueue` the queue that
 * takes the object in, where it is known.
 */
export function whoRuns(
  kind: WorkloadKind,
  object: JsonObject,
  own: string | undefined,
  localQueue?: LocalQueue,
): Runner | undefined {
  const { managedBy } = kind;
  if (managedBy === undefined) return undefined;
  const subject = kind.kind === 'CronJob' ? 'Its Jobs: ' : '';
  const name = textAt(object, managedBy.path);
  const queue = textAt(object, [...(kind.queueMetadata ?? []), 'labels', queueLabel]) ?? localQueue?.name;
  const { leadsToMultiKueue } = localQueue ?? {};
  const runner = runnerOf({ name: name === managedBy.builtIn ? undefined : name, queue, leadsToMultiKueue, own, kind });
  return { ...runner, title: subject + runner.title };
}

interface Facts {
  /** Of another controller than the kind's own. */
  readonly name: string | undefined;
  readonly queue: string | undefined;
  readonly leadsToMultiKueue: boolean | undefined;
  readonly own: string | undefined;
  readonly kind: WorkloadKind;
}

function runnerOf({ name, queue, leadsToMultiKueue, own, kind }: Facts): Runner {
  if (name === undefined && queue === undefined) {
    return { title: 'Runs in the cluster it is applied to', tooltip: 'managedBy names nobody else.' };
  }
  if (name === undefined) {
    if (leadsToMultiKueue === true && kind.isSentByMultiKueue && kind.managedBy?.isLeftByKueue !== true) {
      return {
        title: `MultiKueue runs it, through the queue ${queue}`,
        tooltip: 'Kueue sets managedBy at creation, and picks the worker cluster.',
      };
    }
    const lead = leadsToMultiKueue === undefined ? ' If the queue leads to MultiKueue, a worker cluster runs it.' : '';
    return { title: `Waits in the queue ${queue}`, tooltip: `Kueue lets it start.${lead}` };
  }
  if (name === own) {
    return {
      title: "This workspace's reconciler runs it on a worker",
      tooltip: 'While a window is open that runs the reconciler.',
    };
  }
  if (name !== multiKueue)
    return { title: `${name} runs it`, tooltip: 'If nobody answers to that name, it stays idle.' };
  if (!kind.isSentByMultiKueue) {
    return { title: 'MultiKueue cannot run it', tooltip: `MultiKueue does not send ${kind.kind}s.` };
  }
  if (leadsToMultiKueue === false) {
    return {
      title: `MultiKueue, but the queue ${queue} does not lead there`,
      tooltip: 'Kueue lets it start in this cluster, where nobody runs it.',
    };
  }
  return queue === undefined
    ? { title: 'MultiKueue, but no queue', tooltip: `Without the label ${queueLabel} nobody acts.` }
    : { title: `MultiKueue runs it, through the queue ${queue}`, tooltip: 'Kueue picks the worker cluster.' };
}
