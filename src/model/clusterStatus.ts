import { explainKubeError, type KubeError, type ReflectorState } from '../kube/index.ts';

/** How much of a cluster is known, and how fresh. Exactly one of these, whatever happens. */
export type Contact =
  /** The first list is still under way. */
  | 'connecting'
  /** What is shown is what is there. */
  | 'connected'
  /** Out of touch for a moment; nothing is wrong yet. */
  | 'stale'
  /** The kubeconfig can't be used as it stands: a file or a program that it names is missing. Asks nothing of the cluster. */
  | 'misconfigured'
  /** Only a person can log in. Says nothing about the cluster or its Jobs. */
  | 'auth-needed'
  /** Reachable, but this login may not read what is needed. */
  | 'forbidden'
  /** No answer, or none that can be trusted, for a while. */
  | 'unreachable'
  | 'closed';

export interface ClusterStatus {
  readonly contact: Contact;
  /** When what is shown was last known to be true; absent while connected. Epoch milliseconds of this machine. */
  readonly staleSince?: number;
  /** What is wrong and what to do about it, in a person's words; absent while all is well. */
  readonly what?: string;
  readonly remedy?: string;
  /** When the next attempt is due. */
  readonly retryAt?: number;
}

/** Out of touch for longer than this is unreachable. Longer than the longest pause between two attempts. */
export const unreachableAfterMs = 35_000;

/** Errors that time alone does not cure. */
const lastingKinds: ReadonlySet<KubeError['kind']> = new Set([
  'certificate',
  'bad-answer',
  'not-served',
  'bad-request',
]);

/**
 * The status of a cluster, from what its reflectors are doing. The worst one counts: a tree that shows Jobs live and
 * pods of ten minutes ago must say so.
 *
 * @param states - of reflectors without which the cluster can't be shown
 * @param isComplete - whether all of them have read a whole list at some time
 */
export function clusterStatus(states: readonly ReflectorState[], isComplete: boolean, now: number): ClusterStatus {
  const all = states.map((state) => statusOf(state, isComplete, now));
  return all.reduce((worst, one) => (isWorse(one, worst) ? one : worst), { contact: 'connected' });
}

/** Of two that are equally well, the one that has something to say. */
function isWorse(a: ClusterStatus, b: ClusterStatus): boolean {
  const difference = rank[a.contact] - rank[b.contact];
  return difference > 0 || (difference === 0 && a.what !== undefined && b.what === undefined);
}

const rank: Readonly<Record<Contact, number>> = {
  connected: 0,
  connecting: 1,
  stale: 2,
  forbidden: 3,
  unreachable: 4,
  'auth-needed': 5,
  misconfigured: 6,
  closed: 7,
};

function statusOf(state: ReflectorState, isComplete: boolean, now: number): ClusterStatus {
  switch (state.kind) {
    case 'watching':
      return { contact: 'connected' };
    case 'polling':
      return {
        contact: 'connected',
        what: 'This login may list but not watch: changes show within half a minute',
        remedy: 'Ask for the verb watch on the same resources.',
      };
    case 'listing':
      if (state.error === undefined)
        return { contact: isComplete ? 'stale' : 'connecting', staleSince: state.staleSince };
      return {
        contact: contactAfter(state.error, state.staleSince, isComplete, now),
        staleSince: state.staleSince,
        ...explainKubeError(state.error),
      };
    case 'waiting':
      return {
        contact: contactAfter(state.error, state.staleSince, isComplete, now),
        staleSince: state.staleSince,
        retryAt: state.retryAt,
        ...explainKubeError(state.error),
      };
    case 'unauthorized':
      return { contact: 'auth-needed', staleSince: state.staleSince, ...explainKubeError(state.error) };
    case 'stopped':
      return { contact: 'closed' };
  }
}

function contactAfter(error: KubeError, staleSince: number, isComplete: boolean, now: number): Contact {
  if (error.kind === 'forbidden') return 'forbidden';
  if (error.kind === 'kubeconfig') return 'misconfigured';
  // Never seen at all: there is nothing that could be merely stale.
  if (!isComplete || lastingKinds.has(error.kind)) return 'unreachable';
  return now - staleSince >= unreachableAfterMs ? 'unreachable' : 'stale';
}
