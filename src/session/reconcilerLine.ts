import type { ClusterState, LeaseState, ReconcilerState } from '../reconciler/index.ts';
import type { ReconcilerPhase } from './reconcilerSession.ts';

/** What the status bar says: who reconciles, or that nobody does. */
export interface ReconcilerLine {
  /** With codicons in `$(…)`. */
  readonly text: string;
  readonly tooltip: string;
  readonly isWarning: boolean;
}

/** Undefined where there is nothing to say: not connected and not switched on. */
export function reconcilerLine(
  phase: ReconcilerPhase<ReconcilerState>,
  isConnected: boolean,
): ReconcilerLine | undefined {
  switch (phase.kind) {
    case 'off':
      if (!isConnected) return undefined;
      return line(
        '$(circle-slash) Not reconciling',
        'This window does not reconcile. Click to run the reconciler for this workspace.',
      );
    case 'asking':
      return line('$(question) Reconciler: your answer', 'A question about the reconciler is open.');
    case 'starting':
      return line(
        '$(loading~spin) Reconciler starts',
        `For ${phase.target.namespaces.join(', ')} on ${phase.target.management}.`,
      );
    case 'failed':
      return { ...line('$(error) Reconciler stopped', `${phase.reason} Click to run it again.`), isWarning: true };
    case 'running':
      return runningLine(phase.report, phase.target.namespaces, phase.target.management);
    default:
      return phase satisfies never;
  }
}

function runningLine(state: ReconcilerState, namespaces: readonly string[], management: string): ReconcilerLine {
  const troubled = [state.management, ...state.workers].flatMap((cluster) => {
    const concern = concernOf(cluster);
    return concern === undefined ? [] : `${cluster.name}: ${concern}`;
  });
  const kinds = new Set(state.leases.map(({ lease }) => lease.kind));
  const details = [
    `Namespaces ${namespaces.join(', ')} of ${management}`,
    ...state.leases.map(
      ({ namespace, worker, lease, problems }) =>
        `${namespace} → ${worker}: ${[describeLease(lease), ...problems].join('; ')}`,
    ),
    ...troubled,
    ...(state.counts.attention > 0 ? [`${plural(state.counts.attention, 'Job')} need somebody's attention`] : []),
  ].join('\n');
  const warn = troubled.length > 0 || state.counts.attention > 0;
  const text = stateWords(kinds, state);
  return { text: warn ? `${text} $(warning)` : text, tooltip: details, isWarning: warn || kinds.has('read-only') };
}

/** Why the reconciler can't work with a cluster (empty: the management cluster), with the remedy; undefined if it can. */
export function clusterConcern(name: string, state: ReconcilerState | undefined): string | undefined {
  const found = name === '' ? state?.management : state?.workers.find((worker) => worker.name === name);
  return found && concernOf(found);
}

function concernOf({ problem, health }: ClusterState): string | undefined {
  return problem ?? (health.kind === 'trouble' ? health.message : undefined);
}

function stateWords(kinds: ReadonlySet<LeaseState['kind']>, { management, workers }: ReconcilerState): string {
  if (kinds.has('leading')) return '$(sync) Reconciling';
  if (kinds.has('standby')) return '$(eye) Another window reconciles';
  if (kinds.has('read-only')) return '$(lock) Not allowed to reconcile';
  const isUseless = management.problem !== undefined || workers.every(({ problem }) => problem !== undefined);
  if (isUseless) return '$(error) Reconciler needs help';
  // It would go on finding out who reconciles for as long as the clusters don't answer.
  const isOut = management.health.kind === 'trouble' || workers.every(({ health }) => health.kind === 'trouble');
  return isOut ? '$(debug-disconnect) Reconciler out of touch' : '$(loading~spin) Reconciler starts';
}

function describeLease(lease: LeaseState): string {
  switch (lease.kind) {
    case 'leading':
      return 'this window reconciles';
    case 'standby':
      return `${lease.holder} reconciles, last heard of ${Math.round(lease.silentMs / 1000)} s ago`;
    case 'campaigning':
      return 'finding out who reconciles';
    case 'read-only':
      return lease.message;
    case 'stopped':
      return 'stopped';
    default:
      return lease satisfies never;
  }
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function line(text: string, tooltip: string): ReconcilerLine {
  return { text, tooltip, isWarning: false };
}
