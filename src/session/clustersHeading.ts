import type { ClusterState } from './clusterSession.ts';

/** What stands above the rows of the view: whom the window is connected to, and why it is not. */
export interface ClustersHeading {
  /** Beside the view's name; absent while nothing is connected. */
  readonly description: string | undefined;
  /** Why the last connection failed, as it was thrown. */
  readonly problem: unknown;
}

export function clustersHeading(state: ClusterState<unknown>, isSandbox: boolean): ClustersHeading {
  if (state.kind === 'disconnected') return { description: undefined, problem: state.problem };
  const { management, workers, namespaces } = state.target;
  const names = workers.map(({ name }) => name);
  const where = names.length > 3 ? `${names.length} workers` : names.join(', ');
  const parts = [
    isSandbox ? 'sandbox' : '',
    where === '' ? management : `${management} → ${where}`,
    namespaces.length > 1 ? `${namespaces.length} namespaces` : (namespaces[0] ?? ''),
  ];
  return { description: parts.filter((part) => part !== '').join(' · '), problem: undefined };
}
