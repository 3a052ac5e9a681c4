/** Editor: what an author of manifests sees. Shell only: every decision is made in `manifest`. */
export { ClusterAnswers } from './clusterAnswers.ts';
export { registerCodeActions } from './codeActions.ts';
export { registerCodeLenses } from './codeLens.ts';
export { registerCompletions } from './completion.ts';
export { publishDiagnostics } from './diagnostics.ts';
export { type DescribeField, registerHovers } from './hover.ts';
export { Kustomizations } from './kustomizations.ts';
export { LiveFindings, type StoredKey, type StoredObjects } from './liveFindings.ts';
export { type LiveConnection, type LiveState, registerLiveLenses } from './liveLens.ts';
export {
  type AuthoringEngine,
  type DocumentSession,
  type LanguageEngine,
  ManifestDocuments,
  type ManifestDocumentsDeps,
} from './manifestDocuments.ts';
export { WorkspaceChecks, type WorkspacePass } from './workspaceChecks.ts';
