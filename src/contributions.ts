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
  copyWaitCommand: 'delegatedJobs.copyWaitCommand',
  deleteJob: 'delegatedJobs.deleteJob',
  showLog: 'delegatedJobs.showLog',
  checkWithCluster: 'delegatedJobs.checkWithCluster',
  compareWithLive: 'delegatedJobs.compareWithLive',
  recreateJob: 'delegatedJobs.recreateJob',
  checkWorkspace: 'delegatedJobs.checkWorkspace',
} as const;

export const settings = {
  section: 'delegatedJobs',
  kubernetesVersion: 'kubernetesVersion',
  controllerName: 'controllerName',
  knownControllers: 'knownControllers',
  ignore: 'ignore',
  kubeconfig: 'kubeconfig',
  managementContext: 'managementContext',
  workers: 'workers',
  clusterIds: 'clusterIds',
  namespaces: 'namespaces',
  reconcilerEnabled: 'reconciler.enabled',
  liveMode: 'live.mode',
  codeLensEnabled: 'codeLens.enabled',
} as const;

export const views = {
  jobs: 'delegatedJobs.jobs',
} as const;

/** Built-in: VS Code has such a command for each view. */
export const focusJobs = `${views.jobs}.focus`;

/** Tasks: their type, and the name of the matcher that reads what the command line prints. */
export const tasks = {
  type: 'delegated-jobs',
  problemMatcher: '$delegated-jobs',
} as const;

/** Keys for `when` clauses. */
export const contextKeys = {
  connected: 'delegatedJobs:connected',
  sandbox: 'delegatedJobs:sandbox',
  reconciling: 'delegatedJobs:reconciling',
  jobInEditor: 'delegatedJobs:jobInEditor',
  cronJobInEditor: 'delegatedJobs:cronJobInEditor',
} as const;

export const defaultControllerName = 'delegated-jobs.dev/reconciler';

/** The `source` of our diagnostics. */
export const diagnosticSource = 'delegated-jobs';
