/**
 * Manifests: text → documents → findings with exact ranges, and fixes. Pure: no file, no network, no editor, nothing of
 * Node.
 */

export { applied } from './apply.ts';
export { applyFixes, preferredFixes } from './applyFixes.ts';
export { type Completion, completionsAt, type NamesUsed, namesUsed } from './completion/index.ts';
export type { Finding, Fix, Severity } from './finding.ts';
export { type Hover, type HoverField, hoverAt } from './hover.ts';
export { multiKueue, queueLabel, type WorkloadKind, workloadKinds } from './kinds.ts';
export { kustomizationNames, patchFilesOf } from './kustomize.ts';
export { type Lens, lensesOf } from './lenses.ts';
export {
  asStored,
  checkAgainstLive,
  counterpart,
  type FindStored,
  type LiveFinding,
  type LiveMode,
  requestAgainst,
  type StoredName,
} from './live.ts';
export { nameOf } from './nodes.ts';
export { type Rule, rules } from './rules/index.ts';
export {
  createManifestSession,
  type ManifestCheck,
  type ManifestDocument,
  type ManifestObject,
  type ManifestSession,
} from './session.ts';
export type { ManifestSettings, SessionOptions } from './settings.ts';
export { LineIndex, type TextEdit, type TextPosition, type TextRange } from './text.ts';
