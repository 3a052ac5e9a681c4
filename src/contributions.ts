/**
 * Every id under which VS Code knows something of ours, declared once. A test compares them with package.json.
 * Imports nothing, so that every shell folder may import it.
 */

export const commands = {
  startSandbox: 'delegatedJobs.startSandbox',
  stopSandbox: 'delegatedJobs.stopSandbox',
  connectClusters: 'delegatedJobs.connectClusters',
  disconnectClusters: 'delegatedJobs.disconnectClusters',
  dispatchJob: 'delegatedJobs.dispatchJob',
  enableReconciler: 'delegatedJobs.enableReconciler',
  disableReconciler: 'delegatedJobs.disableReconciler',
  showReconciler: 'delegatedJobs.showReconciler',
  retryCluster: 'delegatedJobs.retryCluster',
  showJobYaml: 'delegatedJobs.showJobYaml',
  copyName: 'delegatedJobs.copyName',
  deleteJob: 'delegatedJobs.deleteJob',
  showLog: 'delegatedJobs.showLog',
} as const;

export const settings = {
  section: 'delegatedJobs',
  kubernetesVersion: 'kubernetesVersion',
  controllerName: 'controllerName',
  knownControllers: 'knownControllers',
  kubeconfig: 'kubeconfig',
  managementContext: 'managementContext',
  workers: 'workers',
  namespaces: 'namespaces',
  reconcilerEnabled: 'reconciler.enabled',
} as const;

export const views = {
  jobs: 'delegatedJobs.jobs',
} as const;

/** Keys for `when` clauses. */
export const contextKeys = {
  connected: 'delegatedJobs:connected',
  sandbox: 'delegatedJobs:sandbox',
  reconciling: 'delegatedJobs:reconciling',
  jobInEditor: 'delegatedJobs:jobInEditor',
} as const;

export const defaultControllerName = 'delegated-jobs.dev/reconciler';

/** Prefix of our labels, annotations and finalizers. */
export const metadataPrefix = 'delegated-jobs.dev/';

/** The `source` of our diagnostics. */
export const diagnosticSource = 'delegated-jobs';
