import { describeError } from '../base/index.ts';
import { events, type Job, type KubeApi, KubeError, type KubeObject } from '../kube/index.ts';
import { elapsedMs, momentOf } from './elapsed.ts';
import type { JobMemory } from './jobMemory.ts';
import { isFinished, isSuspended } from './jobState.ts';
import type { ReconcileDeps } from './ports.ts';
import type { Wait } from './situation.ts';

/** A Job controller that is at work has made the first pod by then. */
const patienceMs = 10_000;
const askAgainMs = 60_000;

/**
 * A mirror that was started and has no pod: a quota or a policy may keep the worker's controller from making any. No
 * condition says so, only Events do (J2). Answers the wait, with their reason if there is one.
 */
export async function podTrouble(
  wait: Wait,
  mirror: Job,
  worker: KubeApi,
  memory: JobMemory,
  { clock, log }: Pick<ReconcileDeps, 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<Wait> {
  const { uid, namespace = '' } = mirror.metadata;
  if (!shouldHavePods(mirror)) {
    memory.idle = undefined;
    return wait;
  }
  if (memory.idle?.mirrorUid !== uid) {
    memory.idle = { mirrorUid: uid, since: momentOf(clock), askedAt: undefined, answer: '' };
  }
  const { idle } = memory;
  const idleMs = elapsedMs(clock, idle.since);
  if (idleMs < patienceMs) return soonest(wait, patienceMs - idleMs);
  if (idle.askedAt === undefined || elapsedMs(clock, idle.askedAt) >= askAgainMs) {
    idle.askedAt = momentOf(clock);
    try {
      const scope = { namespace, fieldSelector: `involvedObject.uid=${uid}` };
      const { items } = await worker.list<KubeObject>(events, scope, signal);
      idle.answer = lastRefusal(items);
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      // No right to read Events, or a cut: the mirror is none the worse for it.
      log.debug('The Events of a mirror could not be read.', {
        job: mirror.metadata.name,
        error: describeError(error),
      });
    }
  }
  const next = soonest(wait, askAgainMs);
  return idle.answer === '' ? next : { ...next, reason: 'PodsRefused', message: idle.answer };
}

function shouldHavePods(mirror: Job): boolean {
  const { active = 0, terminating = 0 } = mirror.status ?? {};
  return !isSuspended(mirror) && !isFinished(mirror) && active + terminating === 0 && mirror.spec.parallelism !== 0;
}

function soonest(wait: Wait, afterMs: number): Wait {
  return { ...wait, afterMs: Math.min(wait.afterMs ?? afterMs, afterMs) };
}

/** The message of the newest Event that says a pod could not be made; '' if there is none. */
function lastRefusal(items: readonly KubeObject[]): string {
  let found = '';
  let newest = '';
  for (const item of items) {
    const { reason, message, lastTimestamp, eventTime } = fieldsOf(item);
    const time = lastTimestamp ?? eventTime ?? '';
    if (reason !== 'FailedCreate' || message === undefined || time < newest) continue;
    newest = time;
    found = message.split('\n', 1)[0] ?? '';
  }
  return found;
}

function fieldsOf(event: object): Partial<Record<'reason' | 'message' | 'lastTimestamp' | 'eventTime', string>> {
  const texts = Object.entries(event).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts);
}
