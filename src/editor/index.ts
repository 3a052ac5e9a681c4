/** Editor: what an author of manifests sees. Shell only: every decision is made in `manifest`. */
export { ClusterAnswers } from './clusterAnswers.ts';
export { registerCodeActions } from './codeActions.ts';
export { registerCodeLenses } from './codeLens.ts';
export { registerCompletions } from './completion.ts';
export { publishDiagnostics } from './diagnostics.ts';
export { type DescribeField, registerHovers } from './hover.ts';
export { Kustomizations } from './kustomizations.ts';
export { LiveFindings } from './liveFindings.ts';
export { ManifestDocuments } from './manifestDocuments.ts';
export { WorkspaceChecks, type WorkspacePass } from './workspaceChecks.ts';
