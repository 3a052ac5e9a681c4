/**
 * Manifests: text → documents → findings with exact ranges, and fixes. Pure: no file, no network, no editor, nothing of
 * Node.
 */

export { applied } from './apply.ts';
export { applyFixes, compatibleFixes, preferredFixes } from './applyFixes.ts';
export { asAuthored, serverSetMetadata } from './asAuthored.ts';
export { type ChosenSettings, manifestSettings } from './chosenSettings.ts';
export { crdShapeOf } from './crd/index.ts';
export { type ForeignProblem, withoutEchoes } from './echoes.ts';
export { scalarText } from './edits.ts';
export type { Finding, Fix, Severity } from './finding.ts';
export { kindOf, mayHoldWorkload, multiKueue, queueLabel, type WorkloadKind, workloadKinds } from './kinds.ts';
export { type KustomizedFiles, kustomizationNames, kustomizedFilesOf } from './kustomize.ts';
export { type Lens, lensesOf } from './lenses.ts';
export { asStored, counterpart, type LiveMode, requestAgainst } from './live.ts';
export {
  createLiveSession,
  type FindStored,
  type LiveCheck,
  type LiveFinding,
  type LiveSession,
} from './liveSession.ts';
export type { ManifestCheck, ManifestObject } from './manifestCheck.ts';
export { type FoundObject, objectsIn } from './objects.ts';
export { fixesAt, fixesForAll, type OfferedFix } from './offeredFixes.ts';
export { pagesByCode } from './pages.ts';
export { queueFor, queuesFor } from './queues.ts';
export { readingMeanings } from './readingMeanings.ts';
export { rewriteObject } from './rewriteObject.ts';
export { managedByUrl, type Rule, rules } from './rules/index.ts';
export {
  type AnswerLine,
  compareAnswers,
  type Disagreement,
  placeAnswer,
  reportOf,
  type ServerAnswer,
  type ServerRefusal,
} from './serverAnswer.ts';
export { createManifestSession, type ManifestSession } from './session.ts';
export type { LocalQueue, ManifestSettings, QueuesOfCluster } from './settings.ts';
export {
  type FieldShape,
  type ScalarType,
  type Shape,
  shapeAt,
  shapeWithin,
  structureAt,
  typeName,
} from './structure.ts';
export { cutDocuments } from './yaml/documents.ts';
export { entryOf, type ManifestNode, type MapEntry, nameOf, nodeAt, plainValueOf, stringAt } from './yaml/nodes.ts';
export { readInPieces, readingCodes, readYaml } from './yaml/readYaml.ts';
export { LineIndex, lineBreakOf, type Span, type TextPart, type TextRange } from './yaml/text.ts';
export { toYaml } from './yaml/toYaml.ts';
