import type { ResolvedTarget } from './target.ts';

/**
 * Whether this window may reconcile. Two things must agree: the workspace's setting, which a repository can carry, and
 * the answer that a person gave on this machine to a question that named the clusters and namespaces. Another server,
 * worker, namespace or controller name is another question. Neither alone starts anything.
 */
export interface OptInFacts {
  readonly isTrusted: boolean;
  readonly isEnabled: boolean;
  readonly target: ResolvedTarget | undefined;
  /** Keys of earlier answers, kept per machine. */
  readonly consents: readonly string[];
}

export type OptIn =
  | { readonly kind: 'off' }
  | { readonly kind: 'untrusted' }
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'ask'; readonly question: Question; readonly consent: string }
  | { readonly kind: 'go' };

/** What a modal question says. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly yes: string;
}

export function optInFor(facts: OptInFacts): OptIn {
  const { target } = facts;
  if (!facts.isEnabled) return { kind: 'off' };
  if (!facts.isTrusted) return { kind: 'untrusted' };
  if (target === undefined) return { kind: 'incomplete', reason: 'No management cluster is chosen.' };
  if (target.workers.length === 0) return { kind: 'incomplete', reason: 'No worker cluster is chosen.' };
  const consent = consentKey(target);
  if (facts.consents.includes(consent)) return { kind: 'go' };
  return { kind: 'ask', question: questionFor(target), consent };
}

/** Names all that an answer stands for: nothing less may be taken for the same question. */
export function consentKey(target: ResolvedTarget): string {
  return JSON.stringify([
    target.managementServer,
    target.management,
    target.workers.map(({ context }, index) => [context, target.workerServers[index] ?? '']),
    [...target.namespaces].sort(),
    target.controllerName,
  ]);
}

export function questionFor(target: ResolvedTarget): Question {
  const workers = target.workers.map(
    ({ name, context }, index) =>
      `    ${name === context ? name : `${name} (${context})`} at ${target.workerServers[index] ?? 'an unknown address'}`,
  );
  return {
    message: 'Run the reconciler for this workspace?',
    detail: [
      `Jobs in ${plural('namespace', target.namespaces)} of the management cluster "${target.management}" at ${target.managementServer} whose managedBy is ${target.controllerName} then run on the first of these workers that takes them, with your own credentials:`,
      ...workers,
      '',
      'Their status is copied back. Whoever may create Jobs in these namespaces decides what runs there. It stops when this window closes; Jobs that run by then go on, unwatched.',
    ].join('\n'),
    yes: 'Run the Reconciler',
  };
}

function plural(noun: string, names: readonly string[]): string {
  return `${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}
