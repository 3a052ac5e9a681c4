import type { ObservedWorkload } from './observed.ts';
import { attention, type Reason, sentence, waiting } from './reason.ts';

/** Why Kueue holds a Job back, by its Workload on the management cluster. */
export function explainWorkload({ eviction, quota, check, queueName }: ObservedWorkload): Reason {
  if (eviction !== undefined) {
    // A queue that was stopped takes its Jobs back, and only a person starts it again.
    const isQueueStopped = /Queue/.test(eviction.reason);
    const remedy = isQueueStopped
      ? `Somebody has to resume the queue${queueName === undefined ? '' : ` ${queueName}`}.`
      : '';
    return waiting(eviction.reason, `Kueue takes it back from the worker: ${sentence(eviction.message)}`, remedy);
  }
  if (quota !== undefined) {
    const text = `Kueue: ${sentence(quota.message)}`;
    const remedy = quotaRemedy(quota);
    return remedy === undefined
      ? waiting(quota.reason, text, 'Nothing: it follows when quota is free.')
      : attention(quota.reason, text, remedy);
  }
  if (check !== undefined && check.message !== '') {
    return waiting(`Check${check.state}`, `Kueue's check ${check.name}: ${sentence(check.message)}`);
  }
  return waiting('NotYetJudged', 'Kueue has not judged it yet.');
}

/**
 * What waiting alone will not cure. Kueue before 0.19 has one reason for all of it, so that the message must tell.
 * Source: Kueue 0.17, scheduler and queue messages.
 */
function quotaRemedy({ reason, message }: { readonly reason: string; readonly message: string }): string | undefined {
  if (/doesn't exist|not found/i.test(message)) {
    return 'Create the LocalQueue, or create the Job anew with the name of one that exists.';
  }
  if (reason === 'ExceedsMaxQuota' || /insufficient quota/.test(message)) {
    return 'It asks for more than the queue can ever give: ask for less, or have the quota raised.';
  }
  return undefined;
}
