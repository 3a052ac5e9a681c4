/** Which clusters a workspace works with, as its settings say it. Names of contexts, not identities. */
export interface ClusterTarget {
  /** Files to read in place of `KUBECONFIG` and the usual file; empty: those. */
  readonly kubeconfig: string;
  /** Context of the management cluster; empty where none is chosen yet. */
  readonly management: string;
  /** The workspace's name of each worker and its context, in order of preference. */
  readonly workers: readonly WorkerTarget[];
  /** Namespaces to watch and to reconcile; empty: the namespace of the management context. */
  readonly namespaces: readonly string[];
  /** Our value of `spec.managedBy`. */
  readonly controllerName: string;
  /** Identities of clusters whose `kube-system` the login may not read, by context. */
  readonly clusterIds?: Readonly<Record<string, string>>;
}

export interface WorkerTarget {
  readonly name: string;
  readonly context: string;
}

/** A target with all that the question to the user has to name: filled in from the kubeconfig, without any request. */
export interface ResolvedTarget extends ClusterTarget {
  readonly managementServer: string;
  readonly workerServers: readonly string[];
}

export function isSameTarget(a: ClusterTarget, b: ClusterTarget): boolean {
  return JSON.stringify(orderedTarget(a)) === JSON.stringify(orderedTarget(b));
}

function orderedTarget(target: ClusterTarget): unknown {
  const { kubeconfig, management, namespaces, controllerName, clusterIds = {} } = target;
  const workers = target.workers.map(({ name, context }) => [name, context]);
  return [kubeconfig, management, workers, namespaces, controllerName, Object.entries(clusterIds).sort()];
}
