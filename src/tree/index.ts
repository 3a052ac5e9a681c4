/** Tree: the view of Jobs and the status bar. Shell only: rows and words come from `model` and `session`. */
export { showJobsTree } from './jobsTree.ts';
export { showStatusBar } from './statusBar.ts';
